// Problems: positions in which some choices are clearly better than all others. /problems has the one of the
// day and all of them by game and theme; /problems/GAME/NUMBER is one of them. Everything happens in this
// browser, with or without a connection.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Judged, Listed, Listing, Shown } from "../desk";
import { gameCard } from "../games";
import { useTitle } from "../hooks";
import { lang, number, t, tn } from "../i18n";
import { botName, levelName } from "../names";
import { gameInfo, games } from "../offer";
import { catalogue, createOffline, handOver, Link } from "../offline";
import { isOptimal } from "../policy";
import { prefs } from "../prefs";
import { problemFiles } from "../problem_files";
import { go, here } from "../router";
import { dayOf, gameOfDay, keyOf, nextOf, note, problemOfDay, solving, streak } from "../solving";
import type { Snapshot } from "../table";
import { Icon } from "../ui/icons";
import { captionOfMix } from "../ui/learn";
import { announce } from "../ui/live";
import { Log } from "../ui/log";
import { Prompt } from "../ui/prompt";
import { useGameUi } from "./around";
import "./problems.css";
import "./table.css";

const percent = (part: number): string => `${number(Math.round(1000 * part) / 10)}\u00a0%`;

const LEVELS = ["novice", "regular", "expert"];

/** The games that have problems, in the order of the lobby. */
const played = (): string[] => games().map((g) => g.game).filter((g) => g in problemFiles);

// ---- The worker -------------------------------------------------------------------------------------

/** One worker for all problems, as long as the page is open. */
let opened: Promise<Link> | null = null;
let spoken = "";

async function worker(): Promise<Link> {
  opened ??= (async () => {
    const link = new Link();
    spoken = lang();
    await link.load();
    return link;
  })();
  opened.catch(() => (opened = null));
  const link = await opened;
  if (spoken !== lang()) {
    spoken = lang();
    await link.ask({ op: "language", mo: await catalogue(), names: [] });
  }
  return link;
}

/** The problems of a game; null until they are there. */
function useListing(game: string): { listing: Listing | null; failed: boolean } {
  const [got, set] = useState<{ game: string; listing: Listing | null; failed: boolean }>({ game, listing: null, failed: false });
  useEffect(() => {
    let alive = true;
    worker().then((link) => link.ask<Listing>({ op: "problems", game })).then(
      (listing) => alive && set({ game, listing, failed: false }),
      () => alive && set({ game, listing: null, failed: true }),
    );
    return () => void (alive = false);
  }, [game, lang()]);
  return got.game === game ? got : { listing: null, failed: false };
}

const themeTitle = (listing: Listing, theme: string): string => listing.themes.find((x) => x.theme === theme)?.title ?? theme;

function Failed(): JSX.Element {
  return <p class="notice bad" role="alert">{t("The engine could not be loaded. After a first visit with a connection it also works without one.")}</p>;
}

// ---- All of them ------------------------------------------------------------------------------------

const address = (game: string, n: number, query = ""): string => `/problems/${game}/${n}${query}`;

function Today(): JSX.Element {
  const day = dayOf(Date.now()), all = played(), game = gameOfDay(all, day);
  const { listing, failed } = useListing(game);
  const s = solving();
  const solved = s.days.includes(day), row = streak(s.days, day);
  if (failed) return <Failed />;
  const problem = listing && problemOfDay(listing.list, all.length, day);
  return (
    <section class="panel today" data-testid="today">
      <h2>{t("Problem of the day")}</h2>
      <p>{gameCard(game).title()}{solved ? <span class="sign">{t("solved")}</span> : null}</p>
      <p class="row">
        {problem ? <a class="button primary" data-testid="solve-today" href={address(game, problem.n, "?day")}>
          {solved ? t("Look at it again") : t("Solve it")}
        </a> : <span class="muted">{t("One moment…")}</span>}
        {row ? <span>{tn("{n} day in a row", "{n} days in a row", row)}</span> : null}
      </p>
    </section>
  );
}

function Standing(): JSX.Element {
  const s = solving();
  const tried = Object.values(s.seen), at = tried.filter((x) => x === 1).length;
  return (
    <section class="panel" data-testid="rating" data-tried={tried.length}>
      <h2>{t("Your problem rating")}</h2>
      {tried.length ? (
        <>
          <p class="figure">{number(Math.round(s.rating))} <span class="muted">± {number(Math.round(2 * s.deviation))}</span></p>
          <p>{tn("{right} of {n} problem solved at the first try", "{right} of {n} problems solved at the first try", tried.length, { right: at })}</p>
        </>
      ) : <p class="muted">{t("It begins with the first problem, and stays in this browser.")}</p>}
    </section>
  );
}

