// What a decision needs is on one screen: every game, every phase, five sizes, measured in the page.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { busyCourt, courtier } from "./courtier.mjs";
import { assert, equal, top, until } from "./lib.mjs";

export const SIZES = [[1440, 900], [1280, 720], [1024, 768], [390, 844], [360, 640]];

/** Sits down at a new table of this plan and goes to its page; says its id. */
export async function sitAt(person, plan) {
  await person.page.waitForFunction(() => document.querySelector("main"));
  const table = await person.page.evaluate((wanted) => new Promise((done, no) => {
    const socket = new WebSocket(`ws://${location.host}/ws`);
    const say = (message) => socket.send(JSON.stringify(message));
    socket.onopen = () => say({ op: "create", id: 1, ...wanted });
    socket.onmessage = ({ data }) => {
      const m = JSON.parse(data);
      if (m.op === "error" || m.error) no(new Error(data));
      if (m.id === 1) say({ op: "sit", id: 2, table: m.table, seat: 0 });
      if (m.id === 2) done(m.table);
    };
  }), plan);
  await person.page.goto(`/t/${table}`);
  return table;
}

/** The same with bots at all other seats: the game begins at once. */
export async function tableOf(person, plan) {
  const table = await sitAt(person, plan);
  await person.page.waitForSelector("[data-testid=board]");
  return table;
}

