// How one comes on: what reviews have said of one's games. Those of the server come from there; of the
// games that this browser keeps the sums lie here.
import { keepList, keptList } from "./kept";

export interface Role { role: "" | "collector" | "guesser"; decisions: number; lost: number; stake: number }
export interface Mistakes { role: Role["role"]; did: string; better: string; count: number; lost: number }

/** One game, of one person. */
export interface Reviewed {
  table: string;
  game: string;
  at: number;
  accuracy: number;
  lost: number;
  luck: number;
  won: number;
  players: number;
  roles: Role[];
  mistakes: Mistakes[];
}

const KEY = "salotto-progress";
const MOST = 200;

export const localProgress = (): Reviewed[] => keptList<Reviewed>(KEY);

export function noteProgress(game: Reviewed): void {
  keepList(KEY, [...localProgress().filter((g) => g.table !== game.table), game].sort((a, b) => a.at - b.at).slice(-MOST));
}

export const forgetProgress = (): void => keepList(KEY, []);

/** 1 − lost ÷ at stake, over all of these; null: nothing was. */
export function accuracyOf(roles: Role[]): number | null {
  const stake = roles.reduce((sum, r) => sum + r.stake, 0);
  return stake > 0 ? 1 - roles.reduce((sum, r) => sum + r.lost, 0) / stake : null;
}

/** Mistakes of the same kind together, the most expensive first. */
export function themes(games: Reviewed[]): (Mistakes & { game: string })[] {
  const all = new Map<string, Mistakes & { game: string }>();
  for (const g of games)
    for (const m of g.mistakes) {
      const key = `${g.game} ${m.role} ${m.did} ${m.better}`;
      const old = all.get(key);
      all.set(key, { ...m, game: g.game, count: m.count + (old?.count ?? 0), lost: m.lost + (old?.lost ?? 0) });
    }
  return [...all.values()].sort((a, b) => b.lost - a.lost);
}
