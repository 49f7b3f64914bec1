// A table that the engine in this browser keeps: the same as one of the server, without the server.
//
// The engine and the seats of the bots live in a worker; this side hears what its own seat is told.
import engineUrl from "@parts/engine.wasm?url";
import italianUrl from "@parts/it.mo?url";
import { lang, onLang, t } from "./i18n";
import { Listeners } from "./listeners";
import { localGames, newGameId, noteGame } from "./local";
import { botName, seatNames } from "./names";
import { dropPolicy, fetched, hasPolicy, policy } from "./policy";
import { prefs } from "./prefs";
import type { Audit, Deal, Explored, Told, Viewer } from "./engine";
import { standing, type Answer, type Hint, type LogLine, type Snapshot, type Table } from "./table";
import type { Request, Start, Telling } from "./worker";

export interface OfflinePlan {
  game: string;
  players: number;
  options?: Record<string, unknown>;
  /** "you" for each person at this device, or the level of a bot. */
  seats: string[];
  names?: (string | undefined)[];
  deal?: Deal;
  script?: Start["script"];
  pace?: number;
  /** Keep the game, so that it can be gone on with. */
  kept?: boolean;
}

const PACE = 900;
/** A game as far as it matters whether reviews and hints tell there how often the master does what. */
type Mastered = Pick<OfflinePlan, "game" | "players" | "options">;
const hasMaster = ({ game, players, options }: Mastered): boolean =>
  game === "doors" || (players === 2 && (game === "traps" || (game === "favor" && options?.days !== "1")));

export function catalogue(): Promise<ArrayBuffer | null> {
  return lang() === "it" ? fetched(italianUrl) : Promise.resolve(null);
}

type Heard = Telling | { id: number; result: unknown } | { id: number; problem: string };

/** A worker with an engine, and the answers it owes. */
export class Link {
  private worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  private owed = new Map<number, { resolve(result: unknown): void; reject(why: Error): void }>();
  private next = 1;
  private taught = "";
  told: (told: Telling) => void = () => {};

  constructor() {
    this.worker.onmessage = ({ data }: MessageEvent<Heard>) => {
      if ("told" in data) return this.told(data);
      const waiting = this.owed.get(data.id);
      this.owed.delete(data.id);
      if ("problem" in data) waiting?.reject(new Error(data.problem));
      else waiting?.resolve(data.result);
    };
  }

  /** What is given away is the worker's then, and is not copied. */
  ask<T>(request: Request, given: Transferable[] = []): Promise<T> {
    const id = this.next++;
    return new Promise<T>((resolve, reject) => {
      this.owed.set(id, { resolve: resolve as (result: unknown) => void, reject });
      this.worker.postMessage({ id, request }, given);
    });
  }

  async load(): Promise<void> {
    const [wasm, mo] = await Promise.all([fetched(engineUrl), catalogue()]);
    await this.ask({ op: "load", wasm, mo });
  }

  /** Lets the engine know the master's policy of a game, which is fetched if need be. */
  async teach(game: string): Promise<void> {
    const bytes = await policy(game);
    const answer = await this.ask<Answer>({ op: "teach", policy: bytes }, [bytes]);
    if (!answer.ok) {
      await dropPolicy(game);
      throw new Error("the policy is not sound");
    }
    this.taught = game;
  }

  /** The master's play, if that lies here: for reviews and hints. Whether it is known. */
  async recall(plan: Mastered): Promise<boolean> {
    const { game } = plan;
    if (hasMaster(plan) && this.taught !== game && (await hasPolicy(game))) await this.teach(game).catch(() => {});
    return this.taught === game;
  }

  end(): void {
    this.worker.terminate();
    for (const waiting of this.owed.values()) waiting.reject(new Error("closed"));
    this.owed.clear();
  }
}

function logLines(told: Told): LogLine[] {
  return told.events.map((event, i) => ({
    n: event.n as number,
    text: told.words[i]!.text,
    rule: told.words[i]!.rule,
    event,
  }));
}

class OfflineTable implements Table {
  snapshot: Snapshot;
  private readonly listeners = new Listeners();
  readonly subscribe = this.listeners.add;
  private ends: (() => void)[] = [];

  constructor(private readonly plan: OfflinePlan, private readonly link: Link, id = "") {
    this.snapshot = {
      id, seq: 0, game: plan.game, players: plan.players, options: plan.options ?? {},
      seats: [], seat: null, started: true, state: null, legal: [], legalSay: [],
      prompt: "", position: "", log: [], chat: [], clock: null, hints: true,
      undo: people(plan).length === 1, mayUndo: false, practice: true,
      spectators: false, chatOn: false, rated: false, commitment: "", connection: "offline",
    };
    link.told = (told) => this.take(told);
    this.ends.push(onLang(() => void this.translate()));
  }

