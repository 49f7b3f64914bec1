// The explorer of Doors: any line of a round, and at each place how often optimal play does what, what
// the table tells of both, and what each action is worth. Computed by the engine in this browser.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Explored } from "../engine";
import { useTitle } from "../hooks";
import { number, t } from "../i18n";
import { Explorer } from "../offline";
import { hasPolicy, POLICY_MB } from "../policy";
import { go, here } from "../router";
import { CardArt, cardName, DoorArt, KINDS, Trait } from "../ui/art/cards";
import { announce } from "../ui/live";
import "./explore.css";

const IDENTITIES = ["RL", "BL", "RT", "BT"];
const MOST: Record<string, number> = { RL: 3, BL: 3, RT: 3, BT: 3, BR: 1, LT: 1 };
const OFFER = 4;

const percent = (part: number): string => `${number(Math.round(100 * part))}\u00a0%`;
const tokens = (n: number): string => `${n < 0 ? "−" : "+"}${number(Math.abs(Math.round(100 * n) / 100))}`;

/** "3-7" as the number of a blueprint; none: for tokens. */
const blueprint = (score: string): number => (/^\d-\d$/.test(score) ? 1 + 10 * Number(score[0]) + Number(score[2]) : 0);

const traits: Record<string, () => string> = {
  red: () => t("red"), blue: () => t("blue"), lady: () => t("lady"), tiger: () => t("tiger"),
};

function said(what: string): string {
  if (what === "end") return t("End the turn");
  if (what === "claim") return t("Claim a set");
  return t("Guess: {what}", { what: traits[what]?.() ?? cardName(what) });
}

/** A word of the line, as people say it. */
function spoken(word: string): string {
  const [card, came] = word.split(":");
  if (card === "guess") return said(came!);
  if (word === "end" || word === "claim") return said(word);
  return came ? t("{card}, then {came} comes", { card: cardName(card!), came: cardName(came) }) : cardName(card!);
}

// ---- The line in the address ----------------------------------------------------------------------

interface Line { words: string[]; score: string }

function lineHere(): Line {
  const { query } = here();
  return { words: (query.get("line") ?? "").split(/[. ]+/).filter(Boolean), score: query.get("score") ?? "" };
}

function open({ words, score }: Line): void {
  const query = [words.length ? `line=${words.join(".")}` : "", score ? `score=${score}` : ""].filter(Boolean).join("&");
  go(`/explore/doors${query ? `?${query}` : ""}`);
}

/** The line one step on: a card that comes joins the card that made room for it. */
function onward(words: string[], at: Explored, what: string): string[] {
  if (at.place === "draw") return [...words.slice(0, -1), `${words.at(-1)!}:${what}`];
  if (at.place === "say") return [...words, what === "end" || what === "claim" ? what : `guess:${what}`];
  return [...words, what];
}

/** One step back: the card that came first, then the one that was picked. */
function backward(words: string[]): string[] {
  const last = words.at(-1) ?? "";
  return last.includes(":") && !last.startsWith("guess:") ? [...words.slice(0, -1), last.split(":")[0]!] : words.slice(0, -1);
}

// ---- Drawing --------------------------------------------------------------------------------------

function Art({ what, place }: { what: string; place: Explored["place"] }): JSX.Element | null {
  if (place !== "say") return <CardArt card={what} />;
  if (traits[what]) return <Trait of={what[0]!.toUpperCase()} />;
  return IDENTITIES.includes(what) ? <DoorArt card={what} /> : null;
}

function Pile({ title, cards }: { title: string; cards: string[] }): JSX.Element {
  return (
    <section>
      <h2>{title}</h2>
      <div class="cards">{cards.map((c, n) => <span key={n} role="img" aria-label={cardName(c)}><CardArt card={c} /></span>)}</div>
    </section>
  );
}

function Belief({ title, parts }: { title: string; parts: number[] }): JSX.Element {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {IDENTITIES.map((id, i) => [
          <dt key={id}>{cardName(id)}</dt>,
          <dd key={`${id}bar`} class="bar" aria-hidden="true"><i style={{ width: `${100 * parts[i]!}%` }} /></dd>,
          <dd key={`${id}n`}>{percent(parts[i]!)}</dd>,
        ])}
      </dl>
    </section>
  );
}

/** What each side believes of the other: as anybody sees it, or one who knows the own identity. */
function Beliefs({ at }: { at: Explored }): JSX.Element {
  const [eyes, setEyes] = useState(-1);
  const of = (side: Explored["collector"]) => (eyes < 0 ? side.table : side.by[eyes]!);
  return (
    <section class="gaps">
      <label class="row">
        <span>{t("Believed by")}</span>
        <select value={String(eyes)} onChange={(e) => setEyes(Number(e.currentTarget.value))}>
          <option value="-1">{t("somebody who sees only the table")}</option>
          {IDENTITIES.map((id, i) => <option key={id} value={String(i)}>{t("an opponent who is {identity}", { identity: cardName(id) })}</option>)}
        </select>
      </label>
      <div class="beliefs">
        <Belief title={t("The Collector is")} parts={of(at.collector)} />
        <Belief title={t("The Guesser is")} parts={of(at.guesser)} />
      </div>
    </section>
  );
}

