// The moments of a game: every ending takes the stage, things move only as one likes, nothing sounds
// before a gesture, one's turn calls, and every sign says what it is.
import { assert, equal, until } from "./lib.mjs";
import { axe } from "./eyes.mjs";
import { act, asked, picture, sitAt, SIZES, tableOf } from "./fit.mjs";
import { chooseByKeys } from "./keys.mjs";
import { playLesson } from "./lessons.mjs";
import { soon } from "./play.mjs";

/** What is wrong with the dialog that is open, at this size. */
function dialogComplaints(page) {
  return page.evaluate(() => {
    const out = [];
    const dialog = document.querySelector("dialog[open]");
    if (!dialog) return ["there is no dialog"];
    const inside = (e, what) => {
      const r = e?.getBoundingClientRect();
      if (!r || !r.width) out.push(`${what} is not there`);
      else if (r.left < -1 || r.top < -1 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1)
        out.push(`${what} is outside the window: ${JSON.stringify(r)}`);
    };
    inside(dialog, "the dialog");
    if (!dialog.contains(document.activeElement)) out.push(`the focus is at ${document.activeElement?.tagName}`);
    if (!dialog.getAttribute("aria-labelledby")) out.push("the dialog has no name");
    for (const h of dialog.querySelectorAll("h2")) inside(h, `“${h.textContent}”`);
    const on = dialog.querySelector("[data-testid=go-on]");
    if (on) inside(on, "the button that goes on");
    for (const e of dialog.querySelectorAll(".moment > :not(.speech)")) // whose tail hangs below it
      if (e.scrollHeight > e.clientHeight + 1 && getComputedStyle(e).display !== "inline") out.push(`a part lies over the next: ${e.textContent.slice(0, 60)}`);
    for (const e of dialog.querySelectorAll("h2, p, .step, .standing, .story li"))
      if (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline") out.push(`cut off: ${e.textContent}`);
    return out;
  });
}

async function atAllSizes(page, what) {
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    const found = await dialogComplaints(page);
    assert(!found.length, `${what}, ${width}×${height}: ${found.join("; ")}`);
    await picture(page, `${what.replace(/\W+/g, "-")}-${width}`);
  }
}

/** What the page is at: the end of a round, the result, or what one is asked. */
function nextMoment(p) {
  return until(async () => {
    const [stage, result] = await p.page.evaluate(() =>
      ["dialog.stage", "dialog[open] .game-result"].map((wanted) => document.querySelector(wanted)?.closest("dialog").open));
    const last = p.told.at(-1);
    if (stage !== undefined) return stage && "stage"; // not before it is open
    if (result) return "result";
    return last?.legal?.length && !last.state.over && (await p.seq()) === last.seq && last;
  }, "nothing happens");
}

/** Where nothing moves the end of a round of Louis XIV lists what each tile paid. */
async function toldTiles(page) {
  const told = await page.locator("dialog.stage .walk-list .said").allInnerTexts();
  assert(told.length > 0 && told.every((text) => text.length > 3), `tiles: ${told.join(" | ")}`);
}

/** A whole game by keyboard alone, in which every end of a round, and of the game, is looked at. */
function endings(world, pick, plan, usual) {
  const lang = process.env.SALOTTO_PICTURES_IN ?? usual;
  return async () => {
    const p = await world.person("Annabella", { lang, dark: lang === "it", size: SIZES[0] });
    const { page } = p;
    const talk = lang === "en";
    await p.context.addInitScript((remarks) => localStorage.setItem("salotto",
      JSON.stringify({ ...JSON.parse(localStorage.getItem("salotto") ?? "{}"), remarks })), talk);
    await tableOf(p, { seats: ["open", ...Array(plan.players - 1).fill("novice")], ...plan });
    let ends = 0;
    for (let m; (m = await nextMoment(p)) !== "result"; ) {
      if (m === "stage") {
        // The next deal waits: nothing can be chosen behind the stage, and the numbers are there at once.
        equal(await page.locator("[data-testid=board] .can").count(), 0, "choices behind the stage");
        if (plan.game === "louis") await toldTiles(page);
        if (++ends <= 2) await atAllSizes(page, `${plan.game}: end ${ends}`);
        if (ends === 1) await axe(page, "the end of a round");
        const title = await page.locator("dialog.stage h2").textContent();
        await page.keyboard.press("Enter");
        await page.waitForFunction((old) => document.querySelector("dialog.stage h2")?.textContent !== old, title);
        continue;
      }
      await chooseByKeys(p, soon(plan.game, plan.game === "louis" ? m.legal.slice(0, 20) : m.legal, pick, p));
    }
    assert(ends > 0, "no round took the stage");
    await atAllSizes(page, `${plan.game}: the end of the game`);
    await axe(page, "the end of the game");
    assert((await page.locator(".champion").innerText()).length > 4, "nobody is named");
    assert((await page.locator(".story li").count()) > 0, "no story");
    equal(await page.locator(".game-result .remark").count(), talk ? 1 : 0, "words of a bot");
    // Put away, it leaves a line, and the board where it was.
    const board = await page.locator("[data-testid=board]").boundingBox();
    await page.keyboard.press("Escape");
    await page.waitForSelector(".end-bar");
    equal(await page.locator("[data-testid=board]").boundingBox(), board, "the place of the board");
    await p.check();
    await p.close();
  };
}

