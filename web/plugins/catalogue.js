// The messages of the pages in other languages, as modules: `virtual:catalogue/it` is an object of
// message -> translation (a list of them where there is a plural), made from po/it.po and holding
// only what files under web/ use. tools/po writes those file names beside each message.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { po } from "gettext-parser";

const PREFIX = "virtual:catalogue/";

export function catalogueOf(text) {
  const parsed = po.parse(text);
  const plural = parsed.headers["Plural-Forms"] ?? parsed.headers["plural-forms"];
  // i18n.ts chooses the form itself; another rule would need a line there.
  if (!/^nplurals=2; plural=\(?n != 1\)?;?$/.test(plural ?? ""))
    throw new Error(`a plural rule that i18n.ts does not know: ${plural}`);
  const out = {};
  for (const message of Object.values(parsed.translations[""] ?? {})) {
    const used = (message.comments?.reference ?? "").split(/\s+/).some((r) => r.startsWith("web/"));
    if (!message.msgid || !used) continue;
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
      const file = fileURLToPath(new URL(`../../po/${id.slice(PREFIX.length + 1)}.po`, import.meta.url));
      this.addWatchFile(file);
      return `export default ${JSON.stringify(catalogueOf(readFileSync(file, "utf8")))}`;
    },
  };
}
