// Louis XIV: the court as a lattice of twelve tiles, everybody's holdings beside it, your hand below.
// An action of several parts is put together here (see parts.ts) and only ever becomes one that is legal.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t, tn } from "../../i18n";
import { amount } from "../../offer";
import { Cameo, ChipArt, FavouriteArt, GoldArt, InfluenceArt, IntrigueArt, LouisArt, MarkerArt,
  ShieldArt } from "../../ui/art/court";
import { Icon } from "../../ui/icons";
import { Bar, Board, type BoardProps, cx, others, Part, Pick, Plate, Row, seatName, toYou, useAct, Zone } from "../kit";
import { ui as inWordsOnly } from "../fallback";
import { CHIPS, chipName, chipsLeft, mission, type Mission, missionsLeft, person, personParts, powerText, privilege, privilegeShort, rewardText, sideText, TIERS,
  holdCourt, shieldKinds, tierName, tiles, type Tile } from "./court";
import { couldHold, extend, itemsOf, parsePlay, type Path, pathText, type Play, reaches, withItems } from "./parts";
import type { LouisState as State } from "../../schema";
import "./louis.css";

/** What has been chosen so far of an action with several parts. */
interface Draft { card: string; path: Path; items: string[] }
const NOTHING: Draft = { card: "", path: [], items: [] };

/* Steps in which tiles, spaces or chips are gathered, with their verb. */
const GATHER: Record<string, string> = {
  foothold: "foothold", put: "put", swap: "swap", exchange: "exchange", withdraw: "withdraw", favourite: "favour", keep: "keep",
};

/** The chips of a seat, by name. */
const chipsOf = (s: State, seat: number): Record<string, number> => s.chips[seat]!;

const many = (n: number, what: string) => Array.from({ length: n }, () => what);

/* ---------- the court ---------- */

function Reward({ tile }: { tile: Tile }) {
  const chip = tile.reward.startsWith("chip:") ? tile.reward.slice(5) : "";
  return (
    <span class="reward" title={rewardText(tile)}>
      {chip ? <ChipArt of={chip} />
        : tile.reward === "shield" ? <ShieldArt kind={0} />
        : tile.reward === "gold" ? <GoldArt />
        : tile.reward === "place_marker" ? <MarkerArt seat={-1} n="+" />
        : tile.reward === "influence_card" ? <InfluenceArt /> : <IntrigueArt />}
      {tile.amount > 1 && <b>{tile.amount}</b>}
    </span>
  );
}

function TileView({ tile, extra, onPick, can }: { tile: Tile; extra: number; onPick?: (() => void) | undefined; can: boolean }) {
  const { snap } = useAct();
  const s = snap.state as State, here = s.tiles[tile.id - 1]!, side = tile[here.side === "red" ? "red" : "black"];
  const who = here.markers.map((n, i) => n && `${seatName(snap, i)} ${n}`).filter(Boolean);
  if (here.neutral) who.push(t("neutral {n}", { n: here.neutral }));
  const name = [
    t("Tile {n}, {name}", { n: tile.id, name: person(tile.id) }),
    `${here.side === "red" ? t("red side") : t("black side")}, ${sideText(side)}: ${rewardText(tile)}`,
    who.length ? t("markers: {who}", { who: who.join(", ") }) : t("no markers"),
    s.louis === tile.id && t("Louis is here"), s.favourite === tile.id && t("the Favourite is here"),
    extra > 0 && tn("you add {n}", "you add {n}", extra),
  ].filter(Boolean).join(". ");
  const body = (
    <>
      <span class="strip"><b>{tile.id}</b><span>{here.side === "red" ? "◆" : "●"} {sideText(side)}</span></span>
      <Cameo tile={tile.id} />
      <span class="at">
        <span class="person">
          {personParts(tile.id).map((part, i) => (i % 2 ? <span key={i} class="more">{part}</span> : part))}
        </span>
        <span class="markers">
          <Reward tile={tile} />
          {here.markers.map((n, i) => n > 0 && <span key={`${i}:${n}`} class="pop" data-stock={`marker${i}`} data-at={`tile${tile.id}`} data-n={n}><MarkerArt seat={i} n={n} /></span>)}
          {here.neutral > 0 && <span key={`n${here.neutral}`} class="pop"><MarkerArt seat={-1} n={here.neutral} /></span>}
          {extra > 0 && snap.seat !== null && <span class="pop ghost"><MarkerArt seat={snap.seat} n={`+${extra}`} /></span>}
        </span>
      </span>
      {s.louis === tile.id && <span class="figure" title={t("Louis")}><LouisArt /></span>}
      {s.favourite === tile.id && <span class="figure" title={t("the Favourite")}><FavouriteArt /></span>}
    </>
  );
  const props = {
    class: cx("ctile", here.side, s.evaluating === tile.id && "now", can && "can"), "data-tile": tile.id,
    "data-drop": `tile:${tile.id}`, style: { gridRow: tile.pos[0]! + 1, gridColumn: `${tile.pos[1]! + 1} / span 2` },
  };
  return onPick
    ? <Part part={`tile ${tile.id}`} name={name} aria-disabled={!can} onPick={onPick} {...props}>{body}</Part>
    : <div {...props} role="img" aria-label={name}>{body}</div>;
}

