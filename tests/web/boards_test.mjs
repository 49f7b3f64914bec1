// What the boards take apart, put together and add up, held against the referee; and every lesson
// played through it.
//   node boards_test.mjs SALOTTO TOP
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { load } from "./load.mjs";
import { finish, test } from "./tap.mjs";

const [salotto, top] = process.argv.slice(2);

const child = spawn(salotto, ["referee"], { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
async function ask(request) {
  child.stdin.write(JSON.stringify(request) + "\n");
  const reply = JSON.parse((await lines.next()).value);
  assert.ok(reply.ok, `${JSON.stringify(request)}: ${reply.error?.message}`);
  return reply;
}

// A generator of its own, so that a failure comes again.
let seed = 1;
const below = (n) => (seed = (seed * 48271) % 2147483647) % n;

/** Plays a game to its end with actions drawn by lot; `look` sees every position before its action. */
async function game(name, players, options, look = () => {}) {
  let { state } = await ask({ op: "new", game: name, players, options, seed: below(100000) });
  while (!state.over) {
    const seat = state.to_act[below(state.to_act.length)];
    const { actions } = await ask({ op: "legal", seat });
    look(actions, state);
    // High bets would end each round of Traps in the same way.
    const wise = actions.filter((a) => !/^bet \d\d/.test(a));
    const from = wise.length ? wise : actions;
    ({ state } = await ask({ op: "act", seat, action: from[below(from.length)] }));
  }
  const { events } = await ask({ op: "events", seat: 0 });
  return { state, log: events.map((event) => ({ n: event.n, text: "", event })) };
}
const sum = (list) => list.reduce((a, b) => a + b, 0);

const { doorsRounds, traitsOf } = await load("web/src/games/doors.tsx");
const { favorDays } = await load("web/src/games/favor.tsx");
const { trapsRounds } = await load("web/src/games/traps.tsx");
const { louisRounds } = await load("web/src/games/louis/result.tsx");
const { gainsOf, walkOf } = await load("web/src/games/louis/moment.tsx");
const { salesOf } = await load("web/src/games/stories/favor.ts");
const { couldHold, extend, itemsOf, parsePlay, pathText, reaches, within, withItems } = await load("web/src/games/louis/parts.ts");

await test("doors: traits are counted as on the cards", () => {
  assert.deepEqual(traitsOf(["RL", "RL", "RT", "BR"]), [["R", 4], ["B", 1], ["L", 2], ["T", 1]]);
  assert.deepEqual(traitsOf(["RL", "RL", "BT", "BR", "LT"]), [["R", 3], ["B", 2], ["L", 3], ["T", 2]]);
});

await test("doors.variant.three: a choice promises what a round of a best of three pays", async () => {
  for (let n = 0; n < 5; n++) {
    const { state, log } = await game("doors", 2, { goal: "three" });
    const rounds = doorsRounds(log);
    assert.ok(rounds.length > 1);
    for (const { tokens } of rounds)
      for (const choice of ["trait", "both", "wrong", "claim", "guesser_claim"]) assert.equal(state.pays[choice], tokens);
  }
});

await test("doors: the rounds add up to the tokens", async () => {
  for (let i = 0; i < 20; i++) {
    const { state, log } = await game("doors", 2, {});
    const rounds = doorsRounds(log);
    assert.equal(rounds.length, state.round);
    for (const seat of [0, 1])
      assert.equal(sum(rounds.map((r) => (r.seat === seat ? r.tokens : 0))), state.tokens[seat]);
    for (const r of rounds) assert.ok(r.identities.length === 2 && !r.identities.includes("??"));
  }
});

await test("favor: cards and gems add up to the points", async () => {
  for (let i = 0; i < 12; i++) {
    const players = 2 + (i % 3);
    const { state, log } = await game("favor", players, { edition: i % 2 ? "en" : "it" });
    const days = favorDays(log);
    assert.equal(days.length, 3);
    for (let seat = 0; seat < players; seat++) {
      for (const d of days) assert.equal(sum(d.cards[seat].map((c) => c.points)), d.card_points[seat]);
      assert.equal(sum(days.map((d) => d.card_points[seat] + d.bonus[seat])), state.scores[seat]);
    }
  }
});

await test("traps: one token and the rounds add up to the tokens", async () => {
  for (let i = 0; i < 25; i++) {
    const players = 2 + (i % 5);
    const { state, log } = await game("traps", players, {});
    const rounds = trapsRounds(log, players);
    for (let seat = 0; seat < players; seat++)
      assert.equal(1 + sum(rounds.map((r) => r.change[seat])), state.tokens[seat], `seat ${seat} of ${players}`);
  }
});

await test("louis: every legal action of several parts can be put together, part by part", async () => {
  const gathered = new Set();
  const look = (actions) => {
    for (const action of actions) {
      const play = parsePlay(action), verb = action.split(" ")[0];
      if (play) {
        let path = [];
        for (const [tile, n] of play.path)
          for (let k = 0; k < n; k++) {
            path = extend(path, tile);
            assert.ok(reaches(path, play.path), `${pathText(path)} on the way to ${action}`);
          }
        assert.equal(pathText(path), pathText(play.path));
        gathered.add(verb);
      } else if (["foothold", "put", "exchange", "withdraw", "favour", "keep"].includes(verb) && itemsOf(action).length) {
        // In any order, and a shorter choice is always a step on the way.
        const items = itemsOf(action).reverse();
        for (let k = 1; k <= items.length; k++) assert.ok(couldHold(actions, verb, items.slice(0, k)), action);
        assert.equal(withItems(actions, verb, items), action);
        gathered.add(verb);
      }
    }
  };
  for (let i = 0; i < 5; i++) await game("louis", 2 + (i % 3), {}, look);
  for (const verb of ["play", "jump", "put", "exchange", "withdraw", "favour", "keep"])
    assert.ok(gathered.has(verb), `no ${verb} was met`);
  assert.equal(parsePlay("recover 7"), null);
  assert.ok(!reaches([[1, 2]], [[1, 1], [2, 1]]) && !reaches([[1, 1], [2, 1]], [[1, 2], [2, 1]]));
  assert.ok(!within(["ring", "ring"], ["ring", "crown"]));
});

await test("louis: missions and shields of the rounds add up", async () => {
  for (let i = 0; i < 4; i++) {
    const players = 2 + (i % 3);
    const { state, log } = await game("louis", players, { favorita: i % 2 ? "off" : "on" });
    const rounds = louisRounds(log, players), over = log.at(-1).event;
    assert.deepEqual(rounds.map((r) => r.round), [1, 2, 3, 4, 0]);
    for (let seat = 0; seat < players; seat++) {
      assert.deepEqual(rounds.flatMap((r) => r.missions[seat]), state.fulfilled[seat]);
      assert.equal(sum(rounds.map((r) => r.shields[seat])), state.shields[seat].length);
      assert.equal(5 * state.fulfilled[seat].length + state.shields[seat].length + over.majorities[seat], state.points[seat]);
    }
  }
});

await test("equal points: the story says what decided", async () => {
  for (const [name, changes] of Object.entries({
    favor: [[{ gems: [3, 2, 9] }, "Equal points: the gems decided."], [{ gems: [3, 3, 9] }, "Equal points and gems: the turn order decided."]],
    louis: [[{ fulfilled: [["L01"], [], []] }, "Equal points: the missions decided."], [{ fulfilled: [[], [], []] }, "Equal points: the gold left over decided."]],
  })) {
    const { ui } = await load(name === "louis" ? "web/src/games/louis/index.tsx" : `web/src/games/${name}.tsx`);
    const { state, log } = await game(name, 3, {});
    const story = (more) => ui.story({ game: name, players: 3, seats: Array(3).fill({ kind: "person", name: "A" }), seat: 0, log, state: { ...state, ...more } });
    for (const [change, said] of changes) assert.equal(story({ scores: [7, 7, 1], winners: [0], ...change })[0], said);
    for (const more of [{ scores: [7, 6, 1], winners: [0] }, { scores: [7, 7, 1], winners: [0, 1] }])
      assert.ok(!story(more)[0].startsWith("Equal"), `${name}: ${story(more)[0]}`);
  }
});

await test("every game tells its story, and its ends are moments", async () => {
  const kinds = { doors: [2, "round_over"], favor: [3, "day_over"], traps: [3, "round_over"], louis: [3, "round_over"] };
  for (const [name, [players, event]] of Object.entries(kinds)) {
    const { ui } = await load(name === "louis" ? "web/src/games/louis/index.tsx" : `web/src/games/${name}.tsx`);
    const { state, log } = await game(name, players, {});
    const seats = Array.from({ length: players }, (_, i) => ({ kind: "person", name: `Seat${i}` }));
    const snap = { game: name, players, seats, seat: null, state, log };
    const story = ui.story(snap);
    assert.ok(story.length >= 1 && story.length <= 3, `${name}: ${story}`);
    for (const line of story) assert.ok(!/undefined|NaN|\{/.test(line), line);
    // What decided it is about who won.
    assert.ok(story.some((line) => line.includes(`Seat${state.winners[0]}`)), `${name}: ${story}`);
    // The last round of Traps ends with the game.
    const ends = log.filter((l) => l.event.event === event || (name === "traps" && l.event.event === "game_over"));
    const all = ui.moments(snap, 0);
    const last = log.filter((l) => ["round", "day"].includes(l.event.event)).at(-1);
    assert.ok(all.at(-1).n > last.n, `${name}: the last round is no moment`);
    assert.ok(all.length > 0 && all.length <= ends.length, `${name}: ${all.length} of ${ends.length}`);
    // From the middle on there are only those that come later.
    const half = log[log.length >> 1].n;
    assert.deepEqual(ui.moments(snap, half).map((m) => m.n), all.map((m) => m.n).filter((n) => n >= half));
  }
});

await test("what a story says of oneself it says to you", async () => {
  for (const [name, players] of [["doors", 2], ["favor", 3], ["traps", 3], ["louis", 3]]) {
    const { ui } = await load(name === "louis" ? "web/src/games/louis/index.tsx" : `web/src/games/${name}.tsx`), told = new Set();
    for (let i = 0; i < 6; i++) {
      const { state, log } = await game(name, players, {});
      const seats = Array.from({ length: players }, (_, n) => ({ kind: "person", name: `Seat${n}` }));
      const story = (seat, open) => ui.story({ game: name, players, seats, seat, open, state, log }).join(" ");
      for (let seat = 0; seat < players; seat++) {
        assert.ok(!story(seat).includes(`Seat${seat}`), story(seat));
        assert.equal(story(seat, true), story(null), "where all see everything there is no you");
        if (/\byou\b/.test(story(seat))) told.add(name);
      }
    }
    assert.ok(told.has(name), `${name}: nothing is said of anybody`);
  }
});

await test("favor: what is sold is what was laid out, and is paid by who got it", async () => {
  const { state, log } = await game("favor", 3, {});
  const sales = salesOf(log);
  assert.equal(sales.length, log.filter((l) => l.event.event === "sold").length);
  const held = sales.filter((s) => s.day === 3).flatMap((s) => s.cards.map((c) => `${s.seat}${c}`)).sort();
  assert.deepEqual(held, state.collections.flatMap((cards, i) => cards.map((c) => `${i}${c}`)).sort());
});

await test("louis: the walk goes over the court in its order, and the gains are what was rewarded", async () => {
  const { log } = await game("louis", 3, {});
  const walk = walkOf(log);
  for (let i = 1; i < walk.length; i++)
    assert.ok(walk[i].tile > walk[i - 1].tile || walk[i].tile <= 3, `tile ${walk[i].tile} after ${walk[i - 1].tile}`);
  const gains = gainsOf(log, 3);
  for (let seat = 0; seat < 3; seat++) {
    const crowns = log.filter(({ event: e }) => e.seat === seat && (e.event === "crown" || (e.event === "rewarded" && e.chip === "crown")));
    assert.equal(gains[seat].chips.crown ?? 0, sum(crowns.map(({ event: e }) => e.amount ?? 1)));
    assert.deepEqual(gains[seat].missions, log.filter(({ event: e }) => e.event === "fulfilled" && e.seat === seat).map(({ event: e }) => e.mission));
  }
});

// Each step's action and each scripted answer must be legal when its turn comes, everything scripted
// must be used, and the steps must reach their end, whatever the deal leaves open.
for (const [name, game] of [["doors", "doors"], ["favor", "favor"], ["traps", "traps"], ["louis", "louis"], ["favorita", "louis"]])
  await test(`${name}: the lesson can be played`, async () => {
    const { lesson } = await load(`web/src/games/lessons/${name}.ts`);
    const rules = readFileSync(join(top, `docs/rules/${game}.en.md`), "utf8");
    for (let s = 1; s <= 4; s++) {
      let { state } = await ask({ op: "new", game, players: lesson.players, seed: s,
        options: lesson.options ?? {}, deal: lesson.deal });
      const script = [...lesson.script];
      const others = async () => {
        while (script.length && !state.over && state.to_act.includes(script[0].seat))
          ({ state } = await ask({ op: "act", ...script.shift() }));
      };
      for (const [i, step] of lesson.steps.entries()) {
        await others();
        if (step.rule) assert.ok(rules.includes(`id="${step.rule}"`), `step ${i}: no rule ${step.rule}`);
        if (!step.act) continue;
        assert.ok(state.to_act.includes(0), `step ${i}: nobody asks for ${step.act}`);
        const { actions } = await ask({ op: "legal", seat: 0 });
        for (const act of [step.act].flat()) assert.ok(actions.includes(act), `step ${i}: ${act} is not legal`);
        ({ state } = await ask({ op: "act", seat: 0, action: [step.act].flat()[0] }));
      }
      await others();
      assert.equal(script.length, 0, `not played: ${JSON.stringify(script)}`);
      if (name === "doors" || name === "traps") assert.deepEqual(state.winners, [0], "the lesson says that you win");
      else assert.ok(!state.over, "the lesson says that you play on");
    }
  });

await ask({ op: "quit" });
process.exit(finish() ? 1 : 0);
