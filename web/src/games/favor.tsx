// Favor: the lot in the middle under the hammer; everybody's gems, cards and word in this auction
// around it.
import { useState } from "preact/hooks";
import { number, signed, t, tn } from "../i18n";
import type { FavorEvent, FavorEvents, FavorState as State } from "../schema";
import type { Snapshot } from "../table";
import { cardName, CardArt, DoorArt } from "../ui/art/cards";
import { GavelArt, GemArt } from "../ui/art/pieces";
import type { GameUi } from "./index";
import { lesson } from "./lessons/favor";
import { Bar, Board, type BoardProps, Card, Counts, cx, others, Pick, Pips, Plate, Reckoning, Row, seatName, who, since, Stack,
  toYou, useAct, Zone } from "./kit";
import { type Moment, momentsAt, Step, Tally, useSteps } from "./moments";
import { favorStory } from "./stories/favor";
import "./favor.css";

/** What each seat has said in the auction that is on. */
function words(snap: Snapshot): (string | undefined)[] {
  const said: (string | undefined)[] = [];
  const s = snap.state as State;
  if (s.phase !== "bid" && s.phase !== "final") return said;
  for (const { event } of since(snap, "auction", "final")) {
    const seat = event["seat"] as number;
    const you = toYou(snap, seat), n = event["number"] as number;
    if (event.event === "bid") said[seat] = you ? t("you bid {n}", { n }) : t("bids {n}", { n });
    if (event.event === "passed") said[seat] = you ? t("you pass") : t("passes");
  }
  return said;
}

function Player({ seat, said }: { seat: number; said?: string | undefined }) {
  const { snap } = useAct();
  const s = snap.state as State, own = seat === snap.seat, cards = s.collections[seat]!;
  return (
    <div class={cx("player", own && "own")}>
      <Plate seat={seat} role={s.caller !== seat ? undefined : toYou(snap, seat) ? t("you called") : t("Caller")} badge={said}>
        <span class="stats">
          <Pips n={s.gems[seat]!} art={<GemArt />} stock="gem" at={`${seat}`} label={tn("{n} gem", "{n} gems", s.gems[seat]!)} />
          <span class="points">{tn("{n} point", "{n} points", s.scores[seat]!)}</span>
        </span>
      </Plate>
      <Card card={s.identities[seat]!} zone={`door${seat}`} door class="identity"
        note={own ? t("your identity") : t("the identity of {name}", { name: seatName(snap, seat) })} />
      <div class="fan" style={{ "--n": cards.length }} role="group" aria-label={toYou(snap, seat) ? t("Your cards") : t("Cards of {name}", { name: seatName(snap, seat) })}>
        {cards.map((c, i) => <Card key={`${c}${i}`} card={c} zone={`has${seat}`} />)}
        {!cards.length && <span class="nothing">{t("no cards yet")}</span>}
      </div>
    </div>
  );
}

/** Bids that have a button of their own; who is so rich as to bid more chooses from a list. */
const BUTTONS = 10;

function Bids() {
  const { snap, can } = useAct();
  const s = snap.state as State, least = s.high_bid + 1, most = Math.max(s.gems[snap.seat!]!, least);
  const all = Array.from({ length: most - least + 1 }, (_, i) => least + i), more = all.length > BUTTONS + 1 ? all.slice(BUTTONS) : [];
  const [chosen, choose] = useState(0);
  const high = more.includes(chosen) ? chosen : more[0]!;
  const name = (n: number) => tn("Bid {n} gem", "Bid {n} gems", n);
  return (
    <Row label={t("Your bid")} class={cx("wrap bids", all.length > 8 && "many")}>
      {all.slice(0, all.length - more.length).map((n) => (
        <Pick key={n} action={`bid ${n}`} name={name(n)} class="say bid">
          {n}<GemArt />
        </Pick>
      ))}
      {more.length > 0 && (
        <span class="other">
          <label>{t("more")} <select value={String(high)} onChange={(e) => choose(Number(e.currentTarget.value))}>
            {more.map((n) => <option key={n} value={String(n)}>{n}</option>)}
          </select></label>
          <Pick action={`bid ${high}`} name={name(high)} class="say bid">{high}<GemArt /></Pick>
        </span>
      )}
      <Pick action="pass" class="say" name={can.get("pass") ?? t("Pass")} />
    </Row>
  );
}

