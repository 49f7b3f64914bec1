// A module of the pages as Node can run it: bundled, with the words left in English, and no server.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const { build } = createRequire(join(root, "web/package.json"))("esbuild");

const words = `const fill = (s, p) => s.replace(/\\{(\\w+)\\}/g, (w, k) => p?.[k] ?? w);
export const t = fill, tn = (one, many, n, p) => fill(n === 1 ? one : many, { n, ...p });
export const number = String, capital = String, signed = String, lang = () => "en", offered = () => ({ games: [], levels: [] });`;

export async function load(file) {
  const dir = mkdtempSync(join(tmpdir(), "salotto-web-"));
  const out = join(dir, "module.mjs");
  try {
    await build({
      entryPoints: [join(root, file)], outfile: out, bundle: true, format: "esm", platform: "node", logLevel: "error",
      jsx: "automatic", jsxImportSource: "preact", loader: { ".css": "empty" },
      plugins: [{ name: "words", setup(b) {
        b.onResolve({ filter: /\/i18n$/ }, () => ({ path: "words", namespace: "words" }));
        b.onLoad({ filter: /.*/, namespace: "words" }, () => ({ contents: words }));
        b.onResolve({ filter: /\/server$/ }, () => ({ path: "server", namespace: "server" }));
        b.onLoad({ filter: /.*/, namespace: "server" }, () => ({ contents: "export const server = {};" }));
      } }],
    });
    return await import(pathToFileURL(out).href);
  } finally {
    rmSync(dir, { recursive: true });
  }
}
