// How the points of Louis XIV came about: by round what was gained, at the end how it is counted.
import { t, tn } from "../../i18n";
import type { Snapshot } from "../../table";
import { ShieldArt } from "../../ui/art/court";
import { Reckoning, who } from "../kit";
import type { LouisState as State } from "../../schema";
import { holdCourt, mission, missionPoints, powerText, shieldKinds, shieldPoints } from "./court";

interface LouisRound { round: number; missions: string[][]; shields: number[] }

/** Missions and shields of each round; what is drawn after the last one has the round 0. */
export function louisRounds(log: Snapshot["log"], players: number): LouisRound[] {
  const found: LouisRound[] = [];
  const open = (round: number) => found.push({ round,
    missions: Array.from({ length: players }, () => []), shields: Array<number>(players).fill(0) });
  for (const { event } of log) {
    if (event.event === "round") {
      if (found.at(-1)?.round === 0) found.pop(); // it was not the last round
      open(Number(event["round"]));
    }
    const r = found.at(-1), seat = event["seat"] as number;
    if (!r) continue;
    if (event.event === "fulfilled") r.missions[seat]!.push(String(event["mission"]));
    if (event.event === "dealt" && event["pile"] === "shields") r.shields[seat]!++;
    if (event.event === "round_over") open(0);
  }
  return found;
}

export function LouisResult({ snap }: { snap: Snapshot }) {
  holdCourt(snap.options["court"]);
  const s = snap.state as State, seats = snap.seats.map((_, i) => i);
  const over = [...snap.log].reverse().find((l) => l.event.event === "game_over")?.event;
  const majorities = over?.["majorities"] as number[] | undefined;
  const kinds = shieldKinds(s.shields.flat());
  return (
    <Reckoning game={snap.game}>
      <thead>
        <tr><td />{seats.map((i) => <th scope="col" key={i}>{who(snap, i)}</th>)}</tr>
      </thead>
      <tbody>
        {louisRounds(snap.log, snap.players).map((r) => (
          <tr key={r.round}>
            <th scope="row">{r.round ? t("Round {n} of {all}", { n: r.round, all: s.rounds }) : t("After the last round")}</th>
            {seats.map((i) => (
              <td key={i}>
                {r.missions[i]!.map((id) => <div key={id}>{id}: {mission(id) ? powerText(mission(id)!) : ""} <b>+{missionPoints}</b></div>)}
                {r.shields[i]! > 0 && tn("{n} shield", "{n} shields", r.shields[i]!)}
              </td>
            ))}
          </tr>
        ))}
        {s.over && kinds.filter((k) => k > 0).map((k) => {
          const have = seats.map((i) => s.shields[i]!.filter((x) => Number(x) === k).length), most = Math.max(...have);
          return (
            <tr key={`kind${k}`}>
              <th scope="row"><span class="thing" role="img" aria-label={t("shields of kind {n}", { n: k })}><ShieldArt kind={k} /></span></th>
              {seats.map((i) => <td key={i}>{have[i] === most ? <b>{most}</b> : have[i]}</td>)}
            </tr>
          );
        })}
        <tr><th scope="row">{t("Missions, {n} each", { n: missionPoints })}</th>{seats.map((i) => <td key={i}>{missionPoints * s.fulfilled[i]!.length}</td>)}</tr>
        <tr><th scope="row">{t("Shields, {n} each", { n: shieldPoints })}</th>{seats.map((i) => <td key={i}>{shieldPoints * s.shields[i]!.length}</td>)}</tr>
        {majorities && <tr><th scope="row">{t("Most of a kind")}</th>{seats.map((i) => <td key={i}>{majorities[i]}</td>)}</tr>}
      </tbody>
      <tfoot>
        <tr><th scope="row">{t("Together")}</th>{seats.map((i) => <td key={i}><b>{s.points[i]}</b></td>)}</tr>
      </tfoot>
    </Reckoning>
  );
}
