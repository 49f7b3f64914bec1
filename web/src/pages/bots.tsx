// The sheet before a game against bots, or of several people at one device: few choices, good defaults,
// no name asked. Who is signed in plays at the server, everybody else in the browser.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Face } from "../faces";
import { server } from "../server";
import { useServer } from "../hooks";
import { t, tn } from "../i18n";
import { botName, levelName, temperOf } from "../names";
import { gameInfo, levelAbout, playedWith, playsHere, sitsAt, startValues, type Choice, type GameInfo } from "../offer";
import type { OfflinePlan } from "../offline";
import { createTable, refused, sitDown } from "../online";
import { hasPolicy, POLICY_MB } from "../policy";
import { keep, prefs } from "../prefs";
import { go } from "../router";
import { Players } from "../ui/players";
import "./bots.css";

/** What was chosen last for a game, offered again. */
interface Chosen {
  level: string;
  players: number;
  people: number;
}

const remembered = (info: GameInfo): Chosen => {
  const last = prefs.bots[info.game];
  return {
    level: last && info.levels.includes(last.level) ? last.level : "novice",
    players: last && last.players >= info.players[0] && last.players <= info.players[1] ? last.players : info.usual,
    people: 1,
  };
};

/** The levels to choose from: the one without a plan comes last. */
const listed = (info: GameInfo, players: number): string[] => [...info.levels.filter((l) => l !== "random"), "random"]
  .filter((l) => info.levels.includes(l) && sitsAt(l, players));

