// Everything around a board while a game is played: prompt, seats, log, chat, hint, rules and the end.
// It knows the interface `Table` and not who keeps the table.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { gameCard, type GameUi } from "../games";
import { markAction } from "../games/marks";
import { Telling, type Moment } from "../games/moments";
import { useNewest, useStore } from "../hooks";
import { number, t } from "../i18n";
import { seatNames } from "../names";
import { keep, prefs } from "../prefs";
import { Reacted, Reactions, Said } from "../reactions";
import type { Answer, Snapshot, Table } from "../table";
import { Clock } from "../ui/clock";
import { Dialog } from "../ui/dialog";
import { Feel } from "../ui/feel";
import { Icon } from "../ui/icons";
import { OfferOptimal } from "../ui/learn";
import { announce } from "../ui/live";
import { Log } from "../ui/log";
import { Prompt } from "../ui/prompt";
import { ReportDialog, reportable } from "../ui/report";
import { RulesText } from "../ui/rules";
import { SeatLine } from "../ui/seat";
import { Stage } from "../ui/stage";
import { Tips } from "../ui/tips";
import { Withheld } from "../ui/withheld";
import { useCalling } from "./calling";
import { FirstHelp } from "./help";
import { Remark } from "./remark";
import { Result } from "./result";
import { UndoButton } from "./undo";
import "./table.css";

/** The board of a game, once it is there. */
export function useGameUi(game: string): GameUi | null {
  const [ui, setUi] = useState<{ game: string; ui: GameUi } | null>(null);
  useEffect(() => {
    let alive = true;
    if (game) void gameCard(game).load().then((loaded) => alive && setUi({ game, ui: loaded }));
    return () => void (alive = false);
  }, [game]);
  return ui?.game === game ? ui.ui : null;
}

/** Holds what is drawn while a moment is on the stage: the next deal waits until the person has gone
 *  on. Nothing else waits: turns, clocks, log and chat are always those of now. */
function useHold(snap: Snapshot, ui: GameUi | null): { board: Snapshot; moment: Moment | null; goOn(): void } {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const held = useRef<{ seen: number | null; before: Snapshot; still: Snapshot | null; queue: Moment[] }>(
    { seen: null, before: snap, still: null, queue: [] });
  const h = held.current, last = snap.log.at(-1)?.n ?? -1;
  if (h.seen !== null && last > h.seen && ui?.moments)
    h.queue = [...h.queue, ...ui.moments(snap, h.seen + 1)].slice(-2); // whoever looks away misses the older ones
  if (ui) h.seen = last;
  if (!h.queue.length) [h.before, h.still] = [snap, null];
  // As it was before the end, with nothing to choose; the same object as long as it is held.
  else h.still ??= { ...h.before, legal: [], legalSay: [], state: { ...h.before.state, to_act: [] } };
  const board = h.still ? { ...h.still, seats: snap.seats, clock: snap.clock } : snap;
  return { board, moment: h.queue[0] ?? null, goOn: () => {
    h.queue = h.queue.slice(1);
    redraw(undefined);
  } };
}

/** Has what is new said aloud: the log line by line, then who is asked. Not what was there before. */
function useSpoken(snap: Snapshot): void {
  const said = useRef<number | null>(null);
  const last = snap.log.at(-1)?.n ?? -1;
  useEffect(() => {
    const before = said.current;
    said.current = last;
    if (before !== null) for (const line of snap.log) if (line.n > before) announce(line.text);
  }, [last]);
  useEffect(() => announce(snap.prompt), [snap.prompt, snap.seq]);
}

/** What cannot be done and why, or what went wrong. */
interface Notice {
  text: string;
  rule?: string;
  kind: "bad" | "hint" | "plain";
  /** Fetches the master's play, and gives the hint again. */
  learn?(): Promise<void>;
}

