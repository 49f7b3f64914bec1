// Studying a game that is over: a record from a file, reviewed step by step, with the best moves on the board.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, equal } from "./lib.mjs";
import { axe, fits } from "./eyes.mjs";

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
  const whole = played(program, "traps", "#1\n".repeat(400));
  await upload("nothing\n");
  await page.getByText("Riga 1: una registrazione comincia con «salotto record 2».").waitFor();
  await upload(played(program, "traps", "#1\nquit\n"));
  await page.getByText("La partita non è ancora finita.").waitFor();
  await upload(whole);
  await page.waitForURL("**/replay/*review");
  await page.waitForSelector(".review[data-done=yes] .summary");
  await axe(page, "a record from a file");
  await fits(page, "a record from a file");
  const best = ["[data-testid=best-here]", "[data-testid=board] .hinted", "[data-testid=board] .was-played"];
  equal(await page.locator(".review .summary thead th").first().innerText(), "Anna", "the name that the record has");
  equal(await page.locator(".review .summary tr", { hasText: "Rivelato agli altri, in bit" }).count(), 1, "what was told, in bits");
  const told = spawnSync(program, ["review", "-", "--lang", "it"], { input: whole, encoding: "utf8" }).stdout.trim().split("\n").at(-1);
  assert(/ ha giocato meglio e ha vinto\.$/.test(told), `this record is not won by who played best: ${told}`);
  equal(await page.locator("[data-testid=verdict]").innerText(), told, "who deserved it");
  await steps(page, "open", best);
  await steps(page, "0", [...best, ".mark.forced", ".decision .label.truth"]);
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

export const studyCases = (world, program) => [
  ["a record from a file, reviewed", () => fromFile(world, program)],
  ["best moves of several parts", () => inParts(world, program)],
];
