// The messages of the pages in other languages, as modules: `virtual:catalogue/it` is an object of
// message -> translation (a list of them where there is a plural), made from po/it.po and holding
// only what those files under web/ use that the first page loads; `virtual:catalogue/it/rest` has what
// others use. tools/po writes those file names beside each message.
import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { po } from "gettext-parser";

const PREFIX = "virtual:catalogue/";
const TOP = fileURLToPath(new URL("../..", import.meta.url));

/** The files that come with the first page, as tools/po names them: what main.tsx imports, and what that imports. */
function firstFiles(file = resolve(TOP, "web/src/main.tsx"), found = new Set()) {
  const name = relative(TOP, file);
  if (found.has(name)) return found;
  found.add(name);
  for (const [, from] of readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type )(?:[^;"]*? from )?"(\.[^"]*)";/gm)) {
    const path = resolve(dirname(file), from), there = [`${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((p) => existsSync(p));
    if (there) firstFiles(there, found);
  }
  return found;
}

function catalogueOf(text, wanted) {
  const parsed = po.parse(text);
  const plural = parsed.headers["Plural-Forms"] ?? parsed.headers["plural-forms"];
  // i18n.ts chooses the form itself; another rule would need a line there.
  if (!/^nplurals=2; plural=\(?n != 1\)?;?$/.test(plural ?? ""))
    throw new Error(`a plural rule that i18n.ts does not know: ${plural}`);
  const out = {};
  for (const message of Object.values(parsed.translations[""] ?? {})) {
    const used = (message.comments?.reference ?? "").split(/\s+/).filter((r) => r.startsWith("web/"));
    if (!message.msgid || !used.length || !wanted(used)) continue;
    out[message.msgid] = message.msgid_plural ? message.msgstr : message.msgstr[0];
  }
  return out;
}

export function catalogue() {
  return {
    name: "salotto-catalogue",
    resolveId: (id) => (id.startsWith(PREFIX) ? "\0" + id : undefined),
    load(id) {
      if (!id.startsWith("\0" + PREFIX)) return undefined;
      const [lang, rest] = id.slice(PREFIX.length + 1).split("/");
      const file = resolve(TOP, `po/${lang}.po`), first = firstFiles();
      this.addWatchFile(file);
      const messages = catalogueOf(readFileSync(file, "utf8"), (used) => used.some((name) => first.has(name)) !== !!rest);
      // A browser reads JSON faster than it reads a program.
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(messages))})`;
    },
  };
}
