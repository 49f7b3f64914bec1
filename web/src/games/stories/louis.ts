// The story of a game of Louis XIV.
import { t, tn } from "../../i18n";
import { seatNames } from "../../names";
import type { LouisState } from "../../schema";
import type { Snapshot } from "../../table";
import { toYou } from "../kit";
import { missionPoints, shieldPoints } from "../louis/court";
import { louisRounds } from "../louis/result";
import { best, lines, tiedWith, winnerOf } from "../story";

/** What decided among those with the most points (louis.end.score). */
function tie(snap: Snapshot, winner: number): string | false {
  const { fulfilled } = snap.state as LouisState, rivals = tiedWith(snap);
  if (!rivals.length) return false;
  return rivals.every((i) => fulfilled[i]!.length < fulfilled[winner]!.length) ? t("Equal points: the missions decided.")
    : t("Equal points: the gold left over decided.");
}

function roundSaid(snap: Snapshot, seat: number, round: number, n: number): string {
  return toYou(snap, seat) ? tn("In round {round} you gained {n} point: that decided it.", "In round {round} you gained {n} points: that decided it.", n, { round })
    : tn("In round {round} {name} gained {n} point: that decided it.", "In round {round} {name} gained {n} points: that decided it.", n,
      { round, name: seatNames(snap.seats)[seat]! });
}

function plotSaid(snap: Snapshot, seat: number, n: number): string {
  return toYou(snap, seat) ? tn("Best plotter: you, with {n} intrigue card.", "Best plotter: you, with {n} intrigue cards.", n)
    : tn("Best plotter: {name}, with {n} intrigue card.", "Best plotter: {name}, with {n} intrigue cards.", n, { name: seatNames(snap.seats)[seat]! });
}

function crownSaid(snap: Snapshot, seat: number, n: number): string {
  return toYou(snap, seat) ? tn("The King's favour: you got {n} crown from Louis.", "The King's favour: you got {n} crowns from Louis.", n)
    : tn("The King's favour: {name} got {n} crown from Louis.", "The King's favour: {name} got {n} crowns from Louis.", n,
      { name: seatNames(snap.seats)[seat]! });
}

export function louisStory(snap: Snapshot): string[] {
  const winner = winnerOf(snap);
  const worth = (r: ReturnType<typeof louisRounds>[number], seat: number) => 
    missionPoints * r.missions[seat]!.length + shieldPoints * r.shields[seat]!;
  const rounds = louisRounds(snap.log, snap.players).filter((r) => r.round > 0);
  const turning = best(rounds, (r) => worth(r, winner));
  const tricks = snap.seats.map((_, seat) => ({ seat,
    n: snap.log.filter((l) => l.event.event === "intrigue" && l.event["seat"] === seat).length }));
  const plotter = best(tricks, (x) => x.n);
  const crowns = snap.seats.map((_, seat) => ({ seat,
    n: snap.log.filter((l) => l.event.event === "crown" && l.event["seat"] === seat).length }));
  const crowned = best(crowns, (x) => x.n);
  return lines(
    tie(snap, winner),
    turning && roundSaid(snap, winner, turning.round, worth(turning, winner)),
    plotter && plotter.n > 0 && plotSaid(snap, plotter.seat, plotter.n),
    crowned && crowned.n > 0 && crownSaid(snap, crowned.seat, crowned.n),
  ).slice(0, 3);
}
