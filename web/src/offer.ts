// What there is to play and against whom, as the C side says it: of the engine that this build was made
// with (virtual:offer), and of the server, which may have more games.
import { server } from "./server";
import { lang, offered } from "./i18n";

export interface Choice {
  name: string;
  kind: "seat" | "word" | "file";
  title: string;
  about: string;
  /** The values are languages: the reader's is offered first. */
  by_language?: boolean;
  values: { value: string; title: string }[];
}

export interface GameInfo {
  game: string;
  title: string;
  /** One sentence that makes one want to play. */
  tagline?: string;
  goal?: string;
  role?: string;
  players: [number, number];
  /** Seats of a table that is opened without a word, and the minutes of a game there. */
  usual: number;
  minutes: number;
  choices: Choice[];
  levels: string[];
  rules: string[];
  /** Numbers of the rules that boards show. */
  amounts?: Record<string, number>;
  /** By phase: what to tell somebody who plays for the first time. */
  help?: Record<string, string>;
}

export interface Level {
  level: string;
  title: string;
  about: string;
  /** The most players of a table that it is offered at; absent: any. */
  seats?: number;
  /** What it is called, by seat. */
  people: string[];
  /** What each of them is like, by seat. */
  tempers: Temper[];
}

export type Temper = "even" | "cautious" | "daring" | "bluffer" | "miser";

export interface Offer {
  games: GameInfo[];
  levels: Level[];
}

/** Every game, in the order of the lobby. */
export function games(): GameInfo[] {
  const own = offered().games;
  const more = (server.hello?.games ?? []).filter((g) => !own.some((o) => o.game === g.game));
  return [...own, ...more];
}

export function gameInfo(id: string): GameInfo | undefined {
  return games().find((g) => g.game === id);
}

/** A number of a game's rules: what a guess is worth, how many tokens win. */
export const amount = (game: string, name: string): number => gameInfo(game)?.amounts?.[name] ?? NaN;

/** What a level is like, in one sentence. */
export function levelAbout(level: string): string {
  return offered().levels.find((l) => l.level === level)?.about ?? "";
}

/** Whether the level is offered at a table of so many. */
export const sitsAt = (level: string, players: number): boolean =>
  players <= (offered().levels.find((l) => l.level === level)?.seats ?? players);

/** Whether the engine in this browser has the game too. */
export const playsHere = (id: string): boolean => offered().games.some((g) => g.game === id);

/** The options of a form before anybody has touched it: "" is by lot. */
export function startValues(info: GameInfo): Record<string, string> {
  const out: Record<string, string> = {};
  for (const c of info.choices) {
    const own = c.by_language ? c.values.find((v) => v.value === lang()) : undefined;
    if (c.kind === "word") out[c.name] = (own ?? c.values[0])!.value;
    else if (c.kind === "seat") out[c.name] = "";
  }
  return out;
}

/** The same as a table is opened with. */
export function playedWith(info: GameInfo, values: Record<string, string>): Record<string, string | number> {
  const out: Record<string, string | number> = {};
  for (const c of info.choices) {
    const value = values[c.name];
    if (value) out[c.name] = c.kind === "seat" ? Number(value) : value;
  }
  return out;
}
