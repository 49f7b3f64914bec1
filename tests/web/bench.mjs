// How fast the pages are, on this machine and over loopback:
//   node tests/web/bench.mjs SALOTTO [RUNS [OTHER]]
// The first view of somebody who has never been here, with a processor four times as slow, in turns with
// OTHER, the program of another build, if it is named; how long after its message a move is on the
// screen; and how many frames a second are drawn while cards and pieces of each game move. Beside each
// stands what a page with nothing on it takes here; and the processor time that a frame needs, which does
// not depend on what else runs on the machine. Figures for people, no test: machines differ.
import { chromium, Server, World } from "./lib.mjs";
import { choices, choose, withBots } from "./play.mjs";

const [program, runs = "7", other] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.SALOTTO_CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const told = (list) => `median ${Math.round(middle(list))} of ${list.map((n) => Math.round(n)).join(" ")}`;

// ---- The first view -----------------------------------------------------------------------------

/** Milliseconds until a page with nothing on it has its first frame, until the lobby is painted, and until its
 * pictures are there too. */
async function firstView(server) {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.goto("/healthz");
  const empty = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(performance.now()))));
  await page.goto("/", { waitUntil: "commit" });
  await page.waitForSelector(".game-tile button.primary");
  const lobby = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? performance.now());
  const pictures = await (await page.waitForFunction(() =>
    [...document.querySelectorAll(".game-tile .scene")].every((e) => e.querySelector("svg")) && performance.now())).jsonValue();
  await context.close();
  return { empty, lobby, pictures };
}

async function firstViews(server) {
  const before = other ? await new Server(other).open() : null;
  const own = [], others = [];
  for (let i = 0; i < Number(runs); i++) {
    own.push(await firstView(server));
    if (before) others.push(await firstView(before));
  }
  await before?.done();
  console.log(`a page with nothing on it, 4 times as slow, ms: ${told([...own, ...others].map((v) => v.empty))}`);
  console.log(`first view, 4 times as slow, ms: ${told(own.map((v) => v.lobby))}`);
  if (!before) return;
  console.log(`the same of the other build: ${told(others.map((v) => v.lobby))}`);
  for (const [what, of] of [["each", "lobby"], ["until its pictures are there, each", "pictures"]])
    console.log(`${what} divided by the one beside it: median ${middle(own.map((v, i) => v[of] / others[i][of])).toFixed(2)}`);
}

// ---- Frames and moves ---------------------------------------------------------------------------

/** Notes in the page how long each frame took while something moved, and when moves were shown. */
function notes() {
  window.drawn = [];
  window.moves = [];
  let until = 0; // when the last motion that has begun will be over
  const moving = (ms) => (until = Math.max(until, performance.now() + ms));
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, options) {
    moving((options.duration ?? 0) + (options.delay ?? 0));
    return animate.call(this, frames, options);
  };
  for (const kind of ["transitionrun", "animationstart"])
    addEventListener(kind, (e) => {
      const style = getComputedStyle(e.target);
      const list = kind === "transitionrun" ? style.transitionDuration : style.animationDuration;
      moving(Math.max(...list.split(",").map(parseFloat)) * 1000);
    }, true);
  let before = 0;
  const waiting = [];
  window.still = () => new Promise((done) => waiting.push(done)); // nothing moves any more
  requestAnimationFrame(function note(now) {
    if (before && now < until) window.drawn.push(now - before);
    before = now < until ? now : 0;
    if (!before) for (const done of waiting.splice(0)) done();
    requestAnimationFrame(note);
  });
  const Real = window.WebSocket;
  window.WebSocket = class extends Real {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", (event) => {
        if (!String(event.data).startsWith('{"op":"moved"')) return;
        const at = performance.now();
        const { seq, kind } = JSON.parse(event.data);
        if (kind !== "act") return; // while somebody sits down the page is still being fetched
        const look = () => {
          if (Number(document.querySelector(".table-page")?.dataset.seq) >= seq) window.moves.push([performance.now() - at, frames]);
          else if (++frames < 60) requestAnimationFrame(look);
        };
        let frames = 1;
        requestAnimationFrame(look);
      });
    }
  };
}

