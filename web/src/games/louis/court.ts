// The court in force: what is on the tiles and the missions, with words. It is the built-in one, from the
// engine's own file, or that of a table with a court file of its own.
import { endgame as END, missions as MISSIONS, tiles as TILES } from "../../../../src/games/court.json";
import { t, tn } from "../../i18n";

export interface Side { type: string; n: number | null }
export interface Tile { id: number; name: string; pos: number[]; reward: string; amount: number; red: Side; black: Side }
export interface Mission { id: string; tier: string; cost: string[]; power: string; tiles?: number[] }

interface Values {
  tiles: Tile[];
  missions: Mission[];
  endgame: { vp_per_mission: number; vp_per_shield: number };
}

const BUILT_IN: Values = { tiles: TILES as Tile[], missions: MISSIONS as Mission[], endgame: END };
let missions = BUILT_IN.missions;
export let tiles = BUILT_IN.tiles;
export let missionPoints = BUILT_IN.endgame.vp_per_mission;
export let shieldPoints = BUILT_IN.endgame.vp_per_shield;

/** The court of the table that is drawn from now on: its own, or the built-in one. */
export function holdCourt(court: unknown): void {
  const now = typeof court === "object" && court !== null ? (court as Values) : BUILT_IN;
  ({ tiles, missions } = now);
  ({ vp_per_mission: missionPoints, vp_per_shield: shieldPoints } = now.endgame);
}

export const mission = (id: string): Mission | undefined => missions.find((m) => m.id === id);

/** The kinds among these shields, in order; 0 has no kind. */
export const shieldKinds = (shields: (number | string)[]): number[] =>
  [...new Set(shields.map(Number))].filter((k) => k >= 0).sort((a, b) => a - b);

export const CHIPS = ["crown", "sceptre", "helmet", "ring", "letter"];
export const TIERS = ["light", "medium", "dark"];

/** What the people of the tiles are called for short; what stands in brackets may be left out where room is scarce. */
const SHORT = ["Anne[ d'Autriche]", "[Philippe I ]d'Orléans", "Marie-Thérèse", "[Le Grand ]Dauphin", "Montespan",
  "[Le Grand ]Condé", "Colbert", "Maintenon", "La Vallière", "[Henri de ]Turenne", "[Jules ]Mazarin", "Louvois"];

/** The same in pieces: every other one may be left out. */
export const personParts = (tile: number): string[] => {
  const name = tiles[tile - 1]?.name;
  return name === TILES[tile - 1]?.name ? SHORT[tile - 1]!.split(/[[\]]/) : [name ?? String(tile)];
};
export const person = (tile: number): string => personParts(tile).join("");

export function chipName(chip: string): string {
  switch (chip) {
    case "crown": return t("crown");
    case "sceptre": return t("sceptre");
    case "helmet": return t("helmet");
    case "ring": return t("ring");
    case "letter": return t("letter");
    default: return t("any");
  }
}

export function tierName(tier: string): string {
  return tier === "light" ? t("light") : tier === "medium" ? t("medium") : t("dark");
}

export function missionsLeft(tier: string): string {
  return tier === "light" ? t("light missions left") : tier === "medium" ? t("medium missions left") : t("dark missions left");
}

/** What the stock still has of a chip. */
export function chipsLeft(chip: string): string {
  switch (chip) {
    case "crown": return t("crowns left");
    case "sceptre": return t("sceptres left");
    case "helmet": return t("helmets left");
    case "ring": return t("rings left");
    default: return t("letters left");
  }
}

export function sideText(side: Side): string {
  const n = side.n ?? 0;
  return side.type === "pay" ? t("pay {n}", { n }) : side.type === "min" ? t("min {n}", { n }) : t("majority");
}

export function rewardText({ reward, amount: n }: Tile): string {
  if (reward.startsWith("chip:")) return chipName(reward.slice(5));
  switch (reward) {
    case "shield": return tn("{n} shield", "{n} shields", n);
    case "gold": return tn("{n} gold", "{n} gold", n);
    case "place_marker": return tn("place {n}", "place {n}", n);
    case "influence_card": return tn("{n} influence", "{n} influence", n);
    default: return tn("{n} intrigue", "{n} intrigue", n);
  }
}

export function powerText(m: Mission): string {
  switch (m.power) {
    case "gold2": return t("2 gold each round");
    case "gold3": return t("3 gold each round");
    case "mark2": return t("2 markers ready each round");
    case "mark3": return t("3 markers ready each round");
    case "card": return t("one influence card more");
    case "intr": return t("an intrigue card each round");
    case "swap": return t("change one card after the deal");
    case "foothold": return t("a free marker on tile {a} or {b}", { a: m.tiles?.[0] ?? 0, b: m.tiles?.[1] ?? 0 });
    case "inner": return t("a free marker on a tile 1 to 4");
    case "any2": return t("up to two free markers on any tiles");
    case "bribe1": return t("paying costs 1 less");
    case "tie": return t("wins one tie a round");
    case "recoup": return t("2 winning markers a round stay ready");
    case "wild": return t("one chip a round counts as a crown");
    default: return t("a shield each round");
  }
}

export function privilege(space: number): string {
  switch (space) {
    case 1: return t("1: exchange influence cards");
    case 2: return t("2: move further along a diagonal");
    case 3: return t("3: an intrigue card adds one more");
    default: return t("4: keep two or three chips");
  }
}

/** The same in a word or two, for the board itself. */
export function privilegeShort(space: number): string {
  switch (space) {
    case 1: return t("exchange");
    case 2: return t("diagonal");
    case 3: return t("intrigue +1");
    default: return t("keep chips");
  }
}
