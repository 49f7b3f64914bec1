// One seat of a table: who sits there, whether it is their turn, whether they are there.
import type { ComponentChildren, JSX } from "preact";
import { t } from "../i18n";
import type { Seat as SeatOf } from "../table";
import { Icon } from "./icons";
import "./seat.css";

function sign(seat: SeatOf): string {
  if (seat.standsIn) return t("a bot plays on");
  if (seat.away) return t("away, a bot plays on");
  return seat.kind === "person" && seat.connected === false ? t("not connected") : "";
}

export function SeatLine({ seat, name, mine, active, children }: {
  seat: SeatOf;
  name: string;
  mine: boolean;
  active: boolean;
  children?: ComponentChildren;
}): JSX.Element {
  const warn = sign(seat);
  return (
    <div class={`seat-line${active ? " active" : ""}`}>
      <Icon name={seat.kind === "bot" ? "bot" : seat.kind === "person" ? "person" : "people"} />
      <span class="who">
        <span>
          {name}
          {seat.kind === "bot" && !seat.standsIn ? <span class="hidden-visually">, {t("a bot")}</span> : null}
          {mine ? <span class="muted"> {t("(you)")}</span> : null}
        </span>
        {active ? <span class="sign">{t("to move")}</span> : null}
        {warn ? <span class="sign warn">{warn}</span> : null}
      </span>
      {children}
    </div>
  );
}
