// The server: who I am to it, and one WebSocket on which everything else happens.
//
// The socket is opened when first needed and again whenever it breaks, sooner at first and then more
// slowly. A request that is on its way when it breaks ends with the code "lost"; who asked decides
// whether to ask again (online.ts does so for moves, which the server plays once).
import { Listeners } from "./listeners";
import type { GameInfo } from "./offer";
import { keep, prefs } from "./prefs";
import type { Messages, ServerMessage } from "./schema";
import type { Seat } from "./table";

export interface Me {
  person: number;
  name: string;
  account?: boolean;
  face?: number;
}

type Hello = Messages["hello"] & { games: GameInfo[] };
export type Link = "idle" | "connecting" | "online" | "lost" | "closing" | "no-session";

export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly rule?: string,
  ) {
    super(message);
  }
}

/** Whether it is no answer for good: one asks again. */
export const isForNow = (why: unknown): why is Refusal =>
  why instanceof Refusal && ["slow-down", "busy", "lost", "closing"].includes(why.code);

/** A table in a list: of the lobby, or of one's own. */
export interface Listed {
  table: string;
  game: string;
  seats: Seat[];
  started: boolean;
  spectators: boolean;
  asked?: boolean;
  over?: boolean;
}

/** GET, or POST if there is a body: a text as it is, everything else as JSON. Throws a Refusal, with the code
 * "lost" if nobody answers. */
