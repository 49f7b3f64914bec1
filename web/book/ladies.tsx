// Figures of Doors, Favor and Traps. Those with a position get a state that the engine has replayed.
import type { JSX } from "preact";
import { GavelArt, GemArt, PotArt, TokenArt } from "../src/ui/art/pieces";
import { Arrow, at, BAD, Box, Card, Door, FELT, GOOD, INK, Lines, PALE, Row, Say, Sheet } from "./kit";
import type { Scene } from "./figures";

const CLUES: [string, number][] = [["RL", 3], ["BL", 3], ["RT", 3], ["BT", 3], ["BR", 1], ["LT", 1]];
const DOORS = ["RL", "BL", "RT", "BT"];

/** So many pieces in rows; a number beside them if there are too many to draw. */
const Pieces = ({ art, n, x, y, most = 10, size = 20 }: { art: JSX.Element; n: number; x: number; y: number; most?: number; size?: number }) => (
  <>
    {Array.from({ length: Math.min(n, most) }, (_, i) => at(art, x + i * (size + 2), y, size, size))}
    {n > most && <Say x={x + most * (size + 2) + 4} y={y + size - 5}>{`× ${n}`}</Say>}
  </>
);

export function box({ w, game }: Scene) {
  const gems = game === "favor";
  return (
    <Sheet h={330} title={w("What is in the box", "Che cosa c'è nella scatola")}>
      <Say x={24} y={32} bold>{w("14 Clues", "14 carte Indizio")}</Say>
      {CLUES.map(([code, n], i) => (
        <>
          {Card(code, 24 + i * 118, 44, 76)}
          <Say x={24 + i * 118 + 38} y={168} anchor="middle" size={12.5}>{`${w.card(code)} × ${n}`}</Say>
        </>
      ))}
      <Say x={24} y={206} bold>{w("4 Doors", "4 carte Porta")}</Say>
      {DOORS.map((code, i) => Door(code, 24 + i * 76, 216, 64))}
      {Door("??", 24 + 4 * 76, 216, 64)}
      <Say x={24 + 5 * 76 - 4} y={264} size={13} fill={PALE}>{w("shut: the back", "chiusa: il dorso")}</Say>
      <Say x={510} y={206} bold>{gems ? w("25 gems", "25 segnalini") : w("25 tokens", "25 segnalini")}</Say>
      {Array.from({ length: 25 }, (_, i) => at(gems ? <GemArt /> : <TokenArt />, 510 + (i % 9) * 21, 216 + Math.floor(i / 9) * 24, 20, 20))}
    </Sheet>
  );
}

/* ---- Doors ---------------------------------------------------------------- */

const Deck = ({ n, x, y, label }: { n: number; x: number; y: number; label: string }) => (
  <>
    {n > 0 ? [0, 1, 2].map((i) => Card("??", x + i * 2, y - i * 2, 56)) : <Box x={x} y={y} w={56} h={78} dash fill="none" />}
    <Say x={x + 30} y={y + 96} anchor="middle" size={13} fill={PALE}>{label}</Say>
  </>
);

function DoorsTable({ state: s, w, names }: Scene, identities: string[]): JSX.Element {
  const roles = [w("Collector", "Collezionista"), w("Guesser", "Indovinatore")];
  return (
    <>
      <Box x={16} y={16} w={688} h={330} fill={FELT} />
      {[1 - s.collector, s.collector].map((seat: number, i) => (
        <>
          {Door(identities[seat]!, 36, 34 + i * 190, 62)}
          <Say x={112} y={58 + i * 190} bold>{names[seat]}</Say>
          <Say x={112} y={78 + i * 190} size={13} fill={PALE}>{seat === s.collector ? roles[0] : roles[1]}</Say>
          <Pieces art={<TokenArt />} n={s.tokens[seat]} x={112} y={88 + i * 190} size={18} />
        </>
      ))}
      <Say x={380} y={140} anchor="middle" size={13} fill={PALE}>{w("offer", "offerta")}</Say>
      <Row cards={s.offer} x={260} y={36} />
      <Deck n={s.deck_count} x={540} y={36} label={w(`deck: ${s.deck_count}`, `mazzo: ${s.deck_count}`)} />
      <Say x={380} y={334} anchor="middle" size={13} fill={PALE}>{w("collection", "collezione")}</Say>
      {s.collection.length ? <Row cards={s.collection} x={260} y={232} /> : <Box x={260} y={232} w={242} h={78} dash fill="none" />}
      <Say x={612} y={334} anchor="middle" size={13} fill={PALE}>{w("discards", "scarti")}</Say>
      {s.discards.length ? <Row cards={s.discards} x={540} y={232} step={24} /> : <Box x={540} y={232} w={144} h={78} dash fill="none" />}
    </>
  );
}

