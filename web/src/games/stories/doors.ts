// The story of a game of Doors.
import { t, tn } from "../../i18n";
import { seatNames } from "../../names";
import { cardName } from "../../ui/art/cards";
import type { Snapshot } from "../../table";
import { doorsRounds, type DoorsRound } from "../doors";
import { best, lines, winnerOf } from "../story";


const guessed = (r: DoorsRound) => r.reason === "doors.guess.trait" || r.reason === "doors.guess.both";
const claimed = (r: DoorsRound) => r.reason.startsWith("doors.claim");

export function doorsStory(snap: Snapshot): string[] {
  const names = seatNames(snap.seats), rounds = doorsRounds(snap.log), winner = winnerOf(snap);
  const turning = best(rounds.filter((r) => r.seat === winner), (r) => r.tokens);
  const guess = best(rounds.filter(guessed), (r) => r.tokens * 10 - r.turn);
  const set = best(rounds.filter(claimed), (r) => r.tokens);
  return lines(
    turning && tn("Round {round} decided it: {n} token for {name}.", "Round {round} decided it: {n} tokens for {name}.", turning.tokens,
      { round: turning.round, name: names[turning.seat]! }),
    guess ? tn("Best guess: {name} saw through {other} after {n} card.", "Best guess: {name} saw through {other} after {n} cards.", guess.turn,
      { name: names[guess.seat]!, other: names[1 - guess.seat]! }) : t("Nobody saw through the other."),
    set && t("Luckiest card: the {card} that completed a set in round {n}.", { card: cardName(set.card), n: set.round }),
  );
}
