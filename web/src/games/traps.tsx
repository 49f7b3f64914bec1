// Traps: a pile before each seat, the target and the pot in the middle, your hand below.
import { useState } from "preact/hooks";
import { capital, t, tn } from "../i18n";
import { amount } from "../offer";
import type { TrapsEvent, TrapsState as State } from "../schema";
import type { Snapshot } from "../table";
import { CardArt, cardName, DoorArt } from "../ui/art/cards";
import { PotArt, TokenArt } from "../ui/art/pieces";
import type { GameUi } from "./index";
import { lesson } from "./lessons/traps";
import { Bar, Board, type BoardProps, Card, Counts, cx, others, Pick, Pips, Plate, Reckoning, Row, seatName, toYou, who, useAct,
  Zone } from "./kit";
import { type Moment, momentsAt, Step, useSteps } from "./moments";
import { trapsStory } from "./stories/traps";
import "./traps.css";

function badge(snap: Snapshot, seat: number): string | undefined {
  const s = snap.state as State, n = s.high_bet, you = toYou(snap, seat);
  if (s.high_bettor === seat && s.phase === "bet") return you ? t("you bet {n}", { n }) : t("bets {n}", { n });
  if (s.high_bettor === seat) return you ? t("you must show {n}", { n }) : t("must show {n}", { n });
  if (s.passed.includes(seat)) return you ? t("you pass") : t("passes");
  if (s.phase !== "place") return undefined;
  if (s.to_act.includes(seat)) return you ? t("you choose") : t("is choosing");
  return you ? t("you have placed") : t("has placed");
}

/** The face-down cards of a seat, top first; the top one can be turned up. */
function Pile({ seat }: { seat: number }) {
  const { snap, can } = useAct();
  const s = snap.state as State, pile = s.piles[seat]!, own = seat === snap.seat;
  const seen = pile.filter((c) => c !== "??").map(cardName).join(", ");
  const label = (toYou(snap, seat) ? t("Your pile, face down: {n}", { n: pile.length })
    : t("Pile of {name}, face down: {n}", { name: seatName(snap, seat), n: pile.length })) + (seen && ` (${seen})`);
  const drop = own ? (s.phase === "place" ? "place" : "build") : undefined;
  const cards = pile.map((c, i) => <Card key={i} card={c} zone={`pile${seat}`} />);
  return (
    <div class="pile" data-drop={drop}>
      {snap.seat !== null && !s.over && (pile.length > 0 || can.has(`reveal ${seat}`))
        ? <Pick action={`reveal ${seat}`} name={label} class="stackpick fan">{cards}</Pick>
        : <span class={cx("fan", !pile.length && "empty")} role="group" aria-label={label}>{cards}</span>}
      <b class="count" aria-hidden="true">{pile.length}</b>
    </div>
  );
}

function Player({ seat }: { seat: number }) {
  const { snap, can } = useAct();
  const s = snap.state as State, own = seat === snap.seat;
  const known = s.known[seat] ?? [];
  return (
    <div class={cx("player", own && "own")}>
      <Plate seat={seat} role={s.first === seat ? t("first") : undefined} badge={badge(snap, seat)}>
        <span class="stats">
          <Pips n={s.tokens[seat]!} of={amount("traps", "win")} art={<TokenArt />} stock="token" at={`${seat}`}
            label={tn("{n} token of {most}", "{n} tokens of {most}", s.tokens[seat]!, { most: amount("traps", "win") })} />
          <span>{tn("{n} card in hand", "{n} cards in hand", s.hands[seat]!.length)}</span>
        </span>
        {known.length > 0 && (
          <span class="memory"><small>{t("shown before")}</small><Counts cards={known} label={t("shown in earlier rounds")} /></span>
        )}
      </Plate>
      <div class="lay">
        <Pile seat={seat} />
        {s.revealed[seat]!.length > 0 && (
          <div class="fan shown" role="group" aria-label={t("Turned up")}>
            {s.revealed[seat]!.map((c, i) => <Card key={i} card={c} zone={`pile${seat}`} />)}
          </div>
        )}
      </div>
      {can.has(`give ${seat}`) && (
        <Pick action={`give ${seat}`} class="say main small give" name={can.get(`give ${seat}`)!}><TokenArt /> {t("Give the token")}</Pick>
      )}
    </div>
  );
}

function Bets() {
  const { snap, can } = useAct();
  const s = snap.state as State;
  const bets = snap.legal.filter((a) => a.startsWith("bet ")).map((a) => Number(a.slice(4)));
  const [n, set] = useState(0);
  const low = bets[0] ?? s.high_bet + 1, more = Math.max(n, low + 8), most = amount("traps", "highest_bet");
  return (
    <Row label={t("Your bet")} class="wrap bids">
      {Array.from({ length: 8 }, (_, i) => low + i).filter((b) => b <= most).map((b) => (
        <Pick key={b} action={`bet ${b}`} name={tn("Bet {n} point", "Bet {n} points", b)} class="say bid">{b}</Pick>
      ))}
      {bets.length > 8 && (
        <span class="other">
          <label>{t("more")} <input type="number" min={low} max={most} value={more}
            onInput={(e) => set(Number(e.currentTarget.value))} /></label>
          <Pick action={`bet ${more}`} class="say bid" name={tn("Bet {n} point", "Bet {n} points", more)}>
            {t("Bet {n}", { n: more })}
          </Pick>
        </span>
      )}
      {s.phase === "bet" && <Pick action="pass" class="say" name={can.get("pass") ?? t("Pass")} />}
    </Row>
  );
}

