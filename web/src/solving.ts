// How somebody gets on with problems, kept in this browser: what was solved, a rating, the days in a row. And
// which problem comes next.
import type { Listed } from "./desk";

interface Solving {
  /** A rating and its deviation, as in Glicko: problems are the opponents. */
  rating: number;
  deviation: number;
  /** By GAME-NUMBER: 1 solved at the first try, 2 later, 0 not yet. */
  seen: Record<string, 0 | 1 | 2>;
  /** Days (as dayOf counts them) whose problem was solved. */
  days: number[];
}

const KEY = "salotto-problems";
const START: Solving = { rating: 1200, deviation: 350, seen: {}, days: [] };

const isNumber = (n: unknown): n is number => typeof n === "number" && Number.isFinite(n);

export function solving(): Solving {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Solving>;
    return {
      rating: isNumber(kept.rating) ? kept.rating : START.rating,
      deviation: isNumber(kept.deviation) ? kept.deviation : START.deviation,
      seen: kept.seen && typeof kept.seen === "object" ? kept.seen : {},
      days: Array.isArray(kept.days) ? kept.days.filter(isNumber) : [],
    };
  } catch {
    return { ...START, seen: {}, days: [] };
  }
}

function keep(s: Solving): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(s));
  } catch {
    // It holds for this visit, then.
  }
}

export const keyOf = (game: string, n: number): string => `${game}-${n}`;

// ---- Rating -----------------------------------------------------------------------------------------

const Q = Math.log(10) / 400;
/** A problem's rating comes from three bots: about so far off. */
const PROBLEM_DEVIATION = 120;
const LEAST_DEVIATION = 60;

/** One problem after another: Glicko with one game a period. */
export function rated(rating: number, deviation: number, problem: number, right: boolean): { rating: number; deviation: number } {
  const g = 1 / Math.sqrt(1 + (3 * Q * Q * PROBLEM_DEVIATION ** 2) / Math.PI ** 2);
  const expected = 1 / (1 + 10 ** ((-g * (rating - problem)) / 400));
  const spread = 1 / (Q * Q * g * g * expected * (1 - expected));
  const weight = 1 / (1 / deviation ** 2 + 1 / spread);
  return {
    rating: rating + Q * weight * g * ((right ? 1 : 0) - expected),
    deviation: Math.max(LEAST_DEVIATION, Math.sqrt(weight)),
  };
}

/** Notes a try; only the first at a problem counts for the rating. */
export function note(game: string, problem: Listed, right: boolean, day?: number): Solving {
  const s = solving(), key = keyOf(game, problem.n), before = s.seen[key];
  if (before === undefined) Object.assign(s, rated(s.rating, s.deviation, problem.rating, right));
  s.seen[key] = before === undefined ? (right ? 1 : 0) : before === 0 && right ? 2 : before;
  if (right && day !== undefined && !s.days.includes(day)) s.days.push(day);
  keep(s);
  return s;
}

// ---- Days -------------------------------------------------------------------------------------------

const DAY_MS = 86400000;
/** Days since 1970 by the world's clock: the same for everybody. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** Days in a row whose problem was solved, up to today or yesterday. */
export function streak(days: number[], today: number): number {
  const solved = new Set(days);
  let n = 0;
  for (let day = solved.has(today) ? today : today - 1; solved.has(day); day--) n++;
  return n;
}

/** The game of the day, in turn; and its problem, spread over the file. */
export const gameOfDay = (games: string[], day: number): string => games[day % games.length]!;

export function problemOfDay(list: Listed[], games: number, day: number): Listed {
  // A step that has no divisor in common with the length meets every problem once before it begins again.
  let step = Math.floor(list.length * 0.618) || 1;
  const divisor = (a: number, b: number): number => (b ? divisor(b, a % b) : a);
  while (divisor(step, list.length) !== 1) step++;
  return list[(Math.floor(day / games) * step) % list.length]!;
}

// ---- What comes next --------------------------------------------------------------------------------

const NEAREST = 8;

/** One that is new, about as hard as the rating; when all were seen, one that was not solved at once. */
export function nextOf(game: string, list: Listed[], s: Solving, draw: () => number = Math.random): Listed | undefined {
  const state = (p: Listed) => s.seen[keyOf(game, p.n)];
  const pools = [list.filter((p) => state(p) === undefined), list.filter((p) => state(p) !== 1), list];
  const pool = pools.find((p) => p.length) ?? [];
  const near = [...pool].sort((a, b) => Math.abs(a.rating - s.rating) - Math.abs(b.rating - s.rating)).slice(0, NEAREST);
  return near[Math.floor(draw() * near.length)];
}