function OfGame({ game }: { game: string }): JSX.Element {
  const { listing, failed } = useListing(game);
  const s = solving();
  const start = (list: Listed[], query: string) => {
    const next = nextOf(game, list, s);
    if (next) go(address(game, next.n, query));
  };
  if (failed) return <Failed />;
  if (!listing) return <p class="muted">{t("One moment…")}</p>;
  const state = (list: Listed[]) => {
    const seen = list.filter((p) => s.seen[keyOf(game, p.n)]).length;
    return t("{n} of {all}", { n: seen, all: list.length });
  };
  return (
    <>
      <p><button class="primary" data-testid="next" onClick={() => start(listing.list, "")}>
        <Icon name="play" size={16} /> {t("Next problem")}
      </button></p>
      <table class="list themes">
        <caption>{t("By theme")}</caption>
        <thead><tr><th scope="col">{t("Theme")}</th><th scope="col" class="right">{t("Solved")}</th></tr></thead>
        <tbody>
          {listing.themes.map(({ theme, title }) => {
            const list = listing.list.filter((p) => p.theme === theme);
            return list.length ? (
              <tr key={theme}>
                <th scope="row"><button class="link" data-theme={theme} onClick={() => start(list, `?theme=${theme}`)}>{title}</button></th>
                <td class="right">{state(list)}</td>
              </tr>
            ) : null;
          })}
        </tbody>
        <tfoot><tr><th scope="row">{t("All")}</th><td class="right">{state(listing.list)}</td></tr></tfoot>
      </table>
      <p class="small muted">{t("Verified by version {version}. Any choice that loses less than {margin} is right.", {
        version: listing.version, margin: percent(listing.margin) })}</p>
    </>
  );
}

function Overview({ game }: { game: string }): JSX.Element {
  useTitle(t("Problems"));
  return (
    <div class="narrow gaps">
      <h1>{t("Problems")}</h1>
      <p>{t("Positions from games of bots. What would you do? You see what the player saw, and nothing more.")}</p>
      <div class="problem-cards">
        <Today />
        <Standing />
      </div>
      <nav class="tabs" aria-label={t("Games")}>
        {played().map((g) => <a key={g} href={`/problems/${g}`} aria-current={g === game ? "page" : undefined}>{gameInfo(g)!.title}</a>)}
      </nav>
      <section class="panel"><h2>{gameCard(game).title()}</h2><OfGame key={game} game={game} /></section>
    </div>
  );
}

// ---- One of them ------------------------------------------------------------------------------------

/** Names as the engine's sentences have them. */
const namesOf = (seat: number, players: number): string[] =>
  Array.from({ length: players }, (_, n) => (n === seat ? prefs.name || t("Guest") : botName("regular", n)));

/** The position as a table, so that the board of the game can draw it. */
function snapshotOf(game: string, shown: Shown, names: string[], open: boolean): Snapshot {
  const { told, seat, players } = shown;
  return {
    id: "problem", seq: 0, game, players, options: told.state.options ?? {},
    seats: names.map((name, n) => (n === seat ? { kind: "person", name } : { kind: "bot", name, level: "regular" })),
    seat, started: true, state: told.state, legal: open ? told.legal ?? [] : [], legalSay: open ? told.legal_say ?? [] : [],
    prompt: told.prompt, position: told.position,
    log: told.events.map((event, i) => ({ n: event.n as number, text: told.words[i]!.text, rule: told.words[i]!.rule, event })),
    chat: [], clock: null, hints: false, undo: false, mayUndo: false, practice: true, spectators: false, chatOn: false,
    rated: false, commitment: "", connection: "offline",
  };
}

/** The position of a problem; its names need the number of players, which it tells. */
function useShown(game: string, n: number): { shown: Shown | null | undefined; names: string[]; failed: boolean } {
  const [got, set] = useState<{ shown?: Shown | null; failed: boolean }>({ failed: false });
  useEffect(() => {
    let alive = true;
    void (async () => {
      try {
        const link = await worker();
        const ask = (names: string[]) => link.ask<Shown | null>({ op: "problem", game, n, names });
        const first = await ask([]);
        const shown = first && await ask(namesOf(first.seat, first.players));
        if (alive) set({ shown, failed: false });
      } catch {
        if (alive) set({ failed: true });
      }
    })();
    return () => void (alive = false);
  }, [game, n, lang()]);
  const { shown, failed } = got;
  return { shown, names: shown ? namesOf(shown.seat, shown.players) : [], failed };
}

