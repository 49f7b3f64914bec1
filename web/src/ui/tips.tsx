// Every sign says what it is: with the mouse over it, with a finger on it, with the keyboard at it.
// One bubble for a whole board; what it says is the title of the sign, or what a screen reader hears.
import type { JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import "./tips.css";

const SIGN = "[data-tip], [title], [role=img][aria-label], li[aria-label]";
const HOLD = 450;

interface Tip { text: string; x: number; y: number; below: boolean }

function signOf(target: EventTarget | null, root: HTMLElement): HTMLElement | null {
  const sign = (target as Element | null)?.closest?.<HTMLElement>(SIGN);
  return sign && root.contains(sign) ? sign : null;
}

/** Takes a title over, so that the browser shows no second bubble. */
function words(sign: HTMLElement): string {
  if (sign.title) {
    sign.dataset["tip"] = sign.title;
    sign.removeAttribute("title");
  }
  return sign.dataset["tip"] ?? sign.getAttribute("aria-label") ?? "";
}

export function Tips({ root }: { root: RefObject<HTMLElement> }): JSX.Element | null {
  const [tip, set] = useState<Tip | null>(null);
  const bubble = useRef<HTMLDivElement>(null);
  // Inside the window, however long it is.
  useLayoutEffect(() => {
    if (!tip) return;
    const half = bubble.current!.offsetWidth / 2 + 4;
    bubble.current!.style.left = `${Math.max(half, Math.min(innerWidth - half, tip.x))}px`;
  }, [tip]);
  useEffect(() => {
    const box = root.current!;
    let timer = 0;
    const hide = () => {
      clearTimeout(timer);
      set(null);
    };
    // A finger leaves when it is lifted; what it asked stays until the next touch.
    const left = (e: PointerEvent) => {
      if (e.pointerType !== "touch") hide();
    };
    const show = (sign: HTMLElement) => {
      const r = sign.getBoundingClientRect(), below = r.top < 90;
      set({ text: words(sign), below, x: r.left + r.width / 2, y: below ? r.bottom : r.top });
    };
    const later = (sign: HTMLElement, ms = HOLD) => {
      clearTimeout(timer);
      timer = window.setTimeout(() => show(sign), ms);
    };
    const over = (e: PointerEvent) => {
      if (e.pointerType === "touch") return;
      const sign = signOf(e.target, box);
      if (sign) {
        words(sign);
        later(sign, sign.closest("button") ? 2 * HOLD : HOLD); // who is choosing is left in peace for longer
      } else hide();
    };
    // A tap on a sign that is no choice; a long press on one that is.
    const down = (e: PointerEvent) => {
      hide();
      const sign = e.pointerType === "touch" ? signOf(e.target, box) : null;
      if (sign) later(sign);
    };
    const up = (e: PointerEvent) => {
      if (e.pointerType !== "touch") return;
      clearTimeout(timer);
      const sign = signOf(e.target, box);
      if (sign && !(e.target as Element).closest("button, a, summary, select, input")) show(sign);
    };
    const key = (e: KeyboardEvent) => {
      if (e.key === "Escape") hide();
    };
    box.addEventListener("pointerover", over);
    box.addEventListener("pointerleave", left);
    box.addEventListener("pointerdown", down);
    box.addEventListener("pointerup", up);
    addEventListener("keydown", key);
    addEventListener("scroll", hide, true);
    return () => {
      clearTimeout(timer);
      box.removeEventListener("pointerover", over);
      box.removeEventListener("pointerleave", left);
      box.removeEventListener("pointerdown", down);
      box.removeEventListener("pointerup", up);
      removeEventListener("keydown", key);
      removeEventListener("scroll", hide, true);
    };
  }, []);
  if (!tip) return null;
  return <div class={tip.below ? "tip-bubble below" : "tip-bubble"} role="tooltip" ref={bubble} style={{ top: `${tip.y}px` }}>{tip.text}</div>;
}