function NoticeBox({ game, notice, openRule, close }: {
  game: string;
  notice: Notice;
  openRule(rule: string): void;
  close(): void;
}): JSX.Element {
  return (
    <div class={`notice with-close ${notice.kind}`} role={notice.kind === "bad" ? "alert" : "status"}>
      <p>
        {notice.kind === "hint" ? <Icon name="bulb" size={18} /> : null} {notice.text}{" "}
        {notice.rule ? (
          <button class="link" onClick={() => openRule(notice.rule!)}>{t("The rule: {rule}", { rule: notice.rule })}</button>
        ) : null}
        {notice.learn ? <span class="small"><OfferOptimal game={game} learn={notice.learn} /></span> : null}
      </p>
      <button class="quiet icon" aria-label={t("Close")} onClick={close}><Icon name="close" size={18} /></button>
    </div>
  );
}

function Confirm({ say, act, close }: { say: string; act(): void; close(): void }): JSX.Element {
  const [again, setAgain] = useState(false);
  return (
    <Dialog title={t("Are you sure?")} close={close}>
      <p><strong>{say}</strong></p>
      <p>{t("This cannot be undone.")}</p>
      <label class="check">
        <input type="checkbox" checked={again} onChange={(e) => setAgain(e.currentTarget.checked)} />
        <span>{t("Don't ask again")}</span>
      </label>
      <div class="acts">
        <button onClick={close}>{t("Cancel")}</button>
        <button class="primary" autofocus onClick={() => {
          if (again) keep({ confirm: false });
          act();
        }}>{t("Confirm")}</button>
      </div>
    </Dialog>
  );
}

export function Chat({ table }: { table: Table }): JSX.Element {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const snap = table.snapshot;
  const list = useRef<HTMLOListElement>(null);
  useNewest(list, snap.chat.length);
  async function say(e: Event): Promise<void> {
    e.preventDefault();
    const said = text.trim();
    if (!said) return;
    const answer = await table.chat(said);
    setProblem(answer.ok ? "" : answer.message);
    if (answer.ok) setText((now) => (now.trim() === said ? "" : now)); // else it stays to be sent again
  }
  return (
    <div class="chat">
      <ol class="plain" ref={list} tabIndex={0} aria-label={t("Chat messages")}>
        {snap.chat.map((c, i) => <li key={i}><strong>{c.name}</strong> <Said text={c.text} /></li>)}
        {!snap.chat.length ? <li class="muted">{t("Nobody has said anything yet.")}</li> : null}
      </ol>
      <form class="copy" onSubmit={(e) => void say(e)}>
        <input value={text} maxLength={300} aria-label={t("Say something")} placeholder={t("Say something")}
          onInput={(e) => setText(e.currentTarget.value)} />
        <button disabled={!text.trim()}>{t("Send")}</button>
      </form>
      <Reactions table={table} />
      {problem ? <p class="bad-text small" role="alert">{problem}</p> : null}
    </div>
  );
}

/** The rules beside the table: a panel on wide windows, over everything on narrow ones. */
function RulesPanel({ game, rule, close }: { game: string; rule: string; close(): void }): JSX.Element {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    panel.current?.focus();
    return () => before?.focus?.();
  }, []);
  return (
    <aside class="rules-side" ref={panel} tabIndex={-1} aria-label={t("Rules of {game}", { game: gameCard(game).title() })}
      onKeyDown={(e) => {
        if (e.key === "Escape") close();
      }}>
      <div class="rules-head">
        <button onClick={close}><Icon name="close" size={18} /> {t("Close the rules")}</button>
      </div>
      <RulesText game={game} rule={rule || undefined} />
    </aside>
  );
}

type Tab = "log" | "chat" | "overview";

/** Windows in which log and chat are in a drawer; table.css has the same. */
const NARROW = "(max-width: 1099px)";

/** What is not needed at every turn: in a row on wide windows, behind one button on narrow ones. */
function Menu({ children }: { children: ComponentChildren }): JSX.Element {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const away = (e: Event) => {
      if (!box.current?.contains(e.target as Node)) setOpen(false);
    };
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, [open]);
  return (
    <div class="menu" ref={box} onKeyDown={(e) => {
      if (e.key === "Escape") setOpen(false);
    }}>
      <button class="narrow-only" data-testid="more" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="menu" size={18} /> <span class="spare">{t("More")}</span>
      </button>
      <div class={open ? "folded open" : "folded"} onClick={() => setOpen(false)}>{children}</div>
    </div>
  );
}

