// The engine in WebAssembly against the program: each must find the other's records sound.
//   node engine_test.mjs SALOTTO TOP ENGINE_WASM IT_MO
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { webcrypto } from "node:crypto";
import { finish, test } from "./tap.mjs";

const [salotto, top, wasmPath, moPath] = process.argv.slice(2);
globalThis.crypto ??= webcrypto;
const work = mkdtempSync(join(tmpdir(), "salotto-engine-"));
const esbuild = createRequire(join(top, "web/package.json"))("esbuild");
const source = readFileSync(join(top, "web/src/engine.ts"), "utf8");
const { code } = esbuild.transformSync(source, { loader: "ts", format: "esm" });
writeFileSync(join(work, "engine.mjs"), code);
const { Engine } = await import(join(work, "engine.mjs"));
const wasm = readFileSync(wasmPath);
const mo = new Uint8Array(readFileSync(moPath));

function is(got, wanted, what) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}

// A generator of its own, so that a failure comes again.
let seed = 1;
const random = (n) => (seed = (seed * 48271) % 2147483647) % n;

const verify = (record) => {
  writeFileSync(join(work, "record"), record);
  return spawnSync(salotto, ["verify", join(work, "record")], { encoding: "utf8" });
};

/** Plays anything that is allowed, at most so many steps; the table stays. */
function play(engine, steps) {
  for (let n = 0; n < steps; n++) {
    const seats = engine.toAct();
    if (seats.length === 0) return true;
    const seat = seats[random(seats.length)];
    const { legal } = engine.tell(seat, 0);
    const answer = engine.act(seat, legal[random(legal.length)]);
    is(answer, { ok: true }, "a legal action");
  }
  return engine.toAct().length === 0;
}

const list = (await Engine.load(wasm)).games();
for (const { game, players: [least, most] } of list.games)
  for (let players = least; players <= most; players++)
    await test(`${game} with ${players}: a game, and the program finds its record sound`, async () => {
      const engine = await Engine.load(wasm);
      is(engine.lay(game, players, {}), { ok: true }, "laying out");
      const over = play(engine, 1500);
      const told = engine.tell(null, 0);
      is(told.words.length, told.events.length, "sentences");
      if (told.words.some((w) => !w.text)) throw new Error("an event without a sentence");
      const coded = engine.tell(0, 0).words.find((w) => /\b([RB][LT]|BR|LT)\b/.test(w.text));
      if (coded) throw new Error(`a card is not named in words: ${coded.text}`);
      const record = engine.record();
      const native = verify(record);
      const audit = engine.verify(record);
      is([audit.ok, audit.committed], [true, true], "its own check");
      is(native.status, audit.proven ? 0 : 3, native.stdout + native.stderr);
      if (over) is(audit.proven, true, "proven");
      if (over) is(audit.unchecked, 0, "draws that could not be checked");
      // One figure of a seed or key changed.
      const at = record.search(/[0-9a-f]{64}/) + 10;
      const bad = record.slice(0, at) + (record[at] === "0" ? "1" : "0") + record.slice(at + 1);
      is(engine.verify(bad).ok, false, "a record that was changed");
    });

await test("a review adds up, step by step, and there is none of a game in play", async () => {
  for (const { game } of list.games) {
    const engine = await Engine.load(wasm);
    is(engine.lay(game, 2, {}), { ok: true }, "laying out");
    is(engine.reviewNext().ok, false, "none was begun");
    is(engine.review(engine.record(true)).ok, false, "a game that has just begun");
    if (!play(engine, 4000)) throw new Error(`${game} does not end`);
    const record = engine.record();
    const { ok, ...head } = engine.review(record, 4);
    is(ok, true, "begins");
    const steps = [];
    let answer;
    do steps.push(...(answer = engine.reviewNext()).steps); while (!answer.seats);
    is(steps.length, head.total, "steps");
    for (let seat = 0; seat < 2; seat++) {
      const parts = (x) => Math.round(x * 1e6);
      const moved = steps.reduce((sum, s) => sum + parts(s.luck[seat]) + parts(s.hidden[seat]) + parts(s.play[seat]), 0);
      is(moved, parts(head.result[seat]) - parts(head.start[seat]), "the sum");
    }
  }
});

await test("the offer: all there is to say about a game before it begins, in the reader's words", async () => {
  for (const g of list.games) {
    for (const field of ["title", "tagline", "goal", "role"])
      if (!g[field]) throw new Error(`${g.game} has no ${field}`);
    if (!(g.usual >= g.players[0] && g.usual <= g.players[1] && g.minutes > 0)) throw new Error(`${g.game}: ${g.usual}, ${g.minutes}`);
    is(g.choices.filter((c) => c.kind !== "file").map((c) => c.name), Object.keys(g.options), `options of ${g.game}`);
    for (const c of g.choices) {
      if (!c.title || !c.about) throw new Error(`${g.game}: ${c.name} says nothing`);
      if (c.kind === "word") is(c.values.map((v) => v.value), g.options[c.name], `values of ${c.name}`);
    }
    is(g.levels.includes("ismcts"), false, "the yardstick is offered to nobody");
    is(g.levels.includes("master"), ["doors", "favor", "traps"].includes(g.game), `the master at ${g.game}`);
    if (!g.rules.every((r) => r.id.startsWith(`${g.game}.`) && r.text)) throw new Error("rules");
  }
  const engine = await Engine.load(wasm);
  engine.language(mo);
  const italian = engine.games();
  is(italian.games.map((g) => g.game), list.games.map((g) => g.game), "the same games");
  for (const [i, g] of italian.games.entries())
    for (const field of ["tagline", "goal", "role"])
      if (g[field] === list.games[i][field]) throw new Error(`${g.game}: ${field} is not Italian`);
});

