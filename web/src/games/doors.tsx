// Doors: the offer in the middle, the Collector's row on the Collector's side, both Doors in sight.
import { capital, t, tn } from "../i18n";
import { amount } from "../offer";
import type { DoorsEvent, DoorsState as State } from "../schema";
import type { Snapshot } from "../table";
import { cardName, DoorArt, Trait } from "../ui/art/cards";
import { TokenArt } from "../ui/art/pieces";
import type { GameUi } from "./index";
import { lesson } from "./lessons/doors";
import { Bar, Board, type BoardProps, Card, Counts, cx, others, Pick, Pips, Plate, Reckoning, Row, seatName, who, Stack, toYou,
  useAct, Zone } from "./kit";
import { type Moment, momentsAt, Step, Tally, useSteps } from "./moments";
import { doorsStory } from "./stories/doors";
import "./doors.css";

const worth = (name: string) => amount("doors", name);

const traitNames: Record<string, () => string> = {
  R: () => t("red"), B: () => t("blue"), L: () => t("lady"), T: () => t("tiger"),
};

/** How far each trait has come: a card counts for what is written on it. */
export const traitsOf = (cards: string[]) =>
  [..."RBLT"].map((trait) => [trait, cards.filter((c) => c.includes(trait)).length] as const);

function Traits({ cards }: { cards: string[] }) {
  return (
    <ul class="tally" aria-label={t("Of each trait, towards a set of four")}>
      {traitsOf(cards).map(([trait, n]) => (
        <li key={trait} class={cx(n >= worth("set") && "full")}
          aria-label={t("{trait}: {n} of {most}", { trait: traitNames[trait]!(), n, most: worth("set") })}>
          <Trait of={trait} />
          <span aria-hidden="true">{trait}</span>
          <b aria-hidden="true">{n}/{worth("set")}</b>
        </li>
      ))}
    </ul>
  );
}

const word: Record<string, string> = { R: "red", B: "blue", L: "lady", T: "tiger" };

/** All eight guesses: one trait each in one line, both in the other. */
function Guesses({ state }: { state: State }) {
  const trait = (of: string) => (
    <Pick key={of} action={`guess ${word[of]}`} name={traitNames[of]!()} class="head">
      <Trait of={of} /><span>{traitNames[of]!()}</span><small>+{state.pays.trait}</small>
    </Pick>
  );
  const door = (card: string) => (
    <Pick key={card} action={`guess ${word[card[0]!]} ${word[card[1]!]}`} name={cardName(card)} class="guess">
      <span class="mini"><DoorArt card={card} /></span><small>+{state.pays.both}</small>
    </Pick>
  );
  return (
    <Row label={t("Guess who the Collector is")} class="guesses">
      {[..."RBLT"].map(trait)}{["RL", "RT", "BL", "BT"].map(door)}
    </Row>
  );
}

function Side({ seat }: { seat: number }) {
  const { snap } = useAct();
  const s = snap.state as State, collects = seat === s.collector, own = seat === snap.seat;
  return (
    <div class={cx("side", own && "own")}>
      <Plate seat={seat} role={collects ? t("Collector") : t("Guesser")}>
        <Pips n={s.tokens[seat]!} of={s.win} art={<TokenArt />} stock="token" at={`${seat}`}
          label={tn("{n} token of {most}", "{n} tokens of {most}", s.tokens[seat]!, { most: s.win })} />
      </Plate>
      <Card card={s.identities[seat]!} zone={`door${seat}`} door class="identity"
        note={own ? t("your identity") : t("the identity of {name}", { name: seatName(snap, seat) })} />
      {collects && (
        <Zone title={t("Collection")} class="collection" drop="take">
          <Row label={t("Collection")} class="fan dense">
            {s.collection.map((c, i) => <Card key={`${c}${i}`} card={c} zone="collection" />)}
            {!s.collection.length && <span class="nothing">{t("no cards yet")}</span>}
          </Row>
          <Traits cards={s.collection} />
        </Zone>
      )}
    </div>
  );
}