/** Where less motion is wished nothing moves; elsewhere things do. */
async function motion(world) {
  for (const [still, kept] of [[true, "normal"], [false, "none"], [false, "calm"]]) {
    const p = await world.person("Anna", { motion: !still });
    await p.context.addInitScript((speed) => localStorage.setItem("salotto", JSON.stringify({ motion: speed })), kept);
    const table = await tableOf(p, { game: "doors", players: 2, seats: ["open", "novice"], options: { first: 0 } });
    await p.page.waitForFunction(() => document.querySelector("[data-testid=board] .can"));
    // Every motion that is begun is noted; a state that is drawn at once is no motion.
    await p.page.evaluate(() => {
      window.begun = 0;
      const real = Element.prototype.animate;
      Element.prototype.animate = function (...args) {
        window.begun++;
        return real.apply(this, args);
      };
    });
    await act(p, table, p.told.at(-1).legal.find((a) => a.startsWith("take")));
    const begun = await p.page.evaluate(() => window.begun);
    if (still || kept === "none") equal(begun, 0, `motions, ${still ? "less motion wished" : kept}`);
    else assert(begun > 0, "nothing moves");
    await p.close();
  }
}

/** Sits down, acts once without touching the page, then touches it. */
async function touchedTable(p) {
  const table = await tableOf(p, { game: "doors", players: 2, seats: ["open", "novice"], options: { first: 0 } });
  await act(p, table, (await asked(p)).legal[0]);
  await asked(p);
  equal(await p.page.evaluate(() => window.sounded), 0, "sounds before a gesture");
  await p.page.locator("h1").click();
  return table;
}

/** From the next page on, `window.sounded` counts the tones and rustles that were begun, and `window.pitches` has what
 * they were set to. */
function listen(p, volume) {
  return p.context.addInitScript((loud) => {
    localStorage.setItem("salotto", JSON.stringify({ volume: loud, help: false }));
    window.sounded = 0;
    window.pitches = [];
    const { setValueAtTime } = AudioParam.prototype;
    AudioParam.prototype.setValueAtTime = function (value, ...when) {
      window.pitches.push(value);
      return setValueAtTime.call(this, value, ...when);
    };
    for (const { prototype } of [AudioScheduledSourceNode, AudioBufferSourceNode]) {
      const real = prototype.start;
      prototype.start = function (...args) {
        window.sounded++;
        return real.apply(this, args);
      };
    }
  }, volume);
}

/** Not a sound before the page was touched, and none when the volume is off. */
async function sounds(world) {
  for (const volume of [5, 0]) {
    const p = await world.person("Anna");
    await listen(p, volume);
    let table = await touchedTable(p), acts = 0;
    await until(async () => {
      if (await p.page.evaluate(() => window.sounded)) return true;
      if (!volume && acts >= 3) return true;
      const m = await asked(p);
      // What makes the sounds is fetched when the page is touched, and may come after the end of a short game.
      if (!m) table = await touchedTable(p);
      else await act(p, table, m.legal[0]);
      acts++;
      return false;
    }, "nothing sounds");
    equal(await p.page.evaluate(() => window.sounded) > 0, volume > 0, "sounds");
    await p.close();
  }
}

/** One hears that cards are dealt, that somebody wrote, that one has won and that one has lost. */
async function heard(world) {
  const [a, b] = [await world.person("Anna"), await world.person("Bruno")];
  const hears = (p, ...pitches) => p.page.waitForFunction((list) => list.every((x) => window.pitches.includes(x)), pitches);
  for (const p of [a, b]) await listen(p, 5);
  const id = await sitAt(a, { game: "doors", players: 2, seats: ["open", "open"], options: { first: 0 } });
  await b.page.goto(`/t/${id}`);
  for (const p of [a, b])
    await Promise.all([p.page.waitForResponse(/assets\/sound-/), p.page.locator(".seat-line").first().click()]);
  await b.page.locator("[data-testid=sit]").click();
  await hears(a, 1900);
  await a.page.getByRole("tab", { name: "Chat" }).click();
  await a.page.locator(".chat form input").fill("Good luck!");
  await a.page.locator(".chat form input").press("Enter");
  await hears(b, 880, 988);
  await a.page.getByRole("button", { name: "Resign" }).click();
  await a.page.locator("dialog[open] button.primary").click();
  await hears(a, 392, 349, 294);
  await hears(b, 523, 659, 784, 1047);
  for (const p of [a, b]) await p.close();
}

/** The tab says whose turn it is, and so does a notification where nobody looks, as long as it lasts; who has waited
 * hears that the game begins. */
