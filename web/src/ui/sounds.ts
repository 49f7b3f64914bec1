// What sounds, and when: the names of the sounds, and a door to where they are made. Nothing is
// loaded and nothing sounds before the person has touched the page.
import { prefs } from "../prefs";

export type Sound = "deal" | "take" | "bid" | "chip" | "trap" | "door" | "turn" | "win" | "loss" | "chat" | "tick";

type Maker = { make(sound: Sound, volume: number): void };
let touched = false;
let maker: Maker | null = null;
let loading = false;

/** A page that may sound is open. */
let wanted = false;

function touch(): void {
  touched = true;
  removeEventListener("pointerdown", touch, true);
  removeEventListener("keydown", touch, true);
  if (wanted) load();
}

function load(): void {
  if (loading || !prefs.volume) return;
  loading = true;
  import("./sound").then((m) => void (maker = m), () => void (loading = false));
}

/** Waits for the first touch, wherever it is. */
export function listenForTouch(): void {
  addEventListener("pointerdown", touch, true);
  addEventListener("keydown", touch, true);
}

/** For a page that may sound: what makes the sounds is fetched now, or at the first touch. */
export function prepareSounds(): void {
  wanted = true;
  if (touched) load();
}

const BUZZ: Partial<Record<Sound, number[]>> = { turn: [60], trap: [30, 40, 90], win: [60, 60, 60], door: [40] };

export function play(sound: Sound): void {
  if (!touched) return;
  if (prefs.vibrate && BUZZ[sound]) navigator.vibrate?.(BUZZ[sound]);
  if (!prefs.volume) return;
  load();
  maker?.make(sound, prefs.volume / 10);
}
