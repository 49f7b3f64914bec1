// The pages one by one, and what can happen on the way.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { assert, equal, Server, Person, until, World } from "./lib.mjs";
import { axe, differences, fits } from "./eyes.mjs";
import { sitAt } from "./fit.mjs";
import { seatTwo } from "./games.mjs";
import { chooseByKeys } from "./keys.mjs";
import { choices, choose, playOut, quiet, turnOf, withBots } from "./play.mjs";

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** A table with bots, from the lobby with two presses. */
async function againstBot(world, game, more = {}) {
  const p = await world.person("Anna", more);
  await withBots(p.page, game, { atServer: true });
  await p.page.waitForURL("**/t/*");
  await p.page.waitForSelector("[data-testid=board]");
  return p;
}

async function invitation(world) {
  const a = await world.person("Anna", { path: "/new/doors" });
  await a.page.locator("fieldset select").nth(1).selectOption("invited");
  await a.page.locator("form button.primary").click();
  await a.page.waitForURL("**/t/*");
  const link = new URL(await a.page.locator(".invite input").inputValue());
  assert(link.searchParams.get("key"), "the link has no key");
  const c = await world.person("Carla", { path: link.pathname });
  await c.page.waitForSelector(".seat-line");
  equal(await c.page.locator("main button.primary").count(), 0, "a kept seat is offered without its key");
  await c.close();
  // Who has no name yet sees who invites to what, and sits down with one press, also where the network goes
  // away in that moment: then nothing answers.
  const b = await world.person("", { path: "/rules/doors" });
  let deaf = false;
  await b.page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      if (deaf || JSON.parse(text).op !== "sit") server.send(text);
      else deaf = true;
    });
  });
  await b.page.goto(link.pathname + link.search);
  await b.page.locator("input[name=name]").fill("Bruno");
  equal(await b.page.locator("h1").innerText(), "Anna invites you to Doors", "the invitation");
  await axe(b.page, "an invitation");
  await b.page.locator("form button.primary").click();
  await until(() => deaf, "Bruno does not sit down");
  for (const p of [a, b]) await p.page.waitForSelector("[data-testid=board]");
  assert(/Bruno/.test(await a.page.locator(".aside").innerText()), "Anna does not see Bruno");
  for (const p of [a, b]) {
    await p.check();
    await p.close();
  }
}

/** Who presses before the server has said who they are is not asked for a name that they have. */
async function knownName(world) {
  const p = await world.person("Dario", { path: "/rules/doors" });
  let answer;
  const released = new Promise((go) => (answer = go));
  await p.page.route("**/api/lobby", async (route) => {
    await released;
    await route.continue();
  });
  await p.page.goto("/new/doors");
  await p.page.locator("form button.primary").click();
  equal(await p.page.locator("dialog[open]").count(), 0, "dialogs before the answer");
  answer();
  await p.page.waitForURL("**/t/*");
  await p.check();
  await p.close();
}

/** What the record of the table that a page shows tells of random parts. */
async function partsOf(p) {
  const id = new URL(p.page.url()).pathname.split("/").at(-1);
  const record = await (await p.page.request.get(`/api/record/${id}`)).text();
  return Object.fromEntries(["pledge", "part"].map((word) =>
    [word, Object.fromEntries([...record.matchAll(new RegExp(`^${word} (\\d) (\\w+)$`, "gm"))].map((m) => [m[1], m[2]]))]));
}

