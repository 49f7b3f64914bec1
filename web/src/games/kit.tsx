// What the boards share: a choice that can be clicked, dragged or reached by keyboard; cards, seats
// and stacks with their names; short motions. A board draws the state it is given and knows no rule:
// what is possible is in `legal`, and for everything else it asks the page to say why.
import { createContext, type ComponentChildren, type JSX, type RefObject } from "preact";
import { useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { t, tn } from "../i18n";
import { seatNames, standingNames } from "../names";
import { Reacted } from "../reactions";
import type { Snapshot } from "../table";
import { CardArt, cardName, DoorArt, KINDS } from "../ui/art/cards";
import { CrownSign, TokenArt } from "../ui/art/pieces";
import { Clock } from "../ui/clock";
import { Icon } from "../ui/icons";
import { absence } from "../ui/seat";
import type { BoardProps } from "./index";
import { useMotion } from "./motion";
import { earnedTitle } from "./story";
import "./boards.css";

export type { BoardProps };

interface Act extends BoardProps {
  can: Map<string, string>;
}
const Acting = createContext<Act>(null as unknown as Act);
export const useAct = () => useContext(Acting);

export const cx = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(" ");

/* ---------- the table itself ---------- */

export function Board(props: BoardProps & {
  kind: string;
  children: ComponentChildren;
  /** A card was dragged to a place; else `VERB CARD` of the place is tried. */
  dropped?(card: string, place: string): void;
}) {
  const { snap } = props;
  const root = useRef<HTMLDivElement>(null);
  const can = useMemo(
    () => new Map(snap.legal.map((action, i) => [action, snap.legalSay[i] ?? action])),
    [snap.legal, snap.legalSay],
  );
  const act = { ...props, can };
  const attempt = (action: string) =>
    can.has(action) ? props.choose(action) : props.blocked(action);
  useMotion(root, snap.state);
  useFocusKept(root);
  useDrag(root, (card, place) =>
    props.dropped ? props.dropped(card, place) : attempt(`${place} ${card}`));
  return (
    <Acting.Provider value={act}>
      <div ref={root} tabIndex={-1} class={cx("board", props.kind, props.busy && "busy")} data-testid="board"
        data-game={snap.game} data-phase={snap.state?.phase}>
        <div class="whole">{props.children}</div>
      </div>
    </Acting.Provider>
  );
}

/* ---------- choosing ---------- */

interface PickProps {
  action: string;
  /** What it is, when it cannot be chosen; a legal choice is named by the engine. */
  name?: string;
  class?: string;
  children?: ComponentChildren;
  [attribute: `data-${string}`]: unknown;
}

/** What is heard instead of what is drawn. */
function Heard({ name, children }: { name: string; children: ComponentChildren }) {
  return <><span class="hidden-visually">{name}</span><span class="drawn" aria-hidden="true">{children}</span></>;
}

/** One choice. Always a button, so that what is not possible can say why. */
export function Pick({ action, name, class: extra, children, ...rest }: PickProps) {
  const { can, choose, blocked } = useAct();
  const say = can.get(action);
  const ok = say !== undefined;
  const heard = name !== undefined && children !== undefined ? (ok && say !== name ? `${name}. ${say}` : name) : undefined;
  // What is drawn says what it is; what is written does so already.
  const tip = extra?.split(" ").includes("say") ? undefined : heard;
  return (
    <button type="button" class={cx("pick", ok && "can", extra)} data-action={action} data-tip={tip} aria-disabled={!ok} {...rest}
      onClick={() => (ok ? choose(action) : blocked(action))}>
      {heard !== undefined ? <Heard name={heard}>{children}</Heard> : children ?? say ?? name ?? action}
    </button>
  );
}

/** A part of a choice that is still being put together. */
export function Part({ part, name, chosen, class: extra, children, onPick, ...rest }: {
  part: string; name: string; chosen?: boolean; class?: string; children: ComponentChildren; onPick(): void;
  [attribute: `data-${string}` | `aria-${string}`]: unknown;
}) {
  return (
    <button type="button" class={cx("pick", chosen && "chosen", rest["aria-disabled"] ? "" : "can", extra)} data-part={part} data-tip={name}
      aria-pressed={chosen} onClick={onPick} {...rest}>
      <Heard name={name}>{children}</Heard>
    </button>
  );
}

/** A row in which the arrow keys move; Tab enters and leaves it. A field in it keeps its own place in the order of
 * Tab: it needs the arrows for itself, and would let nobody go on. */
export function Row(props: { label: string; class?: string; children: ComponentChildren } & Record<`data-${string}`, unknown>) {
  const { label, class: extra, children, ...rest } = props;
  const ref = useRef<HTMLDivElement>(null);
  const buttons = () =>
    [...(ref.current?.querySelectorAll<HTMLElement>("button, summary") ?? [])];
  useEffect(() => {
    const all = buttons();
    const at = all.find((b) => b === document.activeElement) ??
      all.find((b) => b.tabIndex === 0 && b.classList.contains("can")) ??
      all.find((b) => b.classList.contains("can")) ?? all[0];
    for (const b of all) b.tabIndex = b === at ? 0 : -1;
  });
  const key = (e: JSX.TargetedKeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    const all = buttons(), at = all.indexOf(document.activeElement as HTMLElement);
    if (at < 0) return;
    const to = e.key === "Home" ? 0 : e.key === "End" ? all.length - 1
      : step ? (at + step + all.length) % all.length : -1;
    const next = all[to];
    if (!next) return;
    e.preventDefault();
    for (const b of all) b.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  };
  return (
    <div ref={ref} role="group" aria-label={label} class={cx("line", extra)} onKeyDown={key} {...rest}>
      {children}
    </div>
  );
}

/** Every choice in words, for who prefers a list to a drawing. A long list can be searched. */
function InWords() {
  const { can } = useAct();
  const [wanted, want] = useState("");
  if (!can.size) return null;
  const all = [...can].filter(([action, say]) => `${say} ${action}`.toLowerCase().includes(wanted.toLowerCase()));
  return (
    <details class="in-words" data-testid="in-words">
      <summary><Icon name="menu" size={18} /> <span>{tn("In words: {n} choice", "In words: {n} choices", can.size)}</span></summary>
      <div class="list">
        {can.size > 24 && (
          <label>{t("Only those with")} <input type="search" value={wanted} onInput={(e) => want(e.currentTarget.value)} /></label>
        )}
        <Row label={t("All choices")} class="wrap">
          {all.map(([action, say]) => (
            <Pick key={action} action={action} class="say small">{say}</Pick>
          ))}
        </Row>
      </div>
    </details>
  );
}

/** The bar at the foot of the board: one's hand and one's choices, and the list of them in words. */
export function Bar({ children, hand }: { children?: ComponentChildren; hand?: ComponentChildren }) {
  const { snap } = useAct();
  if (snap.seat === null) return null;
  return (
    <div class="bar" data-testid="bar">
      {hand}
      <div class="choosing">{children}<InWords /></div>
    </div>
  );
}

/* ---------- cards ---------- */

interface CardProps {
  card: string;
  zone: string;
  /** With an action the card is a choice. */
  action?: string;
  drag?: boolean;
  door?: boolean;
  note?: string;
  class?: string;
}

/** A card on the table; `zone` says where it lies, so that it can be seen to move. */
export function Card({ card, zone, action, drag, door, note, class: extra }: CardProps) {
  const { snap } = useAct();
  const art = door ? <DoorArt card={card} /> : <CardArt card={card} />;
  const hidden = door ? t("closed door") : cardName(card);
  const name = (card === "??" ? hidden : cardName(card)) + (note ? `, ${note}` : "");
  const marks = { "data-card": card, "data-zone": zone, class: cx("pc", door && "door", extra) };
  return action && snap.seat !== null
    ? <Pick {...marks} action={action} name={name} data-drag={drag ? "" : undefined}>{art}</Pick>
    : <span {...marks} role="img" aria-label={name} title={name}>{art}</span>;
}

/** How many of each kind: for decks, and whatever else is only counted. */
export function Counts({ cards, label }: { cards: string[]; label: string }) {
  return (
    <ul class="counts" aria-label={label}>
      {KINDS.filter((k) => cards.includes(k)).map((k) => {
        const n = cards.filter((c) => c === k).length;
        return (
          <li key={k} aria-label={`${cardName(k)}: ${n}`} title={cardName(k)}>
            <span class="mini" data-card={k}><CardArt card={k} /></span>
            <b aria-hidden="true">{n}</b>
          </li>
        );
      })}
    </ul>
  );
}

/** A face-down stack with its size. */
export function Stack({ n, label, children, source }: {
  n: number; label: string; children?: ComponentChildren; source?: boolean;
}) {
  return (
    <span class={cx("stack", n === 0 && "empty")} role="img" aria-label={`${label}: ${n}`} title={label}
      data-source={source ? "" : undefined}>
      {n > 0 && <CardArt card="??" />}
      {children}
      <b class="count" aria-hidden="true">{n}</b>
    </span>
  );
}

/** A table of points; it may be wider than a phone. */
export function Reckoning({ game, children }: { game: string; children: ComponentChildren }) {
  return (
    <div class="reckoning" tabIndex={0} role="group" aria-label={earnedTitle(game)}>
      <table data-testid="result"><caption>{earnedTitle(game)}</caption>{children}</table>
    </div>
  );
}

/** A place on the table with a heading. */
export function Zone(props: {
  title: string; class?: string; drop?: string; children: ComponentChildren; aside?: ComponentChildren;
}) {
  return (
    <section class={cx("zone", props.class)} aria-label={props.title} data-drop={props.drop}>
      <h2>{props.title}{props.aside}</h2>
      {props.children}
    </section>
  );
}

/* ---------- seats ---------- */

/** As the engine's sentences call it. */
export const seatName = (snap: Snapshot, seat: number): string => seatNames(snap.seats)[seat] ?? "";

/** Where it stands by itself. */
export const who = (snap: Snapshot, seat: number): string => standingNames(snap)[seat] ?? "";

/** Whether what is said of this seat is said to it: the person who looks, but not where all see everything. */
export const toYou = (snap: Snapshot, seat: number): boolean => seat === snap.seat && !snap.open;

/** The other seats, clockwise from the one on the left; all of them for a spectator. */
export function others(snap: Snapshot): number[] {
  const all = Array.from({ length: snap.players }, (_, i) => i);
  return snap.seat === null ? all : all.slice(1).map((_, i) => (snap.seat! + 1 + i) % snap.players);
}

/** The log since the last event of one of these kinds, that one first. */
export function since(snap: Snapshot, ...kinds: string[]): Snapshot["log"] {
  let i = snap.log.length - 1;
  while (i > 0 && !kinds.includes(snap.log[i]!.event.event)) i--;
  return snap.log.slice(Math.max(0, i));
}

/** The latest thing a seat did, in the engine's words. */
function lastOf(snap: Snapshot, seat: number): string {
  for (let i = snap.log.length - 1; i >= 0 && i >= snap.log.length - 40; i--) {
    const { event, text } = snap.log[i]!;
    if (event.event === "round" || event.event === "day") return "";
    if (event["seat"] === seat && event.event !== "dealt") return text;
  }
  return "";
}

export function Plate({ seat, role, badge, drop, action, children, class: extra }: {
  seat: number; role?: string; badge?: string; drop?: string; action?: string; class?: string;
  children?: ComponentChildren;
}) {
  const { snap, can } = useAct();
  const s = snap.seats[seat], own = seat === snap.seat, state = snap.state;
  const turn = !!state?.to_act.includes(seat), won = !!state?.over && state.winners.includes(seat);
  const gone = s && !s.away && !own && !state?.over ? absence(s) : "";
  const name = (
    <span class="name" title={who(snap, seat)}>
      {who(snap, seat)}
      {own && !snap.open && who(snap, seat) !== t("You") && <small> {t("(you)")}</small>}
      {s?.kind === "bot" && s.name && <small> {t("bot")}</small>}
    </span>
  );
  return (
    <section class={cx("plate", own && "own", turn && "turn", won && "won", extra)} data-seat={seat}
      data-drop={drop} aria-label={who(snap, seat)}>
      <header>
        {turn && <span class="arrow" role="img" aria-label={t("to act")}>▸</span>}
        {won && <span role="img" aria-label={t("winner")}><CrownSign /></span>}
        {action && can.has(action) ? <Pick action={action} class="say small">{name}</Pick> : name}
        {role && <em class="role" title={role}>{role}</em>}
        {badge && <em class="role badge">{badge}</em>}
        {s?.away && <em class="role away">{t("away")}</em>}
        {gone && <span class="gone" role="img" aria-label={gone} title={gone}><Icon name="cloud" size={16} /></span>}
        {snap.clock && <Clock clock={snap.clock} seat={seat} />}
      </header>
      {children}
      <p class="last">{lastOf(snap, seat)}</p>
      <Reacted snap={snap} seat={seat} />
    </section>
  );
}

/** Things that are counted: drawn one by one while there are few. */
export function Pips({ n, of, art, label, stock, at }: {
  n: number; of?: number; art: ComponentChildren; label: string;
  /** What is counted and whose it is, so that it can be seen to move. */
  stock?: string; at?: string;
}) {
  const gaps = of !== undefined && of <= 12 ? Math.max(0, of - n) : 0;
  return (
    <span class="pips" role="img" aria-label={label} title={label} data-stock={stock} data-at={at} data-n={n}>
      {n + gaps <= 12 && Array.from({ length: n }, (_, i) => <span key={i}>{art}</span>)}
      {n + gaps > 12 && <span>{art}</span>}
      {n + gaps === 0 && <span class="faint">{art}</span>}
      {Array.from({ length: gaps }, (_, i) => <span key={`gap${i}`}><TokenArt empty /></span>)}
      <b aria-hidden="true">{n}{of !== undefined && <small>/{of}</small>}</b>
    </span>
  );
}

/* ---------- focus ---------- */

/** Who plays by keyboard stays on the board: when the choice that had the focus is gone, the next one
 *  gets it, or the board itself while others are asked. */
function useFocusKept(root: RefObject<HTMLElement>) {
  const inside = useRef(false);
  useEffect(() => {
    const board = root.current!;
    const came = () => { inside.current = true; };
    const left = (e: FocusEvent) => { if (e.relatedTarget) inside.current = board.contains(e.relatedTarget as Node); };
    const away = (e: PointerEvent) => { if (!board.contains(e.target as Node)) inside.current = false; };
    board.addEventListener("focusin", came);
    board.addEventListener("focusout", left);
    addEventListener("pointerdown", away);
    return () => {
      board.removeEventListener("focusin", came);
      board.removeEventListener("focusout", left);
      removeEventListener("pointerdown", away);
    };
  }, []);
  useEffect(() => {
    const board = root.current!, at = document.activeElement;
    if (!inside.current || (at !== document.body && at !== board)) return;
    (board.querySelector<HTMLElement>("button.can") ?? board).focus({ preventScroll: true });
  });
}

/* ---------- dragging ---------- */

/** Cards marked data-drag can be pulled to places marked data-drop. A short pull is a click. */
function useDrag(root: RefObject<HTMLElement>, dropped: (card: string, place: string) => void) {
  const latest = useRef(dropped);
  latest.current = dropped;
  useEffect(() => {
    const board = root.current!;
    let el: HTMLElement | null = null, x = 0, y = 0, moving = false;
    const place = (e: PointerEvent) => {
      if (el) el.style.pointerEvents = "none";
      const at = document.elementFromPoint(e.clientX, e.clientY)?.closest<HTMLElement>("[data-drop]");
      if (el) el.style.pointerEvents = "";
      return at && board.contains(at) ? at : null;
    };
    const mark = (over: HTMLElement | null) => {
      for (const p of board.querySelectorAll(".over")) if (p !== over) p.classList.remove("over");
      over?.classList.add("over");
    };
    const down = (e: PointerEvent) => {
      if (e.button !== 0) return;
      el = (e.target as Element).closest<HTMLElement>("[data-drag]");
      x = e.clientX;
      y = e.clientY;
    };
    const move = (e: PointerEvent) => {
      if (!el) return;
      if (!moving && Math.hypot(e.clientX - x, e.clientY - y) < 8) return;
      if (!moving) {
        moving = true;
        board.classList.add("dragging");
        el.classList.add("held");
      }
      el.style.transform = `translate(${e.clientX - x}px, ${e.clientY - y}px)`;
      mark(place(e));
      e.preventDefault();
    };
    const end = (e: PointerEvent) => {
      const held = el, at = moving && e.type === "pointerup" ? place(e) : null;
      el = null;
      if (!held || !moving) return;
      moving = false;
      board.classList.remove("dragging");
      held.classList.remove("held");
      held.style.transform = "";
      mark(null);
      // The click that follows a pull must not count as one.
      const swallow = (c: Event) => { c.stopPropagation(); c.preventDefault(); };
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
      if (at) latest.current(held.dataset["card"]!, at.dataset["drop"]!);
    };
    board.addEventListener("pointerdown", down);
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
    return () => {
      board.removeEventListener("pointerdown", down);
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
    };
  }, []);
}