/** What is not to be seen at once on the page as it is: a list of complaints. */
export function complaints(page) {
  return page.evaluate(() => {
    const out = [];
    const name = (e) => `${e.dataset.action ?? e.dataset.zone ?? e.dataset.tile ?? e.id} <${e.className?.baseVal ?? e.className}>`;
    const root = document.documentElement;
    if (root.scrollHeight > innerHeight) out.push(`the page is ${root.scrollHeight - innerHeight} px too high`);
    if (root.scrollWidth > innerWidth) out.push(`the page is ${root.scrollWidth - innerWidth} px too wide`);
    const board = document.querySelector("[data-testid=board]");
    if (board.scrollHeight > board.clientHeight) out.push(`the board scrolls by ${board.scrollHeight - board.clientHeight} px`);
    if (board.clientHeight < 300) out.push(`the board has only ${board.clientHeight} px`);
    const shown = (e) => e.checkVisibility({ visibilityProperty: true });
    // Wholly inside the window and inside whatever cuts it off.
    const whole = (e) => {
      const r = e.getBoundingClientRect();
      let box = { left: -1, top: -1, right: innerWidth + 1, bottom: innerHeight + 1 };
      for (let up = e.parentElement; up; up = up.parentElement) {
        if (getComputedStyle(up).overflow === "visible") continue;
        const b = up.getBoundingClientRect();
        box = { left: Math.max(box.left, b.left), top: Math.max(box.top, b.top), right: Math.min(box.right, b.right), bottom: Math.min(box.bottom, b.bottom) };
      }
      return r.left >= box.left - 2 && r.top >= box.top - 2 && r.right <= box.right + 2 && r.bottom <= box.bottom + 2;
    };
    const need = (e, what) => {
      if (!shown(e) || !e.getBoundingClientRect().width) out.push(`${what} is not there: ${name(e)}`);
      else if (!whole(e)) out.push(`${what} is cut off: ${name(e)} ${JSON.stringify(e.getBoundingClientRect())}`);
    };
    const prompt = document.querySelector("#prompt");
    need(prompt, "whose turn it is");
    if (prompt.scrollHeight > prompt.clientHeight + 1) out.push(`the prompt is cut: ${prompt.textContent}`);
    const words = board.querySelector("[data-testid=in-words]");
    const choices = [...board.querySelectorAll(".can")].filter((e) => !words?.contains(e));
    for (const e of choices) {
      need(e, "a choice");
      const r = e.getBoundingClientRect();
      const hit = [[.5, .5], [.15, .3], [.15, .8], [.85, .2]].some(([x, y]) => {
        const at = document.elementFromPoint(r.left + r.width * x, r.top + r.height * y);
        return at && (e.contains(at) || at.contains(e));
      });
      if (!hit) out.push(`a choice lies under something: ${name(e)}`);
    }
    for (const e of board.querySelectorAll("[data-zone], [data-tile], .own-missions .mission, .plate, [data-testid=bar]")) need(e, "a part of the board");
    for (const e of board.querySelectorAll(".decks")) if (shown(e)) need(e, "what is left to draw"); // on phones it is not
    for (const e of board.querySelectorAll(".figure"))
      for (const m of e.closest(".ctile").querySelectorAll(".marker-art")) {
        const a = e.getBoundingClientRect(), b = m.getBoundingClientRect();
        if (a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 2 && b.top < a.bottom - 2)
          out.push(`a figure covers markers: tile ${e.closest(".ctile").dataset.tile}`);
      }
    // Markers stay on their tile, and own cards beside the missions.
    for (const m of board.querySelectorAll(".ctile .marker-art"))
      if (m.getBoundingClientRect().bottom > m.closest(".ctile").getBoundingClientRect().bottom + 2)
        out.push(`a marker leaves tile ${m.closest(".ctile").dataset.tile}`);
    // Beside three other kinds of cards they are as wide as a phone has room for.
    const least = board.querySelectorAll(".hands > *").length > 3 ? 48 : 60;
    for (const m of board.querySelectorAll(".own-missions .mission"))
      if (m.getBoundingClientRect().width < least) out.push(`a mission is too narrow for its words: ${m.textContent}`);
    for (const e of board.querySelectorAll(".own-missions .power"))
      if (e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1) out.push(`a mission is cut: ${e.textContent}`);
    const edge = board.querySelector(".own-missions")?.getBoundingClientRect().left ?? Infinity;
    for (const c of board.querySelectorAll(".hands .pc")) if (c.getBoundingClientRect().right > edge + 1) out.push("a card covers a mission");
    if (words) need(words, "the list in words");
    const clocks = [...document.querySelectorAll(".clock")].filter(shown);
    if (!clocks.length) out.push("no clock is to be seen");
    for (const e of clocks) need(e, "a clock");
    for (const e of board.querySelectorAll(".ctile .person"))
      if (shown(e) && (e.scrollHeight > e.clientHeight + 2 || e.scrollWidth > e.clientWidth + 1))
        out.push(`a name is cut: ${e.textContent}, ${e.clientWidth}×${e.clientHeight} of ${e.scrollWidth}×${e.scrollHeight} px`);
    // A name may take several lines, but none of its words may.
    for (const e of board.querySelectorAll(".plate .name")) {
      const words = document.createRange();
      words.selectNodeContents(e.firstChild);
      const lines = new Set([...words.getClientRects()].map((r) => Math.round(r.top))).size;
      if (shown(e) && lines > e.firstChild.textContent.trim().split(/\s+/).length) out.push(`a name is broken: ${e.textContent}, ${lines} lines`);
    }
    // What is written stays inside what it is written on.
    for (const e of board.querySelectorAll("button.say, .name, .court-card small, .role, .strip, .space, .mission, .tally li, .guesses .pick"))
      if (shown(e) && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline" && getComputedStyle(e).textOverflow !== "ellipsis")
        out.push(`too long for its place: ${name(e)} “${e.textContent}” ${e.scrollWidth} > ${e.clientWidth}`);
    for (const [inside, box] of [[".plate .pips b", ".plate"], [".plate .stats > span", ".plate"], [".court-card small", ".court-card"]])
      for (const e of board.querySelectorAll(inside)) {
        const a = e.getBoundingClientRect(), b = e.closest(box).getBoundingClientRect();
        if (shown(e) && a.width && (a.right > b.right || a.bottom > b.bottom + 1)) out.push(`too much for its place: “${e.closest(box).textContent}”`);
      }
    return out;
  });
}

/** Plays an action of one's own by a second connection: the page only shows what came of it. */
export async function act(person, table, action) {
  const { seq } = person.told.at(-1);
  await person.page.evaluate(([id, n, what]) => new Promise((done, no) => {
    const socket = (window.hand ??= new WebSocket(`ws://${location.host}/ws`));
    const send = () => socket.send(JSON.stringify({ op: "act", id: 7, table: id, seq: n, action: what }));
    socket.onmessage = ({ data }) => {
      const m = JSON.parse(data);
      if (m.id !== 7) return;
      // Where several are asked at once somebody may have been faster: then one is asked again.
      if (m.op === "error" && m.code !== "late") no(new Error(data));
      else done();
    };
    if (socket.readyState === 1) send();
    else socket.onopen = send;
  }), [table, seq, action]);
  await person.page.waitForFunction((n) => Number(document.querySelector(".table-page").dataset.seq) > n, seq);
}

/** The next thing that one is asked, once the page shows it, past the ends of rounds; null when the game is over. */
export async function asked(person) {
  const m = await until(async () => {
    const last = person.told.at(-1);
    if (last?.state?.over) return last;
    const board = await person.page.evaluate(() => {
      const stage = document.querySelector("dialog.stage");
      stage?.querySelector("[data-testid=go-on]").click();
      return stage ? null : document.querySelector("[data-testid=board]")?.dataset.phase;
    });
    return last?.legal?.length && last.state.phase === board && (await person.seq()) === last.seq && last;
  }, "nothing is asked");
  return m.state.over ? null : m;
}

/** What one is asked, as it is measured: the phase, and a crowded one by itself. */
function situation(s) {
  if (s.gems?.[0] >= 13 && s.phase !== "turn") return "many bids";
  return s.revealed?.flat().length >= 4 ? `${s.phase}, many turned up` : s.phase;
}

/** A low bet lets a round of Traps go on; who passes in Favor gets rich. */
const calm = (legal) => {
  const wise = legal.filter((a) => !/^(bet \d\d|bid)/.test(a));
  return wise.length ? wise : legal;
};

/** At Doors: collects one colour, so that there is a set, and never guesses. */
const collector = (legal) => {
  const wise = legal.filter((a) => /^take (R|BR)|^end/.test(a));
  return wise.length ? wise : legal;
};

/** At Traps: lays a trap, bets so high that all others pass, and turns the trap up; then one gives its token away. */
const trapped = (legal, { target }) => {
  const trap = target.replace(/./g, (c) => ({ R: "B", B: "R", L: "T", T: "L" })[c]);
  const bets = legal.filter((a) => a.startsWith("bet"));
  return [legal.find((a) => a === `place ${trap}` || a === "reveal 0") ?? bets.at(-1) ?? legal[0]];
};

/** At Traps: builds, then bets so high that all others pass, and turns up card after card, from all piles alike. */
const daring = (legal, { revealed }) => {
  const turned = (action) => revealed[Number(action.split(" ")[1])].length;
  const reveals = legal.filter((a) => a.startsWith("reveal") && a !== "reveal 0").sort((a, b) => turned(a) - turned(b));
  return [reveals[0] ?? legal.find((a) => a.startsWith("build")) ?? legal.filter((a) => a.startsWith("bet")).at(-1) ?? legal[0]];
};

/** Keeps how it looks, light and dark, for people to look at: SALOTTO_PICTURES=FOLDER. */
export async function picture(page, name) {
  if (!process.env.SALOTTO_PICTURES) return;
  for (const colorScheme of ["dark", "light"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: `${process.env.SALOTTO_PICTURES}/${name}-${colorScheme}.png` });
  }
}

