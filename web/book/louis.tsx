// Figures of Louis XIV: the court, its paths, the order of things, a position and a score sheet.
import type { JSX } from "preact";
import { Cameo, ChipArt, FavouriteArt, GoldArt, InfluenceArt, IntrigueArt, LouisArt, MarkerArt, ShieldArt } from "../src/ui/art/court";
import { tiles, type Side, type Tile } from "../src/games/louis/court";
import { Arrow, at, BAD, Box, FELT, GOOD, INK, Lines, PALE, Say, Sheet } from "./kit";
import type { Scene, Words } from "./figures";

const CHIPS = ["crown", "sceptre", "helmet", "ring", "letter"];
/** The names in sentences, as src/games/court.c shortens them. */
const PEOPLE = ["Anne d'Autriche", "Philippe I d'Orléans", "Marie-Thérèse", "Le Grand Dauphin", "Montespan",
  "Le Grand Condé", "Colbert", "Maintenon", "La Vallière", "Henri de Turenne", "Jules Mazarin", "Louvois"];

const side = ({ type, n }: Side, w: Words, short = false) =>
  type === "pay" ? w(`pay ${n}`, `paga ${n}`) : type === "min" ? w(`min ${n}`, `min ${n}`)
    : short ? w("maj.", "magg.") : w("majority", "maggioranza");

function Reward({ tile: { reward, amount }, x, y, size }: { tile: Tile; x: number; y: number; size: number }): JSX.Element {
  const art = reward.startsWith("chip:") ? <ChipArt of={reward.slice(5)} /> : reward === "shield" ? <ShieldArt kind={0} />
    : reward === "gold" ? <GoldArt /> : reward === "place_marker" ? <MarkerArt seat={-1} />
    : reward === "influence_card" ? <InfluenceArt /> : <IntrigueArt />;
  return (
    <>
      {amount > 1 && <Say x={x - 4} y={y + size * 0.72} anchor="end" size={15} bold>{String(amount)}</Say>}
      {at(art, x, y, size, size)}
    </>
  );
}

const W = 136, H = 84;
/** The middle of a tile on the sheet. */
const place = (t: Tile, top: number): [number, number] => [76 + t.pos[1]! * 142, top + 52 + t.pos[0]! * 92];

/** The court with names and rewards; `state` puts sides, markers, Louis and the Favourite on it. */
function Court({ w, state, top = 0 }: { w: Words; state?: Scene["state"]; top?: number }) {
  return (
    <>
      {tiles.map((t) => {
        const [cx, cy] = place(t, top);
        const x = cx - W / 2, y = cy - H / 2;
        const now = state?.tiles[t.id - 1];
        const black = now?.side === "black";
        return (
          <>
            <rect x={x} y={y} width={W} height={H} rx="8" fill="#fdf6e6" stroke={black ? INK : BAD} stroke-width="2.4" />
            <Say x={x + 6} y={y + 19} bold size={14}>{String(t.id)}</Say>
            <Say x={x + (t.id > 9 ? 31 : 20)} y={y + 19} size={10.5}>{PEOPLE[t.id - 1]}</Say>
            {at(<Cameo tile={t.id} />, x + 6, y + 27, 40, 40)}
            <Reward tile={t} x={x + 66} y={y + 26} size={24} />
            {state ? (
              <>
                <Say x={x + W - 5} y={y + 43} anchor="end" size={10.5} fill={black ? INK : BAD}>{side(black ? t.black : t.red, w, true)}</Say>
                {now.markers.map((n: number, s: number) => n > 0 && at(<MarkerArt seat={s} n={n} />, x + 54 + s * 26, y + 54, 24, 24))}
                {state.louis === t.id && at(<LouisArt />, x + W - 30, y - 10, 32, 32)}
                {state.favourite === t.id && at(<FavouriteArt />, x + W - 30, y - 10, 32, 32)}
              </>
            ) : (
              <>
                <Say x={x + 49} y={y + 63} size={10.5} fill={BAD}>{`◆ ${side(t.red, w)}`}</Say>
                <Say x={x + 49} y={y + 77} size={10.5} fill={INK}>{`● ${side(t.black, w)}`}</Say>
              </>
            )}
          </>
        );
      })}
    </>
  );
}

export const louisCourt = ({ w }: Scene) => (
  <Sheet h={510} title={w("The court: names, rewards and both sides", "La corte: nomi, ricompense ed entrambi i lati")}>
    <Court w={w} />
    <Say x={360} y={494} anchor="middle" size={13} fill={PALE}>{w("◆ the red side, up at the start · ● the black side", "◆ lato rosso, quello di partenza · ● lato nero")}</Say>
  </Sheet>
);