function FavorBoard(props: BoardProps) {
  const { snap } = props;
  const s = snap.state as State, me = snap.seat, said = words(snap);
  const auction = s.phase === "bid" || s.phase === "final";
  return (
    <Board {...props} kind="favor">
      <div class="felt">
        <div class={cx("opponents", `n${others(snap).length}`)}>
          {others(snap).map((i) => <Player key={i} seat={i} said={said[i]} />)}
        </div>
        <div class="middle">
          <Zone title={t("Deck")} class="pile">
            <span class="line">
              {me === null || s.over
                ? <Stack n={s.deck_count} label={t("cards in the deck")} source />
                : (
                  <Pick action="add" name={t("Cards in the deck: {n}", { n: s.deck_count })} class="stackpick">
                    <Stack n={s.deck_count} label={t("cards in the deck")} source />
                  </Pick>
                )}
              {s.deck_left && s.deck_left.length > 0 && <Counts cards={s.deck_left} label={t("Still in the deck")} />}
            </span>
          </Zone>
          <Zone title={s.phase === "final" ? t("Final auction") : auction ? t("Auction") : t("Lot")} class="lot">
            <div class="line cards fan dense" style={{ "--n": Math.max(1, s.lot.length) }} role="group" aria-label={t("Lot")}>
              {s.lot.map((c, i) => <Card key={`${c}${i}`} card={c} zone="lot" />)}
              {!s.lot.length && <span class="nothing">{t("empty")}</span>}
            </div>
            <p class="hammer">
              {auction && <GavelArt />}
              {!auction ? "" : s.high_bidder === null ? t("No bid yet")
                : s.high_bidder === snap.seat && !snap.open ? tn("You bid {n} gem", "You bid {n} gems", s.high_bid) : tn("{name} bids {n} gem", "{name} bids {n} gems", s.high_bid,
                { name: seatName(snap, s.high_bidder) })}
            </p>
          </Zone>
          <Zone title={t("Discards")} class="discards">
            <div class="fan small">
              {s.discards.map((c, i) => <Card key={i} card={c} zone="discards" />)}
              {!s.discards.length && <span class="nothing">{t("no cards")}</span>}
            </div>
          </Zone>
          <p class="facts">
            {t("Day {n} of {most}", { n: s.day, most: s.options.days })} ·{" "}
            {s.options.edition === "en" ? t("English edition") : t("Italian edition")}
            {s.out_of_play > 0 && <> · {tn("{n} gem out of play", "{n} gems out of play", s.out_of_play)}</>}
          </p>
        </div>
        {me !== null && <Player seat={me} said={said[me]} />}
      </div>
      <Bar>
        {auction ? <Bids /> : (
          <Row label={t("Your choices")} class="wrap">
            <Pick action="add" class="say" name={t("Add a card")}>{t("Add a card")}</Pick>
            <Pick action="auction" class="say main" name={t("Call an auction")}>
              <GavelArt /> {t("Call an auction")}
            </Pick>
          </Row>
        )}
      </Bar>
    </Board>
  );
}

/* ---------- the end of a day ---------- */

/** Secrets turn over, then each card's worth is counted up. */
function FavorEnd({ snap, day }: { snap: Snapshot; day: FavorDay }) {
  const most = Math.max(...day.cards.map((c) => c.length));
  // Doors, then card after card in every row, then the bonus for gems.
  const at = useSteps(most + 3, 520, (step) => (step === 0 ? "door" : step === most + 2 ? "chip" : "tick"));
  // As they sit: the order must not tell who is ahead before it is counted.
  const order = snap.seats.map((_, i) => i);
  return (
    <div class="days">
      {order.map((i) => {
        const shown = day.cards[i]!.slice(0, Math.max(0, at - 1));
        const sum = shown.reduce((all, w) => all + w.points, 0) + (at >= most + 2 ? day.bonus[i]! : 0);
        return (
          <div class="day-of" key={i}>
            <span class={cx("swing", at >= 1 && "open")} role="img" data-card={day.identities[i]}
              aria-label={t("identity: {card}", { card: cardName(day.identities[i]!) })}>
              <DoorArt card={day.identities[i]!} />
              <span class="leaf"><DoorArt card="??" /></span>
            </span>
            <span class="counted">
              <strong>{who(snap, i)}</strong>
              <Worths d={day} seat={i} shown={at - 1} bonus={at >= most + 2} />
            </span>
            <span class="sum" aria-hidden="true"><Tally from={0} to={sum} ms={300} /></span>
            <span class="hidden-visually">{tn("{n} point", "{n} points", day.card_points[i]! + day.bonus[i]!)}</span>
          </div>
        );
      })}
      <Step at={at} from={most + 3} class="changes">
        {order.map((i) => <span key={i}>{who(snap, i)} <b>{tn("{n} point", "{n} points", day.scores[i]!)}</b></span>)}
      </Step>
    </div>
  );
}