function TrapsBoard(props: BoardProps) {
  const { snap } = props;
  const s = snap.state as State, me = snap.seat;
  const lay = s.phase === "place" ? "place" : "build";
  const asked = me !== null && s.to_act.includes(me);
  return (
    <Board {...props} kind="traps">
      <div class="felt">
        <div class={cx("opponents", `n${others(snap).length}`)}>
          {others(snap).map((i) => <Player key={i} seat={i} />)}
        </div>
        <div class="middle">
          <Zone title={t("Target")} class="target">
            <Card card={s.target} zone="target" door class="identity" note={t("the target of this round")} />
          </Zone>
          <div class="centre">
            {s.high_bet > 0 && (
              <p class="goal">
                <progress max={s.high_bet} value={Math.min(s.points, s.high_bet)} aria-label={t("Points turned up")} />
                <b>{t("{n} of {bet} points", { n: s.points, bet: s.high_bet })}</b>
                {s.high_bettor !== null && <span>{who(snap, s.high_bettor)}</span>}
              </p>
            )}
            <p class="pot"><PotArt />{t("Pot")} <Pips n={s.pot} art={<TokenArt />} stock="token" at="pot" label={tn("{n} token in the pot", "{n} tokens in the pot", s.pot)} /></p>
            <p class="facts">{t("Round {n}", { n: s.round })} · {t("Supply: {n}", { n: s.supply })}</p>
          </div>
          <Zone title={t("To come")} class="coming">
            <span class="line">
              {s.doors_left.map((c, i) => (
                <span key={i} class="mini" role="img" data-card={c} aria-label={cardName(c)} title={cardName(c)}><DoorArt card={c} /></span>
              ))}
              {!s.doors_left.length && <span class="nothing">{t("none")}</span>}
            </span>
          </Zone>
        </div>
      </div>
      {me !== null && (
        <Bar hand={(
          <div class="own-row">
            <Player seat={me} />
            <Zone title={t("Your hand")} class="hand">
              <Row label={t("Your hand")} class="cards">
                {s.hands[me]!.map((c, i) => (
                  <Card key={`${c}${i}`} card={c} zone="hand" action={s.over ? undefined : `${lay} ${c}`}
                    drag={snap.legal.includes(`${lay} ${c}`)} />
                ))}
                {!s.hands[me]!.length && <span class="nothing">{t("no cards")}</span>}
              </Row>
            </Zone>
          </div>
        )}>
          {asked && (s.phase === "build" || s.phase === "bet") && <Bets />}
          {asked && s.phase === "reveal" && (
            <Row label={t("Your choices")} class="wrap">
              <span class="tip">{t("Turn up the top card of any pile")}</span>
              <Pick action="stop" class="say" name={t("Pay a token and stop")} />
            </Row>
          )}
        </Bar>
      )}
    </Board>
  );
}

/* ---------- the end of a round ---------- */

/** Card after card is turned by whoever turns it, and the trap snaps. */
function TrapsEnd({ snap, round }: { snap: Snapshot; round: TrapsRound }) {
  const turns = round.shown.length;
  const at = useSteps(turns + 1, 750, (step) => (step === turns ? "chip" : round.traps.includes(step) ? "trap" : "take"));
  return (
    <>
      <p class="reason">
        <span class="mini" data-card={round.target} role="img" aria-label={t("target: {card}", { card: cardName(round.target) })}>
          <DoorArt card={round.target} />
        </span>{" "}
        {round.said}
      </p>
      <div class="cards-line">
        {round.shown.map(([pile, c], k) => (
          <div key={k} class={cx("turned step", round.traps.includes(k) && "trap", at > k && "shown")}>
            <span class="flip" role="img" aria-label={cardName(c)}>
              <span class="face"><CardArt card={c} /></span>
              <span class="back"><CardArt card="??" /></span>
            </span>
            <span class="whose">{who(snap, pile)}</span>
            {round.traps.includes(k) && <b class={cx("down", at <= k && "unseen")}>{t("trap")}</b>}
          </div>
        ))}
      </div>
      <Step at={at} from={turns + 1} class="reason">
        {round.told || capital(hows[""]!())}
      </Step>
      <Step at={at} from={turns + 1} class="changes">
        {round.change.map((n, i) => n !== 0 && (
          <span key={i}>{who(snap, i)} <span class={n > 0 ? "up" : "down"}>{n > 0 ? `+${n}` : `−${-n}`}</span></span>
        ))}
      </Step>
    </>
  );
}

