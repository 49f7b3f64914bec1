// How fast things move: what the person chose, or not at all where the system asks for less motion.
import { prefs } from "../prefs";

export type Motion = "calm" | "normal" | "quick" | "none";

const FACTOR: Record<Motion, number> = { calm: 1.8, normal: 1, quick: 0.45, none: 0 };

/** Times a duration at normal pace; 0: nothing moves. */
export function pace(): number {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : FACTOR[prefs.motion];
}

/** So that styles know too. */
export function applyMotion(): void {
  document.documentElement.dataset.motion = prefs.motion;
}
