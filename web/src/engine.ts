// The C engine in WebAssembly: its calls with texts and objects instead of addresses.
//
// One engine holds one table. It runs in a worker (worker.ts), or wherever a test wants it.
import type { GameInfo, Level } from "./offer";
import type { Answer } from "./table";

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  engine_room(size: number): number;
  engine_free(at: number): void;
  engine_language(mo: number, size: number): number;
  engine_name(seat: number, name: number): void;
  engine_lay(game: number, players: number): number;
  engine_option(name: number, value: number): number;
  engine_deal(entry: number, pile: number, list: number, card: number): number;
  engine_begin(): number;
  engine_to_act(): number;
  engine_tell(viewer: number, since: number): number;
  engine_act(seat: number, action: number): number;
  engine_try(seat: number, action: number): number;
  engine_undo(seat: number): number;
  engine_rewind(seat: number): number;
  engine_think(seat: number, level: number, seconds: number, advice: number): number;
  engine_teach(policy: number, size: number): number;
  engine_record(secret: number): number;
  engine_load(record: number, length: number): number;
  engine_verify(record: number, length: number): number;
  engine_review(record: number, length: number, playouts: number): number;
  engine_review_next(): number;
  engine_explore(line: number, blueprint: number, iterations: number, worth: number): number;
  engine_weigh(seat: number, action: number): number;
  engine_say(seat: number, action: number): number;
  engine_themes(game: number): number;
  engine_games(): number;
}

/** What a seat is told: docs/server.md. */
export interface Told {
  commitment?: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  events: any[];
  words: { text: string; rule?: string }[];
  next: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  state: any;
  prompt: string;
  position: string;
  legal?: string[];
  legal_say?: string[];
  may_undo?: boolean;
  may_rewind?: boolean;
}

type Thought =
  | { ok: true; action: string; say: string; candidates: { action: string; value: number; share: number }[] }
  | (Answer & { ok: false });

export type Audit =
  | { ok: true; actions: number; given: number; checked: number; unchecked: number; committed: boolean;
      seeded: boolean; keys: number; parts: number; withheld: number[]; proven: boolean }
  | (Answer & { ok: false });

/** What a seat could do, the best first, and what each loses on the best: a part of the win. */
type Weighing = { ok: true; weighed: { action: string; say: string; lost: number }[] } | (Answer & { ok: false });

export interface Theme { theme: string; title: string }

interface Offered {
  games: (Omit<GameInfo, "rules"> & { options: Record<string, string[]>; rules: { id: string; text: string }[] })[];
  levels: Level[];
  /** The levels that can play at this moment: the master when taught. */
  bots: string[];
}

/** A side in the explorer: chances of the identities RL, BL, RT, BT. */
interface Side {
  /** As anybody sees it; and by an opponent of each identity. */
  table: number[];
  by: number[][];
  /** How often each identity plays so. */
  reach: number[];
}

/** A place in a round of Doors: docs/review.md. */
export interface Explored {
  ok: true;
  line: string;
  unit: "tokens" | "chance";
  place: "take" | "draw" | "discard" | "say" | "over";
  turn: number;
  mover: "collector" | "guesser";
  offer: string[];
  collection: string[];
  discards: string[];
  sets: string[];
  collector: Side;
  guesser: Side;
  rare: boolean;
  options: { do: string; chance: number | number[]; worth?: (number | null)[] }[];
  wins?: number[];
}

/** Cards to deal instead of shuffling: `deal` of docs/protocol.md. */
export type Deal = Record<string, string[] | string[][]>[];

const SPECTATOR = -1;
const EVERYTHING = -2;

/** Who looks: a seat, nobody in particular, or somebody from whom nothing is hidden. */
export type Viewer = number | null | "open";

export class Engine {
  private constructor(private readonly c: Exports) {}