export const doorsStart = (scene: Scene) => (
  <Sheet h={362} title={scene.w("The table when a round begins", "Il tavolo all'inizio di un round")}>{DoorsTable(scene, ["BT", "??"])}</Sheet>
);
export const doorsGuess = (scene: Scene) => (
  <Sheet h={362} title={scene.w("Before Bruno's guess", "Prima dell'ipotesi di Bruno")}>{DoorsTable(scene, ["??", "RL"])}</Sheet>
);

export const doorsSets = ({ w }: Scene) => {
  const rows: [string[], string, string][] = [
    [["RL", "RL", "RT", "BR"], w("A red set: 3 red cards and Blue/Red.", "Un set rosso: 3 carte rosse e la Blu/Rossa."), w("Good for the Red Lady and the Red Tiger.", "Va bene per la Signora Rossa e la Tigre Rossa.")],
    [["BT", "RT", "RT", "LT"], w("A tiger set: 3 tigers and Lady/Tiger.", "Un set di tigri: 3 tigri e la Signora/Tigre."), w("Good for the Red Tiger and the Blue Tiger.", "Va bene per la Tigre Rossa e la Tigre Blu.")],
    [["RL", "RL", "BT", "BR", "LT"], w("No set: 3 red, 3 ladies, 2 blue, 2 tigers.", "Nessun set: 3 rosse, 3 signore, 2 blu, 2 tigri."), w("No trait has four cards.", "Nessuna caratteristica arriva a quattro carte.")],
  ];
  return (
    <Sheet h={310} title={w("Sets", "I set")}>
      {rows.map(([cards, what, who], i) => (
        <>
          <Row cards={cards} x={24} y={20 + i * 95} w={58} step={i === 2 ? 52 : 64} />
          <Say x={310} y={52 + i * 95} bold fill={i === 2 ? BAD : GOOD}>{what}</Say>
          <Say x={310} y={76 + i * 95} size={14}>{who}</Say>
        </>
      ))}
    </Sheet>
  );
};

/* ---- Favor ---------------------------------------------------------------- */

function Seat({ x, y, name, gems, door, cards, note }: { x: number; y: number; name: string; gems: number; door: string; cards: string[]; note?: string }) {
  return (
    <>
      <Box x={x} y={y} w={218} h={126} />
      {Door(door, x + 8, y + 10, 44)}
      <Say x={x + 60} y={y + 26} bold>{name}</Say>
      <Pieces art={<GemArt />} n={gems} x={x + 60} y={y + 34} size={16} most={8} />
      {note && <Say x={x + 210} y={y + 26} anchor="end" size={13} fill={PALE}>{note}</Say>}
      {cards.length ? <Row cards={cards} x={x + 60} y={y + 62} w={38} step={Math.min(26, 110 / cards.length)} /> : <Box x={x + 60} y={y + 62} w={150} h={54} dash fill="none" />}
    </>
  );
}

export const favorStart = ({ state: s, w, names }: Scene) => (
  <Sheet h={300} title={w("The table when day 1 begins", "Il tavolo all'inizio del primo giorno")}>
    <Box x={16} y={16} w={688} h={268} fill={FELT} />
    <Row cards={s.lot} x={300} y={30} />
    <Say x={328} y={126} anchor="middle" size={13} fill={PALE}>{w("lot", "lotto")}</Say>
    <Deck n={s.deck_count} x={400} y={30} label={w(`deck: ${s.deck_count}`, `mazzo: ${s.deck_count}`)} />
    {names.map((name, i) => <Seat x={24 + i * 228} y={146} name={name} gems={s.gems[i]} door={i === 0 ? "RT" : "??"} cards={s.collections[i]} note={i === s.first ? w("first", "comincia") : undefined} />)}
  </Sheet>
);

