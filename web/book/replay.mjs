// The examples of the rule books, played by the engine: tests/vectors/books.txt has one vector a
// game, and the books tell its moves one by one. Whoever draws a position of an example, or checks
// its words, replays it here.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const TOP = fileURLToPath(new URL("../../", import.meta.url));
const esbuild = createRequire(import.meta.url)("esbuild");

/** Who plays in the examples. */
export const NAMES = ["Ada", "Bruno", "Carla"];

/** The engine in WebAssembly; `parts` is the folder that holds engine.wasm and it.mo. */
export async function loadEngine(parts) {
  const source = readFileSync(resolve(TOP, "web/src/engine.ts"), "utf8");
  const { code } = esbuild.transformSync(source, { loader: "ts", format: "esm" });
  const { Engine } = await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
  const engine = await Engine.load(readFileSync(resolve(parts, "engine.wasm")));
  return { engine, italian: new Uint8Array(readFileSync(resolve(parts, "it.mo"))) };
}

/** The vectors of tests/vectors/books.txt: the example by its game, the whole game of a score sheet as
 * "GAME-sheet". Each has its setup, a deal or a seed, and steps, which are moves and facts. */
export function readExamples(text = readFileSync(resolve(TOP, "tests/vectors/books.txt"), "utf8")) {
  const found = {};
  for (const block of text.split(/^== /m).slice(1)) {
    const example = { options: {}, deal: [], steps: [] };
    for (const line of block.split("\n").slice(1)) {
      const words = line.split(" ");
      if (words[0] === "new") {
        [, example.game, example.players] = words;
        example.players = Number(example.players);
        for (const option of words.slice(3)) {
          const [name, value] = option.split("=");
          example.options[name] = value;
        }
      } else if (words[0] === "deal") {
        const [, entry, pile, list, ...cards] = words;
        const piles = (example.deal[entry - 1] ??= {});
        if (pile === "hands") (piles[pile] ??= [])[list] = cards;
        else piles[pile] = cards;
      } else if (words[0] === "seed") {
        example.seed = Number(words[1]);
      } else if (/^\d /.test(line)) {
        example.steps.push({ seat: Number(words[0]), action: words.slice(1).join(" "), line });
      } else if (words[0] === ">") {
        example.steps.push({ fact: words[1], value: JSON.parse(words.slice(2).join(" ")), line });
      }
    }
    found[example.seed === undefined ? example.game : `${example.game}-sheet`] = example;
  }
  return found;
}

/** Lays the table. Only a record can bring a seed. */
function begin(engine, { game, players, options, deal, seed }) {
  if (seed === undefined) return engine.lay(game, players, options, deal);
  const chosen = Object.entries(options).map(([name, value]) => `option ${name} ${value}\n`).join("");
  return engine.load(`salotto record 2\ngame ${game}\nplayers ${players}\n${chosen}seed ${seed.toString(16).padStart(64, "0")}\n`);
}

/** Plays an example up to and with its move number `moves` (all, if left out). `lang` is en or it. Tells
 * the state that `viewer` sees then, and what was said to somebody from whom nothing is hidden, one list a move; the first
 * list is for what happened before any move. `events` are the same as facts. */
export function replay({ engine, italian }, example, { moves = Infinity, viewer = null, lang = "en" } = {}) {
  engine.language(lang === "it" ? italian : null);
  NAMES.forEach((name, seat) => engine.name(seat, name));
  const laid = begin(engine, example);
  if (!laid.ok) throw new Error(`${example.game}: ${laid.message}`);
  const said = [];
  const events = [];
  let since = 0;
  const listen = () => {
    const told = engine.tell("open", since);
    said.push(told.words.map((w) => w.text));
    events.push(...told.events);
    since = told.next;
  };
  listen();
  let made = 0;
  for (const step of example.steps) {
    if (step.action === undefined) continue;
    if (made === moves) break;
    const answer = engine.act(step.seat, step.action);
    if (!answer.ok) throw new Error(`${example.game}, '${step.line}': ${answer.message}`);
    made++;
    listen();
  }
  if (moves !== Infinity && made < moves) throw new Error(`${example.game}: there is no move ${moves}`);
  const told = engine.tell(viewer, since);
  return { state: told.state, position: told.position, said, events };
}