export const louisBox = ({ w }: Scene) => {
  const items: [JSX.Element[], string][] = [
    [[0, 1, 2, 3].map((s) => <MarkerArt seat={s} />), w("16 markers for each player", "16 segnalini a testa")],
    [CHIPS.map((c) => <ChipArt of={c} />), w("34 chips: 10 crowns, 6 each of sceptre, helmet, ring, letter", "34 gettoni: 10 corone, 6 ciascuno di scettro, elmo, anello, lettera")],
    [[1, 2, 3, 4, 5, 6].map((k) => <ShieldArt kind={k} />), w("60 shields of 6 kinds", "60 stendardi di 6 tipi")],
    [[<GoldArt />], w("gold", "luigi")],
    [[<InfluenceArt />], w("30 influence cards: two for each person and 6 jokers", "30 carte influenza: due per persona e 6 jolly")],
    [[<IntrigueArt />], w("12 intrigue cards, one for each person", "12 carte complotto, una per persona")],
    [[<LouisArt />, <FavouriteArt />], w("Louis, and the Favourite", "Luigi e la Favorita")],
  ];
  return (
    <Sheet h={376} title={w("What is in the box", "Che cosa c'è nella scatola")}>
      {tiles.map((t) => at(<Cameo tile={t.id} />, 24 + (t.id - 1) * 56, 20, 50, 50))}
      <Say x={24} y={90} size={14}>{w("12 tiles with two sides, one for each person of the court", "12 tessere a due facce, una per ogni persona della corte")}</Say>
      {items.map(([art, text], i) => (
        <>
          {art.map((a, k) => at(a, 24 + k * 28, 108 + i * 32, 25, 25))}
          <Say x={206} y={126 + i * 32} size={14}>{text}</Say>
        </>
      ))}
      <Say x={24} y={354} size={14}>{w("8 money cards, 40 missions (20 light, 12 medium, 8 dark), a Favourite board for each player", "8 carte denaro, 40 missioni (20 celesti, 12 azzurre, 8 blu), un tabellone della Favorita a testa")}</Say>
    </Sheet>
  );
};

const Players = ({ scene: { state: s, w, names }, y }: { scene: Scene; y: number }) => (
  <>
    {names.map((name, i) => {
      const x = 24 + i * 228;
      return (
        <>
          <Box x={x} y={y} w={218} h={86} />
          {at(<MarkerArt seat={i} />, x + 10, y + 10, 24, 24)}
          <Say x={x + 42} y={y + 27} bold>{name}</Say>
          {at(<GoldArt />, x + 128, y + 10, 22, 22)}
          <Say x={x + 156} y={y + 27} size={14}>{String(s.gold[i])}</Say>
          <Say x={x + 10} y={y + 52} size={13}>{w(`${s.personal[i]} ready, ${s.general[i]} general`, `${s.personal[i]} pronti, ${s.general[i]} in riserva`)}</Say>
          {[0, 1, 2, 3].map((k) => (
            <>
              <Box x={x + 10 + k * 30} y={y + 58} w={24} h={22} r={4} fill={s.boards[i][k] ? "#fff3c9" : "none"} />
              {s.boards[i][k] ? at(<MarkerArt seat={i} n={k + 1} />, x + 12 + k * 30, y + 59, 20, 20) : <Say x={x + 22 + k * 30} y={y + 74} anchor="middle" size={13} fill={PALE}>{String(k + 1)}</Say>}
            </>
          ))}
          {CHIPS.flatMap((c) => Array.from({ length: s.chips[i][c] }, () => c)).map((c, k) => at(<ChipArt of={c} />, x + 136 + k * 24, y + 56, 22, 22))}
        </>
      );
    })}
  </>
);

const Table = ({ scene, title }: { scene: Scene; title: string }) => (
  <Sheet h={584} title={title}>
    <Box x={8} y={8} w={704} h={472} fill={FELT} />
    <Court w={scene.w} state={scene.state} top={4} />
    <Players scene={scene} y={488} />
  </Sheet>
);
export const louisStart = (scene: Scene) => <Table scene={scene} title={scene.w("The table when round 1 begins", "Il tavolo all'inizio del primo turno")} />;
export const louisPlayed = (scene: Scene) => <Table scene={scene} title={scene.w("All cards are played, and tile 1 is being evaluated", "Tutte le carte sono giocate, e si valuta la tessera 1")} />;

