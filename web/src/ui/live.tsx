// The live region: what a screen reader says by itself. Lines are added below each other, so that
// several that come at once are all read.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

let lines: { id: number; text: string }[] = [];
let next = 0;
const listeners = new Set<() => void>();

/** Has something said, politely. */
export function announce(text: string): void {
  if (!text) return;
  lines = [...lines.slice(-7), { id: next++, text }];
  for (const listener of listeners) listener();
}

export function Live(): JSX.Element {
  const [, redraw] = useState(0);
  useEffect(() => {
    const changed = () => redraw((n) => n + 1);
    listeners.add(changed);
    return () => void listeners.delete(changed);
  }, []);
  return (
    <div class="hidden-visually" role="log" aria-live="polite" aria-relevant="additions">
      {lines.map((l) => <p key={l.id}>{l.text}</p>)}
    </div>
  );
}