/* ---------- what a seat has ---------- */

function Count({ art, n, label, stock, at }: {
  art: ComponentChildren; n: number; label: string; stock?: string; at?: string;
}) {
  return (
    <span class={cx("thing", n === 0 && "zero")} role="img" aria-label={`${label}: ${n}`} title={`${label}: ${n}`}
      data-stock={stock} data-at={at} data-n={n}>
      {art}<b aria-hidden="true">{n}</b>
    </span>
  );
}

function Space({ seat, space, draft, toggle }: { seat: number; space: number; draft: Draft; toggle(item: string): void }) {
  const { snap, can } = useAct();
  const s = snap.state as State, filled = s.boards[seat]![space - 1]!, own = seat === snap.seat;
  const mine = own && s.to_act.includes(seat);
  const name = `${privilege(space)}. ${filled ? t("filled") : t("empty")}`;
  const body = (
    <>
      {filled ? <MarkerArt seat={seat} n={space} /> : <span class="hole" aria-hidden="true">{space}</span>}
      {own && <small aria-hidden="true">{privilegeShort(space)}</small>}
    </>
  );
  const chosen = draft.items.includes(String(space));
  if (mine && s.phase === "setup")
    return <Pick action={`favour ${space}`} name={name} class="space" data-testid={`space-${space}`}>{body}</Pick>;
  if (mine && (s.phase === "withdraw" || s.phase === "favourite")) {
    const ok = chosen || couldHold([...can.keys()], s.phase === "withdraw" ? "withdraw" : "favour", [...draft.items, String(space)]);
    if (ok)
      return <Part part={`space ${space}`} name={name} class="space" chosen={chosen}
        onPick={() => toggle(String(space))}>{body}</Part>;
  }
  return <span class="space" role="img" aria-label={name} title={name}>{body}</span>;
}

function MissionView({ id, tier, open }: { id: string; tier: string; open?: boolean }) {
  const m = mission(id);
  if (!m) return (
    <span class={cx("mission", tier)} role="img" aria-label={t("a {tier} mission, hidden", { tier: tierName(tier) })}>
      <b aria-hidden="true">{"✦".repeat(TIERS.indexOf(tier) + 1)}</b>
    </span>
  );
  return (
    <span class={cx("mission", m.tier, open && "open")} role="img" aria-label={missionText(m)} title={missionText(m)}>
      {!open && <span class="cost">{m.cost.map((c, i) => <ChipArt key={i} of={c} />)}</span>}
      <span class="power">{powerText(m)}</span>
      {open && <b class="brief" aria-hidden="true">{m.id}</b>}
      {!open && <small>{m.id} {tierName(m.tier)}</small>}
    </span>
  );
}

const missionText = (m: Mission) => t("Mission {id}, {tier}, costs {chips}: {power}",
  { id: m.id, tier: tierName(m.tier), chips: m.cost.map(chipName).join(" + "), power: powerText(m) });