/** The page pledges a random part and reveals it, at the first game and at the rematch. */
async function ownRandomness(world) {
  const p = await againstBot(world, "doors");
  const seen = new Set();
  for (const game of ["first", "rematch"]) {
    const { pledge, part } = await partsOf(p);
    const seat = Object.keys(pledge)[0];
    equal(Object.keys(pledge).length, 1, `${game}: pledges`);
    assert(/[1-9a-f]/.test(part[seat]), `${game}: the part was not revealed`);
    assert(!seen.has(part[seat]), "the same part twice");
    seen.add(part[seat]);
    equal(await p.page.locator(".notice", { hasText: "random part" }).count(), 0, "complaints");
    if (game === "rematch") break;
    const before = p.page.url();
    await playOut([p]);
    await p.page.locator(".game-result button.primary").click();
    await p.page.waitForURL((url) => /\/t\//.test(url.pathname) && url.href !== before);
    await p.page.waitForSelector("[data-testid=board]");
  }
  await p.check();
  await p.close();
}

/** A table that is gone says so in the language of the page, and where its game may be seen. */
async function goneTable(world) {
  for (const [lang, says] of [["en", "This table no longer exists."], ["it", "Questo tavolo non esiste più."]]) {
    const p = await world.person("Anna", { lang, path: "/t/aaaaaaaaaaaaaaaa" });
    await p.page.waitForSelector("a[href='/replay/aaaaaaaaaaaaaaaa']");
    const text = await p.page.locator("main").innerText();
    assert(text.includes(says), `it says: ${text}`);
    await p.close();
  }
}

/** The server falls over while somebody is choosing; what they chose is played once it is back. */
async function reconnect(world, program) {
  const server = await new Server(program).open();
  const own = new World(world.browser, server);
  const people = await seatTwo(own, "doors");
  const [p, list] = await turnOf(...people);
  const before = await p.seq();
  const length = p.told.at(-1).state.log_length;
  await server.close("SIGKILL");
  await p.page.waitForSelector(".sign-link");
  // The prompt says so, whole on a small phone too: nothing lies over the table.
  await p.page.setViewportSize({ width: 360, height: 640 });
  const prompt = await p.page.locator("#prompt.lost").evaluate((e) => e.scrollHeight - e.clientHeight);
  assert(prompt <= 1, `the prompt of a lost connection is cut by ${prompt} px`);
  await p.page.evaluate((action) => document.querySelector(`[data-action="${action}"].can`).click(), quiet(list));
  await wait(300);
  equal(await p.seq(), before, "a move without a server");
  await server.open();
  await p.page.waitForSelector(".sign-link", { state: "detached" });
  const made = () => p.told.at(-1).state.log_length - length;
  await until(made, "the move is not made");
  await wait(300);
  equal(made(), 1, "how often the move was made");
  for (const q of people) {
    await q.check();
    await q.close();
  }
  await server.done();
}

/** A connection that has fallen silent, as when a phone changes its network: who only waits finds out too. */
async function silence(world) {
  const lines = [];
  const a = await world.person("Anna", { path: "/rules/doors" });
  await a.page.routeWebSocket(/\/ws$/, (page) => {
    const line = { silent: false }, server = page.connectToServer();
    lines.push(line);
    page.onMessage((m) => line.silent || server.send(m));
    server.onMessage((m) => line.silent || page.send(m));
  });
  await a.page.clock.install();
  const id = await sitAt(a, { game: "doors", players: 2, seats: ["open", "open"], options: { first: 1 } });
  const b = await world.person("Bruno", { path: `/t/${id}` });
  await b.page.locator("[data-testid=sit]").click();
  for (const p of [a, b]) await p.page.waitForSelector("[data-testid=board]");
  for (const line of lines) line.silent = true;
  const before = lines.length, [, list] = await turnOf(b);
  await choose(b, quiet(list));
  await until(async () => {
    await a.page.clock.runFor(5000);
    return (await a.seq()) === (await b.seq());
  }, "who waits is never told");
  assert(lines.length > before, "no new connection");
  for (const p of [a, b]) await p.close();
}

async function secondTab(world) {
  const p = await againstBot(world, "doors");
  const other = await p.context.newPage();
  const twin = new Person("Anna's second tab", p.context, other, world.server);
  await Person.watch(other, twin);
  await other.goto(p.page.url());
  await other.waitForSelector("[data-testid=board]");
  for (let i = 0; i < 4; i++) {
    const [who, list] = await turnOf(i % 2 ? p : twin);
    const before = await who.seq();
    await choose(who, quiet(list));
    for (const q of [p, twin])
      await q.page.waitForFunction((n) => Number(document.querySelector(".table-page").dataset.seq) > n, before);
    await p.check();
    await twin.check();
  }
  await p.close();
}

async function spectator(world) {
  const people = await seatTwo(world, "favor", { players: 2 });
  const path = new URL(people[0].page.url()).pathname;
  const c = await world.person("Carla", { path });
  await c.page.waitForSelector("[data-testid=board]");
  for (let i = 0; i < 6; i++) {
    const [who, list] = await turnOf(...people);
    const before = await who.seq();
    await choose(who, list[i % list.length]);
    await c.page.waitForFunction((n) => Number(document.querySelector(".table-page").dataset.seq) > n, before);
    equal(await choices(c), [], "what a spectator can do");
    await c.check();
  }
  assert(c.told.length > 3 && c.told.every((m) => m.seat === null && !m.legal?.length), "a spectator is told as a seat");
  for (const p of [...people, c]) await p.close();
}

async function takeover(world) {
  const people = await seatTwo(world, "favor", { players: 3, options: { Days: "1" } });
  const [a, b] = people;
  await a.page.getByRole("button", { name: "Resign" }).click();
  await a.page.locator("dialog[open] button.primary").click();
  await a.page.waitForSelector(".sign-watch");
  equal(await choices(a), [], "who gave up can still choose");
  await playOut([b], (n) => n - 1);
  await until(async () => {
    await choices(a); // goes on from the end of each round
    return a.over();
  }, "who resigned does not see the end");
  for (const p of people) {
    await p.check();
    await p.close();
  }
}

/** At a table of two who gives up ends the game, and both pages say who has won. */
async function resigning(world) {
  const [a, b] = await seatTwo(world, "doors", { bruno: { lang: "it" } });
  await a.page.getByRole("button", { name: "Resign" }).click();
  await a.page.locator("dialog[open] button.primary").click();
  for (const [p, winner, said] of [[a, "The winner: Bruno", "You resign. Bruno wins the game."],
    [b, "Hai vinto!", "Anna abbandona. Vinci la partita."]]) {
    const title = p.page.locator(".game-result h2");
    await title.waitFor();
    assert((await title.innerText()).includes(winner), `it says: ${await title.innerText()}`);
    await until(() => p.told.some((m) => m.state?.over && m.words?.at(-1)?.text === said), `the words of ${p.name}`);
    equal(await choices(p), [], "something can still be chosen");
    await p.check();
    await p.close();
  }
}

/** Time runs out: a bot plays on, the page says so, and with one press the person is back. */
async function absence(world, program) {
  // Bots take their time here, or the game would be over before one is back.
  const server = await new Server(program, ["--bot-seconds", "60"]).open();
  const p = await new World(world.browser, server).person("Anna");
  await p.page.waitForSelector(".game-tile");
  const table = await p.page.evaluate(() => new Promise((done) => {
    const socket = new WebSocket(`ws://${location.host}/ws`);
    const say = (message) => socket.send(JSON.stringify(message));
    socket.onopen = () => say({ op: "create", id: 1, game: "doors", players: 2, seats: ["open", "regular"],
      options: { first: 0 }, clock: { kind: "move", seconds: 10 } });
    socket.onmessage = ({ data }) => {
      const m = JSON.parse(data);
      if (m.id === 1) say({ op: "sit", id: 2, table: m.table, seat: 0 });
      if (m.id === 2) done(m.table);
    };
  }));
  await p.page.goto(`/t/${table}`);
  const back = p.page.getByRole("button", { name: "I am back" });
  await back.waitFor();
  await axe(p.page, "away");
  equal(await choices(p), [], "who is away can choose");
  await back.click();
  await back.waitFor({ state: "detached" });
  await p.page.waitForSelector(".aside .clock");
  await p.check();
  await p.close();
  await server.done();
}

async function languages(world) {
  const p = await againstBot(world, "doors");
  await turnOf(p);
  const english = await p.page.locator("#prompt").innerText();
  await p.page.locator("header select").selectOption("it");
  await p.page.waitForFunction((old) => document.querySelector("#prompt").textContent !== old, english);
  const log = await p.page.locator(".log").innerText();
  assert(/Sei|identità|round/i.test(log) && !/You are/.test(log), `the log is not Italian: ${log}`);
  equal(await p.page.evaluate(() => document.documentElement.lang), "it", "lang of the page");
  const [, list] = await turnOf(p);
  await choose(p, quiet(list));
  await p.check();
  await p.close();
}

/** From the lobby to a game without a mouse, and a move in it; table.mjs plays whole games so. */
async function keyboard(world) {
  const p = await world.person("Anna");
  const { page } = p;
  const tabTo = async (wanted, what) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(wanted)) return;
    }
    throw new Error(`Tab does not reach ${what}`);
  };
  await page.waitForSelector(".game-tile");
  await tabTo(() => document.activeElement.matches("[data-game=doors] button"), "the game");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".bot-sheet");
  await tabTo(() => document.activeElement.tagName === "BUTTON" && document.activeElement.textContent.trim() === "Play", "the button that begins");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-testid=board]");
  await chooseByKeys(p, quiet((await turnOf(p))[1]));
  await p.check();
  await p.close();
}

