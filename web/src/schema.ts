// Made by tools/types from what `salotto schema` prints. Do not change it by hand.

import type { GameInfo } from "./offer";

/** An event of any game. */
export type GameEvent = { n: number; event: string } & Record<string, unknown>;

// ---- Doors

export interface DoorsState {
  game: string;
  players: number;
  options: { first: number; goal: string; memory: string };
  to_act: number[];
  over: boolean;
  winners: number[];
  scores: number[];
  log_length: number;
  phase: "take" | "discard" | "guess" | "claim" | "over";
  round: number;
  collector: number;
  guesser_turn: number;
  tokens: number[];
  win: number;
  pays: { trait: number; both: number; wrong: number; claim: number; guesser_claim: number };
  offer: string[];
  collection: string[];
  discards: string[];
  deck_count: number;
  deck_left: string[] | null;
  identities: string[];
  last: string[] | null;
}

export interface DoorsEvents {
  dealt: { n: number; event: "dealt"; seat: number; card: string };
  round: { n: number; event: "round"; round: number; collector: number; offer: string[] };
  taken: { n: number; event: "taken"; seat: number; card: string };
  refilled: { n: number; event: "refilled"; card: string };
  discarded: { n: number; event: "discarded"; seat: number; card: string };
  ended: { n: number; event: "ended"; seat: number };
  guessed: { n: number; event: "guessed"; seat: number; guess: string };
  identities: { n: number; event: "identities"; identities: string[] };
  round_over: { n: number; event: "round_over"; seat: number; tokens: number; reason: string };
  game_over: { n: number; event: "game_over"; winners: number[] };
  undone: { n: number; event: "undone"; seat: number; from: number };
  resigned: { n: number; event: "resigned"; seat: number };
  claimed: { n: number; event: "claimed"; seat: number };
}

export type DoorsEvent = DoorsEvents[keyof DoorsEvents];

// ---- Favor

export interface FavorState {
  game: string;
  players: number;
  options: { edition: string; first: number; days: string; memory: string };
  to_act: number[];
  over: boolean;
  winners: number[];
  scores: number[];
  log_length: number;
  phase: "turn" | "bid" | "final" | "over";
  day: number;
  first: number;
  gems: number[];
  out_of_play: number;
  points: number[];
  lot: string[];
  collections: string[][];
  discards: string[];
  deck_count: number;
  deck_left: string[] | null;
  identities: string[];
  caller: number | null;
  high_bid: number;
  high_bidder: number | null;
  day_points: number[][];
  last: string[] | null;
}

export interface FavorEvents {
  day: { n: number; event: "day"; day: number; first: number };
  dealt: { n: number; event: "dealt"; seat: number; card: string };
  lot_opened: { n: number; event: "lot_opened"; lot: string[] };
  auction: { n: number; event: "auction"; seat: number };
  bid: { n: number; event: "bid"; seat: number; number: number };
  passed: { n: number; event: "passed"; seat: number };
  sold: { n: number; event: "sold"; seat: number; price: number; caller: number | null };
  added: { n: number; event: "added"; seat: number; card: string };
  final: { n: number; event: "final"; seat: number };
  identities: { n: number; event: "identities"; identities: string[] };
  day_over: { n: number; event: "day_over"; day: number; card_points: number[]; specials: { BR: string | null; LT: string | null }[]; bonus: number[]; scores: number[]; cards: { card: string; points: number; as?: string }[][] };
  unsold: { n: number; event: "unsold" };
  game_over: { n: number; event: "game_over"; winners: number[] };
  undone: { n: number; event: "undone"; seat: number; from: number };
  resigned: { n: number; event: "resigned"; seat: number };
}

export type FavorEvent = FavorEvents[keyof FavorEvents];

// ---- Traps

export interface TrapsState {
  game: string;
  players: number;
  options: { first: number; memory: string };
  to_act: number[];
  over: boolean;
  winners: number[];
  scores: number[];
  log_length: number;
  phase: "place" | "build" | "bet" | "reveal" | "give" | "over";
  round: number;
  first: number;
  target: string;
  doors_left: string[];
  pot: number;
  supply: number;
  tokens: number[];
  hands: string[][];
  piles: string[][];
  revealed: string[][];
  known: (string[] | null)[];
  passed: number[];
  high_bet: number;
  high_bettor: number | null;
  points: number;
}

