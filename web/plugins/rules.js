// The rules for players as pieces of HTML, made from docs/rules. They are files of their own, fetched
// when somebody reads them. `virtual:rules` is an object of "GAME.LANG" -> address.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { marked } from "marked";
import { offerIn } from "./engine.js";

const NAME = "virtual:rules";
const FOLDER = fileURLToPath(new URL("../../docs/rules/", import.meta.url));
const FIGURE = /^[\w-]+\.\w+\.svg$/;

/** A rule's paragraph and a chapter's heading get ids, which links may name; a figure gets its caption.
 * `address` gives where a figure's file is. */
export function rulesHtml(markdown, address) {
  const html = marked.parse(markdown, { async: false })
    .replace(
      /<p><a id="([\w.-]+)"><\/a>\s*<code>\1<\/code>\s*/g,
      (_, id) => `<p id="${id}" class="rule"><a class="rule-id" href="#${id}">${id}</a> `,
    )
    .replace(/<p><a id="(\w+)"><\/a><\/p>\s*<h2>/g, '<h2 id="$1">')
    // 12-4-1-7 stays on one line.
    .replace(/>[^<]+</g, (text) => text.replace(/(\d)-(?=\d)/g, "$1\u2011"))
    // A row with nothing but its last cell goes on with the row before.
    .replace(/<\/td>\s*<\/tr>\s*<tr>\s*(?:<td[^>]*><\/td>\s*)+<td[^>]*>([^<]+)<\/td>\s*<\/tr>/g, " $1</td></tr>")
    .replace(
      /<p><img src="figures\/([\w.-]+)" alt="([^"]*)"><\/p>/g,
      (_, file, caption) => `<figure${file.includes("-sheet.") ? ' class="sheet"' : ""}><img src="${address(file)}" alt="${caption}"><figcaption>${caption}</figcaption></figure>`,
    );
  const chapters = [...html.matchAll(/<h2 id="(\w+)">(.*?)<\/h2>/g)].map(([, id, title]) => `<li><a href="#${id}">${title}</a></li>`);
  return html.replace("</p>", `</p>\n<ul class="chapters">${chapters.join("")}</ul>`);
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
  const text = (name) => readFileSync(FOLDER + name, "utf8");
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
        const asked = request.url.slice(1);
        if (FIGURE.test(asked)) {
          response.setHeader("Content-Type", "image/svg+xml");
          return response.end(text(`figures/${asked}`));
        }
        const name = names().find((n) => n === asked);
        if (!name) return next();
        response.setHeader("Content-Type", "text/html; charset=utf-8");
        response.end(unwritten[name] ?? rulesHtml(text(name), (file) => `/@rules/${file}`));
      });
    },
    resolveId: (id) => (id === NAME ? "\0" + NAME : undefined),
    load(id) {
      if (id !== "\0" + NAME) return undefined;
      const figure = (file) => {
        this.addWatchFile(`${FOLDER}figures/${file}`);
        const source = text(`figures/${file}`);
        // The pieces of HTML name it before the bundle is written, so its name is made here.
        const hash = createHash("sha256").update(source).digest("hex").slice(0, 8);
        const fileName = `assets/${file.replace(/\.svg$/, "")}-${hash}.svg`;
        this.emitFile({ type: "asset", fileName, source });
        return `/${fileName}`;
      };
      const entries = names().map((name) => {
        const key = JSON.stringify(name.replace(/\.md$/, ""));
        if (!building) return `${key}: "/@rules/${name}"`;
        if (!unwritten[name]) this.addWatchFile(FOLDER + name);
        const source = unwritten[name] ?? rulesHtml(text(name), figure);
        const ref = this.emitFile({ type: "asset", name: name.replace(/\.md$/, ".html"), source });
        return `${key}: import.meta.ROLLUP_FILE_URL_${ref}`;
      });
      return `export default { ${entries.join(",\n")} }`;
    },
  };
}
