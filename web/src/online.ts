// A table that the server keeps (docs/server.md).
//
// What is shown is what the server told last; nothing is guessed ahead. A move that was on its way
// when the connection broke is sent again with the same `seq`, and the server plays it once.
import { partOf, pledge } from "./fair";
import { Listeners } from "./listeners";
import { server, Refusal } from "./server";
import type { Messages, ServerMessage } from "./schema";
import { lang, onLang, t } from "./i18n";
import { rememberCommitment } from "./prefs";
import { standing, type Answer, type ChatLine, type Hint, type LogLine, type Seat, type Snapshot, type Table } from "./table";

const EMPTY: Omit<Snapshot, "id"> = {
  seq: 0, game: "", players: 0, options: {}, seats: [], seat: null, started: false, state: null,
  legal: [], legalSay: [], prompt: "", position: "", log: [], chat: [], clock: null, hints: false,
  undo: false, mayUndo: false, practice: false, spectators: true, chatOn: true, rated: false, commitment: "", connection: "online",
};

/** Refusals that have no sentence of the engine. */
function sentence(why: Refusal): string {
  switch (why.code) {
    case "lost": return t("The server cannot be reached. Trying again…");
    case "closing": return t("The server is restarting. Your table will be back in a moment.");
    case "slow-down": return t("Too many requests. Wait a moment and try again.");
    case "store": return t("The move was not saved, so it was not played. Try again.");
    case "seat-taken": return t("That seat is taken.");
    case "name-taken": return t("This name is taken, or looks like one that is. Choose another.");
    case "game-over": return t("The game is over.");
    case "no-table": return t("This table no longer exists.");
    default: return why.message || t("That did not work.");
  }
}

export function refused(why: unknown): Answer & { ok: false } {
  const r = why instanceof Refusal ? why : new Refusal("bad-request", String(why));
  return { ok: false, code: r.code, rule: r.rule, message: sentence(r) };
}

/** The first seat that this person may take, or -1. */
export function seatFor(seats: Seat[], key: string | undefined): number {
  const kept = seats.findIndex((s) => s.kind === "invited" && (key || s.name === server.me?.name));
  return kept >= 0 ? kept : seats.findIndex((s) => s.kind === "open");
}

/** What was said, with what was said before and meanwhile; a server that was restarted has forgotten the former. */
function spoken(heard: ChatLine[], said: Messages["table"]["said"]): ChatLine[] {
  const line = (c: { name: string; text: string } | undefined) => (c ? `${c.name}\n${c.text}` : "");
  const known = said.map(line).lastIndexOf(line(heard.at(-1)));
  return [...heard, ...said.slice(known + 1).map(({ seat, name, text }) => ({ seat: seat ?? null, name, text }))];
}

/** What tells how a table stands. */
type News = Messages["table"] | Messages["moved"];

class OnlineTable implements Table {
  snapshot: Snapshot;
  /** Why the table cannot be shown, once that is known. */
  problem: Answer | null = null;
  ready = false;
  /** Why one who came by an invitation has no seat. */
  unseated = "";

  private readonly listeners = new Listeners();
  readonly subscribe = this.listeners.add;
  private ends: (() => void)[] = [];
  private nextEvent = 0;
  private closed = false;
  private joining = false;
  /** All of it is still to be told: the language has changed, or the connection broke, on the way. */
  private again = false;

  constructor(id: string, private readonly key?: string, private sits = false) {
    this.snapshot = { ...EMPTY, id };
    this.ends.push(server.listen(id, (m) => this.hear(m)));
    this.ends.push(server.subscribe(() => this.linked()));
    this.ends.push(onLang(() => void this.join(true)));
    void this.join(true);
  }

  private set(change: Partial<Snapshot>): void {
    this.snapshot = { ...this.snapshot, ...change };
    this.listeners.tell();
  }

  private linked(): void {
    const connection = server.link === "online" ? "online" : server.link === "closing" ? "closing" : "lost";
    if (connection === this.snapshot.connection) return;
    this.set({ connection });
    if (connection === "online") void this.join(false);
  }

