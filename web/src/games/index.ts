// The boards of the games. A board is loaded when it is first shown; a game that has none is drawn by
// the fallback, which can play any game. What a game is called comes from the C side: offer.ts.
import type { ComponentType } from "preact";
import { gameInfo } from "../offer";
import type { Snapshot } from "../table";
import type { Moment } from "./moments";

export interface BoardProps {
  snap: Snapshot;
  /** Asks for confirmation if it cannot be undone, then acts. */
  choose(action: string): void;
  /** Shows why this cannot be done. */
  blocked(action: string): void;
  busy: boolean;
}

/** One step of a guided first game: shown until its action is made, or `Next` is pressed. */
interface LessonStep {
  say(): string;
  /** The only actions the step lets through; absent: a step to read. */
  act?: string | string[];
  /** What to point at: a CSS selector inside the board. */
  point?: string;
  /** The rule that it is about. */
  rule?: string;
}

export interface Lesson {
  /** Of a chapter after the first. */
  title?(): string;
  players: number;
  options?: Record<string, string | number>;
  /** As `new` of the referee takes it (docs/protocol.md); what it leaves open does not matter to the steps. */
  deal?: Record<string, unknown>[];
  /** What the others do, in turn; when it is used up, bots play. */
  script: { seat: number; action: string }[];
  steps: LessonStep[];
}

export interface GameUi {
  id: string;
  Board: ComponentType<BoardProps>;
  /** How the points came about: at the end and in a replay. */
  Result?: ComponentType<{ snap: Snapshot }>;
  /** What takes the stage among the lines from `since` on. */
  moments?(snap: Snapshot, since: number): Moment[];
  /** The game in three lines, once it is over. */
  story?(snap: Snapshot): string[];
  /** What the signs on the board stand for. */
  Legend?: ComponentType;
  /** Of an action that is put together on the board: the names of its parts there. */
  parts?(action: string): string[];
  /** Whether the act cannot be undone and is asked about once. */
  irreversible(action: string): boolean;
  /** A guided first game, and further chapters. */
  lessons?: Lesson[];
}

/** A game as pages name it: what the C side says of it (offer.ts), and its board. */
export interface GameCard {
  id: string;
  title(): string;
  /** One sentence that makes one want to play. */
  about(): string;
  players: [number, number];
  /** Seats of a table that is opened without a word. */
  usual: number;
  /** Of a game at such a table. */
  minutes: number;
  load(): Promise<GameUi>;
}

/** The boards that are drawn; any other game is played on the fallback. */
const boards: Record<string, () => Promise<{ ui: GameUi }>> = {
  doors: () => import("./doors"),
  favor: () => import("./favor"),
  traps: () => import("./traps"),
  louis: () => import("./louis"),
};

export function gameCard(id: string): GameCard {
  const info = gameInfo(id);
  return {
    id,
    title: () => gameInfo(id)?.title ?? id,
    about: () => gameInfo(id)?.tagline ?? "",
    players: info?.players ?? [2, 6],
    usual: info?.usual ?? 2,
    minutes: info?.minutes ?? 0,
    load: () => (boards[id] ?? (() => import("./fallback")))().then((m) => m.ui),
  };
}
