// The engine of this build, asked while the pages are built: what it offers, in each language. So the
// pages know the games from their first byte, without a connection and without a list of their own.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { transformWithEsbuild } from "vite";

const SOURCE = fileURLToPath(new URL("../src/engine.ts", import.meta.url));
const PARTS = resolve(process.env.SALOTTO_PARTS ?? "../build/web/files.parts");
const PREFIX = "virtual:offer/";

let engine;

async function load() {
  const { code } = await transformWithEsbuild(readFileSync(SOURCE, "utf8"), SOURCE, { format: "esm", sourcemap: false });
  const { Engine } = await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
  return Engine.load(readFileSync(resolve(PARTS, "engine.wasm")));
}

/** What the engine offers, with the rules' sentences. */
export async function offerIn(lang) {
  engine ??= await load();
  const catalogue = resolve(PARTS, `${lang}.mo`);
  engine.language(existsSync(catalogue) ? readFileSync(catalogue) : null);
  return engine.games();
}

/** `virtual:offer/LANG`: games and levels; rules only by their ids. */
export function offer() {
  return {
    name: "salotto-offer",
    resolveId: (id) => (id.startsWith(PREFIX) ? "\0" + id : undefined),
    async load(id) {
      if (!id.startsWith("\0" + PREFIX)) return undefined;
      const { games, levels } = await offerIn(id.slice(PREFIX.length + 1));
      const plain = games.map((g) => ({ ...g, rules: g.rules.map((r) => r.id) }));
      // A browser reads JSON faster than it reads a program.
      return `export default JSON.parse(${JSON.stringify(JSON.stringify({ games: plain, levels }))})`;
    },
  };
}