  /** Asks for the table as it is; `whole`: with its log from the beginning. */
  private async join(whole: boolean): Promise<void> {
    if (this.joining) {
      this.again ||= whole;
      return;
    }
    this.joining = true;
    await server.online();
    if (this.closed) return;
    try {
      const since = whole ? 0 : this.nextEvent;
      const m = await server.ask<"table">("join", { table: this.snapshot.id, since, lang: lang(), ...(this.key ? { key: this.key } : {}) });
      if (whole) this.snapshot = { ...this.snapshot, log: [] };
      this.ready = true;
      this.problem = null;
      this.joining = false;
      this.take(m);
      if (this.sits) void this.sitDown();
      if (!this.again) return;
      this.again = false;
      void this.join(true);
    } catch (why) {
      this.joining = false;
      const code = (why as Refusal).code;
      if (code === "lost" || code === "closing") {
        this.again ||= whole;
        return; // linked() comes back here
      }
      this.problem = refused(why);
      this.set({});
    }
  }

  /** Takes the seat one was invited to. When the connection breaks meanwhile, the next join comes back here. */
  private async sitDown(): Promise<void> {
    const { started, seat, seats } = this.snapshot;
    const free = started || seat !== null ? -1 : seatFor(seats, this.key);
    this.sits = false;
    const answer: Answer = free < 0 ? { ok: true } : await this.sit(free, this.key);
    this.sits = !answer.ok && (answer.code === "lost" || answer.code === "closing");
    if (this.sits) return;
    this.unseated = answer.ok ? "" : answer.message;
    this.set({});
  }

  private lines(m: News): LogLine[] {
    const words = m.words ?? [];
    return (m.events ?? []).map((event, i) => ({
      n: event.n,
      text: words[i]?.text ?? event.event,
      rule: words[i]?.rule ?? undefined,
      event,
    }));
  }

  /** A `table` or a `moved`: takes over what it says. */
  private take(m: News): void {
    const old = this.snapshot;
    const fresh = this.lines(m).filter((l) => l.n >= (old.log.at(-1)?.n ?? -1) + 1);
    const legal = m.legal ?? [];
    const now = performance.now();
    if (typeof m.next === "number") this.nextEvent = m.next;
    const change: Partial<Snapshot> = {
      seq: m.seq,
      seat: m.seat ?? null,
      state: m.state ?? old.state,
      legal,
      legalSay: m.legal_say ?? legal,
      mayUndo: (m.practice ?? old.practice) ? m.may_rewind === true : m.may_undo === true,
      prompt: m.prompt ?? "",
      position: m.position ?? "",
      log: !fresh.length ? old.log : old.practice ? standing([...old.log, ...fresh]) : [...old.log, ...fresh],
    };
    if (m.clock !== undefined) change.clock = m.clock ? { left: m.clock.left, running: m.clock.running, at: now } : null;
    if (m.game) {
      Object.assign(change, {
        game: m.game, players: m.players, options: m.options ?? old.options,
        seats: ((m.seats ?? []) as Seat[]).map((s) => (s.kind === "bot" && s.name ? { ...s, standsIn: true } : s)), started: m.started, spectators: m.spectators, chatOn: m.chat,
        hints: m.hints ?? false, undo: m.undo ?? false, rated: m.rated ?? false, practice: m.practice ?? false,
        commitment: m.commitment, key: m.key ?? old.key,
      });
    }
    if ("said" in m) change.chat = spoken(old.chat, m.said);
    if (m.rematch) change.next = m.rematch;
    if ("kind" in m && m.kind === "rematch") change.nextBy = m.by;
    if (m.commitment) rememberCommitment(this.snapshot.id, m.commitment);
    this.set(change);
    if (m.revealing && typeof m.seat === "number") this.reveal(m.seats?.[m.seat]?.part_hash);
  }

  /** Everybody has pledged: tells the part with this hash. */
  private reveal(hash: string | null | undefined): void {
    const part = partOf(hash);
    if (part) void this.plain("part", { part });
  }

  private hear(m: ServerMessage): void {
    if (m.op === "reveal") {
      // This browser knows the parts it has pledged, also before it is told which seat it has.
      for (const hash of m.hashes) this.reveal(hash);
    } else if (m.op === "moved") {
      if (!this.ready || this.joining) return; // the join that is on its way will tell
      if (m.seq < this.snapshot.seq) return;
      this.take(m);
    } else if (m.op === "said") {
      const line: ChatLine = { seat: m.seat ?? null, name: m.name, text: m.text };
      this.set({ chat: [...this.snapshot.chat, line] });
    } else if (m.op === "presence") {
      this.set({ seats: this.snapshot.seats.map((s, n) => (n === m.seat ? { ...s, connected: m.connected, gone: m.connected ? undefined : Date.now() } : s)) });
    } else if (m.op === "rematch" && m.next) {
      this.set({ next: m.next });
    } else if (m.op === "left") {
      this.problem = { ok: false, code: "not-allowed", message: t("The game has begun, and this table has no spectators.") };
      this.set({});
    }
  }

