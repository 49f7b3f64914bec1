// A game that is over, step by step: from what a seat knew then, from outside, or with everything open.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { gameCard } from "../games";
import { markAction } from "../games/marks";
import { api, isForNow, Refusal } from "../server";
import { useTitle } from "../hooks";
import { lang, number, t } from "../i18n";
import { refused } from "../online";
import { prefs } from "../prefs";
import { go, here } from "../router";
import type { LogLine, Seat, Snapshot } from "../table";
import { CopyLink } from "../ui/copy";
import { Icon } from "../ui/icons";
import { announce } from "../ui/live";
import { Log } from "../ui/log";
import { Prompt } from "../ui/prompt";
import { useGameUi } from "./around";
import { winnersLine } from "./result";
import { ReviewPanel, type Place, type Retry, type Shown } from "./review";
import "./table.css";

interface Step {
  n: number;
  kind: string;
  /** How many actions stand after it: those that were undone do not count. */
  actions: number;
  by?: number;
  action?: string | null;
  events: (LogLine["event"] & { n: number })[];
  words?: { text: string; rule?: string }[];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  state: any;
  prompt?: string;
  position?: string;
}

interface Replayed {
  table: { id: string; game: string; players: number; options: Record<string, unknown>; seats: Seat[]; rated: boolean; commitment: string };
  names: string[];
  seat: number | "open" | null;
  steps: Step[];
  next: number | null;
}

/** A server that is busy or away is asked again after so long. */
const AGAIN_MS = 2000;

/** All of it; a long game comes in several parts. */
async function fetchReplay(id: string, seat: string): Promise<Replayed> {
  if (id.startsWith("local-")) return localReplay(id, seat);
  const address = `/api/replay/${encodeURIComponent(id)}?lang=${lang()}${seat ? `&seat=${seat}` : ""}`;
  const whole = await api<Replayed>(address);
  for (let next = whole.next; next !== null; ) {
    const more = await api<Replayed>(`${address}&from=${next}`);
    whole.steps.push(...more.steps);
    next = more.next;
  }
  return whole;
}

/** A game that this browser has kept. */
async function localReplay(id: string, seat: string): Promise<Replayed> {
  const viewer = seat === "open" ? "open" : seat === "" ? null : Number(seat);
  const { replayOffline } = await import("../offline");
  const got = await replayOffline(id, viewer);
  if (!got) throw new Refusal("no-table", "");
  const { start, steps } = got;
  return {
    table: {
      id, game: start.game, players: start.players, options: start.options, rated: false, commitment: "",
      seats: start.levels.map((level) => ({ kind: level ? "bot" : "person", level: level ?? undefined })),
    },
    names: start.names, seat: viewer, steps: steps as Step[], next: null,
  };
}

/** The number of the step after which so many actions stand. */
function stepOf(r: Replayed, actions: number): number {
  return Math.max(0, r.steps.map((s) => (s.kind === "undo" ? -1 : s.actions)).lastIndexOf(actions));
}

/** Whether what led to a step was taken back later. */
function undone(r: Replayed, at: number): boolean {
  return r.steps.slice(at + 1).some((s) => s.kind === "undo" && s.actions < r.steps[at]!.actions);
}

/** Who plays on from a step: who looks, else who is to act; null at the end, and where a record does not lead. */
function whoPlays(r: Replayed, at: number): number | null {
  const asked = r.steps[at]!.state?.to_act as number[] | undefined;
  return !asked?.length || undone(r, at) ? null : typeof r.seat === "number" ? r.seat : asked[0]!;
}

/** A game of one's own from there, against bots, in this browser. */
async function playFrom(r: Replayed, at: number, seat: number): Promise<void> {
  const { createOffline, handOver } = await import("../offline");
  const level = prefs.bots[r.table.game]?.level ?? "regular";
  const seats = r.names.map((_, n) => (n === seat ? "you" : level));
  const { id, game, players, options } = r.table;
  const table = await createOffline({ game, players, options, seats, kept: true }, { id, actions: r.steps[at]!.actions });
  handOver(table);
  go(`/play/${game}?id=${table.snapshot.id}`);
}

/** A step's place in the review. */
function placeOf(r: Replayed, at: number): Place {
  return undone(r, at) ? "undone" : r.steps[at]!.kind === "resign" && r.steps[at]!.state?.over ? "resigned" : r.steps[at]!.actions;
}

