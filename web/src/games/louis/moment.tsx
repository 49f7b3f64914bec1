// The end of a round of Louis XIV: a walk over the court, tile by tile, then what everyone gained.
import type { ComponentChildren } from "preact";
import { t, tn } from "../../i18n";
import type { LogLine, Snapshot } from "../../table";
import { Cameo, ChipArt, GoldArt, InfluenceArt, IntrigueArt, ShieldArt } from "../../ui/art/court";
import { pace } from "../../ui/pace";
import { who } from "../kit";
import { type Moment, momentsAt, Step, useSteps } from "../moments";
import { CHIPS, chipName, missionPoints, person, tiles } from "./court";

/** What one seat gained in a round. */
interface Gain { chips: Record<string, number>; shields: number; gold: number; paid: number; influence: number; intrigue: number; missions: string[] }

const nothing = (): Gain => ({ chips: {}, shields: 0, gold: 0, paid: 0, influence: 0, intrigue: 0, missions: [] });

/** The lines of the round that ends at line `end`. */
function roundOf(log: LogLine[], end: number): LogLine[] {
  let i = end;
  while (i > 0 && log[i]!.event.event !== "round") i--;
  return log.slice(i, end + 1);
}

export function gainsOf(lines: LogLine[], players: number): Gain[] {
  const gains = Array.from({ length: players }, nothing);
  for (const { event } of lines) {
    const g = gains[event["seat"] as number], n = Number(event["amount"] ?? 1);
    if (!g) continue;
    const chip = (name: string, much: number) => { g.chips[name] = (g.chips[name] ?? 0) + much; };
    if (event.event === "rewarded")
      switch (event["reward"]) {
        case "chip": chip(String(event["chip"]), n); break;
        case "shield": g.shields += n; break;
        case "gold": g.gold += n; break;
        case "influence_card": g.influence += n; break;
        case "intrigue_card": g.intrigue += n; break;
      }
    if (event.event === "crown") chip("crown", 1);
    if (event.event === "paid") g.paid += Number(event["gold"]);
    if (event.event === "fulfilled") g.missions.push(String(event["mission"]));
  }
  return gains;
}

interface Walked { tile: number; said: string[] }

/** What was said of each tile when it was evaluated. */
export function walkOf(lines: LogLine[]): Walked[] {
  const walk: Walked[] = [];
  for (const { event, text } of lines) {
    if (event.event === "counted") walk.push({ tile: Number(event["tile"]), said: [] });
    else if (["rewarded", "paid", "crown", "favourite", "put"].includes(event.event)) walk.at(-1)?.said.push(text);
  }
  return walk;
}

function Got({ art, n, label }: { art: ComponentChildren; n: number; label: string }) {
  return n ? <span class="thing" role="img" aria-label={`${label}: ${n}`} title={label}>{art}<b aria-hidden="true">{n > 0 ? `+${n}` : `−${-n}`}</b></span> : null;
}

/** What was said of a tile, under its name: so without the name again. */
function Said({ of: { tile, said } }: { of: Walked }) {
  const name = `${person(tile)}: `;
  const lines = said.map((line) => (line.startsWith(name) ? line.slice(name.length) : line));
  return <>{(lines.length ? lines : [t("Nobody gets anything.")]).map((line, i) => <span key={i}>{line.charAt(0).toUpperCase() + line.slice(1)}</span>)}</>;
}

/** Where nothing moves: all tiles at once, in the order in which they were evaluated. */
function WalkList({ walk }: { walk: Walked[] }) {
  return (
    <ul class="plain walk-list">
      {walk.map((w, i) => <li key={i}><b>{w.tile} {person(w.tile)}</b><span class="said"><Said of={w} /></span></li>)}
    </ul>
  );
}

function LouisEnd({ snap, lines }: { snap: Snapshot; lines: LogLine[] }) {
  const walk = walkOf(lines), gains = gainsOf(lines, snap.players);
  const at = useSteps(walk.length + 1, 650, (step) => (step === walk.length ? "chip" : "tick"));
  const now = walk[Math.min(at, walk.length) - 1];
  const done = at > walk.length;
  return (
    <>
      {pace() > 0 && <div class="walk" aria-hidden="true">
        {tiles.map((tile) => {
          const when = walk.findIndex((w) => w.tile === tile.id);
          return (
            <span key={tile.id} class={!done && now?.tile === tile.id ? "here" : when >= 0 && when < at ? "past" : ""}
              style={{ gridRow: tile.pos[0]! + 1, gridColumn: `${tile.pos[1]! + 1} / span 2` }}>{tile.id}</span>
          );
        })}
      </div>}
      <div class="walk-told">
        <div class="walk-line">
          {!done && now && <><Cameo tile={now.tile} /><b>{now.tile} {person(now.tile)}</b><Said of={now} /></>}
        </div>
        <Step at={at} from={walk.length + 1}>
          <table data-testid="gains">
            <tbody>
              {gains.map((g, i) => (
                <tr key={i}>
                  <th scope="row">{who(snap, i)}</th>
                  <td>
                    {CHIPS.map((c) => <Got key={c} art={<ChipArt of={c} />} n={g.chips[c] ?? 0} label={chipName(c)} />)}
                    <Got art={<ShieldArt kind={0} />} n={g.shields} label={t("shields")} />
                    <Got art={<GoldArt />} n={g.gold - g.paid} label={t("gold")} />
                    <Got art={<InfluenceArt />} n={g.influence} label={t("influence cards")} />
                    <Got art={<IntrigueArt />} n={g.intrigue} label={t("intrigue cards")} />
                    {g.missions.length > 0 && <b class="mission-gain">{tn("{n} mission", "{n} missions", g.missions.length)} +{missionPoints * g.missions.length}</b>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Step>
      </div>
      {pace() === 0 && <WalkList walk={walk} />}
    </>
  );
}

export function louisMoments(snap: Snapshot, since: number): Moment[] {
  return momentsAt(snap, since, "round_over", (i, line) => {
    const lines = roundOf(snap.log, i);
    return { n: line.n, title: line.text.replace(/\.$/, ""), Body: (p) => <LouisEnd {...p} lines={lines} /> };
  });
}