  private async plain(op: string, fields: Record<string, unknown> = {}): Promise<Answer> {
    try {
      await server.ask(op, { table: this.snapshot.id, ...fields });
      return { ok: true };
    } catch (why) {
      return refused(why);
    }
  }

  async act(action: string): Promise<Answer> {
    const seq = this.snapshot.seq;
    for (let again = false; ; again = true) {
      try {
        await server.ask("act", { table: this.snapshot.id, seq, action });
        return { ok: true };
      } catch (why) {
        const code = (why as Refusal).code;
        // It had arrived before the connection broke; the table shows it.
        if (again && code === "late") return { ok: true };
        if ((code !== "lost" && code !== "closing") || this.closed) return refused(why);
        await server.online();
      }
    }
  }

  async why(action: string): Promise<{ legal: boolean; rule?: string; message?: string }> {
    try {
      const m = await server.ask<"why">("why", { table: this.snapshot.id, action });
      return { legal: m.legal, rule: m.rule ?? undefined, message: m.message ?? undefined };
    } catch (why) {
      const no = refused(why);
      return { legal: false, rule: no.rule, message: no.message };
    }
  }

  async hint(): Promise<Hint | Answer> {
    try {
      const m = await server.ask<"hint">("hint", { table: this.snapshot.id });
      return { action: m.action, say: m.say, candidates: m.candidates };
    } catch (why) {
      return refused(why);
    }
  }

  undo(): Promise<Answer> { return this.plain("undo", { seq: this.snapshot.seq }); }
  resign(): Promise<Answer> { return this.plain("resign"); }
  back(): Promise<Answer> { return this.plain("back"); }
  chat(text: string): Promise<Answer> { return this.plain("chat", { text }); }
  report(person: number, text: string): Promise<Answer> { return this.plain("report", { person, text }); }
  sit(seat: number, key?: string): Promise<Answer> {
    return this.plain("sit", { seat, ...pledge(), ...(key ? { key } : {}) });
  }

  stand(): Promise<Answer> { return this.plain("leave"); }
  /** A bot for a free seat. */
  bot(seat: number, level: string): Promise<Answer> { return this.plain("bot", { seat, level }); }

  async rematch(): Promise<{ id: string } | Answer> {
    try {
      const m = await server.ask<"rematch">("rematch", { table: this.snapshot.id, ...pledge() });
      return { id: m.next ?? (await this.nextTable()) };
    } catch (why) {
      return refused(why);
    }
  }

  /** The table of the rematch: who asks first is told with all the others. */
  private nextTable(): Promise<string> {
    return new Promise((done) => {
      const told = () => {
        if (!this.snapshot.next) return;
        end();
        done(this.snapshot.next);
      };
      const end = this.listeners.add(told);
      told();
    });
  }

  async record(): Promise<string> {
    return (await server.ask<"record">("record", { table: this.snapshot.id })).record;
  }

  close(): void {
    this.closed = true;
    for (const end of this.ends) end();
    if (server.link === "online" && (this.snapshot.started || this.snapshot.seat === null))
      void this.plain("leave");
  }
}

export type { OnlineTable };

/** Joins a table; `snapshot` fills when the server has answered. `sits`: takes a seat there. */
export function openTable(id: string, key?: string, sits = false): OnlineTable {
  return new OnlineTable(id, key, sits);
}

/** Takes a seat at a table that was just opened; throws a Refusal. */
export async function sitDown(table: string, seat: number): Promise<void> {
  await server.ask("sit", { table, seat, ...pledge() });
}

export interface Plan {
  game: string;
  players: number;
  options?: Record<string, unknown>;
  seats: string[];
  [more: string]: unknown;
}

/** Opens a table and says its id, and the key of its invited seats if it has such. */
export async function createTable(plan: Plan): Promise<{ id: string; key?: string }> {
  if (server.link === "connecting") await server.online();
  const m = await server.ask<"table">("create", { ...plan, lang: lang() });
  return { id: m.table as string, key: m.key as string | undefined };
}
