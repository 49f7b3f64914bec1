// The rule books against the engine: their examples are vectors, told move by move in the engine's own
// sentences; their figures are drawn from the positions of these vectors; the terminal shows chapters.
//   node books_test.mjs SALOTTO TOP ENGINE_WASM IT_MO
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { finish, test } from "./tap.mjs";

const [salotto, top, wasm, mo] = process.argv.slice(2);
const { loadEngine, NAMES, readExamples, replay } = await import(pathToFileURL(join(top, "web/book/replay.mjs")).href);
const parts = mkdtempSync(join(tmpdir(), "salotto-books-test-"));
copyFileSync(wasm, join(parts, "engine.wasm"));
copyFileSync(mo, join(parts, "it.mo"));
const engine = await loadEngine(parts);
const examples = readExamples();

const book = (game, lang) => readFileSync(join(top, `docs/rules/${game}.${lang}.md`), "utf8");
const chapter = (text, name) => text.split(`<a id="${name}"></a>`)[1].split(/^<a id="\w+"><\/a>$/m)[0];

/** What the example says in bold, in order: moves and scores. Headings such as "Round 1." are left out. */
const bold = (text) => [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words]) => words.replace(/\s+/g, " "))
  .filter((words) => !/^\S+ \d+\.$/.test(words));

/** The same as the vector has it: the sentence that the engine says for a move, and numbers by player. */
function told(example, lang) {
  const { said } = replay(engine, example, { lang });
  let move = 0;
  return example.steps.flatMap((step) => {
    if (step.action !== undefined) return [said[++move][0]];
    if (!step.value.every((v) => typeof v === "number")) return [];
    return [step.value.map((n, seat) => `${NAMES[seat]} ${n}`).join(", ") + "."];
  });
}

/** "Tokens: Ada 4, Bruno 0." without what is counted. */
const score = (words) => words.replace(/^\p{L}+: (?=\p{L}+ \d+,)/u, "");

process.env.SALOTTO_PARTS = parts;
const { offerIn } = await import(pathToFileURL(join(top, "web/plugins/engine.js")).href);
const { games } = await offerIn("en");

for (const game of ["doors", "favor", "traps", "louis"]) {
  for (const lang of ["en", "it"])
    await test(`${game}, ${lang}: for how many and how long it is, as the lobby says`, () => {
      const opening = book(game, lang).split("\n\n")[1];
      const { players, minutes } = games.find((g) => g.game === game);
      assert.deepEqual(opening.match(/\d+/g).map(Number), [...new Set(players), minutes]);
    });
  for (const lang of ["en", "it"])
    await test(`${game}, ${lang}: the example of play is the vector, move by move`, () => {
      const want = told(examples[game], lang);
      assert.ok(want.length > 10);
      assert.deepEqual(bold(chapter(book(game, lang), "example")).map(score), want);
    });
  await test(`${game}: a chapter and a rule in the terminal`, () => {
    const read = (...more) => spawnSync(salotto, ["rules", game, ...more], { encoding: "utf8" });
    const listed = read("--chapters").stdout.trim().split("\n").map((l) => l.trim().split(/\s{2,}/));
    assert.equal(listed.length, 10);
    for (const [name, heading] of listed) {
      const { stdout, status } = read(name);
      assert.equal(status, 0);
      assert.ok(stdout.startsWith(`## ${heading}\n`), stdout.slice(0, 80));
      assert.doesNotMatch(stdout, /<a id|\*\*|!\[/);
      assert.equal(stdout.match(/^## /gm).length, 1, name);
    }
    assert.equal(read("nowhere").status, 2);
  });
}

await test("the figures are those that the art and the engine draw now", () => {
  const got = spawnSync("node", [join(top, "web/book/main.mjs"), "check", parts], { encoding: "utf8" });
  assert.equal(got.status, 0, got.stderr);
});

await test("every figure is in a book, in both languages", async () => {
  const { readdirSync } = await import("node:fs");
  for (const file of readdirSync(join(top, "docs/rules/figures"))) {
    const [name, lang] = file.split(".");
    assert.ok(book(name.split("-")[0], lang).includes(`(figures/${file})`), file);
  }
});

rmSync(parts, { recursive: true });
process.exitCode = finish() ? 1 : 0;