/** Who may bid when, and who pays whom: the second auction of the example. */
export const favorAuction = ({ state: s, w, names, moves }: Scene) => {
  const bids = moves.slice(-2).concat(moves.after.slice(0, 1)); // Carla, Ada, Bruno
  const said = (action: string) => (action === "pass" ? w("passes", "passa") : w(`bids ${action.slice(4)}`, `offre ${action.slice(4)}`));
  const spots: [number, number][] = [[560, 60], [160, 60], [360, 250]];
  const order = bids.map((b) => b.seat);
  return (
    <Sheet h={372} title={w("A called auction", "Un'asta chiamata")}>
      <Row cards={s.lot} x={360 - s.lot.length * 31} y={104} />
      <Say x={360} y={200} anchor="middle" size={13} fill={PALE}>{w("the lot", "il lotto")}</Say>
      <Arrow from={[470, 60]} to={[250, 60]} colour={PALE} />
      <Arrow from={[160, 110]} to={[268, 232]} colour={PALE} />
      {order.map((seat, i) => {
        const [x, y] = spots[i]!;
        const won = i === 2;
        return (
          <>
            <Box x={x - 90} y={y - 34} w={180} h={82} fill={won ? "#fff3c9" : "#fffaf0"} />
            <circle cx={x - 72} cy={y - 16} r="11" fill={INK} />
            <Say x={x - 72} y={y - 11} anchor="middle" size={14} fill="#fff" bold>{String(i + 1)}</Say>
            <Say x={x - 54} y={y - 10} bold>{names[seat]}</Say>
            {s.caller === seat && at(<GavelArt />, x + 60, y - 30, 22, 22)}
            <Say x={x - 72} y={y + 14} size={14}>{said(bids[i]!.action)}</Say>
            <Pieces art={<GemArt />} n={s.gems[seat]} x={x - 72} y={y + 22} size={15} most={9} />
          </>
        );
      })}
      <Lines x={360} y={326} anchor="middle" size={14} lines={w(
        "Bruno called (hammer): his left neighbour speaks first, he himself last.|He wins with 3: Carla and Ada get 1 each, the third gem goes out of play.",
        "Ha chiamato Bruno (martello): parla per primo chi gli sta a sinistra, lui per ultimo.|Vince con 3: Carla e Ada ne prendono 1 a testa, il terzo segnalino esce dal gioco.").split("|")} />
    </Sheet>
  );
};

export const favorSpecials = ({ w }: Scene) => {
  const row = (y: number, left: string[], special: string, right: string[], what: string, good: boolean) => (
    <>
      <Row cards={left} x={150} y={y} w={48} />
      <Say x={214} y={y + 42} size={20}>+</Say>
      {Card(special, 232, y, 48)}
      <Arrow from={[292, y + 34]} to={[330, y + 34]} colour={good ? GOOD : BAD} />
      <Row cards={right} x={340} y={y} w={48} />
      <Say x={404} y={y + 40} size={14} fill={good ? GOOD : BAD} bold>{what}</Say>
    </>
  );
  return (
    <Sheet h={408} title={w("What the specials do", "Che cosa fanno le speciali")}>
      {Door("RT", 24, 150, 78)}
      <Say x={63} y={280} anchor="middle" size={13}>{w("you", "tu")}</Say>
      <Say x={150} y={30} bold>{w("Both editions", "Tutte e due le edizioni")}</Say>
      {row(40, ["BT"], "BR", ["RT"], w("right role, other colour: 3 points", "stesso ruolo, altro colore: 3 punti"), true)}
      {row(116, ["RL"], "LT", ["RT"], w("right colour, other role: 3 points", "stesso colore, altro ruolo: 3 punti"), true)}
      <Say x={150} y={214} bold>{w("Italian edition", "Edizione italiana")}</Say>
      {row(224, ["BL"], "BR", ["BL"], w("nothing in common: no change, −2", "niente in comune: resta −2"), false)}
      <Say x={150} y={314} bold>{w("English edition", "Edizione inglese")}</Say>
      {row(324, ["BL"], "BR", ["RL"], w("any card may change: 1 point", "qualsiasi carta può cambiare: 1 punto"), true)}
    </Sheet>
  );
};

/** The score sheet of the example's day, from what the engine counted. */
export const favorSheet = ({ w, names, event }: Scene) => {
  const day = event("day_over");
  return (
    <Sheet w={440} h={44 + names.length * 92} title={w("The score sheet of day 1", "Il foglio dei punti del primo giorno")}>
      {([[w("player", "giocatore"), 40], [w("cards and their points", "carte e punti"), 208], [w("gems", "segn."), 354], [w("day 1", "giorno 1"), 408]] as [string, number][])
        .map(([t, x]) => <Say x={x} y={28} size={13} fill={PALE} anchor="middle">{t}</Say>)}
      {names.map((name, seat) => {
        const y = 44 + seat * 92;
        const cards: { card: string; as?: string; points: number }[] = day.cards[seat];
        return (
          <>
            <path d={`M12 ${y - 6}H428`} stroke={PALE} stroke-width=".7" />
            {Door(day.identities[seat], 19, y, 42)}
            <Say x={40} y={y + 76} anchor="middle" bold>{name}</Say>
            {cards.map((c, i) => (
              <>
                {Card(c.as ?? c.card, 84 + i * 43, y + 6, 34)}
                {c.as && <Say x={84 + i * 43 + 33} y={y + 16} size={15} fill={GOOD} bold>*</Say>}
                <Say x={84 + i * 43 + 17} y={y + 74} anchor="middle" size={15} bold fill={c.points < 0 ? BAD : INK}>{String(c.points).replace("-", "−")}</Say>
              </>
            ))}
            <Say x={354} y={y + 40} anchor="middle" bold>{String(day.bonus[seat])}</Say>
            <Say x={408} y={y + 42} anchor="middle" size={20} bold>{String(day.card_points[seat] + day.bonus[seat])}</Say>
          </>
        );
      })}
    </Sheet>
  );
};

