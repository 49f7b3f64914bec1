// The pages one by one, and what can happen on the way.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { assert, equal, House, Person, World } from "./lib.mjs";
import { axe, contrastBetween, fits } from "./eyes.mjs";
import { seatTwo } from "./games.mjs";
import { choices, choose, playOut } from "./play.mjs";

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** A table with one bot, from the lobby with one press. */
async function againstBot(world, game, more = {}) {
  const p = await world.person("Anna", more);
  await p.page.locator(`[data-game=${game}] button.primary`).click();
  await p.page.waitForURL("**/t/*");
  await p.page.waitForSelector("[data-testid=board]");
  return p;
}

/** Waits until this person has something to choose; says what. */
async function turnOf(...people) {
  for (let i = 0; i < 800; i++) {
    for (const p of people) {
      const list = await choices(p);
      if (list.length) return [p, list];
    }
    await wait(25);
  }
  throw new Error("nobody is asked anything");
}

async function firstVisit(world) {
  const p = await world.person("", { lang: "en" });
  const { page } = p;
  await page.locator("[data-game=doors] button.primary").click();
  const dialog = page.locator("dialog[open]");
  await dialog.getByLabel("Italiano").check();
  await page.waitForFunction(() => document.documentElement.lang === "it");
  await dialog.locator("input[name=name]").fill("Elena");
  await dialog.locator("button.primary").click();
  await page.waitForURL("**/t/*");
  await page.waitForSelector("[data-testid=board]");
  assert(/Elena/.test(await page.locator(".aside").innerText()), "the name is not at the table");
  await page.goto("/");
  equal(await page.evaluate(() => document.documentElement.lang), "it", "language after coming back");
  assert(/Elena/.test(await page.locator("h1").innerText()), "the name is forgotten");
  await p.close();
}

async function invitation(world) {
  const a = await world.person("Anna", { path: "/new/doors" });
  await a.page.locator("form button.primary").click();
  await a.page.waitForURL("**/t/*");
  const link = new URL(await a.page.locator(".invite input").inputValue());
  const b = await world.person("", { path: link.pathname + link.search });
  await b.page.locator("dialog[open] input[name=name]").fill("Bruno");
  await b.page.locator("dialog[open] button.primary").click();
  await b.page.locator("main button.primary").first().click();
  for (const p of [a, b]) await p.page.waitForSelector("[data-testid=board]");
  assert(/Bruno/.test(await a.page.locator(".aside").innerText()), "Anna does not see Bruno");
  for (const p of [a, b]) {
    await p.check();
    await p.close();
  }
}

/** The house falls over while somebody is choosing; what they chose is played once it is back. */
async function reconnect(world, program) {
  const house = await new House(program).open();
  const own = new World(world.browser, house);
  const people = await seatTwo(own, "doors");
  const [p, list] = await turnOf(...people);
  const before = await p.seq();
  await house.close("SIGKILL");
  await p.page.waitForSelector(".sign-link");
  await p.page.evaluate((action) => document.querySelector(`[data-action="${action}"].can`).click(), list[0]);
  const ask = p.page.locator("dialog[open] button.primary");
  if (await ask.count()) await ask.click();
  await wait(300);
  equal(await p.seq(), before, "a move without a house");
  await house.open();
  await p.page.waitForFunction((n) => Number(document.querySelector(".table-page").dataset.seq) > n, before, { timeout: 30000 });
  await p.page.waitForSelector(".sign-link", { state: "detached" });
  const acts = new Set(p.told.filter((m) => m.kind === "act" && m.seq > before && m.by === m.seat).map((m) => m.seq));
  equal(acts.size, 1, "the move was made");
  for (const q of people) {
    await q.check();
    await q.close();
  }
  await house.done();
}

async function secondTab(world) {
  const p = await againstBot(world, "doors");
  const other = await p.context.newPage();
  const twin = new Person("Anna's second tab", p.context, other, world.house);
  await Person.watch(other, twin);
  await other.goto(p.page.url());
  await other.waitForSelector("[data-testid=board]");
  for (let i = 0; i < 4; i++) {
    const [who, list] = await turnOf(i % 2 ? p : twin);
    const before = await who.seq();
    await choose(who, list[0]);
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
  const people = await seatTwo(world, "doors");
  const [a, b] = people;
  await a.page.getByRole("button", { name: "Give up" }).click();
  await a.page.locator("dialog[open] button.primary").click();
  await a.page.waitForSelector(".sign-watch");
  equal(await choices(a), [], "who gave up can still choose");
  await playOut([b], (n) => n - 1);
  await a.page.waitForSelector(".result");
  for (const p of people) {
    await p.check();
    await p.close();
  }
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
  await choose(p, list[0]);
  await p.check();
  await p.close();
}

/** From the lobby to the end of a game without a mouse. */
async function keyboard(world) {
  const p = await world.person("Anna");
  const { page } = p;
  const focused = () => page.evaluate(() => {
    const e = document.activeElement;
    return { text: e.textContent.trim(), can: e.classList.contains("can"), game: e.closest("[data-game]")?.dataset.game, tag: e.tagName };
  });
  const tabTo = async (wanted, what) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      if (wanted(await focused())) return;
    }
    throw new Error(`Tab does not reach ${what}`);
  };
  await page.waitForSelector(".tile");
  await tabTo((f) => f.game === "doors" && f.tag === "BUTTON", "the game");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-testid=board]");
  for (let i = 0; i < 120 && !(await p.over()); i++) {
    if (!(await choices(p)).length) {
      await wait(30);
      continue;
    }
    const before = await p.seq();
    await tabTo((f) => f.can, "a choice");
    if (i % 3 === 0) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    for (let j = 0; j < 100 && (await p.seq()) === before; j++) {
      if (await page.locator("dialog[open]").count()) await page.keyboard.press("Enter");
      await wait(30);
      if (await page.locator(".notice.bad").count()) break; // an arrow led to what cannot be done
    }
    await p.check();
  }
  assert(await p.over(), "the game does not end by keyboard");
  await p.close();
}

