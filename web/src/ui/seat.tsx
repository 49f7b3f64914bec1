// One seat of a table: who sits there, whether it is their turn, whether they are there.
import type { ComponentChildren, JSX } from "preact";
import { t, tn } from "../i18n";
import type { Seat as SeatOf } from "../table";
import { useEffect, useState } from "preact/hooks";
import { Face, faceOf } from "../faces";
import { levelName, temperOf } from "../names";
import { Icon } from "./icons";
import "./seat.css";

/** Of somebody for whom the table waits: that they are not there, and for how long. */
export function absence(seat: SeatOf): string {
  if (seat.kind !== "person" || seat.connected !== false) return "";
  const minutes = seat.gone ? Math.floor((Date.now() - seat.gone) / 60000) : 0;
  return minutes ? tn("left {n} minute ago; the table waits", "left {n} minutes ago; the table waits", minutes)
    : t("not connected; the table waits");
}

function sign(seat: SeatOf, over: boolean): string {
  if (over) return "";
  if (seat.standsIn) return t("a bot plays on");
  return seat.away ? t("away, a bot plays on") : absence(seat);
}

export function SeatLine({ seat, at, name, mine, active, over = false, children }: {
  seat: SeatOf;
  at: number;
  name: string;
  mine: boolean;
  active: boolean;
  /** The game is over, and nobody waits. */
  over?: boolean;
  children?: ComponentChildren;
}): JSX.Element {
  const warn = sign(seat, over);
  const [, tick] = useState(0);
  useEffect(() => {
    if (!seat.gone) return;
    const timer = setInterval(() => tick((n) => n + 1), 20000);
    return () => clearInterval(timer);
  }, [seat.gone]);
  return (
    <div class={`seat-line${active ? " active" : ""}`}>
      {seat.kind === "bot" || seat.kind === "person" ? <Face of={faceOf(seat.face, name)} size={28} /> : <Icon name="people" />}
      <span class="who">
        <span>
          {name}
          {seat.kind === "bot" && !seat.standsIn ? <span class="muted small"> {[levelName(seat.level), temperOf(seat.level, at)].filter(Boolean).join(", ")}<span class="hidden-visually">, {t("a bot")}</span></span> : null}
          {mine ? <span class="muted"> {t("(you)")}</span> : null}
        </span>
        {active ? <span class="sign">{seat.kind === "bot" ? t("is thinking…") : t("to move")}</span> : null}
        {warn ? <span class="sign warn">{warn}</span> : null}
      </span>
      {children}
    </div>
  );
}
