// The worker's side of problems: it has their files, sets the positions up in the engine, and judges. A page
// gets what the seat sees, and the answer only after it has given its own.
import type { Engine, Theme, Told } from "./engine";

/** A line of a file: docs/problems.md. */
interface Line {
  n: number;
  seat: number;
  theme: string;
  rating: number;
  solved: [number, number, number];
  choices: number;
  /** The notation, the chance to win, its standard error, and where it is known how often the master does it. */
  weighed: [string, number, number, number?][];
  other: number;
  worlds?: [number, number];
  gains?: [number, number];
  tells?: [number, number];
  viewer?: number;
  record: string;
}
interface Head { game: string; version: string; margin: number; worlds: number; searches: number }

/** A problem as a list shows it. */
export interface Listed { n: number; theme: string; rating: number }
export interface Listing extends Head { themes: Theme[]; list: Listed[] }

/** A position, seen by the seat that is asked. */
export interface Shown { seat: number; players: number; told: Told }

export interface Judged {
  right: boolean;
  /** What the choice loses on the best. */
  lost: number;
  margin: number;
  /** The choice was not among those of the file: it was weighed just now. */
  fresh: boolean;
  candidates: { action: string; say: string; value: number; right: boolean; often?: number }[];
  /** Why the first is better than the best wrong one; nothing more where the master alone says so. */
  other: string;
  worlds?: [number, number];
  gains?: [number, number];
  tells?: [number, number];
  viewer?: number;
  /** How likely the bots find it: novice, intermediate, expert. */
  solved: [number, number, number];
}

const PLAYERS = /^players (\d)$/m;

export class Desk {
  private files = new Map<string, { head: Head; lines: Map<number, Line> }>();

  constructor(private readonly engine: () => Engine, private readonly fetchText: (game: string) => Promise<string>) {}

  private async file(game: string): Promise<{ head: Head; lines: Map<number, Line> }> {
    const known = this.files.get(game);
    if (known) return known;
    const [head, ...lines] = (await this.fetchText(game)).trimEnd().split("\n").map((l) => JSON.parse(l) as unknown);
    const read = { head: head as Head, lines: new Map((lines as Line[]).map((l) => [l.n, l])) };
    this.files.set(game, read);
    return read;
  }

  private async line(game: string, n: number): Promise<Line | undefined> {
    return (await this.file(game)).lines.get(n);
  }

  async list(game: string): Promise<Listing> {
    const { head: { version, margin, worlds, searches }, lines } = await this.file(game);
    return { game, version, margin, worlds, searches, themes: this.engine().themes(game),
      list: [...lines.values()].map(({ n, theme, rating }) => ({ n, theme, rating })) };
  }

  /** Sets the position up; null if there is no such problem. */
  async show(game: string, n: number, names: string[]): Promise<Shown | null> {
    const line = await this.line(game, n);
    const engine = this.engine();
    if (!line || !engine.load(line.record).ok) return null;
    names.forEach((name, seat) => engine.name(seat, name));
    return { seat: line.seat, players: Number(PLAYERS.exec(line.record)![1]), told: engine.tell(line.seat, 0) };
  }

  /** What an action of the position that is set up is worth; "": only the answer. What the file has not weighed is
   * weighed now. */
  async judge(game: string, n: number, action: string): Promise<Judged | null> {
    const line = await this.line(game, n);
    if (!line) return null;
    const { margin } = (await this.file(game)).head;
    const best = line.weighed[0]![1];
    const engine = this.engine();
    const candidates = line.weighed.map(([a, value, , often]) =>
      ({ action: a, say: engine.say(line.seat, a), value, right: best - value < margin, often }));
    let mine = action ? candidates.find((c) => c.action === action) : candidates[0];
    const fresh = !mine;
    if (!mine) {
      const now = engine.weigh(line.seat, action);
      const lost = now.ok ? now.weighed.find((c) => c.action === action)?.lost ?? 1 : 1;
      mine = { action, say: engine.say(line.seat, action), value: Math.max(0, best - lost), right: lost < margin, often: undefined };
      candidates.push(mine);
      candidates.sort((a, b) => b.value - a.value);
    }
    return {
      right: mine.right, lost: best - mine.value, margin, fresh, candidates, other: line.weighed[line.other]![0],
      worlds: line.worlds, gains: line.gains, tells: line.tells, viewer: line.viewer, solved: line.solved,
    };
  }

  /** For the worker alone: it has the seed, so that one can play on. */
  async record(game: string, n: number): Promise<string> {
    return (await this.line(game, n))?.record ?? "";
  }
}