function Holdings({ seat, draft, toggle }: { seat: number; draft: Draft; toggle(item: string): void }) {
  const { snap } = useAct();
  const s = snap.state as State, own = seat === snap.seat;
  const keeping = own && s.phase === "keep" && s.to_act.includes(seat);
  return (
    <Plate seat={seat} role={s.start === seat ? t("first player") : undefined} class={`hue${seat}`}>
      <span class="things">
        <Count art={<MarkerArt seat={seat} />} n={s.personal[seat]!} label={t("markers ready")} stock={`marker${seat}`} at="ready" />
        <Count art={<span class="faint"><MarkerArt seat={seat} /></span>} n={s.general[seat]!} label={t("markers in the general supply")} stock={`marker${seat}`} at="general" />
        <Count art={<GoldArt />} n={s.gold[seat]!} label={t("gold")} stock="gold" at={`${seat}`} />
        <Count art={<InfluenceArt />} n={s.influence[seat]!.length} label={t("influence cards")} stock="influence" at={`${seat}`} />
        <Count art={<IntrigueArt />} n={s.intrigue[seat]!.length} label={t("intrigue cards")} stock="intrigue" at={`${seat}`} />
        <Count art={<ShieldArt kind={0} />} n={s.shields[seat]!.length} label={t("shields")} stock="shield" at={`${seat}`} />
        <Count art={<b aria-hidden="true">★</b>} n={s.points[seat]!} label={t("points")} stock="points" at={`${seat}`} />
      </span>
      <span class="things">
        {!keeping && CHIPS.filter((c) => chipsOf(s, seat)[c]).map((c) =>
          <Count key={c} art={<ChipArt of={c} />} n={chipsOf(s, seat)[c]!} label={chipName(c)} stock={c} at={`${seat}`} />)}
        {s.options.favorita !== "off" && (
          <Row label={toYou(snap, seat) ? t("Your Favourite board") : t("Favourite board of {name}", { name: seatName(snap, seat) })} class="spaces">
            {[1, 2, 3, 4].map((i) => <Space key={i} seat={seat} space={i} draft={draft} toggle={toggle} />)}
          </Row>
        )}
        {!own && s.tiers[seat]!.map((tier, i) => <MissionView key={i} id={s.missions[seat]![i] ?? "??"} tier={tier} />)}
      </span>
      {s.fulfilled[seat]!.length > 0 && (
        <span class="missions" role="group" aria-label={t("Completed missions")}
          title={s.fulfilled[seat]!.map((id) => mission(id)).map((m) => m && powerText(m)).join("; ")}>
          <b class="how-many" aria-hidden="true">✔{s.fulfilled[seat]!.length}</b>
          {s.fulfilled[seat]!.map((id) => <MissionView key={id} id={id} tier="" open />)}
        </span>
      )}
    </Plate>
  );
}

/* ---------- the board ---------- */

/** A card of the court: the number of its tile, or J. */
function CourtCard({ card, kind }: { card: string; kind: "influence" | "intrigue" }) {
  return (
    <span class={cx("court-card", kind)}>
      <b>{card}</b>
      {card === "J" ? <LouisArt /> : card === "??" ? null : <Cameo tile={Number(card)} />}
      <small>{card === "J" ? t("joker") : card === "??" ? "" : person(Number(card))}</small>
    </span>
  );
}

const pathWords = (path: Path): string =>
  path.map(([tile, n]) => tn("{n} on {name}", "{n} on {name}", n, { name: person(tile) })).join(" → ");

const courtName = (card: string, kind: string) =>
  card === "J" ? t("joker") : kind === "intrigue" ? t("intrigue card {n}, {name}", { n: card, name: person(Number(card)) })
    : t("influence card {n}, {name}", { n: card, name: person(Number(card)) });

export function LouisBoard(props: BoardProps) {
  const court = props.snap.options["court"];
  holdCourt(court);
  // A court that this page was not told cannot be drawn.
  return props.snap.state.options.court && typeof court !== "object" ? <inWordsOnly.Board {...props} /> : <Court {...props} />;
}

