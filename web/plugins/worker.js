// The service worker: src/sw.js with the list of the files that make the pages work without a server.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("../src/sw.js", import.meta.url));
const PUBLIC = fileURLToPath(new URL("../public/", import.meta.url));

export function serviceWorker() {
  return {
    name: "salotto-worker",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const hash = createHash("sha256");
      const built = Object.values(bundle).filter((f) => f.fileName.startsWith("assets/"));
      for (const f of built.sort((a, b) => (a.fileName < b.fileName ? -1 : 1))) hash.update(f.fileName);
      hash.update(String(bundle["index.html"]?.source ?? "")).update(readFileSync(SOURCE));
      const kept = readdirSync(PUBLIC, { withFileTypes: true }).filter((f) => f.isFile()).map((f) => `/${f.name}`);
      const files = ["/", ...kept.sort(), ...built.map((f) => `/${f.fileName}`)];
      const source = readFileSync(SOURCE, "utf8")
        .replace("__VERSION__", hash.digest("hex").slice(0, 16))
        .replace('["__FILES__"]', JSON.stringify(files));
      this.emitFile({ type: "asset", fileName: "sw.js", source });
    },
  };
}
