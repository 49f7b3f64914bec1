// Studying a game that is over: a record from a file, reviewed step by step, with the best moves on the board.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, equal, Server, until, World } from "./lib.mjs";
import { axe, fits } from "./eyes.mjs";
import { asked, choose } from "./play.mjs";

/** A game in which the first choice is always taken. */
function played(program, game, lines) {
  const file = join(mkdtempSync(join(tmpdir(), "salotto-study-")), "game.salotto");
  spawnSync(program, ["play", game, "--plain", "--seed", "7", "--bot", "novice", "--seconds", "0.01", "--name", "Anna", "--record", file],
    { input: lines, env: { ...process.env, LANGUAGE: "en", XDG_STATE_HOME: join(file, "..") } });
  return readFileSync(file, "utf8");
}

async function fromFile(world, program) {
  const p = await world.person(null, { lang: "it", path: "/history" });
  const { page } = p;
  const upload = (text) => page.locator("[data-testid=open-record]").setInputFiles({ name: "game.salotto", mimeType: "text/plain", buffer: Buffer.from(text) });
  const whole = played(program, "traps", "#1\n".repeat(400)).replace("# by 1 - ", "# by 1 Bruno ");
  await upload("nothing\n");
  await page.getByText("Riga 1: una registrazione comincia con «salotto record 2».").waitFor();
  await upload(played(program, "traps", "#1\nquit\n"));
  await page.getByText("La partita non è ancora finita.").waitFor();
  await upload(whole);
  await page.waitForURL("**/replay/*review");
  await page.waitForSelector(".review[data-done=yes] .summary");
  await page.route("**/api/policy?game=doors*", (route) => route.abort()); // what is offered is of Traps
  await page.locator(learn).click();
  await page.locator(learn).waitFor({ state: "detached" });
  await done(page);
  await axe(page, "a record from a file");
  await fits(page, "a record from a file");
  const best = ["[data-testid=best-here]", "[data-testid=board] .hinted", "[data-testid=board] .was-played"];
  equal(await page.locator(".review .summary thead th").first().innerText(), "Anna", "the name that the record has");
  equal(await page.locator(".review .summary tr", { hasText: "Rivelato agli altri, in bit" }).count(), 1, "what was told, in bits");
  const told = spawnSync(program, ["review", "-", "--lang", "it"], { input: whole, encoding: "utf8" }).stdout.trim().split("\n").at(-1);
  assert(/ ha giocato meglio e ha vinto\.$/.test(told), `this record is not won by who played best: ${told}`);
  equal(await page.locator("[data-testid=verdict]").innerText(), told, "who deserved it");
  for (const moment of await page.locator(".review h3:has-text('Cosa ha deciso') + .moments li").allInnerTexts())
    assert(/ (Anna|Bruno) [+−]\d+\s%$/.test(moment), `whom it moved: ${moment}`);
  await earned(page);
  await steps(page, "open", best);
  await steps(page, "0", [...best, ".mark.forced", ".decision .label.truth", ".decision:has-text('nella pila di Bruno')"]);
  await p.close();
}

/** The tokens by cause add up to those that the table shows at the end. */
async function earned(page) {
  const told = await page.locator("[data-testid=earned] tr").evaluateAll((rows) => rows.map((r) => [...r.cells].map((c) => c.innerText)));
  const sums = [1, 2].map((n) => told.slice(1).reduce((sum, cells) => sum + Number(cells[n].replace("−", "-")), 0));
  equal(told[0][0], "Da dove vengono i segnalini", "what the rows are about");
  await page.locator(".replay-bar button").last().click();
  const result = page.locator(".game-result tfoot td");
  await result.first().waitFor();
  equal(sums, (await result.allInnerTexts()).map(Number), "tokens by cause");
}

/** Whoever played, the summary of four fits beside the board and on a phone; names are where the lines are explained. */
async function four(world, program) {
  const file = join(mkdtempSync(join(tmpdir(), "salotto-study-")), "four.salotto");
  spawnSync(program, ["watch", "traps", "--players", "4", "--bot", "regular", "--seed", "4", "--plain", "--speed", "0", "--record", file]);
  const p = await world.person(null, { lang: "it", path: "/history" });
  const { page } = p;
  await page.locator("[data-testid=open-record]").setInputFiles(file);
  await page.waitForURL("**/replay/*review");
  await page.waitForSelector(".review[data-done=yes] .summary");
  for (const [width, height] of [[1280, 800], [390, 844]]) {
    await page.setViewportSize({ width, height });
    await until(() => page.locator(".review").evaluate((box) => [...box.querySelectorAll(".summary td, .summary th, .keys span")]
      .every((cell) => cell.getBoundingClientRect().right <= box.getBoundingClientRect().right + 1)), `all four are in the panel at ${width}`);
  }
  equal(await page.locator(".review .keys span").count(), 4, "names of lines");
  await axe(page, "a summary of four");
  await p.close();
}