function DoorsBoard(props: BoardProps) {
  const { snap } = props;
  const s = snap.state as State;
  const me = snap.seat, bottom = me ?? 0, top = snap.seat === null ? 1 : others(snap)[0]!;
  const verb = me === s.collector ? "take" : "discard";
  return (
    <Board {...props} kind="doors">
      <div class="felt">
        <Side seat={top} />
        <div class="middle">
          <Zone title={t("Deck")} class="pile">
            <span class="line">
              <Stack n={s.deck_count} label={t("cards in the deck")} source />
              {s.deck_left && s.deck_left.length > 0 && <Counts cards={s.deck_left} label={t("Still in the deck")} />}
            </span>
          </Zone>
          <Zone title={t("Offer")} class="offer">
            <Row label={t("Offer")} class="cards">
              {s.offer.map((c, i) => (
                <Card key={`${c}${i}`} card={c} zone="offer" action={s.over ? undefined : `${verb} ${c}`}
                  drag={props.snap.legal.includes(`${verb} ${c}`)} />
              ))}
            </Row>
            <p class="facts">
              {t("Round {n}", { n: s.round })} · {t("turn {n} of {most}", { n: s.guesser_turn, most: worth("turns") })}
            </p>
          </Zone>
          <Zone title={t("Discards")} class="discards" drop="discard">
            <div class="fan small">
              {s.discards.map((c, i) => <Card key={i} card={c} zone="discards" />)}
              {!s.discards.length && <span class="nothing">{t("no cards")}</span>}
            </div>
          </Zone>
        </div>
        <Side seat={bottom} />
      </div>
      <Bar>
        {me !== s.collector && <Guesses state={s} />}
        <Row label={me === s.collector ? t("Your choices") : t("Instead of a guess")} class="wrap">
          <Pick action="claim" name={t("Claim a set")} class={cx("say", me === s.collector && "main")}>
            {t("Claim a set")} <small>+{s.pays[me === s.collector ? "claim" : "guesser_claim"]}</small>
          </Pick>
          <Pick action="end" name={t("End the turn")} class="say" />
          {me !== s.collector && <small class="tip">{t("wrong: Collector +{n}", { n: s.pays.wrong })}</small>}
        </Row>
      </Bar>
    </Board>
  );
}

/* ---------- the end of a round ---------- */


/** The guess is spoken, a breath, the doors swing open, the tokens are counted. */
function DoorsEnd({ snap, round }: { snap: Snapshot; round: DoorsRound }) {
  const at = useSteps(3, 1300, (step) => (["bid", "door", "chip"] as const)[step]);
  const seats = snap.seat === null ? [1, 0] : [others(snap)[0]!, snap.seat];
  return (
    <>
      <Step at={at} from={1} class="speech">{round.said}</Step>
      <div class="pair">
        {seats.map((i) => (
          <div key={i}>
            <span class={cx("swing", at >= 2 && "open")} role="img" data-card={round.identities[i]}
              aria-label={cardName(round.identities[i] ?? "??")}>
              <DoorArt card={round.identities[i] ?? "??"} />
              <span class="leaf"><DoorArt card="??" /></span>
            </span>
            <strong>{who(snap, i)}</strong>
            <Step at={at} from={2}>{cardName(round.identities[i] ?? "??")}</Step>
          </div>
        ))}
      </div>
      <Step at={at} from={3} class="reason">{capital(reasons[round.reason]?.() ?? round.reason)}</Step>
      <Step at={at} from={3} class="changes">
        {seats.map((i) => {
          const before = round.before[i]!, won = i === round.seat ? round.tokens : 0;
          return (
            <span key={i} class={cx("share", won > 0 && "winning")}>{who(snap, i)} {won > 0 && <><span class="plus up">+{won}</span> → </>}
              {at >= 3 ? <Tally from={before} to={before + won} /> : <b>{before}</b>} {t("of {n}", { n: (snap.state as State).win })}</span>
          );
        })}
      </Step>
    </>
  );
}

