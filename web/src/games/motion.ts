// What moves is seen to move. After each change cards glide from where they lay, and pieces that are
// counted fly from who has fewer to who has more. Nothing waits for it: the new position is drawn at
// once, and only then shown coming from the old one.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { pace } from "../ui/pace";

/** A card: `data-zone` says where it lies, `data-card` what it is. */
interface Spot { zone: string; card: string; rect: DOMRect; el: HTMLElement }
/** Something counted: `data-stock` is its kind, `data-at` whose it is, `data-n` how many. */
interface Stock { kind: string; at: string; n: number; rect: DOMRect; el: HTMLElement }
interface Before { spots: Spot[]; stocks: Map<string, Stock>; base: DOMRect }

const CARD = "[data-zone][data-card]";
const GLIDE = 400;
const FLIGHT = 520;
const FLIGHTS_MAX = 6;

export function useMotion(root: RefObject<HTMLElement>, state: unknown): void {
  const before = useRef<Before | null>(null);
  useLayoutEffect(() => {
    const board = root.current!, now = look(board), old = before.current;
    before.current = now;
    const speed = pace();
    if (!old || !speed || old.base.width !== now.base.width) return;
    moveCards(board, old, now, speed);
    moveStocks(board, old, now, speed);
  }, [state]);
}

/** Ends the motions of cards: what counts is where they lie, not where they are seen on their way. All
 *  of it before anything is measured, or each would be laid out by itself. */
function land(board: HTMLElement): void {
  for (const motion of board.getAnimations({ subtree: true })) {
    const el = (motion.effect as KeyframeEffect).target;
    if (el?.matches(CARD)) motion.cancel();
  }
  for (const el of board.querySelectorAll(".gliding")) el.classList.remove("gliding");
}

function look(board: HTMLElement): Before {
  land(board);
  const spots = [...board.querySelectorAll<HTMLElement>(CARD)].map((el) =>
    ({ zone: el.dataset["zone"]!, card: el.dataset["card"]!, rect: el.getBoundingClientRect(), el }));
  const stocks = new Map<string, Stock>();
  for (const el of board.querySelectorAll<HTMLElement>("[data-stock]")) {
    const kind = el.dataset["stock"]!, at = el.dataset["at"] ?? "";
    stocks.set(`${kind} ${at}`, { kind, at, n: Number(el.dataset["n"]), rect: el.getBoundingClientRect(), el });
  }
  return { spots, stocks, base: board.getBoundingClientRect() };
}

/* ---------- cards ---------- */

function moveCards(board: HTMLElement, old: Before, now: Before, speed: number): void {
  const left = [...old.spots];
  const take = (fits: (s: Spot) => boolean) => {
    const i = left.findIndex(fits);
    return i < 0 ? undefined : left.splice(i, 1)[0];
  };
  const fresh = now.spots.filter((s) => {
    const same = take((o) => o.el === s.el && o.card === s.card) ??
      take((o) => o.zone === s.zone && o.card === s.card);
    if (same) glide(s, same.rect, old.base, now.base, false, speed, 0);
    return !same;
  });
  const deck = board.querySelector("[data-source]")?.getBoundingClientRect();
  let dealt = 0;
  for (const s of fresh) {
    // A door opens or shuts where it stands; other cards come from where such a card has gone.
    const door = s.el.classList.contains("door");
    const from = door ? take((o) => o.zone === s.zone)
      : take((o) => o.card === s.card && !o.el.classList.contains("door")) ??
        take((o) => o.card === "??" && o.zone === s.zone);
    if (from) glide(s, from.rect, old.base, now.base, from.card !== s.card, speed, 0);
    else if (deck && !door) glide(s, deck, now.base, now.base, s.card !== "??", speed, Math.min(dealt++, 8) * 70);
  }
}

