// The undo button: where a table allows it, with what it would do; and when it cannot, why not.
import type { JSX } from "preact";
import { t } from "../i18n";
import type { Snapshot } from "../table";
import { Icon } from "../ui/icons";

export function UndoButton({ snap, busy, undo, say }: {
  snap: Snapshot;
  busy: boolean;
  undo(): void;
  /** Shows a sentence. */
  say(text: string): void;
}): JSX.Element {
  const about = snap.mayUndo
    ? snap.practice ? t("Practice: back to your last decision") : t("Undo your last action")
    : snap.practice ? t("You have not made a move yet.")
      : t("Your last action cannot be undone: somebody has acted since, or it revealed something.");
  return (
    <button aria-disabled={!snap.mayUndo} class={snap.mayUndo ? "" : "cannot"} disabled={busy} title={about} data-testid="undo"
      onClick={() => (snap.mayUndo ? undo() : say(about))}>
      <Icon name="back" size={18} /> {t("Undo")}
    </button>
  );
}
