// The story of a game of Doors.
import { t, tn } from "../../i18n";
import { seatNames } from "../../names";
import { cardName } from "../../ui/art/cards";
import type { Snapshot } from "../../table";
import { doorsRounds, type DoorsRound } from "../doors";
import { toYou } from "../kit";
import { best, lines, winnerOf } from "../story";

const guessed = (r: DoorsRound) => r.reason === "doors.guess.trait" || r.reason === "doors.guess.both";
const claimed = (r: DoorsRound) => r.reason.startsWith("doors.claim");

/** Who saw through whom. */
function guessSaid(snap: Snapshot, { seat, turn: n }: DoorsRound): string {
  const names = seatNames(snap.seats), name = names[seat]!, other = names[1 - seat]!;
  if (toYou(snap, seat)) return tn("Best guess: you saw through {other} after {n} card.", "Best guess: you saw through {other} after {n} cards.", n, { other });
  if (toYou(snap, 1 - seat)) return tn("Best guess: {name} saw through you after {n} card.", "Best guess: {name} saw through you after {n} cards.", n, { name });
  return tn("Best guess: {name} saw through {other} after {n} card.", "Best guess: {name} saw through {other} after {n} cards.", n, { name, other });
}

function roundSaid(snap: Snapshot, { seat, round, tokens: n }: DoorsRound): string {
  return toYou(snap, seat) ? tn("Round {round} decided it: {n} token for you.", "Round {round} decided it: {n} tokens for you.", n, { round })
    : tn("Round {round} decided it: {n} token for {name}.", "Round {round} decided it: {n} tokens for {name}.", n, { round, name: seatNames(snap.seats)[seat]! });
}

export function doorsStory(snap: Snapshot): string[] {
  const rounds = doorsRounds(snap.log), winner = winnerOf(snap);
  const turning = best(rounds.filter((r) => r.seat === winner), (r) => r.tokens);
  const guess = best(rounds.filter(guessed), (r) => r.tokens * 10 - r.turn);
  const set = best(rounds.filter(claimed), (r) => r.tokens);
  return lines(
    turning && roundSaid(snap, turning),
    guess ? guessSaid(snap, guess) : t("Nobody saw through the other."),
    set && t("Luckiest card: the {card} that completed a set in round {n}.", { card: cardName(set.card), n: set.round }),
  );
}
