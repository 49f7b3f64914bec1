// What seats and bots are called. As the engine's sentences do: people by their names, bots by their
// level, and who shares a name with somebody has the number of the seat behind it.
import { offered, t } from "./i18n";
import type { Seat } from "./table";

export function levelName(level: string | undefined): string {
  const title = offered().levels.find((l) => l.level === level)?.title ?? level ?? t("bot");
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function plain(seat: Seat | undefined, n: number): string {
  if (seat?.kind === "open") return t("Free seat");
  if (seat?.kind === "invited") return seat.name ?? t("Reserved for an invited player");
  if (seat?.name) return seat.name;
  return seat?.kind === "bot" ? levelName(seat.level) : t("Seat {n}", { n: n + 1 });
}

export function seatNames(seats: Seat[]): string[] {
  const names = seats.map(plain);
  return names.map((name, n) =>
    seats[n]!.kind !== "open" && seats[n]!.kind !== "invited" && names.some((other, o) => o !== n && other === name)
      ? `${name} ${n + 1}` : name);
}