/** One sentence why, from what the searches found. */
function why(game: string, j: Judged, names: string[]): string {
  const other = j.candidates.find((c) => c.action === j.other)?.say ?? j.other;
  const [here, there] = j.tells ?? j.worlds ?? j.gains ?? [0, 0];
  const of = (cases: number) =>
    ({ other, cases, here: Math.round(cases * here), there: Math.round(cases * there), viewer: names[j.viewer ?? 0] ?? "" });
  if (j.tells) return t("After this {viewer} would guess the truth about you in {here} of 10 cases; after “{other}” in {there}.", of(10));
  if (j.worlds) {
    const told = of(of(10).here > of(10).there ? 10 : 100);
    // Both rounded up would be more cases than there are.
    return t("It does better than “{other}” in {here} of {cases} cases that fit what you know, and worse in {there}.",
      { ...told, there: Math.min(told.there, told.cases - told.here) });
  }
  if (j.gains) return t("Where it does better than “{other}” it gains {here} % on average, and where it does worse it loses only {there} %.", of(100));
  const often = (action: string) => Math.round(100 * (j.candidates.find((c) => c.action === action)?.often ?? 0));
  const mix = { other, often: often(j.candidates[0]!.action), seldom: often(j.other) };
  return isOptimal(game) ? t("Optimal play does this {often} % of the time, “{other}” {seldom} %.", mix)
    : t("The master does this {often} % of the time, “{other}” {seldom} %.", mix);
}

/** So many are shown, and the one that was chosen. */
const CANDIDATES = 5;