async function whyNot(world) {
  const people = await seatTwo(world, "doors");
  let [asked, list] = await turnOf(...people);
  const collector = asked.told.at(-1).state.collector;
  while (asked.told.at(-1).seat === collector) {
    await choose(asked, list.at(-1));
    [asked, list] = await turnOf(...people);
  }
  const idle = people.find((p) => p !== asked);
  await idle.page.locator("[data-testid=board] [data-action]:not(.can)").first().click({ force: true });
  const box = idle.page.locator(".notice.bad");
  await box.waitFor();
  for (const p of people) await p.check();
  await asked.page.locator("[data-testid=board] [data-action]:not(.can)").first().click({ force: true });
  await asked.page.locator(".notice.bad button.link").click();
  await asked.page.waitForSelector(".rules-side .rule.named");
  for (const p of people) await p.close();
}

/** Tables of the rule books show their last column without being scrolled sideways; figures may scroll. */
async function wholeTables(page, what) {
  const wide = await page.evaluate(() => [...document.querySelectorAll(".rules .scroll:has(table)")]
    .filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.querySelector("tr").textContent));
  assert(!wide.length, `${what}: too wide: ${wide.join("; ")}`);
}

/** Every page and phase, in the eyes of axe; light and dark, wide and narrow, both languages. */
function looks(world, size, dark, lang) {
  return async () => {
    const p = await world.person("Anna", { size, dark, lang, touch: size[0] < 500 });
    const { page } = p;
    const see = async (what) => {
      await axe(page, what);
      await fits(page, what);
    };
    for (const [path, ready] of [["/", ".game-tile"], ["/new/favor", "form"], ["/new/louis", "form"],
      ["/rules/doors", ".rules h1"], ["/rules/louis", ".rules h1"], ["/me", ".sessions li"], ["/nothing", "h1"],
      ["/play/traps", "form"], ["/learn/favor", "[data-testid=board]"], ["/verify", "form"], ["/history", "h1"], ["/leaders/louis", "h1"]]) {
      await page.goto(path === "/nothing" ? "/t/nothing" : path);
      await page.waitForSelector(ready);
      await see(path);
      await wholeTables(page, path);
    }
    for (const game of ["doors", "favor", "traps", "louis"]) {
      await page.goto("/");
      await withBots(page, game, { atServer: true });
      await page.waitForSelector("[data-testid=board]");
      const seen = new Set();
      for (let i = 0; i < 14; i++) {
        const [who, list] = await turnOf(p);
        if (!who) break;
        const phase = await page.locator("[data-testid=board]").getAttribute("data-phase");
        if (!seen.has(phase)) {
          seen.add(phase);
          await see(`${game} ${phase}`);
        }
        if (seen.size > 3) break;
        await choose(p, list[i % list.length], { words: game === "louis" });
      }
      await turnOf(p); // past what bots still do, and past the end of a round
      await until(async () => { // and past the result, if the game has one
        if (!await page.locator("dialog[open]").count()) return true;
        await page.keyboard.press("Escape");
        return false;
      }, "the result cannot be closed");
      const more = page.locator("[data-testid=more]");
      if (await more.isVisible()) await more.click();
      await page.locator(".table-top .tools button", { hasText: /Rules|Regole/ }).click();
      await page.waitForSelector(".rules-side .rules h1");
      await see(`${game} with the rules`);
      await p.check();
    }
    await p.close();
    const stranger = await world.person("", { size, dark, lang });
    await stranger.page.locator("[data-game=doors] button.primary").click();
    await stranger.page.waitForSelector("dialog[open] .bot-sheet");
    await stranger.page.locator(".bot-sheet summary").click();
    await axe(stranger.page, "against bots");
    await fits(stranger.page, "against bots");
    await stranger.page.goto("/me");
    await stranger.page.waitForSelector("form");
    await axe(stranger.page, "coming in");
    await stranger.close();
  };
}

