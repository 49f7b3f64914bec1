// What a game's story is made of: a game in three lines, from what was told of it. A line that nothing
// speaks for is left out.
import { t } from "../i18n";
import type { Snapshot } from "../table";

/** Over the sums of a game, by what is counted in it. */
export const earnedTitle = (game: string): string =>
  game === "doors" || game === "traps" ? t("Where the tokens came from") : t("Where the points came from");

/** The one for which `worth` is greatest; of equal ones the last. */
export function best<T>(list: T[], worth: (one: T) => number): T | undefined {
  let found: T | undefined, top = -Infinity;
  for (const one of list) if (worth(one) >= top) [found, top] = [one, worth(one)];
  return found;
}

export const lines = (...said: (string | false | undefined)[]): string[] => said.filter((s): s is string => !!s);

/** Those who have as many points as the one winner, and have lost all the same. */
export function tiedWith(snap: Snapshot): number[] {
  const { scores, winners } = snap.state as { scores: number[]; winners: number[] };
  return winners.length > 1 ? [] : scores.flatMap((n, i) => (n === scores[winners[0]!] && i !== winners[0] ? [i] : []));
}

export const winnerOf = (snap: Snapshot): number => (snap.state.winners as number[])[0] ?? 0;
