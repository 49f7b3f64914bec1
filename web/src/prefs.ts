// What this browser remembers about how a person likes things. Never anything about a game.
import { keepList, keptList } from "./kept";
import type { Lang } from "./table";

export interface Prefs {
  lang: Lang;
  theme: "auto" | "light" | "dark";
  /** Ask before acts that cannot be undone. */
  confirm: boolean;
  /** How fast things move. */
  motion: "calm" | "normal" | "quick" | "none";
  /** 0 to 10; 0 is silence. */
  volume: number;
  vibrate: boolean;
  /** Bots say a word now and then. */
  remarks: boolean;
  /** A notification of the browser when it is one's turn and the page is not looked at. */
  notify: boolean;
  /** The name used last, offered again to who comes without a session. */
  name: string;
  /** Games whose lesson was played. */
  learnt: string[];
  /** What was chosen last against bots, by game. */
  bots: Record<string, { level: string; players: number }>;
  /** Help bubbles in a first game, and those that were read (GAME PHASE). */
  help: boolean;
  helped: string[];
}

const KEY = "salotto";

function guess(): Prefs {
  const italian = (globalThis.navigator?.languages?.[0] ?? "en").toLowerCase().startsWith("it");
  return { lang: italian ? "it" : "en", theme: "auto", confirm: true, motion: "normal", volume: 5, vibrate: false, remarks: true, notify: false, name: "", learnt: [],
    bots: {}, help: true, helped: [] };
}

function stored(): Partial<Prefs> {
  return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Prefs>;
}

function load(): Prefs {
  const prefs = guess();
  try {
    const kept = stored();
    if (kept.lang === "en" || kept.lang === "it") prefs.lang = kept.lang;
    if (kept.theme === "light" || kept.theme === "dark") prefs.theme = kept.theme;
    if (kept.confirm === false) prefs.confirm = false;
    if (["calm", "quick", "none"].includes(kept.motion!)) prefs.motion = kept.motion!;
    if (typeof kept.volume === "number" && kept.volume >= 0 && kept.volume <= 10) prefs.volume = kept.volume;
    if (kept.vibrate === true) prefs.vibrate = true;
    if (kept.remarks === false) prefs.remarks = false;
    if (kept.notify === true) prefs.notify = true;
    if (typeof kept.name === "string") prefs.name = kept.name;
    if (Array.isArray(kept.learnt)) prefs.learnt = kept.learnt.filter((g) => typeof g === "string");
    if (kept.bots && typeof kept.bots === "object") prefs.bots = kept.bots;
    if (kept.help === false) prefs.help = false;
    if (Array.isArray(kept.helped)) prefs.helped = kept.helped.filter((h) => typeof h === "string");
  } catch {
    // Storage may be forbidden or hold something else: the guess will do.
  }
  return prefs;
}

export const prefs: Prefs = load();

/** Only the change is written: another tab may have chosen something else meanwhile. */
export function keep(change: Partial<Prefs>): void {
  Object.assign(prefs, change);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...stored(), ...change }));
  } catch {
    // It holds for this visit, then.
  }
}

// ---- Commitments ----

const TOLD = "salotto-commitments";
const TOLD_MAX = 60;

const told = (): [table: string, commitment: string][] => keptList(TOLD);

/** The first commitment heard of a table stays: it is what the deals will be held against. */
export function rememberCommitment(table: string, commitment: string): void {
  const all = told();
  if (all.some(([t]) => t === table)) return;
  keepList(TOLD, [...all.slice(-TOLD_MAX), [table, commitment]]); // if it is not kept, the person has to compare it
}

export function rememberedCommitment(table: string): string | undefined {
  return told().find(([t]) => t === table)?.[1];
}