/** Without colour every card still differs from every other. */
async function colours(world) {
  const p = await world.person("Anna", { path: "/rules/doors" });
  const { page } = p;
  await page.waitForSelector(".rules table .cards-in-text");
  const cards = page.locator(".rules table .cards-in-text > span");
  const n = Math.min(6, await cards.count());
  equal(n, 6, "kinds of cards");
  const session = await p.context.newCDPSession(page);
  for (const type of ["protanopia", "deuteranopia", "tritanopia", "achromatopsia"]) {
    await session.send("Emulation.setEmulatedVisionDeficiency", { type });
    for (const [a, b, apart] of await differences(page, Array.from({ length: n }, (_, i) => cards.nth(i))))
      assert(apart > 0.03, `${type}: cards ${a} and ${b} look the same (${apart.toFixed(3)})`);
  }
  await p.close();
}

/** Every step of a game that is over, from each seat's knowledge and open; then its deals checked. */
/** The review beside a replay at its end: it comes whole, and leads to what decided the game. */
async function reviewed(page) {
  // A server that computes as many as it may refuses; the page asks again.
  let refused = 0;
  await page.route("**/api/review/**", (route) => (refused++ ? route.continue()
    : route.fulfill({ status: 503, json: { ok: false, error: { code: "busy", message: "" } } })));
  await page.locator("[data-testid=review]").click();
  await page.waitForSelector(".review[data-done=yes] .summary");
  assert(refused > 1, "no review was refused");
  equal(await page.locator(".review .decision").count(), 1, "decisions that are told");
  await axe(page, "review");
  await fits(page, "review");
  const step = () => page.evaluate(() => Number(document.querySelector(".replay").dataset.step));
  const end = await step();
  await page.keyboard.press("ArrowLeft");
  await until(async () => (await step()) === end - 1, "the arrow leads nowhere");
  await page.locator(".chances").click({ position: { x: 3, y: 20 } });
  await until(async () => (await step()) < 3, "the chart does not lead to the beginning");
  await page.locator(".review .moments button").last().click();
  await until(async () => (await step()) > 2, "the last moment that decided the game is its beginning");
}

