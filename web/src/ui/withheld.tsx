// Who had pledged a random part and did not reveal it (docs/fair-deals.md). Read once, it is put away: it lies
// over the board.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { seatNames } from "../names";
import type { Snapshot } from "../table";
import { Icon } from "./icons";

export function Withheld({ snap }: { snap: Snapshot }): JSX.Element | null {
  const [read, set] = useState(false);
  const names = seatNames(snap.seats).filter((_, n) => snap.seats[n]!.part_hash && !snap.seats[n]!.part);
  if (read || !snap.started || !names.length) return null;
  return (
    <div class="notice with-close" role="status">
      <p>{t("{names} did not reveal a random part in time: zeros stand in for it, and the game is not rated.", { names: names.join(", ") })}</p>
      <button class="quiet icon" aria-label={t("Close")} onClick={() => set(true)}><Icon name="close" size={18} /></button>
    </div>
  );
}
