// The live region: what a screen reader says by itself. Lines are added below each other, so that
// several that come at once are all read.
import type { JSX } from "preact";
import { useStore } from "../hooks";
import { Listeners } from "../listeners";

let lines: { id: number; text: string }[] = [];
let next = 0;
const listeners = new Listeners();

/** Has something said, politely. */
export function announce(text: string): void {
  if (!text) return;
  lines = [...lines.slice(-7), { id: next++, text }];
  listeners.tell();
}

export function Live(): JSX.Element {
  useStore(listeners.add);
  return (
    <div class="hidden-visually" role="log" aria-live="polite" aria-relevant="additions">
      {lines.map((l) => <p key={l.id}>{l.text}</p>)}
    </div>
  );
}
