// The worker beside a page: an engine, the seats that are not yours, and nothing that the page should
// not see. It answers requests in their order and tells your seat what happens.
//
// Several people may share the device. Then the page shows what one of them sees, and a curtain before
// the next one: while it hangs, the page is told no more than a spectator.
import { Desk } from "./desk";
import { Engine, type Deal, type Viewer } from "./engine";
import { problemFiles } from "./problem_files";
import { getGame, putGame } from "./saved";
import type { Answer } from "./table";

export interface Start {
  /** Under which the game is kept; "" for one that is not, as a lesson. */
  id: string;
  game: string;
  players: number;
  options: Record<string, unknown>;
  /** The level of the bot at each seat; null for a person's. */
  levels: (string | null)[];
  names: string[];
  deal: Deal;
  /** What the other seats play before their bots think for themselves. */
  script: { seat: number; action: string }[];
  /** Milliseconds from a bot's turn to its move. */
  pace: number;
}

export type Request =
  | { op: "load"; wasm: ArrayBuffer; mo: ArrayBuffer | null }
  | { op: "language"; mo: ArrayBuffer | null; names: string[] }
  | { op: "teach"; policy: ArrayBuffer }
  | ({ op: "start" } & Start)
  /** From a position of a game that is over: its record, or the id under which it is kept, and how many actions stand.
   * Or from that of a problem. */
  | ({ op: "branch"; from: { record: string } | { kept: string } | { problem: number }; actions: number } & Start)
  | { op: "resume"; id: string }
  | { op: "act" | "why"; action: string }
  | { op: "show"; seat: number }
  | { op: "rewind" | "hint" | "record" | "games" | "bot-on" }
  | { op: "replay"; id: string; seat: Viewer }
  /** Keeps the record of a finished game under that id; names of its seats. */
  | { op: "import"; id: string; record: string; names: string[] }
  | { op: "review"; id: string }
  | { op: "reviewNext" }
  | { op: "explore"; line: string; blueprint: number; worth: boolean }
  | { op: "verify"; record: string }
  | { op: "problems"; game: string }
  | { op: "problem"; game: string; n: number; names: string[] }
  | { op: "judge"; game: string; n: number; action: string };

/** What the page is told, besides answers. */
export interface Telling {
  told: ReturnType<Engine["tell"]>;
  whole: boolean;
  /** Whose view it is. */
  seat: number | null;
  /** Who is to take the device. */
  curtain: number | null;
}

const HINT_SECONDS = 0.6;
const NAME_MAX = 40;
/** The rest of a round is solved so long: a second or so. */
const EXPLORE_ITERATIONS = 128;

let engine: Engine;
let taught = false;
let start: Start | null = null;
let script: Start["script"] = [];
let next = 0;
let playing = false;
/** The person who looks at the page. */
let shown: number | null = null;

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));
const people = () => start!.levels.flatMap((level, seat) => (level === null ? [seat] : []));

/** The person who is asked while another one looks. */
function awaited(): number | null {
  const asked = engine.toAct().filter((s) => start!.levels[s] === null);
  return asked.length && !asked.includes(shown!) ? asked[0]! : null;
}

function tell(whole = false): void {
  const curtain = awaited();
  const seat = curtain === null ? shown : null;
  const told = engine.tell(seat, whole || people().length > 1 ? 0 : next);
  next = told.next;
  postMessage({ told, whole: whole || people().length > 1, seat, curtain } satisfies Telling);
  keep();
}