function glide(s: Spot, from: DOMRect, was: DOMRect, base: DOMRect, turn: boolean, speed: number, delay: number): void {
  const dx = from.left - was.left - (s.rect.left - base.left);
  const dy = from.top - was.top - (s.rect.top - base.top);
  if (!turn && Math.abs(dx) < 2 && Math.abs(dy) < 2) return;
  const scale = s.rect.width ? from.width / s.rect.width : 1;
  // Only what moves is animated, so that the page's thread need not draw each frame.
  const motion = s.el.animate(
    [{ transform: `translate(${dx}px, ${dy}px) scale(${scale})${turn ? " rotateY(90deg)" : ""}` }, { transform: "none" }],
    { duration: GLIDE * speed, delay: delay * speed, fill: "backwards", easing: "cubic-bezier(.2,.8,.3,1)" },
  );
  s.el.classList.add("gliding");
  motion.onfinish = () => s.el.classList.remove("gliding");
}

/* ---------- what is counted ---------- */

function moveStocks(board: HTMLElement, old: Before, now: Before, speed: number): void {
  const gone: Stock[] = [], come: Stock[] = [];
  const delta = (key: string) => (now.stocks.get(key)?.n ?? 0) - (old.stocks.get(key)?.n ?? 0);
  for (const key of new Set([...old.stocks.keys(), ...now.stocks.keys()])) {
    const d = delta(key), one = now.stocks.get(key) ?? old.stocks.get(key)!;
    if (d > 0) come.push({ ...one, n: d });
    // Where it was: it may not be drawn any more.
    if (d < 0) gone.push({ ...one, n: -d, rect: (old.stocks.get(key) ?? one).rect });
    const after = now.stocks.get(key);
    if (d && after) count(after.el, after.n - d, after.n, FLIGHT * speed);
  }
  let flown = 0;
  for (const to of come)
    for (let k = 0; k < to.n && flown < 12 && k < FLIGHTS_MAX; k++) {
      const from = gone.find((g) => g.kind === to.kind && g.n > 0);
      if (from) from.n--;
      const rect = from?.rect ?? wellOf(board, to.kind);
      if (rect) fly(board, to.el, rect, to.rect, now.base, speed, flown++ * 60);
    }
}

/** Where pieces of a kind come from when nobody has fewer: their supply, or the tile that is evaluated. */
function wellOf(board: HTMLElement, kind: string): DOMRect | undefined {
  return (board.querySelector(`[data-well="${kind}"]`) ?? board.querySelector(".ctile.now"))?.getBoundingClientRect();
}

function fly(board: HTMLElement, model: HTMLElement, from: DOMRect, to: DOMRect, base: DOMRect, speed: number, delay: number): void {
  const art = model.querySelector("svg");
  if (!art) return;
  const piece = document.createElement("span");
  piece.className = "flight";
  piece.setAttribute("aria-hidden", "true");
  piece.append(art.cloneNode(true));
  board.append(piece);
  const at = (r: DOMRect) => `translate(${r.left + Math.min(r.width / 2, 20) - base.left - 12}px, ${r.top + r.height / 2 - base.top + board.scrollTop - 12}px)`;
  piece.animate(
    [{ transform: `${at(from)} scale(1.1)` }, { transform: `${at(to)} scale(1.5)`, offset: .75 }, { transform: `${at(to)} scale(.9)`, opacity: 0 }],
    { duration: FLIGHT * speed, delay: delay * speed, fill: "both", easing: "cubic-bezier(.4,.1,.3,1)" },
  ).finished.then(() => piece.remove(), () => piece.remove());
}

/** A number runs from one value to the other. It is drawn already: this only plays with its text, and
 *  stops as soon as something else has been drawn there. */
export function count(el: HTMLElement, from: number, to: number, ms: number): void {
  const text = el.querySelector("b")?.firstChild;
  if (!(text instanceof Text) || text.data !== String(to)) return;
  const began = performance.now();
  let mine = text.data;
  const tick = (time: number) => {
    if (text.data !== mine) return;
    const part = Math.max(0, Math.min(1, (time - began) / ms));
    const now = String(Math.round(from + (to - from) * part));
    if (now !== mine) text.data = mine = now;
    if (part < 1) requestAnimationFrame(tick);
  };
  tick(began);
}
