// A table that the engine in this browser keeps: the same as one of the server, without the server.
//
// The engine and the seats of the bots live in a worker; this side hears what its own seat is told.
import engineUrl from "@parts/engine.wasm?url";
import italianUrl from "@parts/it.mo?url";
import { lang, onLang, t } from "./i18n";
import { seatNames } from "./names";
import { prefs } from "./prefs";
import type { Audit, Deal, Told } from "./engine";
import type { Answer, Hint, LogLine, Snapshot, Table } from "./table";
import type { Request, Start } from "./worker";

export interface OfflinePlan {
  game: string;
  players: number;
  options?: Record<string, unknown>;
  /** "you" once at most, or the level of a bot. */
  seats: string[];
  names?: (string | undefined)[];
  deal?: Deal;
  script?: Start["script"];
  pace?: number;
}

const PACE = 900;

async function fetched(url: string): Promise<ArrayBuffer> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.arrayBuffer();
}

function catalogue(): Promise<ArrayBuffer | null> {
  return lang() === "it" ? fetched(italianUrl) : Promise.resolve(null);
}

type Heard = { told: Told; whole: boolean } | { id: number; result: unknown } | { id: number; problem: string };

/** A worker with an engine, and the answers it owes. */
class Link {
  private worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  private owed = new Map<number, { resolve(result: unknown): void; reject(why: Error): void }>();
  private next = 1;
  told: (told: Told, whole: boolean) => void = () => {};

  constructor() {
    this.worker.onmessage = ({ data }: MessageEvent<Heard>) => {
      if ("told" in data) return this.told(data.told, data.whole);
      const waiting = this.owed.get(data.id);
      this.owed.delete(data.id);
      if ("problem" in data) waiting?.reject(new Error(data.problem));
      else waiting?.resolve(data.result);
    };
  }

  ask<T>(request: Request): Promise<T> {
    const id = this.next++;
    return new Promise<T>((resolve, reject) => {
      this.owed.set(id, { resolve: resolve as (result: unknown) => void, reject });
      this.worker.postMessage({ id, request });
    });
  }

  async load(): Promise<void> {
    const [wasm, mo] = await Promise.all([fetched(engineUrl), catalogue()]);
    await this.ask({ op: "load", wasm, mo });
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
  private listeners = new Set<() => void>();
  private ends: (() => void)[] = [];
  private again = 0;

  constructor(private readonly plan: OfflinePlan, private readonly link: Link) {
    const seat = plan.seats.indexOf("you");
    this.snapshot = {
      id: "offline", seq: 0, game: plan.game, players: plan.players, options: plan.options ?? {},
      seats: [], seat: seat < 0 ? null : seat, started: true, state: null, legal: [], legalSay: [],
      prompt: "", position: "", log: [], chat: [], clock: null, hints: true, undo: true,
      spectators: false, chatOn: false, rated: false, commitment: "", connection: "offline",
    };
    link.told = (told, whole) => this.take(told, whole);
    this.ends.push(onLang(() => void this.translate()));
  }

  private seated(): Snapshot["seats"] {
    return this.plan.seats.map((level, seat) => {
      const given = this.plan.names?.[seat];
      return level === "you" && this.snapshot.seat !== null
        ? { kind: "person", name: given ?? (prefs.name || t("Guest")), connected: true }
        : { kind: "bot", name: given, level: level === "you" ? "regular" : level };
    });
  }

  private names(): string[] {
    return seatNames(this.seated());
  }

  async begin(): Promise<Answer> {
    const { game, players, options = {}, seats, deal = [], script = [], pace = PACE } = this.plan;
    this.snapshot = { ...this.snapshot, seq: 0, log: [], seats: this.seated() };
    return this.link.ask<Answer>({
      op: "start", game, players, options, deal, script, pace, names: this.names(),
      levels: seats.map((s) => (s === "you" ? null : s)), seat: this.snapshot.seat,
    });
  }

  private async translate(): Promise<void> {
    const mo = await catalogue();
    await this.link.ask({ op: "language", mo, names: this.names() });
  }

  private take(told: Told, whole: boolean): void {
    const old = this.snapshot;
    const fresh = logLines(told);
    this.snapshot = {
      ...old,
      seq: old.seq + 1,
      seats: this.seated(),
      state: told.state,
      options: told.state.options ?? old.options,
      legal: told.legal ?? [],
      legalSay: told.legal_say ?? [],
      prompt: told.prompt ?? "",
      position: told.position ?? "",
      log: whole ? fresh : [...old.log, ...fresh],
      commitment: told.commitment ?? "",
    };
    for (const listener of [...this.listeners]) listener();
  }

  subscribe(changed: () => void): () => void {
    this.listeners.add(changed);
    return () => this.listeners.delete(changed);
  }

  act(action: string): Promise<Answer> { return this.link.ask({ op: "act", action }); }
  undo(): Promise<Answer> { return this.link.ask({ op: "undo" }); }
  back(): Promise<Answer> { return Promise.resolve({ ok: true }); }
  record(): Promise<string> { return this.link.ask({ op: "record" }); }

  async why(action: string): Promise<{ legal: boolean; rule?: string; message?: string }> {
    const answer = await this.link.ask<Answer>({ op: "why", action });
    return answer.ok ? { legal: true } : { legal: false, rule: answer.rule, message: answer.message };
  }

  hint(): Promise<Hint | Answer> { return this.link.ask({ op: "hint" }); }

  async resign(): Promise<Answer> {
    this.snapshot = { ...this.snapshot, seat: null };
    return this.link.ask({ op: "bot-on" });
  }

  chat(): Promise<Answer> {
    return Promise.resolve({ ok: false, code: "not-allowed", message: t("Nobody else is at the table.") });
  }

  /** The same table again, with the first turn somebody else's. */
  async rematch(): Promise<{ id: string } | Answer> {
    this.again++;
    const seat = this.plan.seats.indexOf("you");
    this.snapshot = { ...this.snapshot, seat: seat < 0 ? null : seat };
    const answer = await this.begin();
    return answer.ok ? { id: `offline-${this.again}` } : answer;
  }

  close(): void {
    for (const end of this.ends) end();
    this.link.end();
  }
}

/** A game against bots, or a lesson with a deal and a script, without a server. */
export async function createOffline(plan: OfflinePlan): Promise<Table> {
  const link = new Link();
  try {
    await link.load();
    const table = new OfflineTable(plan, link);
    const answer = await table.begin();
    if (!answer.ok) throw new Error(answer.message);
    return table;
  } catch (problem) {
    link.end();
    throw problem;
  }
}

/** Recomputes the deals of a record here, with nobody's help. */
export async function verifyRecord(record: string): Promise<Audit> {
  const link = new Link();
  try {
    await link.load();
    return await link.ask<Audit>({ op: "verify", record });
  } finally {
    link.end();
  }
}
