// Actions of Louis XIV taken apart and put together again. Nothing here knows a rule: a choice grows
// part by part as long as some legal action can still be reached from it.

/** How many markers stay on each tile of a path, in its order. */
export type Path = [tile: number, n: number][];

export interface Play { action: string; card: string; path: Path }

/** `play 12 12:2 4:1` or `jump …`; null for anything else. */
export function parsePlay(action: string): Play | null {
  const [verb, card, ...steps] = action.split(" ");
  if ((verb !== "play" && verb !== "jump") || !card || !steps.length) return null;
  return { action, card, path: steps.map((s) => s.split(":").map(Number) as [number, number]) };
}

export const pathText = (path: Path): string => path.map(([tile, n]) => `${tile}:${n}`).join(" ");

/** One more marker: on the tile where the path ends, or a step further. */
export function extend(path: Path, tile: number): Path {
  const last = path.at(-1);
  return last?.[0] === tile ? [...path.slice(0, -1), [tile, last[1] + 1]] : [...path, [tile, 1]];
}

/** Whether a path can still grow into another (or is it). Only its last tile may get more. */
export function reaches(path: Path, goal: Path): boolean {
  return path.length <= goal.length && path.every(([tile, n], i) =>
    goal[i]![0] === tile && (i === path.length - 1 ? n <= goal[i]![1] : n === goal[i]![1]));
}

/** Whether all of `some` are in `all`, each as often as it is named. */
export function within(some: string[], all: string[]): boolean {
  const left = [...all];
  return some.every((s) => {
    const i = left.indexOf(s);
    if (i >= 0) left.splice(i, 1);
    return i >= 0;
  });
}

/** The things that an action names behind its verb, without the word for a privilege. */
export const itemsOf = (action: string): string[] =>
  action.split(" ").slice(1).filter((w) => w !== "favour");

/** The legal action with this verb and just these things, in any order. */
export const withItems = (legal: string[], verb: string, items: string[]): string | undefined =>
  legal.find((a) => a.split(" ")[0] === verb && itemsOf(a).length === items.length && within(items, itemsOf(a)));

/** Whether some legal action with this verb holds these things and maybe more. */
export const couldHold = (legal: string[], verb: string, items: string[]): boolean =>
  legal.some((a) => a.split(" ")[0] === verb && within(items, itemsOf(a)));

const KIND: Record<string, string> = { put: "tile ", foothold: "tile ", withdraw: "space ", favour: "space " };

/** The names of the parts that an action is put together of on the board. */
export function partsOf(action: string): string[] {
  const play = parsePlay(action);
  if (play) return [play.card, ...play.path.map(([tile]) => `tile ${tile}`)];
  const verb = action.split(" ")[0]!, items = itemsOf(action);
  return verb === "fulfil" || verb === "trade" ? items.slice(0, 1) : items.map((item) => `${KIND[verb] ?? ""}${item}`);
}