function Court(props: BoardProps) {
  const { snap, blocked } = props;
  const s = snap.state as State, me = snap.seat, legal = snap.legal;
  const [draft, setDraft] = useState<Draft>(NOTHING);
  useEffect(() => setDraft(NOTHING), [snap.seq, s.phase]);
  const asked = me !== null && s.to_act.includes(me);
  // A dozen questions about intrigue cards can be answered at once, as `pass all` does elsewhere. It
  // is the person who says so, whatever they hold: who answered fast tells nothing.
  const [passing, setPassing] = useState({ round: 0, tile: 0 });
  const passes = asked && s.phase === "intrigue" && passing.round === s.round && (s.evaluating ?? 0) < passing.tile;
  useEffect(() => {
    if (passes && !props.busy) props.choose("pass");
  }, [passes, snap.seq, props.busy]);
  const plays = asked && s.phase === "influence" ? legal.map(parsePlay).filter((p) => p !== null) : [];
  const verb = asked ? GATHER[s.phase] : undefined;
  const onTiles = s.phase === "foothold" || s.phase === "put";

  const toggle = (item: string) => setDraft((d) => ({ ...d, items: d.items.includes(item)
    ? d.items.filter((i) => i !== item) : [...d.items, item] }));
  const grows = (card: string, path: Path) => plays.some((p) => p.card === card && reaches(path, p.path));
  const step = (card: string, tile: number) => {
    const path = extend(draft.card === card ? draft.path : [], tile);
    if (grows(card, path)) setDraft({ ...NOTHING, card, path });
    else blocked(`play ${card} ${pathText(path)}`);
  };
  const pickTile = (tile: number) => {
    if (verb && onTiles) {
      const items = [...draft.items, String(tile)];
      if (couldHold(legal, verb, items)) setDraft({ ...NOTHING, items });
      else blocked(`${verb} ${items.map(Number).sort((a, b) => a - b).join(" ")}`);
    } else step(draft.card || (plays.some((p) => p.card === String(tile)) ? String(tile) : "J"), tile);
  };
  const canTile = (tile: number) => asked && (onTiles ? couldHold(legal, verb!, [...draft.items, String(tile)])
    : plays.some((p) => (!draft.card || p.card === draft.card) && reaches(extend(draft.path, tile), p.path)));
  const extra = (tile: number) => draft.path.find(([at]) => at === tile)?.[1] ??
    (onTiles ? draft.items.filter((i) => i === String(tile)).length : 0);
  const tileChoice = asked && (s.phase === "influence" || onTiles);

  return (
    <Board {...props} kind="louis" dropped={(card, place) => {
      const tile = Number(place.split(":")[1]);
      if (s.phase === "influence" && tile) step(card, tile);
    }}>
      <div class="louis-grid">
        <div class="felt">
          <p class="facts">{t("Round {n} of {all}", { n: s.round, all: s.rounds })}{s.evaluating !== null && <span> · {t("tile {n} is evaluated", { n: s.evaluating })}</span>}</p>
          <Row label={t("The court")} class="court">
            {tiles.map((tile) => (
              <TileView key={tile.id} tile={tile} extra={extra(tile.id)} can={tileChoice && canTile(tile.id)}
                onPick={tileChoice ? () => pickTile(tile.id) : undefined} />
            ))}
          </Row>
        </div>
        <div class={cx("around", `n${others(snap).length}`)}>
          {others(snap).map((i) => <Holdings key={i} seat={i} draft={NOTHING} toggle={toggle} />)}
          <Decks s={s} />
        </div>
      </div>
      {me !== null && (
        <Bar hand={<Own s={s} me={me} draft={draft} setDraft={setDraft} asked={asked} toggle={toggle} />}>
          <Chooser s={s} draft={draft} setDraft={setDraft} asked={asked} plays={plays}
            passTo={(tile) => setPassing({ round: s.round, tile })} />
        </Bar>
      )}
    </Board>
  );
}