/** Mistakes are tried again until each is done better; a line of the log leads to its step; and from a step one
 * plays on against bots. */
async function studied(page) {
  await page.locator("[data-testid^=retry-]").first().click();
  await axe(page, "mistakes tried again");
  await page.waitForSelector("[data-testid=board] .can");
  const retry = page.locator(".retry");
  const wrong = page.locator(".retry .candidates button:enabled");
  while (!(await retry.locator("button.primary").count())) { // the first by trying
    const left = await wrong.count();
    await wrong.first().click();
    await page.waitForFunction((n) => document.querySelectorAll(".retry .candidates button:enabled").length < n, left);
  }
  while (await retry.count()) {
    const heading = await retry.locator("h3").innerText();
    if (!(await retry.locator("button.primary").count())) {
      await retry.getByRole("button", { name: "Show the answer" }).click();
      await retry.locator("[role=status]", { hasText: "The answer:" }).waitFor(); // nobody was right
    }
    await retry.locator("button.primary").click();
    await page.waitForFunction((was) => document.querySelector(".retry h3")?.innerText !== was, heading);
  }
  await page.locator("#tab-log").click();
  await page.locator(".log button").first().click();
  await page.waitForFunction(() => document.querySelector(".replay").dataset.step === "0");
  await page.locator("input[type=range]").fill("3");
  await page.waitForURL((u) => u.searchParams.get("at") === "3");
  equal(await page.getByRole("textbox", { name: "The link to this step" }).inputValue(), page.url(), "the link to send");
  const seen = await page.locator(".log li").count();
  await page.locator("[data-testid=play-from]").click();
  await page.waitForURL("**/play/doors?id=local-*");
  await page.waitForFunction((n) => document.querySelectorAll(".log li").length >= n, seen);
  await page.waitForSelector("[data-testid=board] .can");
}

