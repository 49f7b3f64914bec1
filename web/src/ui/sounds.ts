// What sounds, and when: the names of the sounds, and a door to where they are made. Nothing is
// loaded and nothing sounds before the person has touched the page.
import { prefs } from "../prefs";

export type Sound = "deal" | "take" | "bid" | "chip" | "trap" | "door" | "turn" | "win" | "loss" | "chat" | "tick";

type Maker = { make(sound: Sound, volume: number): void };
let touched = false;
let maker: Maker | null = null;
let loading = false;

function touch(): void {
  touched = true;
  removeEventListener("pointerdown", touch, true);
  removeEventListener("keydown", touch, true);
  load();
}

function load(): void {
  if (loading || !prefs.volume) return;
  loading = true;
  import("./sound").then((m) => void (maker = m), () => void (loading = false));
}

/** Waits for the first touch of a page that may sound. */
export function listenForTouch(): void {
  if (touched) return;
  addEventListener("pointerdown", touch, true);
  addEventListener("keydown", touch, true);
}

const BUZZ: Partial<Record<Sound, number[]>> = { turn: [60], trap: [30, 40, 90], win: [60, 60, 60], door: [40] };

export function play(sound: Sound): void {
  if (!touched) return;
  if (prefs.vibrate && BUZZ[sound]) navigator.vibrate?.(BUZZ[sound]);
  if (!prefs.volume) return;
  load();
  maker?.make(sound, prefs.volume / 10);
}
