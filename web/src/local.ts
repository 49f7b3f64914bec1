// The list of the games that this browser keeps: what the lobby shows of them. The games themselves, with
// their secrets, are in saved.ts.
import { keepList, keptList } from "./kept";
import { Listeners } from "./listeners";
import { dropGame } from "./saved";

interface LocalGame {
  id: string;
  game: string;
  at: number;
  /** "you" or the level of a bot, by seat. */
  seats: string[];
  names: string[];
  over: boolean;
  /** The seats that won. */
  winners: number[];
  scores: number[];
}

const KEY = "salotto-games";
const MOST = 40;
const listeners = new Listeners();

export const localGames = (): LocalGame[] => keptList<LocalGame>(KEY);

function write(list: LocalGame[]): void {
  keepList(KEY, list);
  listeners.tell();
}

/** Notes how a game stands; the oldest ones go. */
export function noteGame(game: LocalGame): void {
  const list = [game, ...localGames().filter((g) => g.id !== game.id)];
  for (const old of list.slice(MOST)) void dropGame(old.id).catch(() => {});
  write(list.slice(0, MOST));
}

export function forgetGame(id: string): void {
  void dropGame(id).catch(() => {});
  write(localGames().filter((g) => g.id !== id));
}

export const onLocal = listeners.add;

/** An id that nobody else has. */
export const newGameId = (): string =>
  `local-${[...crypto.getRandomValues(new Uint8Array(6))].map((b) => b.toString(16).padStart(2, "0")).join("")}`;
