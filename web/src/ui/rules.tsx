// The rules of a game, with the cards drawn where the text names them.
import { h, type ComponentChildren, type JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import addresses from "virtual:rules";
import { useAsked } from "../hooks";
import { lang, t } from "../i18n";
import { CardArt, cardName, KINDS } from "./art/cards";
import "./rules.css";

/** A list of cards in the text, such as `RL RL BT`, as pictures with their names. */
function Cards({ codes }: { codes: string[] }): JSX.Element {
  return (
    <span class="cards-in-text" role="img" aria-label={codes.map(cardName).join(", ")}>
      {codes.map((c, i) => <span key={i}><CardArt card={c} /></span>)}
    </span>
  );
}

/** Made from our own text at build time; still only these tags and attributes come through. */
const TAGS = /^(P|A|H[1-6]|STRONG|EM|CODE|PRE|UL|OL|LI|TABLE|THEAD|TBODY|TR|TH|TD|BR|HR|BLOCKQUOTE|FIGURE|IMG|FIGCAPTION)$/;

function draw(node: Node): ComponentChildren {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element) || !TAGS.test(node.tagName)) return null;
  if (node.tagName === "CODE" && node.parentElement?.tagName !== "PRE") {
    const codes = (node.textContent ?? "").split(" ");
    if (codes.every((c) => KINDS.includes(c))) {
      // In the table of cards the code stands beside the card that it is for.
      const named = codes.length === 1 && node.parentElement?.tagName === "TD";
      return <><Cards codes={codes} />{named ? ` ${codes[0]}` : null}</>;
    }
  }
  const props: Record<string, string | number> = {};
  for (const name of ["id", "class", "href", "align", "start", "src", "alt"]) {
    const value = node.getAttribute(name);
    if (value !== null) props[name] = value;
  }
  const inside = [...node.childNodes].map(draw);
  const tag = node.tagName.toLowerCase();
  if (tag === "img") return <div class="scroll" tabIndex={0} role="group" aria-label={t("Picture")}>{h("img", props)}</div>;
  if (tag === "table") return <div class="scroll" tabIndex={0} role="group" aria-label={t("Table")}>{h("table", props, inside)}</div>;
  if (tag === "pre") props.tabIndex = 0;
  return h(tag, props, inside);
}

const read = new Map<string, Promise<ComponentChildren>>();

function rulesOf(game: string, language: string): Promise<ComponentChildren> {
  const address = addresses[`${game}.${language}`];
  if (!address) return Promise.reject(new Error("no rules"));
  let found = read.get(address);
  if (!found) {
    found = fetch(address)
      .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error("not there"))))
      .then((text) => [...new DOMParser().parseFromString(text, "text/html").body.childNodes].map(draw));
    found.catch(() => read.delete(address));
    read.set(address, found);
  }
  return found;
}

export function RulesText({ game, rule }: { game: string; rule?: string }): JSX.Element {
  const { value, failed } = useAsked(() => rulesOf(game, lang()), [game, lang()]);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!value || !rule) return;
    const at = root.current?.querySelector(`[id="${CSS.escape(rule)}"]`);
    for (const old of root.current?.querySelectorAll(".named") ?? []) old.classList.remove("named");
    at?.classList.add("named");
    at?.scrollIntoView({ block: "center" });
  }, [value, rule]);
  if (failed) return <p class="notice bad">{t("The rules could not be loaded. Try again in a moment.")}</p>;
  return (
    <div class="rules" ref={root} lang={lang()}>
      {value ?? <p>{t("One moment…")}</p>}
    </div>
  );
}
