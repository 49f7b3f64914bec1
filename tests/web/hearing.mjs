// Playing by what a screen reader reads: the accessibility tree alone says whose turn it is and what can be
// done, and whoever acts names what was read. And the page at 200 %: all of it can be reached by scrolling.
import { assert, equal, until } from "./lib.mjs";
import { tableOf } from "./fit.mjs";
import { soon } from "./play.mjs";

/** The tree as the browser hands it to a screen reader: what is heard, in order. */
async function heard(session) {
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const property = (node, name) => node.properties?.find((p) => p.name === name)?.value.value;
  return nodes.filter((n) => !n.ignored && n.role).map((n) => ({
    role: n.role.value, name: n.name?.value ?? "", node: n.backendDOMNodeId,
    disabled: property(n, "disabled") === true, expanded: property(n, "expanded"),
  }));
}

/** Presses what was heard, as a screen reader does: the element behind it is clicked. */
async function pressHeard(session, { node }) {
  const { object } = await session.send("DOM.resolveNode", { backendNodeId: node });
  await session.send("Runtime.callFunctionOn", { objectId: object.objectId, functionDeclaration: "function () { this.click(); }" });
}

/** What can be chosen now: the buttons of the list in words, which is opened by its name. Null until all
 * of them are heard. */
async function choicesHeard(p, session, words) {
  const all = await heard(session);
  const list = all.find((n) => words.test(n.name) && n.expanded !== undefined);
  if (list && !list.expanded) {
    await pressHeard(session, list);
    return null;
  }
  const says = p.told.at(-1).legal_say;
  const found = all.filter((n) => n.role === "button" && !n.disabled && says.includes(n.name));
  return new Set(found.map((n) => n.name)).size === new Set(says).size ? found : null;
}

/** A whole game by what is heard, against novices: two who bet at random at Traps would sit there for hours. */
function byHearing(world, pick, plan, lang) {
  return async () => {
    const p = await world.person("Annabella", { lang });
    const session = await p.context.newCDPSession(p.page);
    await session.send("Accessibility.enable");
    await tableOf(p, { seats: ["open", ...Array(plan.players - 1).fill("novice")], ...plan });
    const words = lang === "it" ? /^Elenco/ : /^In words/;
    let acts = 0;
    for (;;) {
      const found = await until(async () => {
        const all = await heard(session);
        const dialog = all.findIndex((n) => n.role === "dialog");
        if (dialog >= 0) {
          assert(all[dialog].name, "a dialog without a name");
          // What a round came to, the last one too, or whether one is sure: its first button goes on.
          const on = all.slice(dialog).filter((n) => n.role === "button" && !n.disabled);
          const onward = on.find((n) => /^(Go on|Confirm|Yes|Avanti|Continu[ae]|Conferma|Sì)/.test(n.name));
          if (p.told.at(-1).state.over && on.length && !onward) return "over";
          const yes = onward ?? on.at(-1);
          assert(yes, "a dialog without a button");
          await pressHeard(session, yes).catch(() => {});
          return false;
        }
        const last = p.told.at(-1);
        if (!last.legal?.length || last.state.over || (await p.seq()) !== last.seq) return false;
        return choicesHeard(p, session, words);
      }, "not every choice can be heard");
      if (found === "over") break;
      const { legal, legal_say: says, seq } = p.told.at(-1);
      equal(new Set(says).size, says.length, `choices that sound the same: ${says.join("; ")}`);
      const wanted = says[legal.indexOf(soon(plan.game, legal, pick, p))];
      await pressHeard(session, found.find((n) => n.name === wanted)).catch(() => {});
      acts++;
      await until(async () => {
        const all = await heard(session);
        return p.told.at(-1).seq > seq || all.some((n) => n.role === "dialog");
      }, "the choice has no effect");
    }
    assert(acts > 0, "the game was no game");
    const names = (await heard(session)).map((n) => n.name).join(" ");
    assert(/Annabella|You|Hai|Vince|wins/.test(names), `nobody is named at the end: ${names}`);
    await p.close();
  };
}

/** The page at 200 % on a screen of 1280×720: nothing leaves it sideways, and every choice can be pressed. */
function zoomed(world, plan, lang) {
  return async () => {
    const p = await world.person("Annabella", { lang, size: [640, 360] });
    await tableOf(p, { seats: ["open", ...Array(plan.players - 1).fill("novice")], ...plan });
    await until(() => p.page.evaluate(() => document.querySelector("[data-testid=board] .can")), "nothing is asked");
    const found = await p.page.evaluate(() => {
      const out = [];
      if (document.documentElement.scrollWidth > innerWidth) out.push(`${document.documentElement.scrollWidth - innerWidth} px too wide`);
      for (const e of [...document.querySelectorAll("[data-testid=board] .can, #prompt")].filter((x) => x.checkVisibility())) {
        e.scrollIntoView({ block: "center", inline: "center" });
        const r = e.getBoundingClientRect();
        if (r.left < -1 || r.right > innerWidth + 1) out.push(`outside: ${e.textContent}`);
        const at = document.elementFromPoint(r.left + r.width / 2, r.top + Math.min(r.height, innerHeight) / 2);
        if (!at || !(e.contains(at) || at.contains(e))) out.push(`covered: ${e.dataset.action ?? e.id}`);
      }
      return out;
    });
    assert(!found.length, found.slice(0, 6).join("; "));
    await p.close();
  };
}

const PLANS = [
  [{ game: "doors", players: 2 }, "en"], [{ game: "traps", players: 2 }, "it"],
  [{ game: "favor", players: 2, options: { days: "1" } }, "en"], [{ game: "louis", players: 2, options: { rounds: "2" } }, "it"],
];

export function hearingCases(world, chooser) {
  return PLANS.flatMap(([plan, lang], n) => [
    [`${plan.game} by what a screen reader reads`, byHearing(world, chooser(41 + n), plan, lang)],
    [`${plan.game} at 200 %`, zoomed(world, plan, lang)],
  ]);
}