function trapsMoments(snap: Snapshot, since: number): Moment[] {
  const told = (i: number, line: Snapshot["log"][number]): Moment | null => {
    const round = trapsRounds(snap.log.slice(0, i + 1), snap.players).at(-1)!;
    return round.bettor === null ? null
      : { n: line.n, title: t("Round {n} is over", { n: round.round }), Body: (p) => <TrapsEnd {...p} round={round} /> };
  };
  // The last round ends with the game, and has no other end.
  return ["round_over", "game_over"].flatMap((event) => momentsAt(snap, since, event, told));
}

/* ---------- where the tokens came from ---------- */

interface TrapsRound {
  round: number; target: string; bettor: number | null; bet: number; how: string; change: number[]; shown: [number, string][];
  /** Which of the shown cards were traps. */
  traps: number[];
  /** The bet and what came of it, in the engine's words. */
  said: string; told: string;
}

/** The rounds so far with what each seat won or lost in them. */
export function trapsRounds(log: Snapshot["log"], players: number): TrapsRound[] {
  const rounds: TrapsRound[] = [];
  for (const line of log) {
    const event = line.event as TrapsEvent;
    if (event.event === "round")
      rounds.push({ round: event.round, target: event.target, bettor: null, bet: 0, how: "",
        change: Array<number>(players).fill(0), shown: [], traps: [], said: "", told: "" });
    const r = rounds.at(-1);
    if (!r) continue;
    const add = (who: number, much: number) => { r.change[who] = (r.change[who] ?? 0) + much; };
    if (event.event === "bet") r.said = line.text;
    if (["stopped", "bet_met", "bet_failed", "all_four"].includes(event.event)) r.told = line.text;
    switch (event.event) {
      case "bet": r.bettor = event.seat; r.bet = event.number; break;
      case "revealed": r.shown.push([event.pile, event.card]); break;
      case "trap":
        r.traps.push(r.shown.length - 1);
        if (event.pile !== event.seat) add(event.pile, event.tokens);
        break;
      case "given": add(event.to, event.tokens); break;
      case "stopped": add(event.seat, -event.tokens); r.how = "stopped"; break;
      case "bet_met": add(event.seat, event.tokens); r.how = "met"; break;
      case "bet_failed": add(event.seat, -event.tokens); r.how = "failed"; break;
      case "all_four": add(event.seat, -event.tokens); r.how = "four"; break;
    }
  }
  return rounds;
}

const hows: Record<string, () => string> = {
  met: () => t("bet met"), failed: () => t("bet failed"), stopped: () => t("stopped"), four: () => t("own trap, all others have four"),
  "": () => t("a trap decided"),
};

/** The cards that were turned up in a round, each with its owner. */
function Shown({ snap, round }: { snap: Snapshot; round: TrapsRound }) {
  return (
    <span class="worths">
      {round.shown.map(([pile, c], k) => (
        <span key={k} class="mini" data-card={c} role="img" title={`${cardName(c)}, ${seatName(snap, pile)}`}
          aria-label={`${cardName(c)}, ${seatName(snap, pile)}`}><CardArt card={c} /></span>
      ))}
    </span>
  );
}

function TrapsResult({ snap }: { snap: Snapshot }) {
  const s = snap.state as State, seats = snap.seats.map((_, i) => i);
  return (
    <Reckoning game={snap.game}>
      <thead>
        <tr>
          <th scope="col">{t("Round")}</th><th scope="col">{t("Bet")}</th><th scope="col">{t("Turned up")}</th>
          {seats.map((i) => <th scope="col" key={i}>{who(snap, i)}</th>)}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row" colSpan={3}>{t("At the start")}</th>
          {seats.map((i) => <td key={i}>{amount("traps", "start")}</td>)}
        </tr>
        {trapsRounds(snap.log, snap.players).filter((r) => r.bettor !== null).map((r) => (
          <tr key={r.round}>
            <th scope="row">
              {r.round} <span class="mini" data-card={r.target} role="img" aria-label={t("target: {card}", { card: cardName(r.target) })}><DoorArt card={r.target} /></span>
            </th>
            <td>{r.bettor !== null && t("{name}: {n}", { name: seatName(snap, r.bettor), n: r.bet })}<br />{hows[r.how]!()}</td>
            <td>
              <Shown snap={snap} round={r} />
            </td>
            {seats.map((i) => <td key={i}>{r.change[i]! > 0 ? <b>+{r.change[i]}</b> : r.change[i]! < 0 ? `−${-r.change[i]!}` : "0"}</td>)}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr><th scope="row" colSpan={3}>{t("Together")}</th>{seats.map((i) => <td key={i}><b>{s.tokens[i]}</b></td>)}</tr>
      </tfoot>
    </Reckoning>
  );
}

export const ui: GameUi = {
  id: "traps", lessons: [lesson], Board: TrapsBoard, Result: TrapsResult, moments: trapsMoments, story: trapsStory,
  irreversible: (action) => /^(reveal|stop)/.test(action),
};