function doorsMoments(snap: Snapshot, since: number): Moment[] {
  return momentsAt(snap, since, "round_over", (i, line) => {
    const round = doorsRounds(snap.log.slice(0, i + 1)).at(-1)!;
    return { n: line.n, title: t("Round {n} is over", { n: round.round }), Body: (p) => <DoorsEnd {...p} round={round} /> };
  });
}

/* ---------- how the points came about ---------- */

const reasons: Record<string, () => string> = {
  "doors.claim.collector": () => t("the Collector claimed a set"),
  "doors.guess.wrong": () => t("the guess was wrong"),
  "doors.guess.trait": () => t("one trait was guessed"),
  "doors.guess.both": () => t("both traits were guessed"),
  "doors.claim.guesser": () => t("the Guesser claimed a set"),
  "doors.deck-out": () => t("the fifth turn ended"),
};

export interface DoorsRound {
  round: number; collector: number; identities: string[]; seat: number; tokens: number; reason: string;
  /** What ended it, in the engine's words; what was guessed, if anything; the last card taken. */
  said: string; guess: string; card: string;
  /** The Guesser's turn it ended in, and the tokens before it. */
  turn: number; before: number[];
}

/** The rounds that are over, from what was told of them. */
export function doorsRounds(log: Snapshot["log"]): DoorsRound[] {
  const rounds: DoorsRound[] = [];
  const fresh = { said: "", guess: "", card: "", turn: 0 }, tokens = [0, 0];
  let now = { round: 0, collector: 0, ...fresh }, identities: string[] = [];
  for (const line of log) {
    const event = line.event as DoorsEvent, text = line.text;
    if (event.event === "round") now = { ...fresh, round: event.round, collector: event.collector };
    if (event.event === "taken") now = { ...now, turn: now.turn + 1, card: event.card, said: text };
    if (event.event === "guessed") now.guess = event.guess;
    if (event.event === "identities") identities = event.identities;
    else if (event.event === "round_over") {
      const { seat, reason } = event;
      rounds.push({ ...now, identities, seat, tokens: event.tokens, reason, before: [...tokens] });
      tokens[seat]! += event.tokens;
    } else if (event.event !== "dealt" && event.event !== "refilled" && event.event !== "round") now.said = text;
  }
  return rounds;
}

function happened(snap: Snapshot, { collector, reason }: DoorsRound): string {
  const what = reasons[reason]?.() ?? reason;
  return toYou(snap, collector) ? t("You collected: {what}", { what }) : t("Collector {name}: {what}", { name: seatName(snap, collector), what });
}

function DoorsResult({ snap }: { snap: Snapshot }) {
  const seats = [0, 1];
  const s = snap.state as State;
  return (
    <Reckoning game={snap.game}>
      <thead>
        <tr>
          <th scope="col">{t("Round")}</th>
          {seats.map((i) => <th scope="col" key={i}>{who(snap, i)}</th>)}
          <th scope="col">{t("What happened")}</th>
        </tr>
      </thead>
      <tbody>
        {doorsRounds(snap.log).map((r) => (
          <tr key={r.round}>
            <th scope="row">{r.round}</th>
            {seats.map((i) => (
              <td key={i} class="num">
                <span class="mini" data-card={r.identities[i]} role="img" aria-label={cardName(r.identities[i] ?? "??")}>
                  <DoorArt card={r.identities[i] ?? "??"} />
                </span>
                {i === r.seat ? <b>+{r.tokens}</b> : <span>0</span>}
              </td>
            ))}
            <td>{happened(snap, r)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t("Together")}</th>
          {seats.map((i) => <td key={i} class="num"><b>{s.tokens[i]}</b></td>)}
          <td />
        </tr>
      </tfoot>
    </Reckoning>
  );
}

export const ui: GameUi = {
  id: "doors", lessons: [lesson], Board: DoorsBoard, Result: DoorsResult, moments: doorsMoments, story: doorsStory,
  irreversible: (action) => /^(guess|claim)/.test(action),
};