/** What is left to draw or to win. */
function Decks({ s }: { s: State }) {
  const left: Record<string, number> = s.stock, decks: Record<string, number> = s.decks;
  return (
    <Zone title={t("Decks")} class="decks">
      <span class="things">
        <span data-source=""><Count art={<InfluenceArt />} n={s.decks["influence"]!} stock="influence" at="deck" label={t("influence cards in the deck")} /></span>
        <Count art={<IntrigueArt />} n={s.decks["intrigue"]!} stock="intrigue" at="deck" label={t("intrigue cards in the deck")} />
        <Count art={<ShieldArt kind={0} />} n={s.decks["shields"]!} stock="shield" at="deck" label={t("shields left")} />
        {CHIPS.map((c) => <Count key={c} art={<ChipArt of={c} />} n={left[c]!} stock={c} at="stock" label={chipsLeft(c)} />)}
        {TIERS.map((tier) => <Count key={tier} art={<MissionView id="??" tier={tier} />} n={decks[tier]!} label={missionsLeft(tier)} />)}
      </span>
    </Zone>
  );
}

/** One's own holdings, cards and missions. */
function Own({ s, me, draft, setDraft, asked, toggle }: {
  s: State; me: number; draft: Draft; setDraft(d: Draft): void; asked: boolean; toggle(item: string): void;
}) {
  const { snap } = useAct();
  return (
    <div class="own-things">
      <Holdings seat={me} draft={draft} toggle={toggle} />
      <div class="hands">
        <Zone title={t("Influence cards")}>
          <Row label={t("Influence cards")}>
            {s.influence[me]!.map(String).map((c, i, all) => {
              const nth = all.slice(0, i).filter((x) => x === c).length;
              return <HandCard key={i} card={c} nth={nth} draft={draft} setDraft={setDraft} s={s} asked={asked} />;
            })}
            {!s.influence[me]!.length && <span class="nothing">{t("no cards")}</span>}
          </Row>
        </Zone>
        {s.intrigue[me]!.length > 0 && (
          <Zone title={t("Intrigue cards")}>
            <span class="line">
              {s.intrigue[me]!.map(String).map((c, i) => (
                <span key={i} class="pc cc" data-card={c} data-zone="intrigue" role="img" aria-label={courtName(c, "intrigue")}>
                  <CourtCard card={c} kind="intrigue" />
                </span>
              ))}
            </span>
          </Zone>
        )}
        <Zone title={t("Your missions")} class="own-missions">
          <Row label={t("Your missions")}>
            {s.missions[me]!.map((id) => asked && s.phase === "mission" && snap.legal.some((a) => itemsOf(a)[0] === id)
              ? (
                <Part key={id} part={id} name={missionText(mission(id)!)} class="mission-pick" chosen={draft.card === id}
                  onPick={() => setDraft({ ...NOTHING, card: draft.card === id ? "" : id })}>
                  <MissionView id={id} tier="" />
                </Part>
              )
              : <MissionView key={id} id={id} tier="" />)}
            {!s.missions[me]!.length && <span class="nothing">{t("none")}</span>}
          </Row>
        </Zone>
        {s.shields[me]!.length > 0 && (
          <Zone title={t("Your shields")}>
            <span class="things">
              {shieldKinds(s.shields[me]!).map((k) => {
                const n = s.shields[me]!.filter((x) => Number(x) === k).length;
                return <Count key={k} art={<ShieldArt kind={k} />} n={n} label={t("shields of kind {n}", { n: k })} />;
              })}
            </span>
          </Zone>
        )}
      </div>
    </div>
  );
}

