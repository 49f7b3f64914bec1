// All figures of the rule books by name. One with `moves` shows the example of its game after so many
// moves, as the engine has replayed it (replay.mjs); tools/books writes them to docs/rules/figures.
import type { JSX } from "preact";
import * as ladies from "./ladies";
import * as louis from "./louis";
import { Card, render } from "./kit";
export { render };

/** One card as a picture of its own, for the running text of a printed book. */
export const cardSvg = (code: string): string =>
  `<svg class="card" viewBox="0 0 100 140">${render(Card(code, 0, 0, 100))}</svg>`;

/** Words in the language of the figure, and what a card is called there. */
export type Words = ((en: string, it: string) => string) & { card: (code: string) => string };
export interface Move { seat: number; action: string }

export interface Scene {
  game: string;
  w: Words;
  names: string[];
  /** What the engine says of the position, from the eyes of `viewer`. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  state: any;
  moves: Move[] & { after: Move[] };
  /** The facts of the last event of that kind in the example. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  event: (kind: string) => any;
}

export interface Figure {
  game: string;
  /** Another vector than the example of the game. */
  example?: string;
  draw: (scene: Scene) => JSX.Element;
  moves?: number;
  viewer?: number | null | "open";
}

export const figures: Record<string, Figure> = {
  "doors-box": { game: "doors", draw: ladies.box },
  "doors-start": { game: "doors", draw: ladies.doorsStart, moves: 0, viewer: 0 },
  "doors-sets": { game: "doors", draw: ladies.doorsSets },
  "doors-guess": { game: "doors", draw: ladies.doorsGuess, moves: 11, viewer: 1 },
  "favor-box": { game: "favor", draw: ladies.box },
  "favor-start": { game: "favor", draw: ladies.favorStart, moves: 0, viewer: 0 },
  "favor-auction": { game: "favor", draw: ladies.favorAuction, moves: 10, viewer: null },
  "favor-specials": { game: "favor", draw: ladies.favorSpecials },
  "favor-sheet": { game: "favor", draw: ladies.favorSheet, moves: 31, viewer: null },
  "traps-box": { game: "traps", draw: ladies.box },
  "traps-start": { game: "traps", draw: ladies.trapsStart, moves: 0, viewer: 0 },
  "traps-values": { game: "traps", draw: ladies.trapsValues },
  "traps-reveal": { game: "traps", draw: ladies.trapsReveal, moves: 13, viewer: null },
  "louis-box": { game: "louis", draw: louis.louisBox },
  "louis-court": { game: "louis", draw: louis.louisCourt },
  "louis-start": { game: "louis", draw: louis.louisStart, moves: 3, viewer: null },
  "louis-paths": { game: "louis", draw: louis.louisPaths },
  "louis-order": { game: "louis", draw: louis.louisOrder },
  "louis-board": { game: "louis", draw: louis.louisBoard },
  "louis-sheet": { game: "louis", example: "louis-sheet", draw: louis.louisSheet, moves: 173, viewer: null },
  "louis-played": { game: "louis", draw: louis.louisPlayed, moves: 19, viewer: null },
};
