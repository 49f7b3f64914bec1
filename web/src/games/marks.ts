// Marks on a board: where an action is found there, whole or in the parts that it is put together of.
import type { GameUi } from "./index";

/** Marks an action wherever the board offers it; gives what was marked. */
export function markAction(ui: GameUi | null, action: string, name: string): Element[] {
  const found = [`[data-action="${CSS.escape(action)}"]`, ...(ui?.parts?.(action) ?? []).map((part) => `[data-part="${CSS.escape(part)}"]`)]
    .flatMap((selector) => [...document.querySelectorAll(`[data-testid=board] ${selector}`)]);
  found.forEach((e) => e.classList.add(name));
  return found;
}
