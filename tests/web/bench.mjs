// How fast the pages are, on this machine and over loopback:
//   node tests/web/bench.mjs build/salotto
// The first view of somebody who has never been here, with a processor four times as slow; and how
// long after its message a move is on the screen; and how many frames a second are drawn while cards
// and pieces move. Figures for people, no test: machines differ.
import { chromium, Server, World } from "./lib.mjs";
import { choices, choose, withBots } from "./play.mjs";

const [program, runs = "7"] = process.argv.slice(2);
const server = await new Server(program).open();
const browser = await chromium.launch({
  executablePath: process.env.SALOTTO_CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const world = new World(browser, server);
const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const round = (list) => list.map((n) => Math.round(n)).join(" ");

const views = [];
const empty = [];
for (let i = 0; i < Number(runs); i++) {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  // What the machine needs for a page with nothing on it, to read the other figure by.
  await page.goto("/healthz");
  empty.push(await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(performance.now())))));
  await page.goto("/", { waitUntil: "commit" });
  await page.waitForSelector(".game-tile button.primary");
  views.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? performance.now()));
  await context.close();
}
console.log(`a page with nothing on it, 4 times as slow, ms: median ${Math.round(middle(empty))} of ${round(empty)}`);
console.log(`first view, 4 times as slow, ms: median ${Math.round(middle(views))} of ${round(views)}`);

// A move: from the arrival of the message to the frame that shows it.
const person = await world.person("Anna", { motion: true });
await person.context.addInitScript(() => {
  window.drawn = [];
  let before = 0;
  requestAnimationFrame(function note(now) {
    const moving = document.getAnimations().some((a) => a.playState === "running");
    if (moving && before) window.drawn.push(now - before);
    before = moving ? now : 0;
    requestAnimationFrame(note);
  });
  const Real = window.WebSocket;
  window.moves = [];
  window.WebSocket = class extends Real {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", (event) => {
        if (!String(event.data).startsWith('{"op":"moved"')) return;
        const at = performance.now();
        const { seq, kind } = JSON.parse(event.data);
        if (kind !== "act") return; // while somebody sits down the page is still being fetched
        const look = (now) => {
          if (Number(document.querySelector(".table-page")?.dataset.seq) >= seq) window.moves.push([now - at, frames]);
          else if (++frames < 60) requestAnimationFrame(look);
        };
        let frames = 1;
        requestAnimationFrame(look);
      });
    }
  };
});
await person.page.goto("/");
await withBots(person.page, "doors");
await person.page.waitForSelector("[data-testid=board]");
for (let i = 0, made = 0; i < 600 && made < 14 && !(await person.over()); i++) {
  const list = await choices(person);
  if (!list.length) await person.page.waitForTimeout(30);
  else {
    await choose(person, list.at(-1));
    made++;
  }
}
const moves = await person.page.evaluate(() => window.moves);
// While anything moves every frame is noted; what is drawn in a second is what they took.
const drawn = (await person.page.evaluate(() => window.drawn)).filter((ms) => ms > 0);
if (drawn.length) {
  const seconds = drawn.reduce((a, b) => a + b, 0) / 1000;
  console.log(`while things move: ${Math.round(drawn.length / seconds)} frames a second over ${seconds.toFixed(1)} s; longest frame ${Math.round(Math.max(...drawn))} ms`);
}
const frames = moves.map((m) => m[1]);
console.log(`a move: shown in frame 1 after its message in ${frames.filter((f) => f === 1).length} of ${moves.length}; ` +
  `ms until that frame: median ${middle(moves.map((m) => m[0])).toFixed(1)}`);
await browser.close();
await server.done();