async function whyNot(world) {
  const people = await seatTwo(world, "doors");
  const [, list] = await turnOf(...people);
  const idle = people.find((p) => p.told.at(-1).state.to_act[0] !== p.told.at(-1).seat);
  assert(list.length, "somebody is asked");
  await idle.page.locator("[data-testid=board] [data-action]:not(.can)").first().click();
  const box = idle.page.locator(".notice.bad");
  await box.waitFor();
  for (const p of people) await p.check();
  const asked = people.find((p) => p !== idle);
  await asked.page.locator("[data-testid=board] [data-action]:not(.can)").first().click();
  await asked.page.locator(".notice.bad button.link").click();
  await asked.page.waitForSelector(".rules-side .rule.named");
  for (const p of people) await p.close();
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
    for (const [path, ready] of [["/", ".tile"], ["/new/favor", "form"], ["/new/louis", "form"],
      ["/rules/doors", ".rules h1"], ["/rules/louis", ".rules h1"], ["/me", ".sessions li"], ["/nothing", "h1"]]) {
      await page.goto(path === "/nothing" ? "/t/nothing" : path);
      await page.waitForSelector(ready);
      await see(path);
    }
    for (const game of ["doors", "favor", "traps", "louis"]) {
      await page.goto("/");
      await page.locator(`[data-game=${game}] button.primary`).click();
      await page.waitForSelector("[data-testid=board]");
      const seen = new Set();
      for (let i = 0; i < 14; i++) {
        const [, list] = await turnOf(p);
        const phase = await page.locator("[data-testid=board]").getAttribute("data-phase");
        if (!seen.has(phase)) {
          seen.add(phase);
          await see(`${game} ${phase}`);
        }
        if (seen.size > 3) break;
        await choose(p, list[i % list.length], { words: game === "louis" });
      }
      await page.locator(".table-top .tools button", { hasText: /Rules|Regole/ }).click();
      await page.waitForSelector(".rules-side .rules h1");
      await see(`${game} with the rules`);
      await p.check();
    }
    await p.close();
    const stranger = await world.person("", { size, dark, lang });
    await stranger.page.locator("[data-game=doors] button.primary").click();
    await stranger.page.waitForSelector("dialog[open]");
    await axe(stranger.page, "the first visit");
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
    for (let a = 0; a < n; a++)
      for (let b = a + 1; b < n; b++) {
        const apart = await contrastBetween(page, cards.nth(a), cards.nth(b));
        assert(apart > 0.03, `${type}: cards ${a} and ${b} look the same (${apart.toFixed(3)})`);
      }

  }
  await p.close();
}

function packed(folder, wanted) {
  let sum = 0;
  for (const name of readdirSync(folder))
    if (wanted.test(name)) sum += gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
  return sum;
}

/** What a browser has to load, packed: at most 120 kB without the engine. */
async function sizes(program) {
  const folder = join(program, "../web/files/assets");
  assert(statSync(folder).isDirectory(), "the files of the build");
  const bundle = packed(folder, /\.(js|css)$/);
  assert(bundle > 10000 && bundle <= 120 * 1024, `the bundle has ${bundle} bytes packed`);
  const engine = readdirSync(folder).filter((n) => n.endsWith(".wasm")).map((n) => statSync(join(folder, n)).size);
  for (const size of engine) assert(size <= 400 * 1024, `the engine has ${size} bytes`);
}

export function pageCases(world, program) {
  return [
    ["a first visit: a name and a language, remembered", () => firstVisit(world)],
    ["a guest comes by invitation", () => invitation(world)],
    ["the house falls over in mid-turn; the move is made once it is back", () => reconnect(world, program)],
    ["a second tab shows and plays the same table", () => secondTab(world)],
    ["a spectator sees what is open and can do nothing", () => spectator(world)],
    ["a bot takes over for who gives up", () => takeover(world)],
    ["the language changes in mid-game", () => languages(world)],
    ["a game without a mouse", () => keyboard(world)],
    ["what cannot be done says why, and leads to the rule", () => whyNot(world)],
    ["axe and sizes: wide, light, English", looks(world, [1440, 900], false, "en")],
    ["axe and sizes: a phone, dark, Italian", looks(world, [360, 740], true, "it")],
    ["cards differ without colour", () => colours(world)],
    ["the bundle is small", () => sizes(program)],
  ];
}
