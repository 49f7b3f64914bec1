// One seat of a table: who sits there, whether it is their turn, whether they are there.
import type { ComponentChildren, JSX } from "preact";
import { t } from "../i18n";
import type { Seat as SeatOf } from "../table";
import { Icon } from "./icons";
import "./seat.css";

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

export function SeatLine({ seat, n, mine, active, children }: {
  seat: SeatOf;
  n: number;
  mine: boolean;
  active: boolean;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class={`seat-line${active ? " active" : ""}`}>
      <Icon name={seat.kind === "bot" ? "bot" : seat.kind === "person" ? "person" : "people"} />
      <span class="who">
        <span>{seatName(seat, n)}{mine ? <span class="muted"> {t("(you)")}</span> : null}</span>
        {active ? <span class="sign">{t("to move")}</span> : null}
        {seat.away ? <span class="sign warn">{t("away, a bot plays on")}</span>
          : seat.kind === "person" && seat.connected === false
            ? <span class="sign warn">{t("not connected")}</span> : null}
      </span>
      {children}
    </div>
  );
}