function HandCard({ card, nth, draft, setDraft, s, asked }: {
  card: string; nth: number; draft: Draft; setDraft(d: Draft): void; s: State; asked: boolean;
}) {
  const name = courtName(card, "influence"), art = <CourtCard card={card} kind="influence" />;
  const marks = { "data-card": card, "data-zone": "hand" };
  if ((s.phase === "swap" || s.phase === "exchange") && asked) {
    // Of two equal cards the first chosen is the first drawn. Of all cards one is changed, or any number exchanged.
    const chosen = draft.items.filter((c) => c === card).length > nth;
    const items = chosen ? draft.items.filter((_, i) => i !== draft.items.indexOf(card))
      : s.phase === "swap" ? [card] : [...draft.items, card];
    return <Part part={card} name={name} class="pc cc" chosen={chosen} {...marks}
      onPick={() => setDraft({ ...NOTHING, items })}>{art}</Part>;
  }
  if (s.phase === "influence" && asked) {
    const chosen = draft.card === card && nth === 0;
    return <Part part={card} name={name} class="pc cc" chosen={chosen} {...marks} data-drag=""
      onPick={() => setDraft({ ...NOTHING, card: chosen ? "" : card })}>{art}</Part>;
  }
  return <span class="pc cc" role="img" aria-label={name} {...marks}>{art}</span>;
}

/** What is being put together, and what can be done at once. */
function Chooser({ s, draft, setDraft, asked, plays, passTo }: {
  s: State; draft: Draft; setDraft(d: Draft): void; asked: boolean; plays: Play[]; passTo(tile: number): void;
}) {
  const { snap, can, blocked } = useAct();
  if (!asked) return null;
  const legal = snap.legal, me = snap.seat!;
  const clear = (draft.card || draft.items.length > 0) && (
    <button type="button" class="pick say can again" title={t("Start again")} onClick={() => setDraft(NOTHING)}>
      <Icon name="back" size={18} /> <span>{t("Start again")}</span>
    </button>
  );
  const go = (action: string | undefined, text: string) =>
    action && <Pick action={action} class="say main" name={text}>{text}</Pick>;
  const simple = (actions: string[]) => actions.map((a) => <Pick key={a} action={a} class="say">{can.get(a)}</Pick>);

  if (s.phase === "influence") {
    const play = plays.find((p) => p.card === draft.card && pathText(p.path) === pathText(draft.path));
    const jump = play?.action.startsWith("jump");
    return (
      <Row label={t("Your choices")} class="wrap chooser parts">
        <span class="tip">{!draft.card ? t("Choose a card, then choose its tile once for each marker; choose a neighbour to move on.")
          : !draft.path.length ? (draft.card === "J" ? t("A joker: choose any tile, once for each marker.")
            : t("Choose tile {n}, once for each marker.", { n: draft.card }))
          : pathWords(draft.path)}</span>
        {go(play?.action, jump ? t("Place them with privilege 2") : t("Place them"))}
        {draft.card && <Pick action={`recover ${draft.card}`} class="say" name={can.get(`recover ${draft.card}`) ?? ""}>{t("Discard it: {n} markers ready", { n: amount("louis", "recover") })}</Pick>}
        {clear}
      </Row>
    );
  }
  const verb = GATHER[s.phase];
  if (verb) {
    const action = draft.items.length ? withItems(legal, verb, draft.items) : undefined;
    const items = s.phase === "exchange" || s.phase === "keep" ? draft.items
      : [...draft.items].sort((a, b) => Number(a) - Number(b));
    return (
      <Row label={t("Your choices")} class="wrap chooser parts">
        {!action && <span class="tip">{draft.items.length ? items.map((i) => s.phase === "keep" ? chipName(i) : i).join(", ") : tips(s.phase)}</span>}
        {s.phase === "keep" && CHIPS.flatMap((c) => many(chipsOf(s, me)[c]!, c)).map((c, i, all) => {
          const nth = all.slice(0, i).filter((x) => x === c).length;
          const chosen = draft.items.filter((x) => x === c).length > nth;
          const next = chosen ? draft.items.filter((_, k) => k !== draft.items.indexOf(c)) : [...draft.items, c];
          return (
            <Part key={`${c}${nth}`} part={c} name={chipName(c)} class="chip-pick" chosen={chosen} onPick={() =>
              chosen || couldHold(legal, "keep", next) ? setDraft({ ...NOTHING, items: next })
                : blocked(`keep ${CHIPS.flatMap((k) => next.filter((x) => x === k)).join(" ")}`)}>
              <ChipArt of={c} />
            </Part>
          );
        })}
        {go(action, action ? can.get(action) ?? action : "")}
        {simple(legal.filter((a) => a === "pass" || (a === "keep" && s.phase === "favourite")))}
        {clear}
      </Row>
    );
  }
  if (s.phase === "mission") {
    const of = (verb: string, id = draft.card) => id ? legal.filter((a) => a.startsWith(`${verb} ${id} `)) : [];
    // There is room from the beginning for the mission that can be completed in the most ways.
    const ways = Math.max(0, ...s.missions[me]!.map((id) => of("fulfil", id).length));
    return (
      <Row label={t("Your choices")} class={cx("wrap chooser parts", legal.length > 1 && "ways")} data-many={ways > 8 ? "very" : ways > 3}>
        {!draft.card && ["fulfil", "trade"].every((verb) => legal.some((a) => a.startsWith(verb))) && <span class="tip">{t("Choose one of your missions to complete or trade it.")}</span>}
        {of("fulfil").length > 0 && <span class="tip">{t("Complete with")}</span>}
        {of("fulfil").map((a) => (
          <Pick key={a} action={a} class="say main few" name={can.get(a) ?? a}>
            {itemsOf(a).slice(1).map((c, i) => <ChipArt key={i} of={c} />)}
          </Pick>
        ))}
        <span class="together">
          {of("trade").length > 0 && <span class="tip">{t("Trade it for")}</span>}
          {of("trade").map((a) => <Pick key={a} action={a} class="say few" name={can.get(a) ?? a}><Tier tier={itemsOf(a)[1]!} /></Pick>)}
          {simple(legal.filter((a) => a === "done"))}
        </span>
      </Row>
    );
  }
  return (
    <Row label={t("Your choices")} class="wrap chooser">
      {s.phase === "setup" ? <span class="tip">{t("Choose a space of your Favourite board.")}</span>
        : s.phase === "draw" ? legal.map((a) => <Pick key={a} action={a} class="say" name={can.get(a) ?? a}><Tier tier={itemsOf(a)[0]!} /></Pick>)
        : s.phase === "intrigue" ? legal.map((a) => <Pick key={a} action={a} class="say" name={can.get(a) ?? a}>{addWords(a) ?? can.get(a)}</Pick>)
        : simple(legal)}
      {s.phase === "intrigue" && <PassUntil at={s.evaluating ?? 0} tiles={s.tiles.length} passTo={passTo} />}
    </Row>
  );
}