async function calling(world) {
  const p = await world.person("Anna");
  await listen(p, 5);
  await p.context.grantPermissions(["notifications"]);
  await p.context.addInitScript(() => {
    localStorage.setItem("salotto", JSON.stringify({ ...JSON.parse(localStorage.getItem("salotto")), notify: true }));
    Object.defineProperty(document, "hidden", { get: () => true });
  });
  const notes = () => p.page.evaluate(async () =>
    (await (await navigator.serviceWorker.ready).getNotifications()).map((n) => `${n.title}: ${n.data.path}`).join());
  const id = await sitAt(p, { game: "doors", players: 2, seats: ["open", "open"], options: { first: 0 } });
  // What makes the sounds is fetched at the first touch.
  await Promise.all([p.page.waitForResponse(/assets\/sound-/), p.page.locator(".seat-line").first().click()]);
  equal(await notes(), "", "notifications before the game"); // and the worker is there
  const b = await world.person("Bruno", { path: `/t/${id}` });
  await b.page.locator("[data-testid=sit]").click();
  for (const q of [p, b]) await q.page.waitForSelector("[data-testid=board]");
  await p.page.waitForFunction(() => window.sounded > 0);
  await p.page.waitForFunction(() => document.title.startsWith("●"));
  equal(await p.page.evaluate(() => document.querySelector("link[rel=icon]").getAttribute("href")), "/icon-turn.svg", "icon of who is asked");
  assert(!(await b.page.title()).startsWith("●"), "the tab of who waits calls too");
  await until(async () => (await notes()) === `Your turn: /t/${id}`, "no notification");
  await act(p, id, p.told.at(-1).legal[0]);
  await b.page.waitForFunction(() => document.title.startsWith("●"));
  await p.page.waitForFunction(() => !document.title.startsWith("●"));
  equal(await p.page.evaluate(() => document.querySelector("link[rel=icon]").getAttribute("href")), "/icon.svg", "icon of who waits");
  await until(async () => !(await notes()), "the notification stays");
  for (const q of [p, b]) await q.close();
}

/** Mouse over a sign, or a finger on it: it says what it is. */
async function tips(world) {
  for (const touch of [false, true]) {
    const p = await world.person("Anna", { touch, size: touch ? [390, 844] : [1280, 720] });
    await tableOf(p, { game: "louis", players: 2, seats: ["open", "novice"] });
    await asked(p); // from now on the table waits
    const gold = p.page.locator(".own-things [data-stock=gold]");
    if (touch) await gold.tap();
    else await gold.hover();
    await p.page.waitForSelector(".tip-bubble");
    const text = await p.page.locator(".tip-bubble").innerText();
    assert(/gold: \d+/.test(text), `it says: ${text}`);
    const r = await p.page.locator(".tip-bubble").boundingBox();
    const { width } = p.page.viewportSize();
    assert(r.x >= 0 && r.y >= 0 && r.x + r.width <= width, "the bubble leaves the window");
    await p.page.keyboard.press("Escape");
    await p.page.waitForSelector(".tip-bubble", { state: "detached" });
    // What can be chosen says it too, before it is pressed.
    const space = p.page.locator(".own-things .space.can").first();
    if (!touch) await space.hover();
    else await space.dispatchEvent("pointerdown", { pointerType: "touch", bubbles: true });
    await p.page.waitForSelector(".tip-bubble");
    assert((await p.page.locator(".tip-bubble").innerText()).length > 8, "a space says nothing");
    await p.close();
  }
}

/** A lesson tells what the others have done after they have done it: not while one of them is asked. */
async function lessonWaits(world) {
  const p = await world.person("Anna", { path: "/learn/traps" });
  await p.page.waitForSelector("[data-testid=coach]");
  await p.page.evaluate(() => {
    window.early = [];
    new MutationObserver(() => {
      const mine = document.querySelector(".board .plate.own.turn, [data-phase=over], dialog.stage");
      if (document.querySelector(".board .plate") && document.querySelector("[data-testid=next]") && !mine)
        window.early.push(document.querySelector("[data-testid=coach] .say-it").textContent);
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  let steps = 0;
  await playLesson(p, () => void steps++);
  assert(steps > 10, "the lesson was no lesson");
  equal([...new Set(await p.page.evaluate(() => window.early))], [], "told too early");
  await p.close();
}

export function momentCases(world, chooser) {
  return [
    ["endings: louis of two, Italian", endings(world, chooser(31), { game: "louis", players: 2 }, "it")],
    ["endings: doors", endings(world, chooser(32), { game: "doors", players: 2 }, "en")],
    ["endings: favor of three, Italian", endings(world, chooser(33), { game: "favor", players: 3 }, "it")],
    ["endings: traps of three", endings(world, chooser(34), { game: "traps", players: 3 }, "en")],
    ["less motion means none", () => motion(world)],
    ["no sound before a gesture, none without volume", () => sounds(world)],
    ["a deal, a message, a win and a loss are heard", () => heard(world)],
    ["one's turn calls", () => calling(world)],
    ["every sign says what it is", () => tips(world)],
    ["a lesson tells what has happened", () => lessonWaits(world)],
  ];
}
