// A game that is in the list of the C side and nowhere else: the null game, in an engine of its own and
// pages built with it. It must be in the lobby, have rules, be played on the generic board, and be in
// the leaderboard, without a line of TypeScript about it.
//   node more_test.mjs SALOTTO TOP ENGINE_WASM IT_MO NOTICES
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, chromium, equal, Server, runAll, until, World } from "./lib.mjs";
import { axe, fits } from "./eyes.mjs";
import { choices, choose } from "./play.mjs";

const [program, top, wasm, mo, notices] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), "salotto-more-"));
const parts = join(work, "parts");
mkdirSync(parts);
copyFileSync(wasm, join(parts, "engine.wasm"));
copyFileSync(mo, join(parts, "it.mo"));
copyFileSync(notices, join(parts, "notices.txt"));
execFileSync(process.execPath, ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"], {
  cwd: join(top, "web"), env: { ...process.env, SALOTTO_PARTS: parts, SALOTTO_WEB_OUT: join(work, "files") }, stdio: ["ignore", 2, 2],
});
const server = await new Server(program, ["--web", join(work, "files")]).open();
const browser = await chromium.launch({
  executablePath: process.env.SALOTTO_CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const world = new World(browser, server);

async function lobby() {
  for (const lang of ["en", "it"]) {
    const p = await world.person("", { lang });
    const tile = p.page.locator("[data-game=null]");
    // The text of the page, not what is drawn: a tile below the screen is drawn when it comes in sight.
    equal(await tile.locator("h2").textContent(), "Null", "its title");
    assert((await tile.textContent()).includes("Show your coin, or not."), "its tagline is not there");
    equal(await p.page.locator(".game-tile").count(), 5, "games");
    await fits(p.page, "a lobby of five");
    await axe(p.page, "a lobby of five");
    await p.close();
  }
}

async function rules() {
  const p = await world.person("", { path: "/rules/null" });
  await p.page.waitForSelector("[id='null.win']");
  equal(await p.page.locator("main h1").innerText(), "Null", "the heading");
  assert((await p.page.locator("[id='null.turn']").innerText()).includes("each shows the coin"), "the sentence");
  await p.page.goto("/leaders/null");
  await p.page.waitForSelector("nav.tabs a[aria-current=page]");
  assert((await p.page.locator("h1").innerText()).includes("Null"), "not in the leaderboard");
  await p.close();
}

async function game() {
  const p = await world.person("", { path: "/play/null" });
  await p.page.locator("form button.primary").click();
  await p.page.waitForSelector(".fallback-board");
  const next = async () => ((await p.over()) ? "over" : (await choices(p, { words: true }))[0]);
  for (let action; (action = await until(next, "the game does not end")) !== "over"; ) await choose(p, action, { words: true });
  await axe(p.page, "the generic board");
  await p.check();
  await p.close();
}

const failures = await runAll([
  ["one more game: in the lobby, in both languages", lobby],
  ["one more game: rules and leaderboard", rules],
  ["one more game: played to its end on the generic board", game],
]);
await browser.close();
await server.done();
rmSync(work, { recursive: true });
process.exit(failures ? 1 : 0);