/** Paths and jumps of card 12, on a court of circles. */
export const louisPaths = ({ w }: Scene) => {
  const spot = (id: number, left: number): [number, number] => [left + tiles[id - 1]!.pos[1]! * 58, 74 + tiles[id - 1]!.pos[0]! * 58];
  const links: [number, number][] = [[1, 2], [1, 4], [1, 6], [1, 7], [2, 3], [2, 8], [2, 9], [3, 4], [3, 10], [3, 11], [4, 5], [4, 12], [5, 6], [7, 8], [9, 10], [11, 12]];
  const court = (left: number, arrows: [number, number, string][], title: string) => (
    <>
      <Say x={left + 116} y={32} anchor="middle" bold>{title}</Say>
      {links.map(([a, b]) => {
        const [ax, ay] = spot(a, left), [bx, by] = spot(b, left);
        return <path d={`M${ax} ${ay}L${bx} ${by}`} stroke="#cdbf9c" stroke-width="1.5" />;
      })}
      {arrows.map(([a, b, colour]) => {
        const [ax, ay] = spot(a, left), [bx, by] = spot(b, left);
        const long = Math.hypot(bx - ax, by - ay), ux = (bx - ax) / long, uy = (by - ay) / long;
        return <Arrow from={[ax + ux * 17, ay + uy * 17]} to={[bx - ux * 17, by - uy * 17]} colour={colour} wide={3} />;
      })}
      {tiles.map((t) => {
        const [x, y] = spot(t.id, left);
        return (
          <>
            <circle cx={x} cy={y} r="16" fill={t.id === 12 ? "#fff3c9" : "#fffaf0"} stroke={INK} stroke-width="1.3" />
            <Say x={x} y={y + 5} anchor="middle" size={14} bold={t.id === 12}>{String(t.id)}</Say>
          </>
        );
      })}
    </>
  );
  return (
    <Sheet h={420} title={w("Paths and jumps", "Percorsi e salti")}>
      {court(70, [[12, 4, GOOD], [4, 1, GOOD], [12, 11, GOOD], [11, 3, GOOD]], w("Moving on from tile 12", "Proseguire dalla tessera 12"))}
      {court(420, [[12, 1, GOOD], [1, 9, GOOD]], w("With privilege 2: jumps", "Con il privilegio 2: salti"))}
      <Lines x={186} y={350} anchor="middle" size={13} lines={w("Step by step to a neighbour, at most twice:|12, 4, 1 or 12, 11, 3. Not 12 to 1:|they do not touch.", "Un passo alla volta verso una vicina, al massimo due:|12, 4, 1 oppure 12, 11, 3. Non da 12 a 1:|non si toccano.").split("|")} />
      <Lines x={536} y={350} anchor="middle" size={13} lines={w("Along a straight diagonal over what lies|between: 12 to 1, then 1 to 9.|At least one marker stays at each start.", "Lungo una diagonale diritta, sopra quel che c'è|in mezzo: da 12 a 1, poi da 1 a 9.|Dove parte un passo resta almeno un segnalino.").split("|")} />
    </Sheet>
  );
};

/** The Favourite's board as one table. */
export const louisBoard = ({ w }: Scene) => {
  const rows = [
    [w("supply", "rendita"), w("Discard influence cards, draw as many.", "Scarta carte influenza e pescane altrettante.")],
    [w("influence", "influenza"), w("With one card, jump along a diagonal.", "Con una carta, salta lungo una diagonale.")],
    [w("evaluation", "valutazione"), w("Your intrigue card adds one marker more.", "La tua carta complotto aggiunge un segnalino in più.")],
    [w("missions", "missioni"), w("Keep two or three chips instead of one.", "Conserva due o tre gettoni invece di uno.")],
  ];
  return (
    <Sheet h={262} title={w("The Favourite's board", "Il tabellone della Favorita")}>
      {at(<FavouriteArt />, 20, 14, 34, 34)}
      <Say x={66} y={38} bold size={17}>{w("The Favourite's board", "Il tabellone della Favorita")}</Say>
      {[[w("space", "spazio"), 34], [w("phase", "fase"), 110], [w("what a marker there lets you do, once", "che cosa permette, una volta, un segnalino lì"), 236]].map(([t, x]) => <Say x={x as number} y={72} size={13} fill={PALE}>{t}</Say>)}
      {rows.map(([phase, what], i) => (
        <>
          <path d={`M16 ${82 + i * 42}H704`} stroke={PALE} stroke-width=".7" />
          <Box x={34} y={88 + i * 42} w={30} h={30} r={5} fill="#fff3c9" />
          <Say x={49} y={109 + i * 42} anchor="middle" bold size={17}>{String(i + 1)}</Say>
          <Say x={110} y={109 + i * 42}>{phase}</Say>
          <Say x={236} y={109 + i * 42}>{what}</Say>
        </>
      ))}
    </Sheet>
  );
};