/** Frames a second, and the longest of them in milliseconds. */
function rate(drawn) {
  const seconds = drawn.reduce((a, b) => a + b, 0) / 1000;
  return `${(drawn.length / seconds).toFixed(1)} frames a second over ${seconds.toFixed(1)} s; longest frame ${Math.round(Math.max(...drawn))} ms`;
}

/** Milliseconds of processor time for each frame that was drawn: of the page's own thread, and of all
 * threads that prepare and draw it. */
function cost(trace) {
  const { traceEvents } = JSON.parse(trace.toString());
  const name = new Map(), time = new Map();
  const thread = (e) => `${e.pid} ${e.tid}`;
  for (const e of traceEvents) if (e.name === "thread_name") name.set(thread(e), e.args.name);
  for (const e of traceEvents)
    if (e.name === "ThreadControllerImpl::RunTask" || e.name === "TaskGraphRunner::RunTask") {
      const of = name.get(thread(e));
      time.set(of, (time.get(of) ?? 0) + (e.tdur ?? 0) / 1000);
    }
  const frames = traceEvents.filter((e) => e.ph === "X" && e.name === "Display::DrawAndSwap").length;
  const all = ["CrRendererMain", "Compositor", "ThreadPoolForegroundWorker", "VizCompositorThread"].map((n) => (time.get(n) ?? 0) / frames);
  return `processor time for a frame: ${all.reduce((a, b) => a + b).toFixed(1)} ms, of these ${all[0].toFixed(1)} in the page's thread`;
}

/** One square that glides over an empty page: as many frames as this machine draws now. */
async function emptyFrames(server) {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  await page.goto("/healthz");
  const drawn = await page.evaluate(() => new Promise((done) => {
    const square = document.body.appendChild(document.createElement("div"));
    Object.assign(square.style, { position: "fixed", width: "90px", height: "120px", background: "#a33" });
    square.animate([{ transform: "none" }, { transform: "translate(600px, 400px)" }], { duration: 500, iterations: 6 });
    const out = [];
    let before = 0;
    requestAnimationFrame(function note(now) {
      if (before) out.push(now - before);
      before = now;
      if (out.length < 150) requestAnimationFrame(note);
      else done(out);
    });
  }));
  await context.close();
  return drawn;
}

/** Plays some moves of a game against bots, at a table of the server. While something moves the page is
 * left alone: to ask it costs more than to draw it. */
async function played(world, game, traced) {
  const person = await world.person("Anna", { motion: true });
  await person.context.addInitScript(notes);
  await person.page.goto("/");
  await withBots(person.page, game, { atServer: true });
  await person.page.waitForSelector("[data-testid=board]");
  if (traced) await browser.startTracing(person.page, { categories: ["toplevel", "viz", "cc"] });
  for (let i = 0, made = 0; i < 600 && made < 14 && !(await person.over()); i++) {
    await person.page.evaluate(() => window.still());
    const words = game === "louis"; // its moves on the board have several parts
    const list = await choices(person, { words });
    if (!list.length) await person.page.waitForTimeout(30);
    else {
      await choose(person, list.at(-1), { words });
      made++;
    }
  }
  const seen = await person.page.evaluate(() => ({ moves: window.moves, drawn: window.drawn.filter((ms) => ms > 0) }));
  if (traced) seen.cost = cost(await browser.stopTracing());
  await person.close();
  return seen;
}

const server = await new Server(program).open();
if (Number(runs)) await firstViews(server);
const world = new World(browser, server);
const moves = [];
for (const game of ["doors", "favor", "traps", "louis"]) {
  console.log(`an empty page: ${rate(await emptyFrames(server))}`);
  const seen = await played(world, game, false);
  const { cost } = await played(world, game, true);
  moves.push(...seen.moves);
  console.log(`${game}, while things move: ${rate(seen.drawn)}; ${cost}`);
}
const frames = moves.map((m) => m[1]);
console.log(`a move: shown in frame 1 after its message in ${frames.filter((f) => f === 1).length} of ${moves.length}; ` +
  `ms until that frame: median ${middle(moves.map((m) => m[0])).toFixed(1)}`);
await browser.close();
await server.done();
