// A table as the pages see it, whether a server or the engine in this browser keeps it. Nothing here
// touches the page, and nothing here knows a rule of a game.

export type Lang = "en" | "it";

export interface Seat {
  kind: "open" | "invited" | "person" | "bot";
  name?: string;
  level?: string;
  person?: number;
  /** The drawn face that they have chosen. */
  face?: number;
  away?: boolean;
  connected?: boolean;
  /** When the connection was lost, by Date.now(). */
  gone?: number;
  /** A bot at the seat of somebody who has left. */
  standsIn?: boolean;
  /** The hash of their random part, pledged when they sat down; the part when it was told. */
  part_hash?: string;
  part?: string;
}

export interface LogLine {
  n: number;
  text: string;
  rule?: string;
  event: Record<string, unknown> & { event: string };
}

export interface Clock {
  left: (number | null)[];
  running: number[];
  /** performance.now() when it was told */
  at: number;
}

export interface ChatLine {
  seat: number | null;
  name: string;
  text: string;
}

export interface Snapshot {
  id: string;
  seq: number;
  game: string;
  players: number;
  options: Record<string, unknown>;
  seats: Seat[];
  /** Yours, or null for a spectator. */
  seat: number | null;
  /** Somebody's seat, and all cards are open: nobody there is "you". */
  open?: boolean;
  started: boolean;
  /** The state of docs/protocol.md, typed by each game in games/. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  state: any | null;
  legal: string[];
  legalSay: string[];
  /** The engine's own sentences. */
  prompt: string;
  position: string;
  log: LogLine[];
  chat: ChatLine[];
  clock: Clock | null;
  hints: boolean;
  undo: boolean;
  /** Whether undo would work now. */
  mayUndo: boolean;
  /** Nobody but you plays here, and nothing counts: undo goes back to your last decision. */
  practice: boolean;
  /** The seat of who is to take the device next, where several share it. */
  curtain?: number | null;
  spectators: boolean;
  chatOn: boolean;
  rated: boolean;
  commitment: string;
  connection: "online" | "lost" | "closing" | "offline";
  /** Opens the invited seats; known to who made the table. */
  key?: string;
  /** The table of the rematch, and the seat that asked for it. */
  next?: string;
  nextBy?: number;
}

/** The log without what was undone, for a table where one may undo whole rounds. */
export function standing(log: LogLine[]): LogLine[] {
  const out: LogLine[] = [];
  for (const line of log) {
    const from = line.event.from;
    if (line.event.event === "undone" && typeof from === "number")
      while (out.length && out.at(-1)!.n >= from) out.pop();
    out.push(line);
  }
  return out;
}

export type Answer = { ok: true } | { ok: false; code: string; rule?: string; message: string };

export interface Hint {
  action: string;
  say: string;
  candidates: { action: string; value: number; share: number }[];
  /** Where hints would be by the master, had his play been fetched: fetches it. */
  learn?(): Promise<void>;
}

export interface Table {
  readonly snapshot: Snapshot;
  /** Calls it after each change; what comes back ends that. */
  readonly subscribe: (changed: () => void) => () => void;
  act(action: string): Promise<Answer>;
  why(action: string): Promise<{ legal: boolean; rule?: string; message?: string }>;
  hint(): Promise<Hint | Answer>;
  undo(): Promise<Answer>;
  resign(): Promise<Answer>;
  back(): Promise<Answer>;
  chat(text: string): Promise<Answer>;
  /** Tells the administrator about a person at the table; only where there is one. */
  report?(person: number, text: string): Promise<Answer>;
  rematch(): Promise<{ id: string } | Answer>;
  record(): Promise<string>;
  close(): void;
}