/** The order in which a tile is evaluated. */
export const louisOrder = ({ w }: Scene) => {
  const steps = [
    w("intrigue cards|of this tile", "carte complotto|di questa tessera"), w("count: who has|the majority?", "conta: chi ha|la maggioranza?"),
    w("a mission may|win a tie", "una missione può|risolvere la parità"), w("the tile's|reward", "la ricompensa|della tessera"),
    w("Louis: a crown|for the majority", "Luigi: una corona|alla maggioranza"), w("the Favourite:|2 markers, or 1", "la Favorita:|2 segnalini, o 1"),
    w("a mission may keep|2 markers ready", "una missione può|tenerne pronti 2"), w("the markers|go home", "i segnalini|tornano a casa"), w("the tile turns|if it was won", "la tessera si gira|se è stata vinta"),
  ];
  return (
    <Sheet h={312} title={w("The order of evaluating a tile", "L'ordine in cui si valuta una tessera")}>
      {steps.map((text, i) => {
        const row = Math.floor(i / 3), x = 24 + (i % 3) * 232, y = 20 + row * 92;
        return (
          <>
            <Box x={x} y={y} w={200} h={70} />
            <circle cx={x + 24} cy={y + 35} r="14" fill={INK} />
            <Say x={x + 24} y={y + 41} anchor="middle" fill="#fff" bold>{String(i + 1)}</Say>
            <Lines x={x + 50} y={y + 31} size={14} lines={text.split("|")} />
            {i % 3 < 2 && <Arrow from={[x + 202, y + 35]} to={[x + 230, y + 35]} colour={PALE} />}
          </>
        );
      })}
      <Say x={700} y={296} anchor="end" size={13} fill={PALE}>{w("then the next tile, from 1 to 12", "poi la tessera dopo, dalla 1 alla 12")}</Say>
    </Sheet>
  );
};

/** The score sheet of a whole game, from its last position. */
export const louisSheet = ({ state: s, w, names, event }: Scene) => {
  const sum = (list: number[]) => list.reduce((a, b) => a + b, 0);
  const majorities: number[] = event("game_over").majorities;
  const left = names.map((_, i) => [
    s.influence[i].length + s.intrigue[i].length,
    sum(CHIPS.map((c) => s.chips[i][c])),
    sum(s.tiles.map((t: { markers: number[] }) => t.markers[i]!)),
    Math.floor(s.gold[i] / 3),
    Math.floor(s.boards[i].filter(Boolean).length / 2),
  ]);
  const rows: [string, number[]][] = [
    [w("shields won during|the game", "stendardi vinti durante|la partita"), names.map((_, i) => s.shields[i].length - sum(left[i]!))],
    [w("cards left in the hand", "carte rimaste in mano"), left.map((l) => l[0]!)],
    [w("chips left", "gettoni rimasti"), left.map((l) => l[1]!)],
    [w("markers on tiles", "segnalini sulle tessere"), left.map((l) => l[2]!)],
    [w(`every 3 gold (${s.gold.join(", ")})`, `ogni 3 luigi (${s.gold.join(", ")})`), left.map((l) => l[3]!)],
    [w("every 2 markers on|the Favourite board", "ogni 2 segnalini sul|tabellone della Favorita"), left.map((l) => l[4]!)],
    [w("majorities of shields", "maggioranze di stendardi"), majorities],
    [w("5 for each mission", "5 per ogni missione"), names.map((_, i) => 5 * s.fulfilled[i].length)],
  ];
  const totals = names.map((_, i) => sum(rows.map(([, values]) => values[i]!)));
  if (totals.join() !== s.scores.join()) throw new Error(`the score sheet adds up to ${totals}, the game to ${s.scores}`);
  return (
    <Sheet w={440} h={416} title={w("The score sheet of a whole game", "Il foglio dei punti di una partita intera")}>
      {names.map((name, i) => (
        <>
          {at(<MarkerArt seat={i} />, 249 + i * 66, 8, 22, 22)}
          <Say x={260 + i * 66} y={46} anchor="middle" bold>{name}</Say>
        </>
      ))}
      {[...rows, [w("total", "totale"), totals] as [string, number[]]].map(([text, values], r) => {
        const last = r === rows.length, lines = text.split("|");
        return (
          <>
            <path d={`M12 ${56 + r * 39}H428`} stroke={PALE} stroke-width={last ? 2 : 0.7} />
            <Lines x={16} y={(lines.length > 1 ? 72 : 81) + r * 39} gap={1.1} lines={lines} bold={last} />
            {values.map((n, i) => <Say x={260 + i * 66} y={81 + r * 39} anchor="middle" bold={last} size={last ? 19 : 16}>{String(n)}</Say>)}
          </>
        );
      })}
    </Sheet>
  );
};
