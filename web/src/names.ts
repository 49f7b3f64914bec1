// What seats and bots are called. As the engine's sentences do: people by their names, bots by their
// level, and who shares a name with somebody has the number of the seat behind it.
import { offered, t } from "./i18n";
import type { Temper } from "./offer";
import type { Seat, Snapshot } from "./table";

export function levelName(level: string | undefined): string {
  const title = offered().levels.find((l) => l.level === level)?.title ?? level ?? t("bot");
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** What a bot is called at a seat, and in the engine's sentences. */
export function botName(level: string | undefined, seat: number): string {
  return offered().levels.find((l) => l.level === level)?.people[seat] ?? levelName(level);
}

export const temper = (level: string | undefined, seat: number): Temper =>
  offered().levels.find((l) => l.level === level)?.tempers[seat] ?? "even";

/** What a bot at a seat is like, in a word or two; nothing of who has no leaning. */
export function temperOf(level: string | undefined, seat: number): string {
  switch (temper(level, seat)) {
    case "cautious": return t("cautious");
    case "daring": return t("daring");
    case "bluffer": return t("likes to bluff");
    case "miser": return t("a miser");
    default: return "";
  }
}

function plain(seat: Seat | undefined, n: number): string {
  if (seat?.kind === "open") return t("Free seat");
  if (seat?.kind === "invited") return seat.name ?? t("Reserved for an invited player");
  if (seat?.name) return seat.name;
  return seat?.kind === "bot" ? botName(seat.level, n) : t("Seat {n}", { n: n + 1 });
}

export function seatNames(seats: Seat[]): string[] {
  const names = seats.map(plain);
  return names.map((name, n) =>
    seats[n]!.kind !== "open" && seats[n]!.kind !== "invited" && names.some((other, o) => o !== n && other === name)
      ? `${name} ${n + 1}` : name);
}

/** A name that stands by itself: oneself, without a name of one's own, is "You". Sentences need `seatNames`. */
export function standingNames(snap: Snapshot): string[] {
  return seatNames(snap.seats).map((name, n) => (n === snap.seat && !snap.open && name === t("Guest") ? t("You") : name));
}

/** The button after a game: whom it asks, or who has asked. */
export function rematchLabel(snap: Snapshot): string {
  const names = seatNames(snap.seats);
  const by = snap.nextBy;
  if (snap.next) return by !== undefined && by !== snap.seat ? t("Rematch: {name} is waiting", { name: names[by]! }) : t("To the rematch");
  const others = names.filter((_, n) => n !== snap.seat && snap.seats[n]!.kind === "person");
  return others.length === 1 ? t("Ask {name} for a rematch", { name: others[0]! }) : t("Rematch");
}