  private seated(): Snapshot["seats"] {
    return this.plan.seats.map((level, seat) => {
      const given = this.plan.names?.[seat];
      return level === "you"
        ? { kind: "person", name: given || prefs.name || t("Guest"), connected: true }
        : { kind: "bot", name: given ?? botName(level, seat), level };
    });
  }

  private names(): string[] {
    return seatNames(this.seated());
  }

  private start(): Start {
    const { game, players, options = {}, seats, deal = [], script = [], pace = PACE, kept } = this.plan;
    this.snapshot = { ...this.snapshot, id: kept ? newGameId() : "offline", seq: 0, log: [], seats: this.seated() };
    return {
      id: kept ? this.snapshot.id : "", game, players, options, deal, script, pace, names: this.names(),
      levels: seats.map((s) => (s === "you" ? null : s)),
    };
  }

  begin(): Promise<Answer> { return this.link.ask({ op: "start", ...this.start() }); }

  /** Not from the beginning: from where another game stood. */
  async beginFrom({ id, problem, actions = Infinity }: Origin): Promise<Answer> {
    const from = problem !== undefined ? { problem }
      : id!.startsWith("local-") ? { kept: id! }
      : { record: new TextDecoder().decode(await fetched(`/api/record/${encodeURIComponent(id)}`)) };
    return this.link.ask({ op: "branch", from, actions, ...this.start() });
  }

  private async translate(): Promise<void> {
    const mo = await catalogue();
    await this.link.ask({ op: "language", mo, names: this.names() });
  }

  private take({ told, whole, seat, curtain }: Telling): void {
    const old = this.snapshot;
    const fresh = logLines(told);
    this.snapshot = {
      ...old,
      seq: old.seq + 1,
      seat,
      curtain,
      seats: this.seated(),
      state: told.state,
      options: told.state.options ?? old.options,
      legal: told.legal ?? [],
      legalSay: told.legal_say ?? [],
      mayUndo: told.may_rewind ?? false,
      prompt: told.prompt ?? "",
      position: told.position ?? "",
      log: standing(whole ? fresh : [...old.log, ...fresh]),
      commitment: told.commitment ?? "",
    };
    if (this.plan.kept) this.note();
    this.listeners.tell();
  }

  /** How it stands, for the lobby. */
  private note(): void {
    const { id, game, state } = this.snapshot;
    noteGame({
      id, game, at: Date.now(), seats: this.plan.seats, names: this.names(), over: !!state.over,
      winners: state.winners ?? [], scores: state.scores ?? [],
    });
  }

  act(action: string): Promise<Answer> { return this.link.ask({ op: "act", action }); }
  undo(): Promise<Answer> { return this.link.ask({ op: "rewind" }); }
  back(): Promise<Answer> { return Promise.resolve({ ok: true }); }
  record(): Promise<string> { return this.link.ask({ op: "record" }); }

  /** The next person has taken the device. */
  lift(seat: number): Promise<Answer> { return this.link.ask({ op: "show", seat }); }

  async why(action: string): Promise<{ legal: boolean; rule?: string; message?: string }> {
    const answer = await this.link.ask<Answer>({ op: "why", action });
    return answer.ok ? { legal: true } : { legal: false, rule: answer.rule, message: answer.message };
  }

  /** By the master, where what he plays by was fetched; else it can be, in a game that counts. */
  async hint(): Promise<Hint | Answer> {
    const known = await this.link.recall(this.plan);
    const hint = await this.link.ask<Hint | Answer>({ op: "hint" });
    const may = "action" in hint && !known && this.plan.kept && hasMaster(this.plan);
    return may ? { ...hint, learn: () => this.link.teach(this.plan.game) } : hint;
  }

  resign(): Promise<Answer> { return this.link.ask({ op: "bot-on" }); }

  chat(): Promise<Answer> {
    return Promise.resolve({ ok: false, code: "not-allowed", message: "" }); // no page offers it here
  }

  /** The same table again. */
  async rematch(): Promise<{ id: string } | Answer> {
    const answer = await this.begin();
    return answer.ok ? { id: this.snapshot.id } : answer;
  }

  close(): void {
    for (const end of this.ends) end();
    this.link.end();
  }
}

export type { OfflineTable };