/** Chooses some parts of an action that has several, such as a card and its tiles; whether there are any. */
const choosesParts = (page) => page.evaluate(async () => {
  const parts = () => document.querySelectorAll("[data-testid=board] .can[data-part]:not([aria-pressed=true])");
  const any = parts().length > 0;
  for (let n = 0; n < 3 && parts().length; n++) {
    parts()[0].click();
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
  }
  return any;
});

/** Adds what is wrong with the page at each size to a list, and keeps pictures. Says where the board's felt lies, by
 * size; where it lay `before` it must still lie. */
async function measureSizes(page, { game, players }, now, found, before = null) {
  const places = {};
  for (const [width, height] of SIZES) {
    const size = `${width}×${height}`;
    await page.setViewportSize({ width, height });
    for (const c of await complaints(page)) found.push(`${now} ${size}: ${c}`);
    const r = await page.locator("[data-testid=board] .felt").first().boundingBox();
    places[size] = [r.y, r.y + r.height];
    if (before && places[size].some((edge, i) => Math.abs(edge - before[size][i]) > 0.1))
      found.push(`${now} ${size}: the board moves, from ${before[size]} px to ${places[size]}`);
    await picture(page, `${game}-${players}-${now.replace(/\W/g, "-")}-${width}`);
  }
  return places;
}

/** Plays this table until all phases were seen or the game is over; each is measured when it is first met. */
async function measure(p, table, pick, phases, seen, found, wise = calm) {
  while (phases.some((f) => !seen.has(f))) {
    const m = await asked(p);
    if (!m) return;
    const now = situation(m.state);
    if (!seen.has(now)) {
      seen.add(now);
      const places = await measureSizes(p.page, m.state, now, found);
      if (await choosesParts(p.page)) await measureSizes(p.page, m.state, `${now}, parts chosen`, found, places);
    }
    const from = wise(m.legal, m.state);
    await act(p, table, from[pick(from.length)]);
  }
}

