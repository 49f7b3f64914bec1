// The words of the pages. English stands in the source; other languages come from po/ (see
// plugins/catalogue.js). Named places in braces, as on the C side.
import english from "virtual:offer/en";
import { Listeners } from "./listeners";
import type { Offer } from "./offer";
import type { Lang } from "./table";
import { keep, prefs } from "./prefs";

type Places = Record<string, string | number>;
type Catalogue = Record<string, string | string[]>;

/** What there is to choose from, each named in itself. */
export const LANGUAGES: [Lang, string][] = [["en", "English"], ["it", "Italiano"]];

/** Of each language: what the first page needs, and the messages of all code that comes later. */
const languages: Record<Lang, { first(): Promise<[Catalogue, Offer]>; rest(): Promise<Catalogue> }> = {
  en: { first: () => Promise.resolve([{}, english]), rest: () => Promise.resolve({}) },
  it: {
    first: () => Promise.all([
      import("virtual:catalogue/it").then((m) => m.default),
      import("virtual:offer/it").then((m) => m.default),
    ]),
    rest: () => import("virtual:catalogue/it/rest").then((m) => m.default),
  },
};

let current: Lang = "en";
let messages: Catalogue = {};
let offer: Offer = english;
let numbers = new Intl.NumberFormat("en");
const listeners = new Listeners();

export const lang = (): Lang => current;

/** What this build offers, in the language of the page: use offer.ts. */
export const offered = (): Offer => offer;

/** Told every message and what it reads as now, where a test has put something there: see tools/seen. */
const seen = (globalThis as { salottoSeen?: (message: string, text: string) => void }).salottoSeen;

const noted = (message: string, text: string): string => {
  seen?.(message, text);
  return text;
};

/** A number as it is written in this language; what is less than nothing has the sign that `signed` gives it. */
export const number = (n: number): string => numbers.format(n).replace("-", "−");

function fill(text: string, places: Places | undefined): string {
  if (!places) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = places[name];
    return value === undefined ? whole : typeof value === "number" ? number(value) : value;
  });
}

/** A message in the language of the page. */
export function t(message: string, places?: Places): string {
  const found = messages[message];
  return noted(message, fill(typeof found === "string" && found ? found : message, places));
}

/** A message that counts; `{n}` is the number. */
export function tn(one: string, many: string, n: number, places?: Places): string {
  const found = messages[one];
  const form = n === 1 ? 0 : 1;
  return noted(one, fill((Array.isArray(found) && found[form]) || (form ? many : one), { n, ...places }));
}

/** With its sign: what was won or lost. */
export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");

/** The beginning of a sentence or of a row. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

let wanted = false; // the rest of the messages

/** Before code that comes later is shown. */
export async function allWords(): Promise<void> {
  wanted = true;
  const now = current, rest = await languages[now].rest();
  if (now === current) messages = { ...messages, ...rest };
}

export async function setLang(next: Lang): Promise<void> {
  const [[first, offered], rest] = await Promise.all([languages[next].first(), wanted ? languages[next].rest() : {}]);
  messages = { ...first, ...rest };
  offer = offered;
  current = next;
  numbers = new Intl.NumberFormat(next);
  document.documentElement.lang = next;
  if (prefs.lang !== next) keep({ lang: next });
  listeners.tell();
}

export const onLang = listeners.add;
