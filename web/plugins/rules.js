// The rules for players as pieces of HTML, made from docs/rules. They are files of their own, fetched
// when somebody reads them. `virtual:rules` is an object of "GAME.LANG" -> address.
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { marked } from "marked";
import { offerIn } from "./engine.js";

const NAME = "virtual:rules";
const FOLDER = fileURLToPath(new URL("../../docs/rules/", import.meta.url));

// What is only for who plays by typing; the pages have buttons.
const TYPING = /^## (How to type your actions|Writing your actions|Come si scrivono le azioni)\n[^]*?(?=^## |$(?![^]))/m;

/** A rule's paragraph gets the rule's id, which links may name. */
export function rulesHtml(markdown) {
  const html = marked.parse(markdown.replace(TYPING, ""), { async: false });
  return html.replace(
    /<p><a id="([\w.-]+)"><\/a>\s*<code>\1<\/code>\s*/g,
    (_, id) => `<p id="${id}" class="rule"><a class="rule-id" href="#${id}">${id}</a> `,
  );
}

const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** For a game that nobody has written rules for: what it says about itself, and its sentences. */
export function sentencesHtml(game) {
  const told = [game.tagline, game.goal, game.role].filter(Boolean).map((s) => `<p>${escape(s)}</p>`);
  const each = game.rules.map(({ id, text }) =>
    `<p id="${id}" class="rule"><a class="rule-id" href="#${id}">${id}</a> ${escape(text)}</p>`);
  return [`<h1>${escape(game.title)}</h1>`, ...told, ...each].join("\n");
}

export function rules() {
  let building = true;
  let unwritten = {}; // "GAME.LANG.md" -> HTML
  const written = () => readdirSync(FOLDER).filter((f) => /^\w+\.\w+\.md$/.test(f));
  const names = () => [...written(), ...Object.keys(unwritten)].sort();
  const html = (name) => unwritten[name] ?? rulesHtml(readFileSync(FOLDER + name, "utf8"));
  return {
    name: "salotto-rules",
    configResolved: (config) => void (building = config.command === "build"),
    async buildStart() {
      const have = written();
      unwritten = {};
      for (const lang of ["en", "it"])
        for (const game of (await offerIn(lang)).games)
          if (!have.includes(`${game.game}.${lang}.md`)) unwritten[`${game.game}.${lang}.md`] = sentencesHtml(game);
    },
    configureServer(server) {
      server.middlewares.use("/@rules/", (request, response, next) => {
        const name = names().find((n) => request.url === "/" + n);
        if (!name) return next();
        response.setHeader("Content-Type", "text/html; charset=utf-8");
        response.end(html(name));
      });
    },
    resolveId: (id) => (id === NAME ? "\0" + NAME : undefined),
    load(id) {
      if (id !== "\0" + NAME) return undefined;
      const entries = names().map((name) => {
        const key = JSON.stringify(name.replace(/\.md$/, ""));
        if (!building) return `${key}: "/@rules/${name}"`;
        if (!unwritten[name]) this.addWatchFile(FOLDER + name);
        const ref = this.emitFile({ type: "asset", name: name.replace(/\.md$/, ".html"), source: html(name) });
        return `${key}: import.meta.ROLLUP_FILE_URL_${ref}`;
      });
      return `export default { ${entries.join(",\n")} }`;
    },
  };
}