export interface TrapsEvents {
  dealt: { n: number; event: "dealt"; seat: number; cards: string[] };
  round: { n: number; event: "round"; round: number; first: number; target: string; pot: number };
  placed: { n: number; event: "placed"; seat: number; card: string };
  bet: { n: number; event: "bet"; seat: number; number: number };
  passed: { n: number; event: "passed"; seat: number };
  stopped: { n: number; event: "stopped"; seat: number; tokens: number };
  round_over: { n: number; event: "round_over"; seat: number; tokens: number; reason: string; pot: number };
  revealed: { n: number; event: "revealed"; seat: number; pile: number; card: string };
  bet_failed: { n: number; event: "bet_failed"; seat: number; tokens: number };
  trap: { n: number; event: "trap"; seat: number; pile: number; card: string; tokens: number };
  given: { n: number; event: "given"; seat: number; to: number; tokens: number };
  built: { n: number; event: "built"; seat: number; card: string };
  all_four: { n: number; event: "all_four"; seat: number; tokens: number };
  game_over: { n: number; event: "game_over"; winners: number[] };
  undone: { n: number; event: "undone"; seat: number; from: number };
  resigned: { n: number; event: "resigned"; seat: number };
  bet_met: { n: number; event: "bet_met"; seat: number; tokens: number };
}

export type TrapsEvent = TrapsEvents[keyof TrapsEvents];

// ---- Louis

export interface LouisState {
  game: string;
  players: number;
  options: { favorita: string; court: string | null; first: number; rounds: string; memory: string };
  to_act: number[];
  over: boolean;
  winners: number[];
  scores: number[];
  log_length: number;
  phase: "setup" | "withdraw" | "influence" | "pay" | "favourite" | "put" | "mission" | "draw" | "keep" | "recoup" | "intrigue" | "over" | "swap" | "foothold" | "exchange" | "tie";
  round: number;
  rounds: number;
  start: number;
  louis: number | null;
  favourite: number | null;
  tiles: { side: string; markers: number[]; neutral: number }[];
  gold: number[];
  personal: number[];
  general: number[];
  boards: boolean[][];
  chips: { crown: number; sceptre: number; helmet: number; ring: number; letter: number }[];
  stock: { crown: number; sceptre: number; helmet: number; ring: number; letter: number };
  influence: ((number | string)[])[];
  intrigue: ((number | string)[])[];
  missions: string[][];
  shields: ((number | string)[])[];
  fulfilled: string[][];
  tiers: string[][];
  used: { tie: number; recoup: number; wild: number }[];
  evaluating: number | null;
  points: number[];
  decks: { money: number; influence: number; intrigue: number; light: number; medium: number; dark: number; shields: number };
  discards: { influence: (number | string)[]; intrigue: number[] };
  withdrawn: number[][];
  asked: string | null;
}

export interface LouisEvents {
  dealt: { n: number; event: "dealt"; seat: number; pile: string; card: number | string };
  favoured: { n: number; event: "favoured"; seat: number; spaces: number[] };
  round: { n: number; event: "round"; round: number; start: number };
  money: { n: number; event: "money"; louis: number; gold: number; favourite: number | null };
  passed: { n: number; event: "passed"; seat: number };
  turned_up: { n: number; event: "turned_up"; card: number | string; tile: number; neutral: number };
  played: { n: number; event: "played"; seat: number; card: number | string; jump: boolean; path: number[][] };
  discarded: { n: number; event: "discarded"; seat: number; card: number | string };
  counted: { n: number; event: "counted"; tile: number; first: number | null; neutral: number; markers: number[] };
  paid: { n: number; event: "paid"; seat: number; tile: number; gold: number };
  rewarded: { n: number; event: "rewarded"; seat: number; tile: number; reward: string; chip?: string; amount: number };
  home: { n: number; event: "home"; tile: number; general: number[]; personal: number[] };
  flipped: { n: number; event: "flipped"; tile: number; side: string };
  favourite: { n: number; event: "favourite"; seat: number; spaces: number[]; from_general: number; from_personal: number; to_personal: number };
  put: { n: number; event: "put"; seat: number; tiles: number[] };
  fulfilled: { n: number; event: "fulfilled"; seat: number; mission: string; chips: string[] };
  done: { n: number; event: "done"; seat: number };
  kept: { n: number; event: "kept"; seat: number; chips: string[]; favour: boolean };
  round_over: { n: number; event: "round_over"; round: number };
  power: { n: number; event: "power"; seat: number; gold: number; personal: number };
  withdrawn: { n: number; event: "withdrawn"; seat: number; spaces: number[] };
  reshuffled: { n: number; event: "reshuffled"; pile: string };
  recovered: { n: number; event: "recovered"; seat: number; card: number | string; number: number };
  traded: { n: number; event: "traded"; seat: number; stack: string; tier: string; mission: string };
  crown: { n: number; event: "crown"; seat: number; tile: number };
  recouped: { n: number; event: "recouped"; seat: number; number: number };
  game_over: { n: number; event: "game_over"; winners: number[]; points: number[]; majorities: number[] };
  undone: { n: number; event: "undone"; seat: number; from: number };
  resigned: { n: number; event: "resigned"; seat: number };
  foothold: { n: number; event: "foothold"; seat: number; mission: string; tiles: number[] };
  swapped: { n: number; event: "swapped"; seat: number; card: number | string };
  exchanged: { n: number; event: "exchanged"; seat: number; cards: (number | string)[] };
  intrigue: { n: number; event: "intrigue"; seat: number; tile: number; number: number; from: string; favour: boolean };
  tie: { n: number; event: "tie"; seat: number; tile: number };
}

