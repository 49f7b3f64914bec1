// The rule books' figures and PDFs: see tools/books.
//   node main.mjs figures|check|pdf PARTS [FOLDER]
// PARTS holds engine.wasm and it.mo of the build; PDFs go to FOLDER.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { rulesHtml } from "../plugins/rules.js";
import { figuresIn, loadFigures } from "./draw.mjs";
import { TOP } from "./replay.mjs";

const [what, parts, folder] = process.argv.slice(2);
const RULES = resolve(TOP, "docs/rules");
const FIGURES = resolve(RULES, "figures");
const LANGUAGES = ["en", "it"];

/** File name -> content of all figures as they would be drawn now. */
async function drawAll() {
  const files = {};
  for (const lang of LANGUAGES)
    for (const [name, svg] of Object.entries(await figuresIn(parts, lang))) files[`${name}.${lang}.svg`] = svg;
  return files;
}

function write(files) {
  mkdirSync(FIGURES, { recursive: true });
  for (const old of readdirSync(FIGURES)) if (!files[old]) rmSync(resolve(FIGURES, old));
  for (const [name, svg] of Object.entries(files)) writeFileSync(resolve(FIGURES, name), svg);
  console.log(`${Object.keys(files).length} figures in docs/rules/figures`);
}

function check(files) {
  const odd = readdirSync(FIGURES).filter((name) => !files[name]);
  const stale = Object.entries(files).filter(([name, svg]) =>
    !existsSync(resolve(FIGURES, name)) || readFileSync(resolve(FIGURES, name), "utf8") !== svg).map(([name]) => name);
  if (!odd.length && !stale.length) return;
  console.error(`docs/rules/figures: run tools/books figures; changed: ${[...stale, ...odd].join(", ")}`);
  process.exitCode = 1;
}

const STYLE = `@page { size: A5; margin: 14mm 13mm 15mm; }
body { font: 9.2pt/1.38 "DejaVu Serif", Georgia, serif; color: #221c16; margin: 0; }
h1 { font-size: 26pt; margin: 0 0 4pt; } h1 + p { font-style: italic; font-size: 11pt; margin: 0 0 10pt; }
h2 { font-size: 15pt; margin: 16pt 0 6pt; border-bottom: 1px solid #b9a67c; break-after: avoid; }
h3 { font-size: 11.5pt; margin: 12pt 0 4pt; break-after: avoid; }
h2#summary, h2#reference { break-before: page; }
p { margin: 0 0 6pt; } ul, ol { margin: 0 0 6pt; padding-left: 16pt; } li { margin-bottom: 2pt; } p, li { break-inside: avoid; }
.chapters { columns: 2; list-style: none; padding: 0; margin: 10pt 0; } .chapters a { color: inherit; text-decoration: none; }
figure { margin: 8pt 0; break-inside: avoid; } figure img { width: 100%; display: block; } figure.sheet { width: 72%; } ol + figure:not(.sheet) { width: 88%; }
figcaption { font-size: 8.5pt; color: #6d5f4c; font-style: italic; }
table { border-collapse: collapse; font-size: 8.8pt; margin: 0 0 8pt; break-inside: avoid; width: 100%; }
th, td { text-align: left; padding: 2pt 6pt 2pt 0; border-bottom: .5pt solid #c9bb98; vertical-align: top; } tr:has(.cards) td { vertical-align: middle; }
p:has(+ table), p:has(+ ol), h2#example + p, .leads { break-after: avoid; } td:first-child { white-space: nowrap; }
[align=right] { text-align: right; } .rule { break-inside: avoid; }
.rule-id { display: block; font: 7.5pt "DejaVu Sans Mono", monospace; color: #7a6a50; text-decoration: none; }
.cards { white-space: nowrap; } .card { width: 13pt; height: 18.2pt; vertical-align: -5pt; margin-right: 1.5pt; } code { font-family: "DejaVu Sans Mono", monospace; font-size: 8.3pt; }`;

/** A book as one page of HTML, with its figures and cards inside. */
function bookHtml(name, lang, cardSvg) {
  const inline = (file) => `data:image/svg+xml;base64,${readFileSync(resolve(FIGURES, file)).toString("base64")}`;
  const html = rulesHtml(readFileSync(resolve(RULES, name), "utf8"), inline)
    .replace(/<td><code>(\w\w)<\/code><\/td>/g, "<td><code>$1</code> $1</td>") // the card and its code
    .replace(/<code>((?:RL|BL|RT|BT|BR|LT)(?: (?:RL|BL|RT|BT|BR|LT))*)<\/code>/g, (_, codes) => `<span class="cards">${codes.split(" ").map(cardSvg).join("")}</span>`)
    .replace(/<p>((?:(?!<\/p>)[^])*:<\/p>\s*<figure)/g, '<p class="leads">$1');
  const title = /<h1>(.*?)<\/h1>/.exec(html)[1];
  return { title, html: `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>${title}</title><style>${STYLE}</style><body>${html}</body></html>` };
}

async function print() {
  const { chromium } = createRequire(import.meta.url)("playwright-core");
  const { cardSvg } = await loadFigures();
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({
    executablePath: process.env.SALOTTO_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"],
  });
  try {
    const page = await browser.newPage();
    for (const name of readdirSync(RULES).filter((f) => f.endsWith(".md")).sort()) {
      const [game, lang] = name.split(".");
      const { title, html } = bookHtml(name, lang, cardSvg);
      await page.setContent(html, { waitUntil: "load" });
      const file = resolve(folder, `${game}.${lang}.pdf`);
      await page.pdf({
        path: file, preferCSSPageSize: true, displayHeaderFooter: true, headerTemplate: "<span></span>",
        footerTemplate: `<div style="font:7pt sans-serif;color:#6d5f4c;width:100%;text-align:center">${title} · <span class="pageNumber"></span></div>`,
      });
      console.log(file);
    }
  } finally {
    await browser.close();
  }
}

if (what === "figures") write(await drawAll());
else if (what === "check") check(await drawAll());
else await print();
