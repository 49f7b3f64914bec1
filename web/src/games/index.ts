// The games as the pages know them. A game's board is loaded when it is first shown; a game that is
// not listed here is drawn by the fallback, which can play any game.
import type { ComponentType } from "preact";
import { t } from "../i18n";
import type { Snapshot } from "../table";

export interface BoardProps {
  snap: Snapshot;
  /** Asks for confirmation if it cannot be taken back, then acts. */
  choose(action: string): void;
  /** Shows why this cannot be done. */
  blocked(action: string): void;
  busy: boolean;
}

/** One step of a guided first game: shown until its action is made, or `Next` is pressed. */
export interface LessonStep {
  say(): string;
  /** The only actions the step lets through; absent: a step to read. */
  act?: string | string[];
  /** What to point at: a CSS selector inside the board. */
  point?: string;
  /** The rule that it is about. */
  rule?: string;
}

export interface Lesson {
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
  /** Whether the act cannot be taken back and is asked about once. */
  irreversible(action: string): boolean;
  lesson?: Lesson;
}

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

const fallback = (): Promise<GameUi> => import("./fallback").then((m) => m.ui);

export const games: GameCard[] = [
  {
    id: "doors", title: () => t("Doors"), players: [2, 2], usual: 2, minutes: 10,
    about: () => t("One hides behind the cards they collect, the other guesses who they are."),
    load: () => import("./doors").then((m) => m.ui),
  },
  {
    id: "favor", title: () => t("Favor"), players: [2, 4], usual: 3, minutes: 20,
    about: () => t("Three days of auctions; what a card is worth, only your secret tells."),
    load: () => import("./favor").then((m) => m.ui),
  },
  {
    id: "traps", title: () => t("Traps"), players: [2, 6], usual: 4, minutes: 20,
    about: () => t("Lay cards face down, bet on what all the piles hold, and mind the traps."),
    load: () => import("./traps").then((m) => m.ui),
  },
  {
    id: "louis", title: () => t("Louis XIV"), players: [2, 4], usual: 3, minutes: 60,
    about: () => t("Influence at court, secret missions, and a Favourite to please."),
    load: () => import("./louis").then((m) => m.ui),
  },
];

export function gameCard(id: string): GameCard {
  return games.find((g) => g.id === id) ?? {
    id, title: () => id, about: () => "", players: [2, 6], usual: 2, minutes: 30, load: fallback,
  };
}
