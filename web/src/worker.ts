// The worker beside a page: an engine, the seats that are not yours, and nothing that the page should
// not see. It answers requests in their order and tells your seat what happens.
import { Engine, type Deal } from "./engine";
import type { Answer } from "./table";

export interface Start {
  game: string;
  players: number;
  options: Record<string, unknown>;
  /** The level of the bot at each seat; null for yours. */
  levels: (string | null)[];
  names: string[];
  seat: number | null;
  deal: Deal;
  /** What the other seats play before their bots think for themselves. */
  script: { seat: number; action: string }[];
  /** Milliseconds from a bot's turn to its move. */
  pace: number;
}

export type Request =
  | { op: "load"; wasm: ArrayBuffer; mo: ArrayBuffer | null }
  | { op: "language"; mo: ArrayBuffer | null; names: string[] }
  | ({ op: "start" } & Start)
  | { op: "act" | "why"; action: string }
  | { op: "undo" | "hint" | "record" | "games" | "bot-on" }
  | { op: "verify"; record: string };

const HINT_SECONDS = 0.6;

let engine: Engine;
let start: Start | null = null;
let script: Start["script"] = [];
let next = 0;
let playing = false;

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

function tell(whole = false): void {
  const told = engine.tell(start!.seat, whole ? 0 : next);
  next = told.next;
  postMessage({ told, whole });
}

/** What the bots do until you are asked or the game is over. */
async function others(): Promise<void> {
  if (playing) return;
  playing = true;
  try {
    for (;;) {
      const asked = () => engine.toAct().find((s) => start!.levels[s] !== null);
      if (asked() === undefined) return;
      await sleep(start!.pace);
      const seat = asked(); // something may have been taken back meanwhile
      if (seat === undefined) return;
      const scripted = script.findIndex((s) => s.seat === seat);
      const action = scripted >= 0
        ? script.splice(scripted, 1)[0]!.action
        : thought(seat, start!.levels[seat]!);
      const answer = engine.act(seat, action);
      if (!answer.ok) throw new Error(`${action}: ${answer.message}`);
      tell();
    }
  } finally {
    playing = false;
  }
}

function thought(seat: number, level: string): string {
  const t = engine.think(seat, level, Math.max(0.1, start!.pace / 1000));
  if (!t.ok) throw new Error(t.message);
  return t.action;
}

async function load(wasm: ArrayBuffer, mo: ArrayBuffer | null): Promise<Answer> {
  engine = await Engine.load(wasm);
  engine.language(mo && new Uint8Array(mo));
  return { ok: true };
}

function begin(plan: Start): Answer {
  plan.names.forEach((name, seat) => engine.name(seat, name));
  const answer = engine.lay(plan.game, plan.players, plan.options, plan.deal);
  if (!answer.ok) return answer;
  start = plan;
  script = [...plan.script];
  tell(true);
  void others();
  return answer;
}

function mine(): number {
  return start?.seat ?? -1;
}

function answer(request: Request): unknown {
  switch (request.op) {
    case "load":
      return load(request.wasm, request.mo);
    case "language":
      engine.language(request.mo && new Uint8Array(request.mo));
      request.names.forEach((name, seat) => engine.name(seat, name));
      if (start) tell(true);
      return { ok: true };
    case "start":
      return begin(request);
    case "act": {
      const done = engine.act(mine(), request.action);
      if (done.ok) {
        tell();
        void others();
      }
      return done;
    }
    case "why":
      return engine.try(mine(), request.action);
    case "undo": {
      const done = engine.undo(mine());
      if (done.ok) tell();
      return done;
    }
    case "hint":
      return engine.think(mine(), "expert", HINT_SECONDS, true);
    case "bot-on": // a bot plays on at your seat; you watch
      start!.levels[mine()] = "regular";
      start!.seat = null;
      tell();
      void others();
      return { ok: true };
    case "record":
      return engine.record();
    case "verify":
      return engine.verify(request.record);
    case "games":
      return engine.games();
  }
}

let line: Promise<void> = Promise.resolve();
onmessage = ({ data }: MessageEvent<{ id: number; request: Request }>) => {
  line = line.then(async () => {
    try {
      postMessage({ id: data.id, result: await answer(data.request) });
    } catch (problem) {
      postMessage({ id: data.id, problem: String(problem) });
    }
  });
};