function Explained({ game, judged, chosen, names }: { game: string; judged: Judged; chosen: string; names: string[] }): JSX.Element {
  const best = judged.candidates[0]!;
  const mixed = best.often !== undefined;
  return (
    <>
      <table class="candidates">
        <caption>{mixed ? captionOfMix(game) : t("Chance to win, given what you could know")}</caption>
        <tbody>
          {judged.candidates.filter((c, i) => i < CANDIDATES || c.right || c.action === chosen).map((c) => (
            <tr key={c.action} class={c.action === chosen ? "played" : ""}>
              <th scope="row"><span class={c.right ? "verdict good" : "verdict"}>{c.right ? t("right") : t("wrong")}</span> {c.say}</th>
              <td>{percent(c.value)}</td>
              {mixed ? <td>{c.often === undefined ? "" : percent(c.often)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
      <p data-testid="why"><b>{best.say}.</b> {why(game, judged, names)}</p>
      <p class="small muted">
        {t("Any choice that loses less than {margin} is right.", { margin: percent(judged.margin) })}
      </p>
      <p class="small">{t("Found by bots:")} {LEVELS.map((level, i) => `${levelName(level)} ${percent(judged.solved[i]!)}`).join(", ")}</p>
    </>
  );
}

async function playOn(game: string, n: number, shown: Shown): Promise<void> {
  const level = prefs.bots[game]?.level ?? "regular";
  const seats = Array.from({ length: shown.players }, (_, seat) => (seat === shown.seat ? "you" : level));
  const table = await createOffline({ game, players: shown.players, options: shown.told.state.options ?? {}, seats, kept: true }, { problem: n });
  handOver(table);
  go(`/play/${game}?id=${table.snapshot.id}`);
}

function Solve({ game, n }: { game: string; n: number }): JSX.Element {
  const { listing, failed: lost } = useListing(game);
  const { shown, names, failed } = useShown(game, n);
  const ui = useGameUi(game);
  const [chosen, setChosen] = useState("");
  const [judged, setJudged] = useState<Judged | null>(null);
  const [given, giveUp] = useState(false);
  const [broken, setBroken] = useState(false);
  const [drawer, setDrawer] = useState(false);
  const [notice, setNotice] = useState("");
  const problem = listing?.list.find((p) => p.n === n);
  const theme = here().query.get("theme");
  const daily = here().query.has("day");
  useTitle(t("Problem: {game}", { game: gameCard(game).title() }));
  useEffect(() => {
    // In another language the words of the choices are others.
    if (judged) void worker().then((link) => link.ask<Judged | null>({ op: "judge", game, n, action: chosen })).then(setJudged);
  }, [shown]);
  if (failed || lost) return <Failed />;
  if (shown === null || (listing && !problem))
    return <><h1>{t("There is nothing here")}</h1><p><a href="/problems">{t("Problems")}</a></p></>;
  if (!shown || !problem) return <p class="muted">{t("One moment…")}</p>;

  const judge = async (action: string, tried: boolean) => {
    const link = await worker();
    const verdict = await link.ask<Judged | null>({ op: "judge", game, n, action });
    if (!verdict) return;
    if (tried) note(game, problem, verdict.right, daily ? dayOf(Date.now()) : undefined);
    setChosen(action);
    setJudged(verdict);
    setNotice("");
    setDrawer(true);
    if (tried) announce(verdict.right ? t("Right.") : t("Not this one: {percent} lost.", { percent: percent(verdict.lost) }));
  };
  const again = () => {
    setJudged(null);
    setChosen("");
    setDrawer(false);
  };
  const giveIn = async () => {
    note(game, problem, false);
    giveUp(true);
    await judge("", false);
  };
  const next = () => {
    const list = listing!.list.filter((p) => p.n !== n && (!theme || p.theme === theme));
    const other = nextOf(game, list, solving());
    if (other) go(address(game, other.n, theme ? `?theme=${theme}` : ""));
  };
  const over = !!judged && (judged.right || given);
  const snap = snapshotOf(game, shown, names, !judged);
  return (
    <div class="table-page problem" data-problem={n} data-state={!judged ? "asked" : given ? "shown" : judged.right ? "right" : "wrong"}>
      <div class="play">
        <div class="table-top">
          <a class="home" href="/problems" aria-label={t("Problems")}><Icon name="stepback" /></a>
          <h1>{daily ? t("Problem of the day") : t("Problem")}</h1>
          <Prompt text={snap.prompt} mine={!judged} />
          <div class="tools">
            <button class="narrow-only" aria-expanded={drawer} data-testid="drawer" onClick={() => setDrawer(true)}>
              <Icon name="bulb" size={18} /> <span class="spare">{judged ? t("Answer") : t("Log")}</span>
            </button>
          </div>
        </div>
        {notice ? <div class="over-board"><p class="notice" role="status">{notice}</p></div> : null}
        {ui ? (
          <ui.Board snap={snap} busy={false} choose={(action) => void judge(action, true).catch(() => setBroken(true))}
            blocked={() => setNotice(judged ? "" : t("This is not possible here."))} />
        ) : <p class="muted">{t("One moment…")}</p>}
      </div>
      {drawer ? <div class="drawer-back" onClick={() => setDrawer(false)} /> : null}
      <div class={drawer ? "aside open" : "aside"}>
        <div class="drawer-head narrow-only"><button onClick={() => setDrawer(false)}><Icon name="close" size={18} /> {t("Back to the board")}</button></div>
        <section class="panel answer" aria-live="polite" data-testid="answer">
          {broken ? <p class="notice bad" role="alert">{t("That did not work.")}</p> : null}
          {judged && !given ? (
            <h2 class={judged.right ? "right" : "wrong"}>
              {judged.right ? t("Right.") : t("Not this one: {percent} lost.", { percent: percent(judged.lost) })}
            </h2>
          ) : null}
          {judged?.fresh ? <p class="small muted" data-testid="fresh">{t("Your choice was weighed just now, in this browser.")}</p> : null}
          {given ? <h2>{t("The answer")}</h2> : null}
          {!judged ? <p>{t("What is best here? Choose on the board, or in words below it.")}</p> : null}
          <div class="acts">
            {over ? <button class="primary" data-testid="next" onClick={next}>{t("Next problem")}</button> : null}
            {judged ? <button data-testid="again" onClick={() => { giveUp(false); again(); }}>{t("Try again")}</button> : null}
            {!over ? <button data-testid="show" onClick={() => void giveIn().catch(() => setBroken(true))}>{t("Show the answer")}</button> : null}
            {over ? (
              <button data-testid="play-on" onClick={() => void playOn(game, n, shown).catch(() => setBroken(true))}>
                <Icon name="play" size={18} /> {t("Play on from here")}
              </button>
            ) : null}
          </div>
          {judged && over ? <Explained game={game} judged={judged} chosen={given ? "" : chosen} names={names} /> : null}
          {over ? <p>{themeTitle(listing!, problem.theme)} · {t("rating {n}", { n: problem.rating })} · {t("yours: {n}", { n: Math.round(solving().rating) })}</p> : null}
        </section>
        <section class="panel talk"><h2 class="small">{t("What happened")}</h2><Log lines={snap.log} game={game} /></section>
      </div>
    </div>
  );
}

export function Problems({ game, n }: { game: string; n: string }): JSX.Element {
  if (n) return <Solve key={`${game} ${n}`} game={game} n={Number(n)} />;
  const known = played();
  return <Overview game={known.includes(game) ? game : known[0]!} />;
}