/** A move of several parts is marked in its parts, as soon as the review has come so far. */
async function inParts(world, program) {
  const folder = mkdtempSync(join(tmpdir(), "salotto-study-"));
  spawnSync(program, ["arena", "--game", "louis", "--bot", "random", "--bot", "random", "--games", "1", "--seed", "3", "--records", folder]);
  const p = await world.person(null, { path: "/history" });
  const { page } = p;
  await page.locator("[data-testid=open-record]").setInputFiles(join(folder, "00000.salotto"));
  await page.waitForURL("**/replay/*review");
  await page.waitForSelector(".replay [data-testid=board]");
  for (let at = 0; !(await page.locator(".ctile.hinted").count()); at++) {
    await page.waitForSelector(`.replay[data-step="${at}"]`);
    if (await page.locator(".bar .choosing .chooser").count()) await page.waitForSelector("[data-testid=board] .hinted");
    await page.keyboard.press("ArrowRight");
  }
  await p.close();
}

/** From the beginning, from a seat or with all cards open: everything that is wanted is shown at some step. */
async function steps(page, seat, parts) {
  const wanted = new Set(parts);
  await page.goto(page.url().replace(/\?.*/, `?seat=${seat}&at=0&review`));
  await page.waitForSelector(".review[data-done=yes] .summary");
  const last = Number(await page.locator(".replay-bar input").getAttribute("max"));
  for (let at = 0; wanted.size && at <= last; at++) {
    await page.waitForSelector(`.replay[data-step="${at}"]`);
    for (const part of wanted) if (await page.locator(part).count()) wanted.delete(part);
    await page.keyboard.press("ArrowRight");
  }
  equal([...wanted].join(), "", "what no step has shown");
}

const done = (page) => page.waitForSelector(".review[data-done=yes] .summary");
const learn = "[data-testid=learn]";
/** What only optimal play can tell: how often it does what, and what is believed of whoever plays so. */
const OPTIMAL = [".decision caption:has-text('how often optimal play does it')", ".decision p:has-text('Against optimal play')"];

/** Doors by the engine of the page: without optimal play, which is fetched at a press; then with it, also without a server. */
async function optimal(world, program) {
  const server = await new Server(program).open();
  const p = await new World(world.browser, server).person(null, { path: "/history" });
  const { page } = p;
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const whole = played(program, "doors", "#1\n".repeat(400));
  await page.locator("[data-testid=open-record]").setInputFiles({ name: "game.salotto", mimeType: "text/plain", buffer: Buffer.from(whole) });
  await page.waitForURL("**/replay/*review");
  await done(page);
  await page.locator(".review", { hasText: "Without optimal play" }).waitFor();
  await steps(page, "0", [".decision caption:has-text('as far as')"]);
  await axe(page, "a review without optimal play");
  await page.route("**/api/policy*", (route) => route.abort());
  await page.locator(learn).click();
  await page.locator(".review [role=alert]").waitFor();
  equal(await page.locator(".review[data-done=yes]").count(), 1, "what there was of a review stays");
  await page.unroute("**/api/policy*");
  await page.locator(learn).click();
  await page.locator(learn).waitFor({ state: "detached" });
  await server.close();
  await steps(page, "0", OPTIMAL);
  equal(await page.locator(learn).count(), 0, "it is offered again");
  await axe(page, "a review with optimal play");
  assert(!p.errors.length, p.errors.join("; "));
  await p.close();
  await server.done();
}

/** A hint in a game for two that this browser keeps: at a press by the master, whose play has that name. */
async function masterHints(world, game, name) {
  const told = new RegExp(`${name} does this \\d+ % of the time`);
  const p = await world.person("");
  const { page } = p;
  await page.locator(`[data-game=${game}] button.primary`).click();
  await page.waitForSelector(".bot-sheet");
  const fewest = page.locator(".bot-sheet input[name=players]").first();
  if (await fewest.count()) await fewest.check();
  await page.locator(".bot-sheet button.primary").click();
  await page.waitForURL(`**/play/${game}?id=local-*`);
  const hint = page.locator(".tools button[title=Hint]"), notice = page.locator(".notice.hint");
  // In Traps both lay a card at the same time, and what the bot does would take the hint away.
  if (game === "traps") await choose(p, (await asked(p))[0]);
  for (let list; (list = await asked(p)).length < 2; ) await choose(p, list[0]);
  await hint.click();
  await notice.locator(learn).waitFor();
  assert(!told.test(await notice.innerText()), "the master is here already");
  await notice.locator(learn).click();
  await notice.filter({ hasText: told }).waitFor();
  equal(await notice.locator(learn).count(), 0, "it is offered again");
  await page.reload();
  await asked(p);
  await hint.click();
  await notice.filter({ hasText: told }).waitFor();
  assert(!p.errors.length, p.errors.join("; "));
  await p.close();
}