const worthOf = (at: Explored, n: number | null | undefined): string =>
  n === null || n === undefined ? "" : at.unit === "tokens" ? tokens(n) : percent(n);

function Draws({ at, choose }: { at: Explored; choose(what: string): void }): JSX.Element {
  return (
    <div class="deal">
      {at.options.map((o) => (
        <button key={o.do} onClick={() => choose(o.do)} aria-label={`${cardName(o.do)}, ${percent(o.chance as number)}`}>
          <CardArt card={o.do} /><span>{percent(o.chance as number)}</span>
        </button>
      ))}
    </div>
  );
}

function Options({ at, choose }: { at: Explored; choose(what: string): void }): JSX.Element {
  const best = IDENTITIES.map((_, i) => Math.max(...at.options.map((o) => o.worth?.[i] ?? -Infinity)));
  const reach = (at.mover === "collector" ? at.collector : at.guesser).reach;
  return (
    <div class="wide">
      <table class="options">
        <caption>{at.unit === "tokens" ? t("How often optimal play does it, by identity, and what it is worth in tokens")
          : t("How often optimal play does it, by identity, and the chance to win the game")}</caption>
        <thead>
          <tr><td />{IDENTITIES.map((id, i) => <th key={id} scope="col" class={reach[i]! < 0.001 ? "never" : ""}><DoorArt card={id} /> <span class="wordy">{cardName(id)}</span></th>)}</tr>
        </thead>
        <tbody>
          {at.options.map((o, n) => (
            <tr key={o.do}>
              <th scope="row"><button class="pick" data-do={o.do} onClick={() => choose(o.do)}>
                <small aria-hidden="true">{n < 9 ? n + 1 : ""}</small>
                <Art what={o.do} place={at.place} />
                <span class={o.do === "end" || o.do === "claim" ? "" : "wordy"}>{at.place === "say" ? said(o.do) : cardName(o.do)}</span>
              </button></th>
              {(o.chance as number[]).map((chance, i) => (
                <td key={i} class={reach[i]! < 0.001 ? "never" : o.worth?.[i] !== null && o.worth?.[i] !== undefined && o.worth[i]! > best[i]! - 0.005 ? "best" : ""}>
                  <span class="often">{percent(chance)}<i style={{ width: `${100 * chance}%` }} /></span>
                  <span class="worth">{worthOf(at, o.worth?.[i])}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Four cards lie open when a round begins. */
function Deal({ chosen, set }: { chosen: string[]; set(offer: string[]): void }): JSX.Element {
  return (
    <section class="gaps">
      <p>{t("Which four cards lie open when the round begins?")} <b>{chosen.map(cardName).join(", ")}</b></p>
      <div class="deal">
        {KINDS.map((kind) => (
          <button key={kind} disabled={chosen.filter((c) => c === kind).length === MOST[kind]}
            onClick={() => set([...chosen, kind])} aria-label={cardName(kind)}><CardArt card={kind} /></button>
        ))}
      </div>
      <p><button class="primary" onClick={() => {
        const deck = KINDS.flatMap((k) => Array<string>(MOST[k]!).fill(k));
        set(Array.from({ length: OFFER }, () => deck.splice(Math.floor(Math.random() * deck.length), 1)[0]!));
      }}>{t("Any four")}</button></p>
    </section>
  );
}

function turnTitle(at: Explored): string {
  const n = at.turn;
  switch (at.place) {
    case "take": return t("Turn {n}: the Collector takes a card", { n });
    case "discard": return t("Turn {n}: the Guesser discards a card", { n });
    case "say": return t("Turn {n}: the Guesser guesses or ends the turn", { n });
    case "draw": return t("Turn {n}: which card comes in its place?", { n });
    case "over": return t("The round is over");
  }
}

function Ended({ at }: { at: Explored }): JSX.Element {
  return (
    <table class="options">
      <caption>{at.unit === "tokens" ? t("What the Collector has won, in tokens") : t("The Collector's chance to win the game now")}</caption>
      <tbody>{IDENTITIES.map((id, i) => <tr key={id}><th scope="row">{cardName(id)}</th><td>{worthOf(at, at.wins![i])}</td></tr>)}</tbody>
    </table>
  );
}

function Score({ score, set }: { score: string; set(score: string): void }): JSX.Element {
  const [c, g] = score ? score.split("-") : ["", ""];
  const list = [...Array(10).keys()].map(String);
  return (
    <div class="row">
      <label class="row"><span>{t("Play for")}</span>
        <select value={score ? "game" : "tokens"} onChange={(e) => set(e.currentTarget.value === "game" ? "0-0" : "")}>
          <option value="tokens">{t("tokens in this round")}</option>
          <option value="game">{t("the game to 10")}</option>
        </select>
      </label>
      {score ? (["c", "g"] as const).map((side) => (
        <label key={side} class="row"><span>{side === "c" ? t("Collector") : t("Guesser")}</span>
          <select value={side === "c" ? c : g} onChange={(e) => set(side === "c" ? `${e.currentTarget.value}-${g}` : `${c}-${e.currentTarget.value}`)}>
            {list.map((n) => <option key={n}>{n}</option>)}
          </select>
        </label>
      )) : null}
    </div>
  );
}

// ---- The page -------------------------------------------------------------------------------------

/** The place of a line: how often first, which is quick, then also what it is worth. */
function useExplored({ words, score }: Line, ready: boolean): { at: Explored | null; busy: boolean; problem: string } {
  const explorer = useRef<Explorer | null>(null);
  const [at, setAt] = useState<Explored | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const line = words.join(" ");
  useEffect(() => () => explorer.current?.close(), []);
  useEffect(() => {
    let left = false;
    setProblem("");
    setAt(null);
    if (!ready || !line) return;
    setBusy(true);
    void (async () => {
      try {
        explorer.current ??= await Explorer.open();
        for (const worth of [false, true]) {
          const found = left ? null : await explorer.current.ask(line, blueprint(score), worth);
          if (left || !found) return;
          if (!found.ok) return setProblem(t("No round can go like that."));
          setAt(found);
        }
      } catch {
        if (!left) setProblem(t("The engine could not be loaded."));
      } finally {
        if (!left) setBusy(false);
      }
    })();
    return () => void (left = true);
  }, [line, score, ready]);
  return { at, busy, problem };
}

export function Explore(): JSX.Element {
  const now = lineHere();
  const [dealing, setDealing] = useState<string[]>([]);
  const [wanted, want] = useState(false);
  const [kept, setKept] = useState<boolean | null>(null);
  useEffect(() => void hasPolicy("doors").then(setKept, () => setKept(false)), []);
  const ready = !!kept || wanted;
  const { at, busy, problem } = useExplored(now, ready);
  useTitle(t("Explore Doors"));
  const lead = (words: string[]) => open({ ...now, words });
  const choose = (what: string) => at && lead(onward(now.words, at, what));
  useEffect(() => { if (at) announce(turnTitle(at)); }, [at?.line]);
  useEffect(() => {
    const keys = (e: KeyboardEvent) => {
      if ((e.target as HTMLElement).closest("input, select, textarea") || e.ctrlKey || e.metaKey || e.altKey) return;
      const option = at?.options[Number(e.key) - 1];
      if (e.key === "Backspace" || e.key === "ArrowLeft") lead(backward(now.words));
      else if (option) choose(option.do);
      else return;
      e.preventDefault();
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  });
  return (
    <div class="explore" data-line={at?.line ?? ""} data-busy={busy ? "yes" : "no"}>
      <h1>{t("Explore Doors")}</h1>
      <p>{t("Walk through a round, card by card: what optimal play does for each identity, what it gives away, and what every action is worth.")}</p>
      {kept === false && !wanted ? (
        <p><button class="primary" onClick={() => want(true)}>{t("Download the solved game ({mb} MB, once)", { mb: number(POLICY_MB.doors!) })}</button></p>
      ) : (
        <Score score={now.score} set={(score) => open({ ...now, score })} />
      )}
      {now.words.length ? (
        <nav class="line" aria-label={t("The line so far")}>
          <button onClick={() => { setDealing([]); lead([]); }}>{t("Another deal")}</button>
          {now.words.map((word, n) => (
            <button key={n} aria-current={n === now.words.length - 1 ? "step" : undefined} onClick={() => lead(now.words.slice(0, n + 1))}>
              {n ? spoken(word) : word.split(",").map(cardName).join(", ")}
            </button>
          ))}
          <button disabled={now.words.length < 2} onClick={() => lead(backward(now.words))}>{t("One step back")}</button>
        </nav>
      ) : ready ? <Deal chosen={dealing} set={(offer) => {
        setDealing(offer.length === OFFER ? [] : offer);
        if (offer.length === OFFER) lead([offer.join(",")]);
      }} /> : null}
      {problem ? <p class="notice bad" role="alert">{problem}</p> : null}
      {busy && !at ? <p class="muted">{t("One moment…")}</p> : null}
      {at ? (
        <>
          <div class="felt-strip">
            <Pile title={t("Offer")} cards={at.offer} />
            <Pile title={t("Collection")} cards={at.collection} />
            <Pile title={t("Discards")} cards={at.discards} />
          </div>
          <h2>{turnTitle(at)}</h2>
          {at.rare ? <p class="notice">{t("Optimal play hardly ever gets here, so its answers mean little.")}</p> : null}
          {at.sets.length && at.place === "discard" ? (
            <p>{t("A Collector with a set has claimed it, and is not here any more: {identities}.", { identities: at.sets.map(cardName).join(", ") })}</p>
          ) : null}
          {at.place === "over" ? <Ended at={at} /> : at.place === "draw" ? <Draws at={at} choose={choose} /> : <Options at={at} choose={choose} />}
          {busy ? <p class="muted">{t("What actions are worth is being computed…")}</p> : null}
          <Beliefs at={at} />
          <p class="small muted">{t("Keys: 1 to 9 choose, Backspace goes one step back.")}</p>
        </>
      ) : null}
    </div>
  );
}