function Levels({ info, level, players, set }: {
  info: GameInfo;
  level: string;
  players: number;
  set(l: string): void;
}): JSX.Element {
  return (
    <fieldset class="levels">
      <legend>{t("Against whom?")}</legend>
      {listed(info, players).map((l) => (
        <label key={l} class="level">
          <input type="radio" name="level" value={l} checked={level === l} onChange={() => set(l)} />
          <Face of={botName(l, 1)} size={44} />
          <span>
            <strong>{botName(l, 1)}</strong> <span class="muted">{[levelName(l), temperOf(l, 1)].filter(Boolean).join(", ")}</span>
            <span class="small about">{levelAbout(l)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Whether the server would keep the table: for who is signed in, and a game that it has. */
const servedHere = (game: string): boolean =>
  !!server.me && server.link === "online" && !!server.hello?.games.some((g) => g.game === game);

/** Who begins, for a person at seat 0. */
function begins(info: GameInfo, players: number): [string, string][] {
  return info.choices.some((c) => c.kind === "seat")
    ? [["", t("at random")], ["0", t("I begin")], ["1", players > 2 ? t("a bot begins") : t("the bot begins")]] : [];
}

/** The first time: what it is about, and the lesson. */
function FirstTime({ info, lesson }: { info: GameInfo; lesson: boolean }): JSX.Element {
  return (
    <div class="first-time">
      {info.goal ? <p><strong>{t("Goal")}</strong> {info.goal}</p> : null}
      {info.role ? <p><strong>{t("You")}</strong> {info.role}</p> : null}
      {lesson ? <p><a href={`/learn/${info.game}`}>{t("Learn it by playing")}</a></p> : null}
    </div>
  );
}

/** Whether a level needs something fetched first, which is said. */
function useDownload(game: string, level: string, here: boolean): number {
  const [missing, setMissing] = useState(0);
  useEffect(() => {
    if (level !== "master" || !here) return setMissing(0);
    void hasPolicy(game).then((has) => setMissing(has ? 0 : POLICY_MB[game] ?? 0));
  }, [game, level, here]);
  return missing;
}

export function BotSheet({ game, startHere }: {
  game: string;
  /** Begins a game in the browser. */
  startHere(plan: OfflinePlan): Promise<void>;
}): JSX.Element {
  useServer();
  const info = gameInfo(game)!;
  const [chosen, setChosen] = useState(() => remembered(info));
  const [options, setOptions] = useState(() => startValues(info));
  const [rated, setRated] = useState(false);
  const [names, setNames] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const { level, players, people } = chosen;
  const bots = players - people;
  const atServer = people === 1 && servedHere(game);
  const missing = useDownload(game, level, !atServer);
  const change = (c: Partial<Chosen>) => setChosen((now) => {
    const all = { ...now, ...c };
    if (!sitsAt(all.level, all.players)) all.level = "expert";
    return { ...all, people: Math.min(all.people, all.players) };
  });
  const first = info.choices.find((c) => c.kind === "seat");

  async function online(): Promise<void> {
    const seats = ["open", ...Array<string>(players - 1).fill(level)];
    const { id } = await createTable({
      game, players, seats, options: playedWith(info, options), listed: false, rated, hints: !rated, undo: !rated,
    });
    await sitDown(id, 0);
    go(`/t/${id}`);
  }
  async function begin(e: Event): Promise<void> {
    e.preventDefault();
    setBusy(true);
    await server.settled();
    const served = people === 1 && servedHere(game);
    keep({ bots: { ...prefs.bots, [game]: { level, players } } });
    try {
      if (served) await online();
      else
        await startHere({
          game, players, options: playedWith(info, options), kept: true,
          seats: Array.from({ length: players }, (_, n) => (n < people ? "you" : level)),
          names: Array.from({ length: people }, (_, n) =>
            people > 1 ? names[n]?.trim() || t("Player {n}", { n: n + 1 }) : undefined),
        });
    } catch (why) {
      setProblem(served ? refused(why).message
        : t("The engine could not be loaded. After a first visit with a connection it also works without one."));
    }
    setBusy(false);
  }

  const select = (c: Choice) => (
    <label key={c.name} class="field" title={c.about}>
      <span>{c.title}</span>
      <select value={options[c.name]} onChange={(e) => setOptions({ ...options, [c.name]: e.currentTarget.value })}>
        {c.values.map((v) => <option key={v.value} value={v.value}>{v.title}</option>)}
      </select>
    </label>
  );
  return (
    <form class="form bot-sheet" onSubmit={(e) => void begin(e)}>
      {!prefs.learnt.includes(game) && !prefs.bots[game] ? <FirstTime info={info} lesson={playsHere(game)} /> : null}
      {bots > 0 ? <Levels info={info} level={level} players={players} set={(l) => change({ level: l })} /> : null}
      <Players least={info.players[0]} most={info.players[1]} players={players} choose={(n) => change({ players: n })} />
      {info.choices.filter((c) => c.by_language).map(select)}
      <details>
        <summary>{t("More choices")}</summary>
        {info.choices.filter((c) => c.kind === "word" && !c.by_language).map(select)}
        {first ? (
          <label class="field" title={first.about}>
            <span>{first.title}</span>
            <select value={options[first.name]} onChange={(e) => setOptions({ ...options, [first.name]: e.currentTarget.value })}>
              {begins(info, players).map(([value, label]) => <option key={value} value={value}>{label}</option>)}
            </select>
          </label>
        ) : null}
        {playsHere(game) ? (
          <label class="field">
            <span>{t("People at this device")}</span>
            <select value={String(people)} onChange={(e) => change({ people: Number(e.currentTarget.value) })}>
              {Array.from({ length: players }, (_, n) => (
                <option key={n} value={String(n + 1)}>
                  {n === 0 ? t("only me") : tn("{n} person, in turn", "{n} people, in turn", n + 1)}
                </option>
              ))}
            </select>
          </label>
        ) : null}
        {people > 1 ? Array.from({ length: people }, (_, n) => (
          <label key={n} class="field">
            <span>{t("Player {n}", { n: n + 1 })}</span>
            <input maxLength={24} value={names[n] ?? (n === 0 ? prefs.name : "")}
              onInput={(e) => setNames(Object.assign([...names], { [n]: e.currentTarget.value }))} />
          </label>
        )) : null}
        {atServer && server.me?.account ? (
          <label class="check">
            <input type="checkbox" checked={rated} onChange={(e) => setRated(e.currentTarget.checked)} />
            <span>{t("Rated")} <span class="muted small">{t("no hints, no undo")}</span></span>
          </label>
        ) : null}
      </details>
      {problem ? <p class="notice bad" role="alert">{problem}</p> : null}
      {missing ? <p class="small muted">{t("The master's book is {mb} MB. It is downloaded once and kept in this browser.", { mb: missing })}</p> : null}
      <p class="small muted">
        {atServer ? t("This table is on the server: you will find it again on any device.")
          : t("This game runs in your browser and is kept there. It needs no name and no connection.")}
      </p>
      <div class="acts"><button class="primary" disabled={busy}>{busy ? t("One moment…") : t("Play")}</button></div>
    </form>
  );
}