/* ---- Traps ---------------------------------------------------------------- */

const Piles = ({ scene: { state: s, w, names }, hands }: { scene: Scene; hands: boolean }) => (
  <>
    <Box x={16} y={16} w={688} h={350} fill={FELT} />
    {Door(s.target, 36, 30, 70)}
    <Say x={71} y={144} anchor="middle" size={13} fill={PALE}>{w("target", "obiettivo")}</Say>
    {at(<PotArt />, 150, 40, 40, 40)}
    <Say x={200} y={68}>{w(`pot: ${s.pot}`, `piatto: ${s.pot}`)}</Say>
    <Say x={200} y={92} size={13} fill={PALE}>{w(`supply: ${s.supply}`, `riserva: ${s.supply}`)}</Say>
    {s.high_bet > 0 && <Say x={340} y={68} bold>{w(`${names[s.high_bettor]} has bet ${s.high_bet}`, `${names[s.high_bettor]} ha scommesso ${s.high_bet}`)}</Say>}
    {s.high_bet > 0 && <Say x={340} y={92}>{w(`points so far: ${s.points}`, `punti finora: ${s.points}`)}</Say>}
    {names.map((name, i) => {
      const x = 28 + i * 226;
      return (
        <>
          <Box x={x} y={160} w={214} h={196} />
          <Say x={x + 12} y={184} bold>{name}</Say>
          <Pieces art={<TokenArt />} n={s.tokens[i]} x={x + 80} y={170} size={17} />
          <Say x={x + 12} y={210} size={12} fill={PALE}>{hands ? w("hand", "mano") : w("pile, top to the right", "pila, la cima a destra")}</Say>
          {hands
            ? <Row cards={s.hands[i]} x={x + 12} y={218} w={42} step={48} />
            : <Row cards={s.piles[i]} x={x + 12} y={218} w={42} step={16} />}
          {!hands && !s.piles[i].length && <Box x={x + 12} y={218} w={42} h={58} dash fill="none" />}
          {!hands && s.revealed[i].length > 0 && (
            <>
              <Say x={x + 100} y={228} size={12} fill={PALE}>{w("turned up", "scoperte")}</Say>
              <Row cards={s.revealed[i]} x={x + 100} y={236} w={50} step={54} />
            </>
          )}
          {!hands && s.revealed[i].map((c: string, k: number) => (
            <Say x={x + 125 + k * 54} y={326} anchor="middle" size={13} bold fill={value(c, s.target) ? GOOD : BAD}>{value(c, s.target) ? `+${value(c, s.target)}` : w("trap", "trappola")}</Say>
          ))}
        </>
      );
    })}
  </>
);

/** The worth of a card, as traps.reveal.* says. */
function value(card: string, target: string): number {
  if (card === "BR") return 1;
  if (card === "LT") return 0;
  return Number(card[0] === target[0]) + Number(card[1] === target[1]);
}

export const trapsStart = (scene: Scene) => (
  <Sheet h={382} title={scene.w("The table when the game begins", "Il tavolo all'inizio della partita")}><Piles scene={scene} hands /></Sheet>
);
export const trapsReveal = (scene: Scene) => (
  <Sheet h={382} title={scene.w("Carla turns up cards", "Carla scopre le carte")}><Piles scene={scene} hands={false} /></Sheet>
);

export const trapsValues = ({ w }: Scene) => (
  <Sheet h={190} title={w("What each card is worth", "Quanto vale ogni carta")}>
    {Door("RT", 24, 24, 76)}
    <Say x={62} y={152} anchor="middle" size={13}>{w("target", "obiettivo")}</Say>
    {CLUES.map(([c], i) => {
      const n = value(c, "RT");
      return (
        <>
          {Card(c, 136 + i * 96, 24, 76)}
          <Say x={136 + i * 96 + 38} y={154} anchor="middle" bold fill={n ? GOOD : BAD}>{n ? w(n > 1 ? `${n} points` : "1 point", n > 1 ? `${n} punti` : "1 punto") : w("trap", "trappola")}</Say>
        </>
      );
    })}
  </Sheet>
);