const people = (plan: OfflinePlan): number[] => plan.seats.flatMap((s, n) => (s === "you" ? [n] : []));

/** Does something with a new engine, which is gone if it fails. */
async function withLink<T>(act: (link: Link) => Promise<T>): Promise<T> {
  const link = new Link();
  try {
    await link.load();
    return await act(link);
  } catch (problem) {
    link.end();
    throw problem;
  }
}

/** Where a game begins that does not begin at its beginning: after so many actions of another game, which is over,
 * or in the position of a problem. */
type Origin = { id: string; problem?: undefined; actions: number } | { id?: undefined; problem: number; actions?: undefined };

/** A game against bots or of people at one device, or a lesson with a deal and a script: without a server. */
export function createOffline(plan: OfflinePlan, from?: Origin): Promise<OfflineTable> {
  return withLink(async (link) => {
    if (plan.seats.includes("master")) await link.teach(plan.game);
    const table = new OfflineTable(plan, link);
    const answer = from ? await table.beginFrom(from) : await table.begin();
    if (!answer.ok) throw new Error(answer.message);
    return table;
  });
}

let handed: OfflineTable | null = null;

/** Leaves a table that was just begun to the page that is opened for it. */
export function handOver(table: OfflineTable): void {
  handed = table;
}

export function taken(id: string): OfflineTable | null {
  const table = handed?.snapshot.id === id ? handed : null;
  if (table) handed = null;
  return table;
}

/** A game that this browser has kept; null if it has not. */
export function resumeOffline(id: string): Promise<OfflineTable | null> {
  return withLink(async (link) => {
    const known = localGames().find((g) => g.id === id);
    if (known?.seats.includes("master")) await link.teach(known.game);
    // What is told comes before the answer: the table must be there to hear it.
    const plan: OfflinePlan = {
      game: known?.game ?? "", players: known?.seats.length ?? 0, seats: known?.seats ?? [], names: known?.names, kept: true,
    };
    const table = new OfflineTable(plan, link, id);
    const start = await link.ask<Start | null>({ op: "resume", id });
    if (start) {
      table.snapshot = { ...table.snapshot, options: start.options };
      return table;
    }
    table.close();
    return null;
  });
}

/** A game that was kept and is over, in the shape of the server's replays. */
export function replayOffline(id: string, seat: Viewer): Promise<{ start: Start; steps: unknown[] } | null> {
  return withLink(async (link) => {
    const got = await link.ask<{ start: Start; steps: unknown[] } | null>({ op: "replay", id, seat });
    link.end();
    return got;
  });
}

/** A record from a file, to be seen and reviewed: the last one is kept, under this id. */
export const FILE_ID = "local-file";

export function openRecord(record: string): Promise<Answer> {
  return withLink(async (link) => {
    const names = [0, 1, 2, 3, 4, 5].map((seat) => t("Player {n}", { n: seat + 1 }));
    const kept = await link.ask<Answer>({ op: "import", id: FILE_ID, record, names });
    link.end();
    return kept;
  });
}

/** The review of a game that was kept, part by part: the head, then its steps. Nothing: there is no such game.
 * The master's play is told where it was fetched, or is if `learn`; else it is said to be `lacking`. */
export async function* reviewOffline(id: string, learn: boolean): AsyncGenerator<unknown> {
  const link = await withLink(async (l) => l);
  try {
    const head = await link.ask<Mastered | null>({ op: "review", id });
    if (!head) return;
    if (learn) await link.teach(head.game);
    yield { ...head, lacking: hasMaster(head) && !(await link.recall(head)) };
    for (let part: { seats?: unknown } = {}; !part.seats; ) {
      part = await link.ask<{ seats?: unknown }>({ op: "reviewNext" });
      yield part;
    }
  } finally {
    link.end();
  }
}

/** Walks through rounds of Doors by the master's policy, which is fetched if need be. */
export class Explorer {
  private constructor(private readonly link: Link) {}

  static open(): Promise<Explorer> {
    return withLink(async (link) => {
      await link.teach("doors");
      return new Explorer(link);
    });
  }

  ask(line: string, blueprint: number, worth: boolean): Promise<Explored | (Answer & { ok: false })> {
    return this.link.ask({ op: "explore", line, blueprint, worth });
  }

  close(): void {
    this.link.end();
  }
}

/** Recomputes the deals of a record here, with nobody's help. */
export function verifyRecord(record: string): Promise<Audit> {
  return withLink(async (link) => {
    const audit = await link.ask<Audit>({ op: "verify", record });
    link.end();
    return audit;
  });
}
