// What this browser remembers about how a person likes things. Never anything about a game.
import type { Lang } from "./table";

export interface Prefs {
  lang: Lang;
  theme: "auto" | "light" | "dark";
  /** Ask before acts that cannot be taken back. */
  confirm: boolean;
  /** The name used last, offered again to who comes without a session. */
  name: string;
  /** Games whose lesson was played. */
  learnt: string[];
}

const KEY = "salotto";

function guess(): Prefs {
  const italian = (navigator.languages?.[0] ?? navigator.language ?? "en").toLowerCase().startsWith("it");
  return { lang: italian ? "it" : "en", theme: "auto", confirm: true, name: "", learnt: [] };
}

function load(): Prefs {
  const prefs = guess();
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Prefs>;
    if (kept.lang === "en" || kept.lang === "it") prefs.lang = kept.lang;
    if (kept.theme === "light" || kept.theme === "dark") prefs.theme = kept.theme;
    if (kept.confirm === false) prefs.confirm = false;
    if (typeof kept.name === "string") prefs.name = kept.name;
    if (Array.isArray(kept.learnt)) prefs.learnt = kept.learnt.filter((g) => typeof g === "string");
  } catch {
    // Storage may be forbidden or hold something else: the guess will do.
  }
  return prefs;
}

export const prefs: Prefs = load();

export function keep(change: Partial<Prefs>): void {
  Object.assign(prefs, change);
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // It holds for this visit, then.
  }
}