/** The table as it was after a step. */
function snapshotAt(r: Replayed, at: number): Snapshot {
  const step = r.steps[at]!;
  const log: LogLine[] = r.steps.slice(0, at + 1).flatMap((s) =>
    s.events.map((event, i) => ({ n: event.n, text: s.words?.[i]?.text ?? event.event, rule: s.words?.[i]?.rule, event })));
  return {
    id: r.table.id, seq: at, game: r.table.game, players: r.table.players, options: r.table.options,
    seats: r.table.seats.map((s, n) => ({ ...s, kind: s.level ? "bot" : "person", name: r.names[n] })),
    seat: typeof r.seat === "number" ? r.seat : null, started: true, state: step.state, legal: [], legalSay: [],
    prompt: step.prompt ?? "", position: step.position ?? "", log, chat: [], clock: null, hints: false, undo: false, mayUndo: false, practice: false,
    spectators: true, chatOn: false, rated: r.table.rated, commitment: r.table.commitment, connection: "online",
  };
}

function PlayFrom({ as, play }: { as: string; play(): Promise<void> }): JSX.Element {
  const [state, setState] = useState<"" | "busy" | "failed">("");
  return (
    <>
      <button data-testid="play-from" disabled={state === "busy"} onClick={() => {
        setState("busy");
        play().catch(() => setState("failed"));
      }}><Icon name="play" size={18} /> {t("Play on from here as {name}", { name: as })}</button>
      {state === "failed" ? <p class="notice bad" role="alert">{t("That did not work.")}</p> : null}
    </>
  );
}

