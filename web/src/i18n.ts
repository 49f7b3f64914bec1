// The words of the pages. English stands in the source; other languages come from po/ (see
// plugins/catalogue.js). Named places in braces, as on the C side.
import type { Lang } from "./table";
import { keep, prefs } from "./prefs";

type Places = Record<string, string | number>;
type Catalogue = Record<string, string | string[]>;

const catalogues: Record<Lang, () => Promise<Catalogue>> = {
  en: () => Promise.resolve({}),
  it: () => import("virtual:catalogue/it").then((m) => m.default),
};

let current: Lang = "en";
let messages: Catalogue = {};
let numbers = new Intl.NumberFormat("en");
const listeners = new Set<() => void>();

export const lang = (): Lang => current;

function fill(text: string, places: Places | undefined): string {
  if (!places) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = places[name];
    return value === undefined ? whole : typeof value === "number" ? numbers.format(value) : value;
  });
}

/** A message in the language of the page. */
export function t(message: string, places?: Places): string {
  const found = messages[message];
  return fill(typeof found === "string" && found ? found : message, places);
}

/** A message that counts; `{n}` is the number. */
export function tn(one: string, many: string, n: number, places?: Places): string {
  const found = messages[one];
  const form = n === 1 ? 0 : 1;
  return fill((Array.isArray(found) && found[form]) || (form ? many : one), { n, ...places });
}

export const number = (n: number): string => numbers.format(n);

export async function setLang(next: Lang): Promise<void> {
  messages = await catalogues[next]();
  current = next;
  numbers = new Intl.NumberFormat(next);
  document.documentElement.lang = next;
  if (prefs.lang !== next) keep({ lang: next });
  for (const listener of listeners) listener();
}

export function onLang(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}