/** A stack of missions. */
const Tier = ({ tier }: { tier: string }) => <>{"✦".repeat(TIERS.indexOf(tier) + 1)} <span class="tier">{tierName(tier)}</span></>;

/** `intrigue general 2 favour` in few words; undefined for anything else. */
function addWords(action: string): string | undefined {
  const [verb, from, n, favour] = action.split(" ");
  if (verb !== "intrigue") return undefined;
  if (from === "general") return favour ? t("+{n} from the supply with privilege 3", { n: n! }) : t("+{n} from the supply", { n: n! });
  return favour ? t("+{n} ready with privilege 3", { n: n! }) : t("+{n} ready", { n: n! });
}

/** Passes at every tile until one that matters: "wake me at tile 10". */
function PassUntil({ at, tiles, passTo }: { at: number; tiles: number; passTo(tile: number): void }) {
  return (
    <label class="other">{t("Pass until")}{" "}
      <select value="" onChange={(e) => passTo(Number(e.currentTarget.value))}>
        <option value="">…</option>
        {Array.from({ length: tiles - at }, (_, i) => at + 1 + i).map((n) => <option key={n} value={n}>{n} {person(n)}</option>)}
        <option value={tiles + 1}>{t("the end of the round")}</option>
      </select>
    </label>
  );
}

function tips(phase: string): string {
  switch (phase) {
    case "foothold": case "put": return t("Choose the tiles for your free markers.");
    case "swap": return t("Choose the card that you want to change.");
    case "exchange": return t("Choose the cards that you want to exchange.");
    case "withdraw": return t("Choose the spaces to recover markers from.");
    case "favourite": return t("Choose spaces to fill, or make all markers ready.");
    default: return t("Choose the chips that you keep.");
  }
}