async function replay(world) {
  const people = await seatTwo(world, "doors");
  await playOut(people);
  const [a, b] = people;
  const seat = a.told.at(-1).seat;
  await a.page.locator(".game-result a", { hasText: "Replay" }).click();
  await a.page.waitForSelector(".replay [data-testid=board]");
  const door = (n) => a.page.locator(`[data-zone=door${n}]`).first().getAttribute("data-card");
  assert((await door(0)) !== "??" && (await door(1)) !== "??", "open, and still a door is shut");
  await a.page.locator(".replay select").selectOption(String(seat));
  await a.page.waitForFunction((n) => document.querySelector(`[data-zone=door${n}]`)?.dataset.card === "??", 1 - seat);
  assert((await door(seat)) !== "??", "one's own door is shut");
  const slider = a.page.locator("input[type=range]");
  const last = Number(await slider.getAttribute("max"));
  const scores = () => a.page.locator(".log li").count();
  const few = await scores();
  await slider.fill(String(last));
  await a.page.waitForFunction((n) => Number(document.querySelector(".replay").dataset.step) === n, last);
  assert((await scores()) > few, "the log does not grow");
  await axe(a.page, "replay");
  await fits(a.page, "replay");
  await reviewed(a.page);
  await studied(a.page);
  await a.page.goto("/history");
  await a.page.waitForSelector("table.list tbody tr");
  await axe(a.page, "history");
  await a.page.goto("/leaders/doors");
  await a.page.waitForSelector("h1");
  await axe(a.page, "leaders");
  await b.page.locator(".game-result a", { hasText: "Check the deals" }).click();
  await b.page.waitForSelector(".notice.good");
  await axe(b.page, "fairness check");
  const record = await b.page.locator("textarea").inputValue();
  const wrong = record.replace(/^(key \d+ )?([^\n]*[0-9a-f]{64})$/m, (line) => line.replace(/[0-9a-f](?=[0-9a-f]{63}$)/, (c) => (c === "0" ? "1" : "0")));
  assert(wrong !== record, "nothing to spoil in the record");
  await b.page.locator("textarea").fill(wrong);
  await b.page.locator("form button.primary").click();
  await b.page.waitForSelector(".notice.bad");
  for (const p of people) await p.close();
}