export function Replay({ id }: { id: string }): JSX.Element {
  const [seat, setSeat] = useState(here().query.get("seat") ?? "open");
  const [replay, setReplay] = useState<Replayed | null>(null);
  const [problem, setProblem] = useState("");
  const [at, setAt] = useState(Number(here().query.get("at") ?? 0));
  const [running, setRunning] = useState(false);
  const [reviewing, review] = useState(here().query.has("review"));
  const [drawer, setDrawer] = useState(reviewing); // where it is one, a review that was asked for opens it
  const [retry, setRetry] = useState<Retry | null>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const language = lang();
  useEffect(() => {
    let alive = true, timer: ReturnType<typeof setTimeout>;
    const ask = () => fetchReplay(id, seat).then(
      (r) => {
        if (!alive) return;
        setProblem("");
        setReplay(r);
        setAt((now) => Math.min(now, r.steps.length - 1));
      },
      (why) => {
        if (!alive) return;
        setProblem(refused(why).message);
        if (isForNow(why)) timer = setTimeout(ask, AGAIN_MS);
      },
    );
    void ask();
    return () => {
      alive = false;
      clearTimeout(timer);
    };
  }, [id, seat, language]);
  const last = (replay?.steps.length ?? 1) - 1;
  useEffect(() => {
    if (!running) return;
    if (at >= last) return setRunning(false);
    const timer = setTimeout(() => setAt(at + 1), 1200);
    return () => clearTimeout(timer);
  }, [running, at, last]);
  const address = `/replay/${id}?seat=${seat}&at=${at}${reviewing ? "&review" : ""}`;
  // The address follows, so that it can be sent to somebody; not at every step of a slider.
  useEffect(() => {
    const timer = setTimeout(() => replay && go(address, true), 400);
    return () => clearTimeout(timer);
  }, [at, seat, reviewing, replay]);
  const snap = useMemo(() => (replay ? snapshotAt(replay, at) : null), [replay, at]);
  const ui = useGameUi(replay?.table.game ?? "");
  useTitle(replay ? t("Replay of {game}", { game: gameCard(replay.table.game).title() }) : t("Replay"));
  useEffect(() => {
    const step = replay?.steps[at];
    for (const w of step?.words ?? []) announce(w.text);
  }, [at, replay]);

  useEffect(() => {
    // Arrows step through the game, but where they have a meaning of their own.
    const keys = (e: KeyboardEvent) => {
      const by = e.key === "ArrowLeft" ? -1 : e.key === "ArrowRight" ? 1 : 0;
      if (!by || (e.target as HTMLElement).closest("input, select, .log")) return;
      setRunning(false);
      setAt((now) => Math.max(0, Math.min(last, now + by)));
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, [last]);

  // What was best is marked on the board, and what was done: at the seat of who had to decide, and where all is open.
  const best = shown && replay && !retry && placeOf(replay, at) === shown.actions &&
    (replay.seat === "open" || replay.seat === shown.seat) ? shown : null;
  useEffect(() => {
    if (!best) return;
    const marked = [...best.best.flatMap((action) => markAction(ui, action, "hinted")), ...markAction(ui, best.played, "was-played")];
    return () => marked.forEach((e) => e.classList.remove("hinted", "was-played"));
  }, [best, at, replay, ui]);

  if (problem)
    return (
      <>
        <h1>{t("Replay")}</h1>
        <p class="notice bad">{problem}</p>
        <p><a href="/history">{t("My games")}</a></p>
      </>
    );
  if (!replay || !snap) return <p class="muted">{t("One moment…")}</p>;
  const step = (to: number) => {
    setRunning(false);
    setRetry(null);
    setAt(Math.max(0, Math.min(last, to)));
  };
  const asks = retry && stepOf(replay, retry.actions) === at && replay.seat === retry.seat ? retry : null;
  const mine = whoPlays(replay, at);
  const offered: [action: string, say: string][] = asks ? asks.candidates.map((c) => [c.action, c.say]) : best?.say ?? [];
  // In a review with all cards open the board is that of whoever decides, whose choices are marked there.
  const chair = reviewing && replay.seat === "open" && !snap.state?.over ? best?.seat ?? snap.state?.to_act[0] ?? null : null;
  const seen = { ...snap, legal: offered.map(([a]) => a), legalSay: offered.map(([, say]) => say),
    ...(chair === null ? {} : { seat: chair, open: true }) };
  return (
    <div class="table-page replay" data-step={at}>
      <div class="play">
        <div class="table-top">
          <h1>{t("Replay of {game}", { game: gameCard(snap.game).title() })}</h1>
          <label class="row tools">
            <span>{t("Seen by")}</span>
            <select value={seat} onChange={(e) => {
              setRetry(null);
              setSeat(e.currentTarget.value);
            }}>
              <option value="open">{t("everybody: all cards open")}</option>
              {replay.names.map((name, n) => <option key={n} value={String(n)}>{name}</option>)}
              <option value="">{t("a spectator")}</option>
            </select>
          </label>
          <button class="narrow-only" aria-expanded={drawer} onClick={() => {
            review(true);
            setDrawer(true);
          }}>{t("Review")}</button>
        </div>
        <div class="replay-bar panel">
          <button class="icon" onClick={() => step(0)} disabled={at === 0} aria-label={t("To the beginning")}><Icon name="first" /></button>
          <button class="icon" onClick={() => step(at - 1)} disabled={at === 0} aria-label={t("One step back")}><Icon name="stepback" /></button>
          <button class="icon" onClick={() => setRunning(!running)} disabled={at >= last}
            aria-label={running ? t("Stop") : t("Play the moves")}><Icon name={running ? "pause" : "play"} /></button>
          <button class="icon" onClick={() => step(at + 1)} disabled={at >= last} aria-label={t("One step on")}><Icon name="step" /></button>
          <button class="icon" onClick={() => step(last)} disabled={at >= last} aria-label={t("To the end")}><Icon name="last" /></button>
          <input type="range" min={0} max={last} value={at} aria-label={t("Step")}
            aria-valuetext={t("{n} of {all}", { n: at + 1, all: last + 1 })} onInput={(e) => step(Number(e.currentTarget.value))} />
          <span class="at-step">{number(at + 1)}/{number(last + 1)}</span>
        </div>
        <Prompt text={snap.state?.over ? winnersLine({ ...snap, seat: null }) : snap.prompt} mine={false} />
        {snap.state?.over && ui?.Result ? <section class="panel game-result" aria-label={t("Result")}><ui.Result snap={snap} /></section> : null}
        {ui ? <ui.Board snap={seen} choose={(action) => asks?.choose(action)} blocked={() => {}} busy={false} /> : null}
      </div>
      {drawer ? <div class="drawer-back" onClick={() => setDrawer(false)} /> : null}
      <div class={drawer ? "aside open" : "aside"}>
        {drawer ? (
          <div class="drawer-head narrow-only"><button class="icon" onClick={() => setDrawer(false)} aria-label={t("Close")}><Icon name="close" /></button></div>
        ) : null}
        <section class="panel talk">
          <div class="tabs" role="tablist">
            <button role="tab" aria-selected={!reviewing} id="tab-log" aria-controls="beside" onClick={() => review(false)}>{t("Log")}</button>
            <button role="tab" aria-selected={reviewing} id="tab-review" aria-controls="beside" data-testid="review" onClick={() => review(true)}>{t("Review")}</button>
          </div>
          <div id="beside" role="tabpanel" aria-labelledby={reviewing ? "tab-review" : "tab-log"}>{reviewing ? (
            <ReviewPanel id={id} at={placeOf(replay, at)} names={replay.names} jump={(actions) => step(stepOf(replay, actions))}
              show={setShown} ask={(wanted) => {
                setRunning(false);
                setRetry(wanted);
                if (!wanted) return;
                setSeat(String(wanted.seat));
                setAt(stepOf(replay, wanted.actions));
              }} />
          ) : <Log lines={snap.log} game={snap.game} jump={(l) => step(replay.steps.findIndex((s) => s.events.some((e) => e.n === l.n)))} />}</div>
        </section>
        {mine === null ? null : <PlayFrom key={`${at} ${mine}`} as={replay.names[mine]!} play={() => playFrom(replay, at, mine)} />}
        {id.startsWith("local-") ? null : (
          <>
            <CopyLink link={location.origin + address} label={t("The link to this step")} />
            <a class="button" href={`/verify?table=${id}`}><Icon name="shield" size={18} /> {t("Check the deals")}</a>
          </>
        )}
      </div>
    </div>
  );
}