/** Seats, log and chat: beside the board on wide windows, a drawer on narrow ones. */
function Aside({ open, close, children }: { open: boolean; close(): void; children: ComponentChildren }): JSX.Element {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const before = document.activeElement as HTMLElement | null;
    panel.current?.focus({ preventScroll: true });
    return () => before?.focus?.({ preventScroll: true });
  }, [open]);
  return (
    <>
      {open ? <div class="drawer-back" onClick={close} /> : null}
      <div class={open ? "aside open" : "aside"} ref={panel} tabIndex={-1} onKeyDown={(e) => {
        if (e.key === "Escape") close();
      }}>
        <div class="drawer-head narrow-only">
          <button onClick={close}><Icon name="close" size={18} /> {t("Back to the table")}</button>
        </div>
        {children}
      </div>
    </>
  );
}

interface AroundProps {
  table: Table;
  /** Above the board, as in a lesson. */
  before?: ComponentChildren;
  /** After a lesson: where to go from there, in place of a rematch. */
  after?: ComponentChildren;
  /** Only these actions are let through; the others are answered with `refuse`. */
  only?: (action: string) => boolean;
  refuse?: string;
  /** One has waited for the game, which begins now: that is heard. */
  begins?: boolean;
}

export function Around({ table, before, after, only, refuse, begins = false }: AroundProps): JSX.Element {
  useStore(table.subscribe);
  const snap = table.snapshot;
  const ui = useGameUi(snap.game);
  const [busy, setBusy] = useState(false);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [asked, setAsked] = useState<string | null>(null);
  const [leaving, setLeaving] = useState(false);
  const [liking, setLiking] = useState(false);
  const [reporting, setReporting] = useState(false);
  const [rules, setRules] = useState<string | null>(null);
  const [tab, setTab] = useState<Tab>("log");
  const [drawer, setDrawer] = useState(false);
  // Whoever has said something has read what was said before.
  const [read, setRead] = useState(() => (snap.seat === null ? 0 : snap.chat.map((c) => c.seat).lastIndexOf(snap.seat) + 1));
  const acted = useRef(false);
  const hinted = useRef<Element[]>([]);
  useEffect(() => () => hinted.current.splice(0).forEach((e) => e.classList.remove("hinted")), [snap.seq]);
  useSpoken(snap);
  const { board, moment, goOn } = useHold(snap, ui);
  const page = useRef<HTMLDivElement>(null);
  const over = !!snap.state?.over;
  const toAct = (snap.state?.to_act ?? []) as number[];
  const mine = snap.seat !== null && toAct.includes(snap.seat);
  const scores = (snap.state?.scores ?? []) as number[];
  const me = snap.seat === null ? undefined : snap.seats[snap.seat];
  const names = seatNames(snap.seats);
  // Who is away cannot act before being back.
  const shown = me?.away ? { ...board, legal: [], legalSay: [] } : board;
  const tabs: [Tab, string][] = [["log", t("Log")], ...(snap.chatOn ? [["chat", t("Chat")] as [Tab, string]] : []),
    ["overview", t("Overview")]];
  // Read is what was there while the chat was to be seen: beside a wide table, or in the open drawer.
  const reading = tab === "chat" && (drawer || !matchMedia(NARROW).matches);
  const unread = reading ? 0 : snap.chat.slice(read).filter((c) => c.seat === null || c.seat !== snap.seat).length;
  useEffect(() => {
    if (reading) setRead(snap.chat.length);
  }, [reading, snap.chat.length]);

  useCalling(snap, mine, over, !!moment, begins);

  // What is said about one position does not hold for the next.
  useEffect(() => setNotice(null), [snap.state?.log_length]);

  // What was pressed may be gone now; who plays by keyboard goes on from the prompt, not from the top.
  useEffect(() => {
    if (!acted.current) return;
    const nowhere = !document.activeElement || document.activeElement === document.body;
    if (nowhere) document.getElementById("prompt")?.focus({ preventScroll: true });
  });

  const tell = (answer: Answer) => {
    if (!answer.ok) setNotice({ kind: "bad", text: answer.message, rule: answer.rule });
  };
  async function act(action: string): Promise<void> {
    setAsked(null);
    setBusy(true);
    acted.current = true;
    const answer = await table.act(action);
    setBusy(false);
    tell(answer);
  }
  function choose(action: string): void {
    if (busy) return;
    if (only && !only(action)) setNotice({ kind: "plain", text: refuse ?? "" });
    else if (prefs.confirm && ui?.irreversible(action)) setAsked(action);
    else void act(action);
  }
  async function blocked(action: string): Promise<void> {
    const why = await table.why(action);
    if (why.legal) choose(action);
    else setNotice({ kind: "bad", text: why.message ?? t("That is not possible now."), rule: why.rule });
  }
  async function hint(): Promise<void> {
    setBusy(true);
    const got = await table.hint();
    setBusy(false);
    if ("action" in got) {
      const words = snap.legalSay[snap.legal.indexOf(got.action)] ?? got.action;
      const { learn } = got;
      // Others may have acted meanwhile, where several are asked at a time.
      const still = (): boolean => table.snapshot.legal.join("\n") === snap.legal.join("\n");
      setNotice({ kind: "hint", text: got.say || words, learn: learn && (() => learn().then(() => still() ? hint() : undefined)) });
      hinted.current = markAction(ui, got.action, "hinted");
    } else tell(got);
  }

  return (
    <div class={rules === null ? "table-page" : "table-page with-rules"} data-seq={snap.seq} ref={page}>
      <div class="play">
        <div class="table-top">
          <a class="home narrow-only" href="/" aria-label={t("Salotto, the lobby")}><Icon name="door" size={22} /></a>
          <h1>{gameCard(snap.game).title()}</h1>
          {snap.seat === null ? <span class="sign-watch"><Icon name="eye" size={18} /> {t("You are watching")}</span> : null}
          <Prompt text={over ? t("The game is over.") : snap.prompt} mine={mine} />
          <div class="tools">
            {snap.hints && snap.seat !== null && !over ? (
              <button disabled={!mine || busy} title={t("Hint")} onClick={() => void hint()}>
                <Icon name="bulb" size={18} /> <span class="spare">{t("Hint")}</span>
              </button>
            ) : null}
            <button class="narrow-only" aria-expanded={drawer} onClick={() => setDrawer(!drawer)}>
              <Icon name="chat" size={18} /> <span class="spare">{snap.chatOn ? t("Log and chat") : t("Log")}</span>
              {unread > 0 ? <span class="unread">{number(unread)}</span> : null}
            </button>
            <Menu>
              {snap.undo && snap.seat !== null && !over ? (
                <UndoButton snap={snap} busy={busy} undo={() => void table.undo().then(tell)}
                  say={(text) => setNotice({ kind: "plain", text })} />
              ) : null}
              <button aria-expanded={rules !== null} title={t("Rules")} onClick={() => setRules(rules === null ? "" : null)}>
                <Icon name="book" size={18} /> {t("Rules")}
              </button>
              <button title={t("Preferences")} onClick={() => setLiking(true)}><Icon name="gear" size={18} /> {t("Preferences")}</button>
              {reportable(table).length ? (
                <button class="quiet" title={t("Report…")} onClick={() => setReporting(true)}><Icon name="eye" size={18} /> {t("Report…")}</button>
              ) : null}
              {snap.seat !== null && !over ? (
                <button class="quiet" title={t("Resign")} onClick={() => setLeaving(true)}><Icon name="flag" size={18} /> {t("Resign")}</button>
              ) : null}
            </Menu>
          </div>
        </div>
        {before}
        <div class="over-board">
          {me?.away && !over ? (
            <div class="notice">
              {t("You were away, so a bot plays on in your seat.")}{" "}
              <button class="primary" onClick={() => void table.back().then(tell)}>{t("I am back")}</button>
            </div>
          ) : null}
          <Withheld snap={snap} />
          {before ? null : <FirstHelp snap={snap} mine={mine && !moment} />}
          {notice ? <NoticeBox game={snap.game} notice={notice} openRule={setRules} close={() => setNotice(null)} /> : null}
        </div>
        {ui ? (
          <ui.Board snap={shown} choose={choose} blocked={(a) => void blocked(a)} busy={busy || snap.connection === "lost"} />
        ) : <p class="muted">{t("One moment…")}</p>}
        {over && !moment ? <Result table={table} ui={ui} after={after} /> : null}
      </div>
      <Aside open={drawer} close={() => setDrawer(false)}>
        <section class="panel" aria-label={t("At the table")}>
          <ul class="plain">
            {snap.seats.map((s, n) => (
              <li key={n}>
                <SeatLine seat={s} at={n} name={names[n]!} mine={n === snap.seat} active={toAct.includes(n) && !over} over={over}>
                  <Reacted snap={snap} seat={n} />
                  {snap.clock ? <Clock clock={snap.clock} seat={n} /> : null}
                  {scores[n] !== undefined ? <span class="score">{number(scores[n])}</span> : null}
                </SeatLine>
              </li>
            ))}
          </ul>
        </section>
        <section class="panel talk">
          <div class="tabs" role="tablist">
            {tabs.map(([name, title]) => (
              <button key={name} role="tab" id={`tab-${name}`} aria-selected={tab === name} aria-controls="talk"
                onClick={() => setTab(name)}>
                {title}
                {name === "chat" && unread > 0 ? <span class="unread">{number(unread)}</span> : null}
              </button>
            ))}
          </div>
          <div id="talk" role="tabpanel" aria-labelledby={`tab-${tab}`}>
            {tab === "chat" ? <Chat table={table} />
              : tab === "log" ? <Log lines={snap.log} game={snap.game} openRule={setRules} />
              : (
                <div class="overview">
                  <pre tabIndex={0} aria-label={t("The table as text")}>{snap.position}</pre>
                  {ui?.Legend ? <ui.Legend /> : null}
                </div>
              )}
          </div>
        </section>
      </Aside>
      <Tips root={page} />
      {moment ? (
        <Stage key={moment.n} title={moment.title} mine={mine && !over} clock={snap.clock} seat={snap.seat} goOn={goOn}>
          <Telling moment={moment} snap={snap} after={<Remark snap={snap} n={moment.n} />} />
        </Stage>
      ) : null}
      {rules !== null ? <RulesPanel game={snap.game} rule={rules} close={() => setRules(null)} /> : null}
      {asked !== null ? (
        <Confirm say={snap.legalSay[snap.legal.indexOf(asked)] ?? asked} act={() => void act(asked)}
          close={() => setAsked(null)} />
      ) : null}
      {liking ? <Dialog title={t("Preferences")} close={() => setLiking(false)}><Feel /></Dialog> : null}
      {reporting ? (
        <ReportDialog table={table} close={() => setReporting(false)}
          sent={() => setNotice({ kind: "plain", text: t("Thank you. The administrator will read it, with the chat of this table.") })} />
      ) : null}
      {leaving ? (
        <Dialog title={t("Resign?")} close={() => setLeaving(false)}>
          <p>{snap.players === 2 && snap.connection !== "offline"
            ? t("The game ends, and your opponent wins. This cannot be undone.")
            : t("A bot plays on in your seat, and you can watch. This cannot be undone.")}</p>
          <div class="acts">
            <button onClick={() => setLeaving(false)}>{t("Play on")}</button>
            <button class="primary" onClick={() => {
              setLeaving(false);
              void table.resign().then(tell);
            }}>{t("Resign")}</button>
          </div>
        </Dialog>
      ) : null}
    </div>
  );
}