/** A rematch brings both to a new table, one seat further. */
async function rematch(world) {
  const people = await seatTwo(world, "doors");
  await playOut(people);
  const [a, b] = people;
  const old = a.page.url();
  await a.page.getByRole("button", { name: "Ask Bruno for a rematch" }).click();
  await a.page.waitForURL((u) => /\/t\//.test(u.pathname) && u.href !== old);
  await a.page.getByText("Waiting for Bruno.").waitFor();
  equal(await a.page.locator(".invite").count(), 0, "links to a seat that is kept");
  await b.page.getByRole("button", { name: "Rematch: Anna is waiting" }).click();
  for (const p of people) await p.page.waitForSelector("[data-testid=board]:not([data-phase=over])");
  equal(a.page.url(), b.page.url(), "the new table");
  for (const p of people) {
    await p.check();
    await p.close();
  }
}

/** After one visit the server may go: a game against bots, a lesson and the rules still work. */
async function offline(world, program) {
  const server = await new Server(program).open();
  const own = new World(world.browser, server);
  const p = await own.person("Anna");
  await p.page.waitForSelector(".game-tile");
  await p.page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await p.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await server.close();
  await p.page.goto("/");
  await p.page.waitForSelector(".sign-link");
  await withBots(p.page, "doors");
  await p.page.waitForSelector("[data-testid=board]");
  for (let i = 0; i < 5; i++) {
    const [, list] = await turnOf(p);
    await choose(p, quiet(list));
  }
  await p.page.goto("/rules/favor");
  await p.page.waitForSelector(".rules h1");
  await p.page.goto("/learn/traps");
  await p.page.waitForSelector("[data-testid=coach]");
  await p.page.waitForSelector("[data-testid=board]");
  await axe(p.page, "a lesson");
  assert(!p.errors.length, p.errors.join("; "));
  await p.close();
  await server.done();
}

/** New pages on the server: a sign, and with one press they are there. */
async function newVersion(world, program) {
  const folder = mkdtempSync(join(tmpdir(), "salotto-files-"));
  cpSync(join(program, "../web/files"), folder, { recursive: true });
  const server = await new Server(program, ["--web", folder]).open();
  const p = await new World(world.browser, server).person("Anna");
  await p.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const worker = readFileSync(join(folder, "sw.js"), "utf8");
  writeFileSync(join(folder, "sw.js"), worker.replace(/salotto-[0-9a-f]{16}/, "salotto-0123456789abcdef"));
  const index = readFileSync(join(folder, "index.html"), "utf8");
  writeFileSync(join(folder, "index.html"), index.replace("<body>", '<body data-new="yes">'));
  await p.page.goto("/rules/doors");
  await p.page.locator(".sign-new button").click();
  await p.page.waitForSelector("body[data-new=yes]");
  await p.close();
  await server.done();
  rmSync(folder, { recursive: true });
}

function packed(folder, wanted) {
  let sum = 0;
  for (const name of readdirSync(folder))
    if (wanted.test(name)) sum += gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
  return sum;
}

/** What a browser has to load, packed: at most 180 kB without the engine, 40 for the lobby. */
async function sizes(program) {
  const folder = join(program, "../web/files/assets");
  assert(statSync(folder).isDirectory(), "the files of the build");
  const bundle = packed(folder, /\.(js|css)$/);
  assert(bundle > 10000 && bundle <= 180 * 1024, `the bundle has ${bundle} bytes packed`);
  // The lobby: what the first page names, scripts and styles, its pictures, and its words in Italian.
  const named = readFileSync(join(folder, "../index.html"), "utf8").match(/assets\/[\w.-]+\.(js|css)/g);
  const pictures = readdirSync(folder).filter((n) => /^(still|cards|court|pieces|it)-.*\.(js|css)$/.test(n)).map((n) => `assets/${n}`);
  const first = new Set([...named, ...pictures]);
  const lobby = [...first].reduce((all, name) => all + gzipSync(readFileSync(join(folder, "..", name)), { level: 9 }).length, 0);
  assert(lobby > 5000 && lobby <= 40 * 1024, `the lobby has ${lobby} bytes packed`);
  const engine = readdirSync(folder).filter((n) => n.endsWith(".wasm")).map((n) => statSync(join(folder, n)).size);
  for (const size of engine) assert(size <= 550 * 1024, `the engine has ${size} bytes`);
}

export function pageCases(world, program) {
  return [
    ["a guest comes by invitation", () => invitation(world)],
    ["who has a name is not asked for it while the server is slow", () => knownName(world)],
    ["the page pledges and reveals its random part, at rematches too", () => ownRandomness(world)],
    ["a table that is gone says so in both languages", () => goneTable(world)],
    ["the server falls over in mid-turn; the move is made once it is back", () => reconnect(world, program)],
    ["a connection falls silent while one waits", () => silence(world)],
    ["a second tab shows and plays the same table", () => secondTab(world)],
    ["a spectator sees what is open and can do nothing", () => spectator(world)],
    ["a bot takes over for who gives up at a table of three", () => takeover(world)],
    ["who gives up at a table of two has lost, on both pages", () => resigning(world)],
    ["time runs out; a bot plays on until one is back", () => absence(world, program)],
    ["the language changes in mid-game", () => languages(world)],
    ["from the lobby to a game without a mouse", () => keyboard(world)],
    ["what cannot be done says why, and leads to the rule", () => whyNot(world)],
    ["replay from every seat, history, and the deals checked in the page", () => replay(world)],
    ["a rematch", () => rematch(world)],
    ["offline after one visit", () => offline(world, program)],
    ["new pages on the server", () => newVersion(world, program)],
    ["axe and sizes: wide, light, English", looks(world, [1440, 900], false, "en")],
    ["axe and sizes: a phone, dark, Italian", looks(world, [360, 740], true, "it")],
    ["cards differ without colour", () => colours(world)],
    ["the bundle is small", () => sizes(program)],
  ];
}
