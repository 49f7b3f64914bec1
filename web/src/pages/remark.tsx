// A word from a bot now and then: after a round, and at the end of a game. Who does not want it turns it
// off with the sounds.
import type { JSX } from "preact";
import { Face, faceOf } from "../faces";
import { t } from "../i18n";
import { seatNames, temper } from "../names";
import type { Temper } from "../offer";
import { prefs } from "../prefs";
import type { Snapshot } from "../table";
import "./remark.css";

function afterRound(of: Temper): string[] {
  switch (of) {
    case "cautious": return [t("I would rather have waited."), t("Slow and steady.")];
    case "daring": return [t("Higher next time!"), t("Nothing ventured, nothing gained.")];
    case "bluffer": return [t("And you believed me?"), t("I never said I had it.")];
    case "miser": return [t("That was expensive."), t("I count every one of them.")];
    default: return [t("Well played."), t("On we go.")];
  }
}

const atEnd = (won: boolean): string[] => won ? [t("Good game. Another one?"), t("Luck was on my side.")]
  : [t("Well won. I want a rematch!"), t("You saw through me.")];

/** `n` numbers the occasion: the same one brings the same words, also after a reload. */
export function Remark({ snap, n, over = false }: { snap: Snapshot; n: number; over?: boolean }): JSX.Element | null {
  const bots = snap.seats.flatMap((s, i) => (s.kind === "bot" && !s.standsIn ? [i] : []));
  const lot = (n * 2654435761) >>> 8;
  if (!prefs.remarks || !bots.length || (!over && lot % 3)) return null;
  const seat = bots[lot % bots.length]!, s = snap.seats[seat]!, name = seatNames(snap.seats)[seat]!;
  const won = ((snap.state?.winners ?? []) as number[]).includes(seat);
  const lines = over ? atEnd(won) : afterRound(temper(s.level, seat));
  return (
    <p class="remark">
      <Face of={faceOf(s.face, name)} size={28} /> <span><b>{name}</b> {lines[(lot >> 4) % lines.length]}</span>
    </p>
  );
}