  static async load(wasm: BufferSource): Promise<Engine> {
    let memory: WebAssembly.Memory;
    const { instance } = await WebAssembly.instantiate(wasm, {
      wasi_snapshot_preview1: {
        clock_time_get(_clock: number, _precision: bigint, at: number): number {
          new DataView(memory.buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
          return 0;
        },
        random_get(at: number, size: number): number {
          crypto.getRandomValues(new Uint8Array(memory.buffer, at, size));
          return 0;
        },
      },
    });
    const c = instance.exports as unknown as Exports;
    memory = c.memory;
    c._initialize();
    return new Engine(c);
  }

  // ---- Texts in and out ----

  private bytes(data: Uint8Array): number {
    const at = this.c.engine_room(data.length + 1);
    if (at === 0) throw new Error("no memory");
    const into = new Uint8Array(this.c.memory.buffer, at, data.length + 1);
    into.set(data);
    into[data.length] = 0;
    return at;
  }

  /** Calls with texts, which are gone afterwards. */
  private lend<T>(texts: string[], call: (...at: number[]) => T): T {
    const at = texts.map((text) => this.bytes(new TextEncoder().encode(text)));
    try {
      return call(...at);
    } finally {
      at.forEach((place) => this.c.engine_free(place));
    }
  }

  private json<T>(at: number): T {
    if (at === 0) throw new Error("no memory");
    const all = new Uint8Array(this.c.memory.buffer);
    return JSON.parse(new TextDecoder().decode(all.slice(at, all.indexOf(0, at)))) as T;
  }

  // ---- Setting up ----

  /** A compiled catalogue; none: English. */
  language(mo: Uint8Array | null): boolean {
    return this.c.engine_language(mo ? this.bytes(mo) : 0, mo?.length ?? 0) !== 0;
  }

  name(seat: number, name: string): void {
    this.lend([name], (at) => this.c.engine_name(seat, at!));
  }

  lay(game: string, players: number, options: Record<string, unknown>, deal: Deal = []): Answer {
    if (!this.lend([game], (at) => this.c.engine_lay(at!, players)))
      return { ok: false, code: "bad-request", message: `${game}, ${players}` };
    for (const [name, value] of Object.entries(options)) {
      if (value === null || value === undefined) continue;
      if (!this.lend([name, String(value)], (n, v) => this.c.engine_option(n!, v!)))
        return { ok: false, code: "bad-option", message: `${name} = ${String(value)}` };
    }
    const dealt = this.deal(deal);
    return dealt.ok ? this.json<Answer>(this.c.engine_begin()) : dealt;
  }

  private deal(deal: Deal): Answer {
    for (const [entry, piles] of deal.entries())
      for (const [pile, cards] of Object.entries(piles)) {
        const lists = (Array.isArray(cards[0]) ? cards : [cards]) as string[][];
        for (const [list, names] of lists.entries())
          for (const card of ["", ...names]) {
            const answer = this.json<Answer>(
              this.lend([pile, card], (p, c) => this.c.engine_deal(entry, p!, list, c!)));
            if (!answer.ok) return answer;
          }
      }
    return { ok: true };
  }

  // ---- Playing ----

  /** The seats that are asked; none: the game is over. */
  toAct(): number[] {
    const mask = this.c.engine_to_act();
    return [0, 1, 2, 3, 4, 5].filter((seat) => mask & (1 << seat));
  }

  tell(viewer: Viewer, since: number): Told {
    const seat = viewer === "open" ? EVERYTHING : viewer ?? SPECTATOR;
    return this.json<Told>(this.c.engine_tell(seat, since));
  }

  act(seat: number, action: string): Answer {
    return this.json<Answer>(this.lend([action], (at) => this.c.engine_act(seat, at!)));
  }

  try(seat: number, action: string): Answer {
    return this.json<Answer>(this.lend([action], (at) => this.c.engine_try(seat, at!)));
  }

  undo(seat: number): Answer {
    return this.json<Answer>(this.c.engine_undo(seat));
  }

  /** Back to the seat's last decision, whatever was learned since. */
  rewind(seat: number): Answer {
    return this.json<Answer>(this.c.engine_rewind(seat));
  }

  think(seat: number, level: string, seconds: number, advice = false): Thought {
    const thought = this.json<Thought>(
      this.lend([level], (at) => this.c.engine_think(seat, at!, seconds, advice ? 1 : 0)),
    );
    if (thought.ok)
      for (const c of thought.candidates) {
        c.value /= 100;
        c.share /= 100;
      }
    return thought;
  }

  /** Lets the master play by share/doors.policy, or one of Favor or Traps; false: it is not sound. */
  teach(policy: Uint8Array): boolean {
    const at = this.bytes(policy);
    const sound = this.c.engine_teach(at, policy.length) !== 0;
    if (!sound) this.c.engine_free(at);
    return sound;
  }

  // ---- Records and games ----

  /** For everybody to see; with `secret` it holds the seed, and can be played on from. */
  record(secret = false): string {
    return this.json<{ record: string }>(this.c.engine_record(secret ? 1 : 0)).record;
  }

  /** Goes on with the game of a record. */
  load(record: string): Answer {
    const length = new TextEncoder().encode(record).length;
    return this.json<Answer>(this.lend([record], (at) => this.c.engine_load(at!, length)));
  }

  verify(record: string): Audit {
    const length = new TextEncoder().encode(record).length;
    return this.json<Audit>(this.lend([record], (at) => this.c.engine_verify(at!, length)));
  }

  /** Begins to review a finished game: all but steps and seats (docs/review.md). No playouts: the usual depth. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  review(record: string, playouts = 0): any {
    const length = new TextEncoder().encode(record).length;
    return this.json(this.lend([record], (at) => this.c.engine_review(at!, length, playouts)));
  }

  /** The next step, in `steps`; with the last one `seats`. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  reviewNext(): any {
    return this.json(this.c.engine_review_next());
  }

  /** A place in a round of Doors by the policy that was taught. */
  explore(line: string, blueprint: number, iterations: number, worth: boolean): Explored | (Answer & { ok: false }) {
    return this.json(this.lend([line], (at) => this.c.engine_explore(at!, blueprint, iterations, worth ? 1 : 0)));
  }

  // ---- Problems ----

  /** What the seat could do and this action, compared from what the seat knows. */
  weigh(seat: number, action: string): Weighing {
    const w = this.json<Weighing>(this.lend([action], (at) => this.c.engine_weigh(seat, at!)));
    if (w.ok) for (const c of w.weighed) c.lost /= 1e6;
    return w;
  }

  /** What an action of a seat means, in words. */
  say(seat: number, action: string): string {
    const answer = this.json<{ ok: boolean; say?: string }>(this.lend([action], (at) => this.c.engine_say(seat, at!)));
    return answer.say ?? action;
  }

  /** What problems of a game are about, in the language set. */
  themes(game: string): Theme[] {
    return this.json<{ themes: Theme[] }>(this.lend([game], (at) => this.c.engine_themes(at!))).themes;
  }

  /** What there is to play, in the language set; the rules with their sentences. */
  games(): Offered {
    return this.json(this.c.engine_games());
  }
}