function keep(): void {
  if (start!.id) void putGame(start!.id, { start: start!, record: engine.record(true), script }).catch(() => {});
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
      const seat = asked(); // something may have been undone meanwhile
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

function seated(plan: Start): void {
  start = plan;
  plan.names.forEach((name, seat) => engine.name(seat, name));
  shown = people().length === 1 ? people()[0]! : null;
}

function begin(plan: Start): Answer {
  seated(plan);
  const answer = engine.lay(plan.game, plan.players, plan.options, plan.deal);
  if (!answer.ok) return answer;
  script = [...plan.script];
  tell(true);
  void others();
  return answer;
}

/** Goes on where the game was left. */
async function resume(id: string): Promise<Start | null> {
  const saved = await getGame(id).catch(() => undefined);
  if (!saved || !engine.load(saved.record).ok) return null;
  seated(saved.start);
  script = saved.script;
  tell(true);
  void others();
  return saved.start;
}

/** A record up to so many actions; whoever resigned after them has not yet. */
function cut(record: string, actions: number): string {
  const lines = record.replace(/^(over|resign)\b.*\n/gm, "").split("\n");
  const acts = lines.flatMap((line, at) => (/^\d+ /.test(line) ? [at] : []));
  return `${lines.slice(0, acts[actions] ?? lines.length).join("\n")}\n`;
}

const desk = new Desk(() => engine, async (game) => {
  const answer = await fetch(problemFiles[game] ?? "");
  if (!answer.ok) throw new Error(`${game}: ${answer.status}`);
  return answer.text();
});

async function recordOf(game: string, from: Extract<Request, { op: "branch" }>["from"]): Promise<string> {
  if ("record" in from) return from.record;
  if ("problem" in from) return desk.record(game, from.problem);
  return (await getGame(from.kept).catch(() => undefined))?.record ?? "";
}

/** Another game from where one stood. */
async function branch({ from, actions, ...plan }: Extract<Request, { op: "branch" }>): Promise<Answer> {
  const record = await recordOf(plan.game, from);
  const whole = engine.load(record);
  if (!whole.ok) return whole;
  const done = engine.load(cut(record, actions));
  if (!done.ok) return done;
  seated(plan);
  script = [];
  tell(true);
  void others();
  return done;
}

/** The game step by step, as the viewer saw it: the record played up to each of its actions, and to its end if that
 * was by resigning. */
async function replay(id: string, viewer: Viewer): Promise<unknown> {
  const saved = await getGame(id).catch(() => undefined);
  if (!saved || !engine.load(saved.record).ok || engine.toAct().length) return null;
  seated(saved.start);
  const acts = saved.record.split("\n").filter((line) => /^\d+ /.test(line)), resigned = /^resign (\d)/m.exec(saved.record);
  const steps: unknown[] = [];
  let since = 0;
  const show = (record: string, actions: number, did: object): boolean => {
    if (!engine.load(record).ok) return false;
    const told = engine.tell(viewer, since);
    steps.push({ ...told, n: steps.length, actions, ...did });
    since = told.next;
    return true;
  };
  for (let n = 0; n <= acts.length; n++) {
    const [by, ...words] = n ? acts[n - 1]!.split(" ") : [];
    if (!show(cut(saved.record, n), n, n ? { kind: "act", by: Number(by), action: words.join(" ") } : { kind: "start" })) return null;
  }
  if (resigned && !show(saved.record, acts.length, { kind: "resign", by: Number(resigned[1]) })) return null;
  return { start: saved.start, steps };
}

/** A record from outside is kept, in the place of another under that id, if it is sound and its game is over. */
/** What a record says of who sat there (docs/records.md); undefined if it says nothing. */
function nameIn(record: string, seat: number): string | undefined {
  const name = new RegExp(`^# by ${seat} (.+) \\S+$`, "m").exec(record)?.[1]?.slice(0, NAME_MAX);
  return name === "-" ? undefined : name;
}

async function keepRecord(id: string, record: string, names: string[]): Promise<Answer> {
  const loaded = engine.load(record);
  if (!loaded.ok) return loaded;
  if (engine.toAct().length) return { ok: false, code: "not-allowed", message: "" };
  const word = (name: string) => new RegExp(`^${name} (\\S+)$`, "m").exec(record)?.[1] ?? "";
  const players = Number(word("players"));
  await putGame(id, {
    record, script: [],
    start: { id, game: word("game"), players, options: engine.tell("open", 0).state.options ?? {}, deal: [], script: [], pace: 0,
      levels: Array<null>(players).fill(null), names: names.slice(0, players).map((name, seat) => nameIn(record, seat) ?? name) },
  });
  return { ok: true };
}

/** The head of the review of a game that was kept, with its options; null if there is none, or it is not over. */
async function review(id: string): Promise<unknown> {
  const saved = await getGame(id).catch(() => undefined);
  saved?.start.names.forEach((name, seat) => engine.name(seat, name));
  const head = saved && engine.review(saved.record);
  return head && head.ok !== false ? { ...head, options: saved.start.options } : null;
}

function answer(request: Request): unknown {
  switch (request.op) {
    case "load":
      return load(request.wasm, request.mo);
    case "teach":
      taught = engine.teach(new Uint8Array(request.policy)) || taught;
      return { ok: taught };
    case "language":
      engine.language(request.mo && new Uint8Array(request.mo));
      request.names.forEach((name, seat) => engine.name(seat, name));
      if (start) tell(true);
      return { ok: true };
    case "start":
      return begin(request);
    case "branch":
      return branch(request);
    case "resume":
      return resume(request.id);
    case "show":
      shown = request.seat;
      tell(true);
      return { ok: true };
    case "act": {
      const done = engine.act(shown ?? -1, request.action);
      if (done.ok) {
        tell();
        void others();
      }
      return done;
    }
    case "why":
      return engine.try(shown ?? -1, request.action);
    case "rewind": {
      const done = engine.rewind(shown ?? -1);
      if (done.ok) {
        tell(true);
        void others();
      }
      return done;
    }
    case "hint":
      return engine.think(shown ?? -1, taught ? "master" : "expert", HINT_SECONDS, true);
    case "bot-on": // a bot plays on at your seat; you watch
      start!.levels[shown!] = "regular";
      shown = null;
      tell();
      void others();
      return { ok: true };
    case "record":
      return engine.record();
    case "replay":
      return replay(request.id, request.seat);
    case "import":
      return keepRecord(request.id, request.record, request.names);
    case "review":
      return review(request.id);
    case "reviewNext":
      return engine.reviewNext();
    case "explore":
      return engine.explore(request.line, request.blueprint, EXPLORE_ITERATIONS, request.worth);
    case "verify":
      return engine.verify(request.record);
    case "problems":
      return desk.list(request.game);
    case "problem":
      return desk.show(request.game, request.n, request.names);
    case "judge":
      return desk.judge(request.game, request.n, request.action);
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