/** Traps against a bot at the server, in which a card is taken back, and then one resigns. The table. */
const resigned = () => new Promise((done) => {
  const socket = new WebSocket(`ws://${location.host}/ws`), waiting = new Map();
  let n = 0;
  const ask = (op, more) => new Promise((answer) => {
    waiting.set(++n, answer);
    socket.send(JSON.stringify({ op, id: n, ...more }));
  });
  socket.onmessage = ({ data }) => waiting.get(JSON.parse(data).id)?.(JSON.parse(data));
  socket.onopen = async () => {
    const { table } = await ask("create", { game: "traps", players: 2, seats: ["open", "novice"], undo: true });
    const turn = async () => {
      for (;;) {
        const seen = await ask("join", { table });
        if (seen.legal?.length) return seen;
        await new Promise((soon) => setTimeout(soon, 100));
      }
    };
    /** Until the bot does nothing in between. */
    const must = async (op, more) => {
      while ((await ask(op, { table, ...(await more()) })).op === "error");
    };
    await ask("sit", { table, seat: 0 });
    await must("act", async () => ({ seq: (await turn()).seq, action: (await turn()).legal[0] }));
    await must("undo", async () => ({ seq: (await ask("join", { table })).seq }));
    await must("act", async () => ({ seq: (await turn()).seq, action: (await turn()).legal.at(-1) }));
    await must("resign", () => ({}));
    socket.close();
    done(table);
  };
});

/** A server that is busy, and then away, is asked again, for the replay as for the review. What was taken back is not reviewed; resigning is. */
async function patience(world) {
  const p = await world.person("Anna", { worker: false });
  const { page } = p;
  const table = await page.evaluate(resigned);
  let refuse = (route) => route.fulfill({ status: 503, json: { ok: false, error: { code: "busy", message: "…" } } });
  await page.route("**/api/review/*", (route) => refuse(route));
  let soon = (route) => route.fulfill({ status: 429, json: { ok: false, error: { code: "slow-down", message: "…" } } });
  await page.route("**/api/replay/*", (route) => soon(route));
  await page.goto(`/replay/${table}?seat=open&at=0&review`);
  await page.locator(".notice", { hasText: "Too many requests" }).waitFor();
  soon = (route) => route.continue();
  await page.locator("[role=status]", { hasText: "busy with other reviews" }).waitFor();
  refuse = (route) => route.abort();
  await page.locator("[role=status]", { hasText: "cannot be reached" }).waitFor();
  refuse = (route) => route.continue();
  await done(page);
  const ends = [".decision:has-text('resigns')", "[data-testid=luck]"];
  await steps(page, "open", [".review:has-text('undone later'):not(:has(.decision))", ...ends]);
  await page.locator(".replay-bar button").first().click();
  const [last, { width }] = [await page.locator(".replay-bar input").getAttribute("max"), await page.locator(".chances").boundingBox()];
  await page.locator(".chances").click({ position: { x: width - 2, y: 20 } });
  await page.waitForSelector(`.replay[data-step="${last}"] .decision:has-text('resigns')`);
  const record = await (await p.context.request.get(`/api/record/${table}`)).body();
  await page.goto("/history");
  await page.locator("[data-testid=open-record]").setInputFiles({ name: "game.salotto", mimeType: "text/plain", buffer: record });
  await page.waitForURL("**/replay/local-*review");
  await steps(page, "open", ends);
  assert(!p.errors.length, p.errors.join("; "));
  await p.close();
}

export const studyCases = (world, program) => [
  ["a record from a file, reviewed", () => fromFile(world, program)],
  ["a review of four", () => four(world, program)],
  ["best moves of several parts", () => inParts(world, program)],
  ["a review of Doors with optimal play, in the page", () => optimal(world, program)],
  ["hints of Doors by the master, in the page", () => masterHints(world, "doors", "Optimal play")],
  ["hints of Favor for two by the master, in the page", () => masterHints(world, "favor", "The master")],
  ["hints of Traps for two by the master, in the page", () => masterHints(world, "traps", "Optimal play")],
  ["a review that has to wait, of what was taken back and resigned", () => patience(world)],
];