await test("a record of the program is sound here too", async () => {
  const engine = await Engine.load(wasm);
  for (const { game } of list.games) {
    const file = join(work, `${game}.salotto`);
    rmSync(file, { force: true });
    execFileSync(salotto, ["play", game, "--people", "0", "--record", file],
      { encoding: "utf8", input: "", env: { ...process.env, LANGUAGE: "en" } });
    const audit = engine.verify(readFileSync(file, "utf8"));
    is(audit.ok, true, `${game}: ${audit.message}`);
    is(audit.unchecked, 0, game);
  }
});

await test("cards that are dealt on purpose, words in Italian, reasons", async () => {
  const engine = await Engine.load(wasm);
  is(engine.language(mo), true, "the catalogue");
  engine.name(1, "Anna");
  const deal = [{ identities: ["RT", "BL"], deck: ["RL", "BL", "RT", "BT", "BR"] }];
  is(engine.lay("doors", 2, { first: 0 }, deal), { ok: true }, "laying out");
  const told = engine.tell(0, 0);
  is(told.state.identities, ["RT", "??"], "what seat 0 sees");
  is(told.state.offer, ["RL", "BL", "RT", "BT"], "the offer");
  is(engine.tell(null, 0).state.identities, ["??", "??"], "what a spectator sees");
  if (!told.words.some((w) => w.text === "Anna riceve un'identità."))
    throw new Error(JSON.stringify(told.words));
  const no = engine.try(0, "end");
  is([no.ok, no.code, no.rule], [false, "illegal", "doors.turn.phase"], "why not");
  engine.name(0, "Bea");
  for (const refused of [engine.act(1, "take RL"), engine.think(1, "novice", 0.05)])
    is([refused.code, refused.message], ["not-your-turn", "Bea deve prendere una carta."], "out of turn");
  is(engine.act(0, "jump").message, "Azione non riconosciuta.", "no action at all");
  is(engine.tell(0, 0).next, told.next, "refusals change nothing");
  const wrong = engine.lay("doors", 2, {}, [{ identities: ["RT", "RT"] }]);
  is(wrong.ok, false, "a deal that is not possible");
  is(engine.lay("doors", 3, {}).ok, false, "too many players");
});

await test("each bot answers with something legal, and advice says why", async () => {
  const engine = await Engine.load(wasm);
  for (const { game, players: [least] } of list.games) {
    is(engine.lay(game, least, {}), { ok: true }, game);
    for (const level of list.bots) {
      const [seat] = engine.toAct();
      const thought = engine.think(seat, level, 0.05);
      is(thought.ok, true, `${game}, ${level}`);
      const advice = engine.think(seat, level, 0.05, true);
      if (!advice.say) throw new Error(`advice at ${game} says nothing`);
      is(engine.act(seat, thought.action), { ok: true }, thought.action);
    }
  }
});

for (const [game, kind, least] of [["traps", "place", 4], ["favor", "", 20]])
  await test(`the master plays ${game} for two by its policy`, async () => {
    const engine = await Engine.load(wasm);
    const policy = new Uint8Array(readFileSync(join(top, `share/${game}.policy`)));
    const damaged = policy.slice();
    damaged[damaged.length >> 1] ^= 1;
    is(engine.teach(damaged), false, "a damaged policy");
    is(engine.teach(policy), true, "the policy");
    is(engine.games().bots.includes("master"), true, "who is taught");
    is(engine.lay(game, 2, { first: 0 }), { ok: true }, "laying out");
    let mixed = 0;
    for (let steps = 0; steps < 120 && engine.toAct().length; steps++) {
      const [seat] = engine.toAct();
      const thought = engine.think(seat, "master", 0.2);
      // The master mixes, as best play does: shares are chances, all of them.
      if (thought.action.startsWith(kind)) {
        mixed++;
        const sum = thought.candidates.reduce((n, c) => n + c.share, 0);
        if (Math.abs(sum - 1) > 0.04) throw new Error(JSON.stringify(thought));
      }
      is(engine.act(seat, thought.action), { ok: true }, thought.action);
    }
    if (mixed < least) throw new Error(`only ${mixed} moves`);
  });

await test("the master plays Doors by the policy, once it is taught", async () => {
  const engine = await Engine.load(wasm);
  const policy = new Uint8Array(readFileSync(join(top, "share/doors.policy")));
  const damaged = policy.slice();
  damaged[damaged.length >> 1] ^= 1;
  is(engine.teach(damaged), false, "a damaged policy");
  is(engine.games().bots.includes("master"), false, "who is not taught");
  is(engine.teach(policy), true, "the policy");
  is(engine.games().bots.includes("master"), true, "who is taught");
  is(engine.lay("doors", 2, { first: 0 }), { ok: true }, "laying out");
  const moves = { take: 0, discard: 0, other: 0 };
  for (let seats; (seats = engine.toAct()).length;) {
    const thought = engine.think(seats[0], "master", 1);
    is(thought.ok, true, "a thought");
    // The master mixes, as best play does: shares are chances, all of them.
    const sum = thought.candidates.reduce((n, c) => n + c.share, 0);
    if (Math.abs(sum - 1) > 0.05) throw new Error(`chances of ${sum}`);
    is(engine.act(seats[0], thought.action), { ok: true }, thought.action);
    moves[thought.action.split(" ")[0] in moves ? thought.action.split(" ")[0] : "other"]++;
  }
  if (moves.take < 4 || moves.discard < 4) throw new Error(JSON.stringify(moves));
  is(verify(engine.record()).status, 0, "its record");
});

rmSync(work, { recursive: true });
process.exit(finish() ? 1 : 0);
