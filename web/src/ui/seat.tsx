// One seat of a table: who sits there, whether it is their turn, whether they are there.
import type { ComponentChildren, JSX } from "preact";
import { t } from "../i18n";
import type { Seat as SeatOf } from "../table";
import { Icon } from "./icons";

/** The name of a level of the bots. */
export function levelName(level: string | undefined): string {
  switch (level) {
    case "random": return t("random bot");
    case "novice": return t("novice bot");
    case "regular": return t("regular bot");
    case "expert": return t("expert bot");
    default: return t("bot");
  }
}

export function seatName(seat: SeatOf | undefined, n: number): string {
  if (!seat) return t("Seat {n}", { n: n + 1 });
  if (seat.kind === "open") return t("Free seat");
  if (seat.kind === "invited") return t("Kept for a guest");
  if (seat.kind === "bot")
    return seat.name ? t("{bot} for {name}", { bot: levelName(seat.level), name: seat.name }) : levelName(seat.level);
  return seat.name ?? t("Seat {n}", { n: n + 1 });
}

export function SeatBadge({ seat, n, mine, active, children }: {
  seat: SeatOf;
  n: number;
  mine: boolean;
  active: boolean;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class={`seat${active ? " active" : ""}${mine ? " mine" : ""}`}>
      <Icon name={seat.kind === "bot" ? "bot" : seat.kind === "person" ? "person" : "people"} />
      <span class="who">
        {seatName(seat, n)}
        {mine ? <span class="muted small"> {t("(you)")}</span> : null}
        {seat.away ? <span class="away small">{t("away")}</span> : null}
        {seat.kind === "person" && seat.connected === false ? <span class="away small">{t("not connected")}</span> : null}
      </span>
      {children}
    </div>
  );
}
