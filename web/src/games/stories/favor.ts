// The story of a game of Favor.
import { t, tn } from "../../i18n";
import { seatNames } from "../../names";
import { cardName } from "../../ui/art/cards";
import type { FavorState } from "../../schema";
import type { LogLine, Snapshot } from "../../table";
import { favorDays } from "../favor";
import { toYou } from "../kit";
import { best, lines, tiedWith, winnerOf } from "../story";

interface Sale { seat: number; price: number; cards: string[]; day: number }

/** Every lot that was sold: who got what for how much. */
export function salesOf(log: LogLine[]): Sale[] {
  const sales: Sale[] = [];
  let lot: string[] = [], day = 0;
  for (const { event } of log) {
    if (event.event === "day") day = Number(event["day"]);
    if (event.event === "lot_opened") lot = [...(event["lot"] as string[])];
    if (event.event === "added") lot.push(String(event["card"]));
    if (event.event === "sold") sales.push({ seat: Number(event["seat"]), price: Number(event["price"]), cards: lot, day });
  }
  return sales;
}

/** What decided among those with the most points (favor.win.gems, favor.win.earliest). */
function tie(snap: Snapshot, winner: number): string | false {
  const { gems } = snap.state as FavorState, rivals = tiedWith(snap);
  if (!rivals.length) return false;
  return rivals.every((i) => gems[i]! < gems[winner]!) ? t("Equal points: the gems decided.") : t("Equal points and gems: the turn order decided.");
}

function daySaid(snap: Snapshot, seat: number, day: number, n: number): string {
  return toYou(snap, seat) ? tn("Day {day} decided it: {n} point for you.", "Day {day} decided it: {n} points for you.", n, { day })
    : tn("Day {day} decided it: {n} point for {name}.", "Day {day} decided it: {n} points for {name}.", n, { day, name: seatNames(snap.seats)[seat]! });
}

function bidSaid(snap: Snapshot, { seat, price }: Sale, n: number): string {
  return toYou(snap, seat) ? t("Best bid: you paid {price} for cards worth {n}.", { price, n })
    : t("Best bid: {name} paid {price} for cards worth {n}.", { name: seatNames(snap.seats)[seat]!, price, n });
}

function luckSaid(snap: Snapshot, { seat, price, cards }: Sale): string {
  const card = cardName(cards.at(-1)!);
  return toYou(snap, seat) ? t("Luckiest card: the {card}, which you bought for {price}.", { card, price })
    : t("Luckiest card: the {card}, bought for {price} by {name}.", { card, price, name: seatNames(snap.seats)[seat]! });
}

export function favorStory(snap: Snapshot): string[] {
  const days = favorDays(snap.log), winner = winnerOf(snap);
  const of = (d: (typeof days)[number], seat: number) => d.card_points[seat]! + d.bonus[seat]!;
  const lead = (d: (typeof days)[number]) =>
    of(d, winner) - Math.max(...snap.seats.map((_, i) => i).filter((i) => i !== winner).map((i) => of(d, i)));
  const day = best(days, lead);
  // A card counts for its buyer as the day's reckoning says.
  const worth = (s: Sale) => s.cards.reduce((sum, c) =>
    sum + (days.find((d) => d.day === s.day)?.cards[s.seat]?.find((w) => w.card === c)?.points ?? 0), 0);
  const sales = salesOf(snap.log);
  const bargain = best(sales, (s) => worth(s) - s.price);
  const lucky = best(sales.filter((s) => s !== bargain && s.cards.length), (s) => worth(s) / s.cards.length - s.price / 10);
  return lines(
    tie(snap, winner),
    day && daySaid(snap, winner, day.day, of(day, winner)),
    bargain && bidSaid(snap, bargain, worth(bargain)),
    lucky && luckSaid(snap, lucky),
  ).slice(0, 3);
}
