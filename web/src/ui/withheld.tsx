// Who had pledged a random part and did not reveal it (docs/fair-deals.md).
import type { JSX } from "preact";
import { t } from "../i18n";
import { seatNames } from "../names";
import type { Snapshot } from "../table";

export function Withheld({ snap }: { snap: Snapshot }): JSX.Element | null {
  const names = seatNames(snap.seats).filter((_, n) => snap.seats[n]!.part_hash && !snap.seats[n]!.part);
  if (!snap.started || !names.length) return null;
  return (
    <p class="notice" role="status">
      {t("{names} did not reveal a random part in time: zeros stand in for it, and the game is not rated.", { names: names.join(", ") })}
    </p>
  );
}