export type LouisEvent = LouisEvents[keyof LouisEvents];

// ---- What the server says, by its `op`

export interface Messages {
  hello: { protocol: number; you: { person: number; name: string }; games: GameInfo[]; levels: unknown[]; bots: string[]; welcome?: string };
  error: { code: string; rule: string | null; message: string };
  why: { legal: boolean; code?: string; rule?: string | null; message?: string };
  done: { table?: string; seq?: number };
  table: { table: string; seq: number; game: string; players: number; options: Record<string, unknown>; seats: { kind: string; level?: string; name?: string; person?: number; connected?: boolean; away?: boolean; part_hash?: string; part?: string; face?: number }[]; listed: boolean; spectators: boolean; chat: boolean; hints: boolean; undo: boolean; rated: boolean; practice: boolean; stand_in: string; commitment: string; started: boolean; revealing?: boolean; before?: string; rematch?: string; clock: { rule?: { kind: string; days?: number; seconds?: number; increment?: number } | null; left: (number | null)[]; running: number[] } | null; key?: string; seat: number | null; events?: GameEvent[]; next?: number; words?: { text: string; rule?: string }[]; state?: object; prompt?: string; position?: string; legal?: string[]; legal_count?: number; legal_say?: string[]; may_undo?: boolean; may_rewind?: boolean; said: { person: number; name: string; seat: number | null; text: string }[] };
  moved: { table: string; seq: number; kind: string; by?: number; game?: string; players?: number; options?: Record<string, unknown>; seats?: { kind: string; level?: string; name?: string; person?: number; connected?: boolean; away?: boolean; part_hash?: string; part?: string; face?: number }[]; listed?: boolean; spectators?: boolean; chat?: boolean; hints?: boolean; undo?: boolean; rated?: boolean; practice?: boolean; stand_in?: string; commitment?: string; started?: boolean; revealing?: boolean; before?: string; rematch?: string; clock?: { rule?: { kind: string; days?: number; seconds?: number; increment?: number } | null; left: (number | null)[]; running: number[] } | null; key?: string; seat: number | null; events?: GameEvent[]; next?: number; words?: { text: string; rule?: string }[]; state?: object; prompt?: string; position?: string; legal?: string[]; legal_count?: number; legal_say?: string[]; may_undo?: boolean; may_rewind?: boolean };
  left: { table: string };
  hint: { table: string; seq: number; action: string; say: string; candidates: { action: string; value: number; share: number }[] };
  rematch: { table: string; next: string };
  reveal: { table: string; hashes: (string | null)[]; seconds: number };
  result: { table: string; rated: boolean; unrated?: string; seats: { place: number; score: number; gone: boolean; before?: number; after?: number }[] };
  presence: { table: string; seat: number; connected: boolean };
  record: { table: string; record: string };
  said: { table: string; person: number; name: string; seat: number | null; text: string };
  lobby: { tables: { table: string; game: string; players: number; options: Record<string, unknown>; seats: { kind: string; level?: string; name?: string; person?: number; connected?: boolean; away?: boolean; part_hash?: string; part?: string; face?: number }[]; listed: boolean; spectators: boolean; chat: boolean; hints: boolean; undo: boolean; rated: boolean; practice: boolean; stand_in: string; commitment: string; started: boolean; revealing?: boolean; before?: string; rematch?: string; clock: { rule: { kind: string; days?: number; seconds?: number; increment?: number } | null } | null }[] };
  mine: { tables: { table: string; seq: number; seat: number; asked: boolean; game: string; players: number; options: Record<string, unknown>; seats: { kind: string; level?: string; name?: string; person?: number; connected?: boolean; away?: boolean; part_hash?: string; part?: string; face?: number }[]; listed: boolean; spectators: boolean; chat: boolean; hints: boolean; undo: boolean; rated: boolean; practice: boolean; stand_in: string; commitment: string; started: boolean; revealing?: boolean; before?: string; rematch?: string; clock: { rule?: { kind: string; days?: number; seconds?: number; increment?: number } | null; left: (number | null)[]; running: number[] } | null }[] };
  closing: object;
}

/** Of every message; an answer says what it answers. */
export interface Addressed { re?: string; id?: unknown }
export type ServerMessage =
  { [Op in keyof Messages]: { op: Op } & Addressed & Messages[Op] }[keyof Messages];