/** Gives the server a court file; says its id. */
async function handIn(person, court) {
  const answer = await person.context.request.post("/api/court", { data: court });
  assert(answer.ok(), `the court is refused: ${await answer.text()}`);
  return (await answer.json()).court;
}

/** Tables of this plan, one after the other (deals differ) until all these phases were seen. */
function fit(world, pick, plan, phases, usual, { bots = "novice", wise, court, options, name = "Annabella" } = {}) {
  const lang = process.env.SALOTTO_PICTURES_IN ?? usual;
  return async () => {
    const seen = new Set();
    const found = [];
    for (let tables = 0; tables < 20 && phases.some((f) => !seen.has(f)); tables++) {
      const p = await world.person(name, { lang, size: SIZES[0], dark: lang === "it" });
      const table = await tableOf(p, { seats: ["open", ...Array(plan.players - 1).fill(bots)],
        clock: { kind: "move", seconds: 900 }, options: court ? { court: await handIn(p, court) } : options, ...plan });
      await measure(p, table, pick, phases, seen, found, wise);
      await p.check();
      await p.close();
    }
    assert(!found.length, `${found.length} complaints:\n${found.slice(0, process.env.SALOTTO_PICTURES ? 99 : 8).join("\n")}`);
    for (const f of phases) assert(seen.has(f), `the phase ${f} was not met`);
  };
}

/** The phases of every game in which somebody is asked, as the program declares them: `./test schema` holds this file
 * and `salotto schema` together. */
function phasesOf() {
  const schema = readFileSync(join(top, "web/src/schema.ts"), "utf8");
  const found = schema.matchAll(/interface (\w+)State \{[^]*?\n  phase: ([^;]*);/g);
  return Object.fromEntries([...found].map(([, game, list]) => [game.toLowerCase(), list.match(/\w+/g).filter((f) => f !== "over")]));
}

/** As long as a name may be. */
const LONG = "Massimiliano Wittelsbach";

/** The tables: game, players, phases that are looked for, language, and how. */
function plans(program) {
  const all = phasesOf(), busy = { bots: "random", wise: courtier, court: busyCourt(program) };
  const usual = ["setup", "influence", "pay", "mission"];
  return [
    ["doors", "doors", 2, all.doors, "en", { wise: collector }],
    ["doors, a long name", "doors", 2, all.doors, "it", { wise: collector, name: LONG }],
    ["favor of three, Italian", "favor", 3, all.favor, "it"],
    ["favor of four with many gems, Italian", "favor", 4, ["many bids"], "it", { bots: "random", name: LONG }],
    ["favor of four", "favor", 4, all.favor, "en", { name: LONG }],
    ["traps of two", "traps", 2, ["place", "build", "bet", "reveal"], "en"],
    ["traps of four, Italian", "traps", 4, ["place", "build", "bet", "reveal"], "it"],
    ["traps of six", "traps", 6, ["place", "bet"], "en"],
    ["traps of six, many cards turned up", "traps", 6, ["reveal, many turned up"], "it", { wise: daring }],
    ["traps of four, many cards turned up", "traps", 4, ["reveal, many turned up"], "en", { wise: daring }],
    ["traps of six, a token to give away", "traps", 6, ["give"], "it", { wise: trapped, options: { first: 0 } }],
    ["louis of two", "louis", 2, all.louis, "en", busy],
    ["louis of three", "louis", 3, usual, "en"],
    ["louis of four, Italian", "louis", 4, usual, "it"],
  ];
}

export function fitCases(world, chooser) {
  const tables = plans(world.server.program);
  return [
    ...tables.map(([name, game, players, phases, lang, more], n) =>
      [`one screen: ${name}`, fit(world, chooser(21 + n), { game, players }, phases, lang, more)]),
    ["one screen: no phase of any game is left out", async () => {
      equal(Object.keys(phasesOf()).sort(), ["doors", "favor", "louis", "traps"], "games with phases");
      for (const [game, phases] of Object.entries(phasesOf()))
        for (const f of phases) assert(tables.some((t) => t[1] === game && t[3].includes(f)), `${game}: nobody looks at ${f}`);
    }],
  ];
}
