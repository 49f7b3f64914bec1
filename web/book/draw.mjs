// Draws the figures of the rule books: `figuresIn(parts, lang)` is an object of name -> SVG.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { loadEngine, NAMES, readExamples, replay, TOP } from "./replay.mjs";

const { build } = createRequire(import.meta.url)("esbuild");
const CARDS = {
  en: { RL: "Red Lady", BL: "Blue Lady", RT: "Red Tiger", BT: "Blue Tiger", BR: "Blue/Red", LT: "Lady/Tiger" },
  it: { RL: "Signora Rossa", BL: "Signora Blu", RT: "Tigre Rossa", BT: "Tigre Blu", BR: "Blu/Rossa", LT: "Signora/Tigre" },
};

/** The figures' own module, with the art of the boards, whose words they do not use. */
export async function loadFigures() {
  const dir = mkdtempSync(join(tmpdir(), "salotto-books-"));
  try {
    const out = join(dir, "figures.mjs");
    await build({
      entryPoints: [resolve(TOP, "web/book/figures.tsx")], outfile: out, bundle: true, format: "esm", platform: "node",
      logLevel: "error", jsx: "automatic", jsxImportSource: "preact", loader: { ".css": "empty" },
      plugins: [{ name: "words", setup(b) {
        b.onResolve({ filter: /\/i18n$/ }, () => ({ path: "words", namespace: "words" }));
        b.onLoad({ filter: /.*/, namespace: "words" }, () => ({ contents: "export const t = (s) => s, tn = (one) => one;" }));
      } }],
    });
    return await import(pathToFileURL(out).href);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

export async function figuresIn(parts, lang) {
  const { figures, render } = await loadFigures();
  const engine = await loadEngine(parts);
  const examples = readExamples();
  const w = Object.assign((en, it) => (lang === "it" ? it : en), { card: (code) => CARDS[lang][code] });
  const drawn = {};
  for (const [name, { game, example: which, draw, moves, viewer }] of Object.entries(figures)) {
    const example = examples[which ?? game];
    const all = example.steps.filter((s) => s.action !== undefined);
    const shown = moves === undefined ? {} : replay(engine, example, { moves, viewer, lang });
    const done = Object.assign(all.slice(0, moves ?? 0), { after: all.slice(moves ?? 0) });
    const event = (kind) => {
      const events = shown.events.filter((e) => e.event === kind);
      return Object.assign({}, shown.events.filter((e) => e.event === "identities").at(-1), events.at(-1));
    };
    const scene = { game, w, names: NAMES.slice(0, example.players), state: shown.state, moves: done, event };
    drawn[name] = `${render(draw(scene))}\n`;
  }
  return drawn;
}
