// The story of a game of Traps.
import { t, tn } from "../../i18n";
import { seatNames } from "../../names";
import { cardName } from "../../ui/art/cards";
import type { Snapshot } from "../../table";
import { trapsRounds } from "../traps";
import { best, lines, winnerOf } from "../story";


export function trapsStory(snap: Snapshot): string[] {
  const names = seatNames(snap.seats), winner = winnerOf(snap);
  const rounds = trapsRounds(snap.log, snap.players).filter((r) => r.bettor !== null);
  const turning = best(rounds, (r) => r.change[winner]!);
  const bet = best(rounds.filter((r) => r.how === "met"), (r) => r.bet);
  const caught = rounds.flatMap((r) => r.traps.map((k) => ({ round: r, pile: r.shown[k]![0], card: r.shown[k]![1] })))
    .filter((c) => c.pile !== c.round.bettor);
  const trap = best(caught, (c) => c.round.bet);
  return lines(
    turning && turning.change[winner]! > 0 && tn("Round {round} decided it: {n} token for {name}.",
      "Round {round} decided it: {n} tokens for {name}.", turning.change[winner]!, { round: turning.round, name: names[winner]! }),
    bet ? t("Best bet: {name} bet {n} and met it.", { name: names[bet.bettor!]!, n: bet.bet }) : t("No bet was met."),
    trap && t("Luckiest card: {name}'s {card}, a trap for {other}.",
      { card: cardName(trap.card), name: names[trap.pile]!, other: names[trap.round.bettor!]! }),
  );
}