function favorMoments(snap: Snapshot, since: number): Moment[] {
  return momentsAt(snap, since, "day_over", (i, line) => {
    const day = favorDays(snap.log.slice(0, i + 1)).at(-1)!;
    return { n: line.n, title: t("Day {n} is over", { n: day.day }), Body: (p) => <FavorEnd {...p} day={day} /> };
  });
}

/* ---------- how the points came about ---------- */

type FavorDay = FavorEvents["day_over"] & { identities: string[] };

/** The days that are over, from what was told of them. */
export function favorDays(log: Snapshot["log"]): FavorDay[] {
  const days: FavorDay[] = [];
  let identities: string[] = [];
  for (const line of log) {
    const event = line.event as FavorEvent;
    if (event.event === "identities") identities = event.identities;
    if (event.event === "day_over") days.push({ ...event, identities });
  }
  return days;
}


/** What each card of a seat was worth that day; the first `shown` of them. */
function Worths({ d, seat, shown = 99, bonus = true }: { d: FavorDay; seat: number; shown?: number; bonus?: boolean }) {
  return (
    <span class="worths">
      {d.cards[seat]!.map((w, k) => (
        <span key={k} class={cx("worth step", k < shown && "shown")}>
          <span class="mini" role="img" data-card={w.card} aria-label={w.as
            ? t("{card} as {other}", { card: cardName(w.card), other: cardName(w.as) }) : cardName(w.card)}>
            <CardArt card={w.card} />
          </span>
          {w.as && <span aria-hidden="true">→</span>}
          {w.as && <span class="mini" aria-hidden="true"><CardArt card={w.as} /></span>}
          <span>{signed(w.points)}</span>
        </span>
      ))}
      {d.bonus[seat]! > 0 && (
        <span class={cx("worth step", bonus && "shown")}><span class="mini" role="img" aria-label={t("most gems")}><GemArt /></span>
          {signed(d.bonus[seat]!)}</span>
      )}
    </span>
  );
}

/** One seat's day: who they were, and what each card was worth. */
function DayOf({ d, seat }: { d: FavorDay; seat: number }) {
  return (
    <>
      <span class="worths">
        <span class="mini" data-card={d.identities[seat]} role="img"
          aria-label={t("identity: {card}", { card: cardName(d.identities[seat]!) })}>
          <DoorArt card={d.identities[seat]!} />
        </span>
        <Worths d={d} seat={seat} />
      </span>
      <b>{signed(d.card_points[seat]! + d.bonus[seat]!)}</b>
    </>
  );
}

function FavorResult({ snap }: { snap: Snapshot }) {
  const s = snap.state as State, seats = snap.seats.map((_, i) => i);
  const days = favorDays(snap.log);
  return (
    <Reckoning game={snap.game}>
      <thead>
        <tr>
          <th scope="col">{t("Day")}</th>
          {seats.map((i) => <th scope="col" key={i}>{who(snap, i)}</th>)}
        </tr>
      </thead>
      <tbody>
        {days.map((d) => (
          <tr key={d.day}>
            <th scope="row">{d.day}</th>
            {seats.map((i) => (
              <td key={i}>
                <DayOf d={d} seat={i} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t("Together")}</th>
          {seats.map((i) => <td key={i}><b>{number(s.scores[i]!)}</b></td>)}
        </tr>
      </tfoot>
    </Reckoning>
  );
}

export const ui: GameUi = {
  id: "favor", lessons: [lesson], Board: FavorBoard, Result: FavorResult, moments: favorMoments, story: favorStory,
  irreversible: () => false,
};