export async function api<T>(path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, body === undefined ? {} : {
      method: "POST",
      headers: { "Content-Type": typeof body === "string" ? "text/plain" : "application/json", "Accept-Language": document.documentElement.lang || "en" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  } catch {
    throw new Refusal("lost", "");
  }
  const json = await answer.json().catch(() => null);
  if (!answer.ok || json === null || json.ok === false)
    throw new Refusal(json?.error?.code ?? (answer.status === 503 ? "lost" : "bad-request"),
      json?.error?.message ?? "", json?.error?.rule ?? undefined);
  return json as T;
}

/** Milliseconds after which a connection that answers nothing at all is given up: a network that went away
 * (another Wi-Fi, a sleeping device) breaks no connection by itself. */
const SILENCE = 30000;

/** Milliseconds without a word after which the connection is tried with a question: who only waits for
 * others would not notice that it is gone. */
const QUIET = 25000;

interface Pending {
  resolve(message: ServerMessage): void;
  reject(why: Refusal): void;
}

class Server {
  me: Me | null = null;
  /** Whether the server has said who I am, or that I am nobody; and the promise that it has, or cannot be reached. */
  asked = false;
  readonly answered: Promise<void>;
  private answer!: () => void;
  hello: Hello | null = null;
  link: Link = "idle";

  private socket: WebSocket | null = null;
  private next = 1;
  private tries = 0;
  private timer = 0;
  private silence = 0;
  private pending = new Map<number, Pending>();
  private tables = new Map<string, Set<(m: ServerMessage) => void>>();
  private readonly listeners = new Listeners();
  readonly subscribe = this.listeners.add;
  private waiting: (() => void)[] = [];

  constructor() {
    this.answered = new Promise((done) => (this.answer = done));
  }

  /** Asks who I am; the cookie says it. */
  async start(): Promise<void> {
    try {
      const { you, account } = await api<{ you: Me | null; account: boolean }>("/api/lobby");
      this.me = you && { ...you, account };
      this.asked = true;
      if (!you) this.link = "no-session";
      else {
        if (!prefs.name) keep({ name: you.name });
        this.open();
      }
    } catch (why) {
      this.asked = true;
      this.link = (why as Refusal).code === "lost" ? "lost" : "no-session";
      if (this.link === "lost") this.again(() => void this.start());
    }
    this.answer();
    this.listeners.tell();
  }

  private entered(me: Me): void {
    this.me = me;
    this.tries = 0;
    this.shut();
    this.link = "connecting";
    this.open();
    this.listeners.tell();
  }

  async guest(name: string): Promise<void> {
    this.entered((await api<{ you: Me }>("/api/guest", { name })).you);
  }

  async enter(name: string, password: string): Promise<void> {
    this.entered((await api<{ you: Me }>("/api/enter", { name, password })).you);
  }

  /** The session has ended, here or elsewhere. */
  gone(): void {
    this.shut();
    this.me = null;
    this.hello = null;
    this.link = "no-session";
    this.listeners.tell();
  }

  private shut(): void {
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.drop();
  }

  private drop(): void {
    const lost = [...this.pending.values()];
    this.pending.clear();
    for (const p of lost) p.reject(new Refusal("lost", ""));
  }

  /** After tenths of a second first; after a few seconds however long it lasts, since tables go on soon after whatever
   * was wrong (docs/scale.md). */
  private again(what: () => void): void {
    const wait = Math.min(4000, 300 * 2 ** this.tries++) * (0.7 + 0.6 * Math.random());
    clearTimeout(this.timer);
    this.timer = window.setTimeout(what, wait);
  }

  /** Tries at once, as when the network is back, or was another one. */
  hurry(): void {
    if (this.link === "online") this.probe();
    if (this.link !== "lost" && this.link !== "closing") return;
    this.tries = 0;
    clearTimeout(this.timer);
    if (this.me) this.open();
    else void this.start();
  }

  private open(): void {
    clearTimeout(this.timer);
    if (this.socket) return;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.socket = socket;
    if (this.link === "idle" || this.link === "no-session") this.link = "connecting";
    socket.onmessage = (event) => this.receive(JSON.parse(String(event.data)) as ServerMessage);
    socket.onclose = (event) => this.socket === socket && this.broken(event.code);
    this.listenFor(socket);
  }

  /** The connection has ended, or nothing comes through it any more. */
  private broken(code: number): void {
    clearTimeout(this.silence);
    this.socket = null;
    this.drop();
    if (code === 1008) return void this.recheck();
    this.link = code === 1001 || this.link === "closing" ? "closing" : "lost";
    this.again(() => this.open());
    this.listeners.tell();
  }

  /** Something must come now: the greeting, or an answer. Looks twice, since a page that was stopped for
   * long may find a timer before what has arrived meanwhile. */
  private listenFor(socket: WebSocket, looks = 2): void {
    clearTimeout(this.silence);
    this.silence = window.setTimeout(() => {
      if (this.socket !== socket) return;
      if (looks > 1) return this.listenFor(socket, looks - 1);
      this.broken(0);
      socket.close();
    }, SILENCE / 2);
  }

  /** A question whose answer says nothing, but comes. */
  private probe(): void {
    this.ask("lang", { lang: document.documentElement.lang || "en" }).catch(() => {});
  }

  /** Closed as misbehaving or without a session: ask which. */
  private async recheck(): Promise<void> {
    try {
      await api("/api/me");
      this.link = "lost";
      this.again(() => this.open());
    } catch (why) {
      if ((why as Refusal).code !== "lost") return this.gone();
      this.link = "lost";
      this.again(() => void this.recheck());
    }
    this.listeners.tell();
  }

  private receive(m: ServerMessage): void {
    clearTimeout(this.silence);
    this.silence = window.setTimeout(() => this.probe(), QUIET);
    if (m.op === "hello") {
      const hello = m as Hello;
      this.hello = hello;
      this.me = { ...this.me, ...hello.you };
      this.link = "online";
      this.tries = 0;
      const waiting = this.waiting;
      this.waiting = [];
      for (const go of waiting) go();
      this.listeners.tell();
      return;
    }
    if (m.op === "closing") {
      this.link = "closing";
      this.listeners.tell();
    }
    if (typeof m.id === "number") {
      const asked = this.pending.get(m.id);
      this.pending.delete(m.id);
      if (asked && m.op === "error") asked.reject(new Refusal(m.code, m.message, m.rule ?? undefined));
      else asked?.resolve(m);
    }
    if ("table" in m && m.table) for (const f of [...(this.tables.get(m.table) ?? [])]) f(m);
  }

  /** Resolves when it is clear whether there is a connection, or after a while. */
  settled(): Promise<void> {
    const clear = () => this.link !== "idle" && this.link !== "connecting";
    if (clear()) return Promise.resolve();
    return new Promise((done) => {
      const end = this.subscribe(() => clear() && over());
      const timer = setTimeout(() => over(), 4000);
      const over = () => {
        end();
        clearTimeout(timer);
        done();
      };
    });
  }

  /** Resolves when there is a connection. */
  online(): Promise<void> {
    return this.link === "online" ? Promise.resolve() : new Promise((done) => this.waiting.push(done));
  }

  /** One request, and the answer, whose `op` the caller knows; throws a Refusal. */
  ask<Op extends keyof Messages = "done">(op: string, fields: Record<string, unknown> = {}): Promise<Messages[Op]> {
    if (this.link !== "online" || !this.socket)
      return Promise.reject(new Refusal(this.link === "closing" ? "closing" : "lost", ""));
    const id = this.next++;
    this.socket.send(JSON.stringify({ op, id, ...fields }));
    if (op !== "hint") this.listenFor(this.socket); // whoever advises may think for long
    return new Promise((resolve, reject) =>
      this.pending.set(id, { resolve: (m) => resolve(m as unknown as Messages[Op]), reject }));
  }

  /** Everything said about one table, from now on. */
  listen(table: string, f: (m: ServerMessage) => void): () => void {
    const all = this.tables.get(table) ?? new Set();
    this.tables.set(table, all.add(f));
    return () => {
      all.delete(f);
      if (!all.size) this.tables.delete(table);
    };
  }
}

export const server = new Server();

addEventListener("online", () => server.hurry());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) server.hurry();
});
