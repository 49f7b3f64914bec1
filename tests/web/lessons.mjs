// Plays every lesson through the referee: each step's action and each scripted answer must be legal
// when its turn comes, everything scripted must be used, and the steps must reach their end, whatever
// the deal leaves open.
//   node tests/web/lessons.mjs BUILD/salotto
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { load } from "./load.mjs";

const program = process.argv[2] ?? "build/salotto";

function referee() {
  const child = spawn(program, ["referee"], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (request) => {
    child.stdin.write(JSON.stringify(request) + "\n");
    const reply = JSON.parse((await lines.next()).value);
    assert.ok(reply.ok, `${JSON.stringify(request)}: ${reply.error?.message}`);
    return reply;
  };
}

for (const [game, seed] of ["doors", "favor", "traps", "louis"].flatMap((g) => [1, 2, 3, 4].map((s) => [g, s]))) {
  const { lesson } = await load(`web/src/games/lessons/${game}.ts`);
  const ask = referee();
  let { state } = await ask({ op: "new", game, players: lesson.players, seed,
    options: lesson.options ?? {}, deal: lesson.deal });
  const script = [...lesson.script];
  const rules = new Set();
  const others = async () => {
    for (;;) {
      const next = script[0];
      if (!next || state.over || !state.to_act.includes(next.seat)) return;
      script.shift();
      ({ state } = await ask({ op: "act", ...next }));
    }
  };
  for (const [i, step] of lesson.steps.entries()) {
    await others();
    assert.ok(step.say().length > 20, `${game}, step ${i}: says nothing`);
    if (step.rule) rules.add(step.rule);
    if (!step.act) continue;
    assert.ok(state.to_act.includes(0), `${game}, step ${i}: nobody asks for ${step.act}; ${state.phase} of ${state.to_act}`);
    const { actions } = await ask({ op: "legal", seat: 0 });
    for (const act of [step.act].flat())
      assert.ok(actions.includes(act), `${game}, step ${i}: ${act} is not among ${actions.slice(0, 20)}`);
    ({ state } = await ask({ op: "act", seat: 0, action: [step.act].flat()[0] }));
  }
  await others();
  assert.equal(script.length, 0, `${game}: not played: ${JSON.stringify(script)}`);
  if (game === "doors" || game === "traps") assert.deepEqual(state.winners, [0], `${game}: the lesson says you win`);
  else assert.ok(!state.over && state.to_act.length > 0, `${game}: the lesson says play on`);
  await ask({ op: "quit" });
  if (seed === 4) console.log(`${game}: ${lesson.steps.length} steps, ${rules.size} rules`);
}
