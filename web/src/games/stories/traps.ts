// The story of a game of Traps.
import { t, tn } from "../../i18n";
import { seatNames } from "../../names";
import { cardName } from "../../ui/art/cards";
import type { Snapshot } from "../../table";
import { toYou } from "../kit";
import { best, lines, winnerOf } from "../story";
import { trapsRounds } from "../traps";

function roundSaid(snap: Snapshot, seat: number, round: number, n: number): string {
  return toYou(snap, seat) ? tn("Round {round} decided it: {n} token for you.", "Round {round} decided it: {n} tokens for you.", n, { round })
    : tn("Round {round} decided it: {n} token for {name}.", "Round {round} decided it: {n} tokens for {name}.", n, { round, name: seatNames(snap.seats)[seat]! });
}

function betSaid(snap: Snapshot, seat: number, n: number): string {
  return toYou(snap, seat) ? t("Best bet: you bet {n} and met it.", { n })
    : t("Best bet: {name} bet {n} and met it.", { name: seatNames(snap.seats)[seat]!, n });
}

/** Whose card was a trap for whom. */
function trapSaid(snap: Snapshot, seat: number, caught: number, trap: string): string {
  const names = seatNames(snap.seats), name = names[seat]!, other = names[caught]!, card = cardName(trap);
  if (toYou(snap, seat)) return t("Luckiest card: your {card}, a trap for {other}.", { card, other });
  if (toYou(snap, caught)) return t("Luckiest card: {name}'s {card}, a trap for you.", { card, name });
  return t("Luckiest card: {name}'s {card}, a trap for {other}.", { card, name, other });
}

export function trapsStory(snap: Snapshot): string[] {
  const winner = winnerOf(snap);
  const rounds = trapsRounds(snap.log, snap.players).filter((r) => r.bettor !== null);
  const turning = best(rounds, (r) => r.change[winner]!);
  const bet = best(rounds.filter((r) => r.how === "met"), (r) => r.bet);
  const caught = rounds.flatMap((r) => r.traps.map((k) => ({ round: r, pile: r.shown[k]![0], card: r.shown[k]![1] })))
    .filter((c) => c.pile !== c.round.bettor);
  const trap = best(caught, (c) => c.round.bet);
  return lines(
    turning && turning.change[winner]! > 0 && roundSaid(snap, winner, turning.round, turning.change[winner]!),
    bet ? betSaid(snap, bet.bettor!, bet.bet) : t("No bet was met."),
    trap && trapSaid(snap, trap.pile, trap.round.bettor!, trap.card),
  );
}
