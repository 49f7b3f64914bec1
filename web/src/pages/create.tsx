// Opening a table: who sits where, how the game is set up, what is allowed there.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { gameCard } from "../games";
import type { GameInfo } from "../house";
import { useHouse, useTitle } from "../hooks";
import { t, tn } from "../i18n";
import { levelName } from "../names";
import { createTable, refused, sitDown, type Plan } from "../online";
import { go } from "../router";
import { Players } from "../ui/players";
import { Scene } from "../ui/scene";
import { Facts } from "./lobby";
import { useName } from "./name";

const LEVELS = ["novice", "regular", "expert", "master", "random"];
/** What the master knows is Doors; elsewhere it plays as the expert does. */
const offered = (level: string, game: string) => level !== "master" || game === "doors";

type ClockChoice = "none" | "move60" | "move180" | "game10" | "game30" | "slow1" | "slow3";

const clocks: Record<ClockChoice, { say(): string; clock: unknown }> = {
  none: { say: () => t("No clock"), clock: null },
  move60: { say: () => t("1 minute a move"), clock: { kind: "move", seconds: 60 } },
  move180: { say: () => t("3 minutes a move"), clock: { kind: "move", seconds: 180 } },
  game10: { say: () => t("10 minutes a game, and 5 seconds a move"), clock: { kind: "game", seconds: 600, increment: 5 } },
  game30: { say: () => t("30 minutes a game, and 10 seconds a move"), clock: { kind: "game", seconds: 1800, increment: 10 } },
  slow1: { say: () => t("1 day a move"), clock: { kind: "slow", days: 1 } },
  slow3: { say: () => t("3 days a move"), clock: { kind: "slow", days: 3 } },
};

/** The name of an option and of its values. */
function optionName(name: string): string {
  switch (name) {
    case "first": return t("Who begins");
    case "edition": return t("Edition");
    case "favorita": return t("Expansion La Favorita");
    default: return name;
  }
}

function valueName(option: string, value: string): string {
  switch (`${option} ${value}`) {
    case "edition it": return t("Italian");
    case "edition en": return t("English");
    case "favorita on": return t("with it");
    case "favorita off": return t("without it");
    default: return value;
  }
}

function Check({ value, set, label, about }: {
  value: boolean;
  set(v: boolean): void;
  label: string;
  about?: string;
}): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={value} onChange={(e) => set(e.currentTarget.checked)} />
      <span>{label}{about ? <span class="muted small"> {about}</span> : null}</span>
    </label>
  );
}

function GameOptions({ info, players, values, set }: {
  info: GameInfo | undefined;
  players: number;
  values: Record<string, string>;
  set(name: string, value: string): void;
}): JSX.Element {
  return (
    <>
      {Object.entries(info?.options ?? {}).map(([name, all]) => {
        const list = Array.isArray(all) ? (all as string[]) : [];
        const seats = list[0] === "seat";
        if (!list.length) return null; // a file, which the house takes from nobody
        return (
          <label key={name} class="field">
            <span>{optionName(name)}</span>
            <select value={values[name] ?? (seats ? "" : list[0])} onChange={(e) => set(name, e.currentTarget.value)}>
              {seats ? <option value="">{t("at random")}</option> : null}
              {seats
                ? Array.from({ length: players }, (_, n) => <option key={n} value={String(n)}>{t("Seat {n}", { n: n + 1 })}</option>)
                : list.map((v) => <option key={v} value={v}>{valueName(name, v)}</option>)}
            </select>
          </label>
        );
      })}
    </>
  );
}

export function Create({ game }: { game: string }): JSX.Element {
  const { hello } = useHouse();
  const card = gameCard(game);
  const info = hello?.games.find((g) => g.game === game);
  const levels = LEVELS.filter((l) => offered(l, game) && (!hello || hello.bots.includes(l)));
  const [least, most] = info?.players ?? card.players;
  const [players, setPlayers] = useState(card.usual);
  const [seats, setSeats] = useState<string[]>(["me", "open", "open", "open", "open", "open"]);
  const [options, setOptions] = useState<Record<string, string>>({});
  const [clock, setClock] = useState<ClockChoice>("none");
  const [listed, setListed] = useState(false);
  const [hints, setHints] = useState(true);
  const [undo, setUndo] = useState(true);
  const [rated, setRated] = useState(false);
  const [spectators, setSpectators] = useState(true);
  const [chat, setChat] = useState(true);
  const [standIn, setStandIn] = useState("regular");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [withName, nameDialog] = useName();
  useTitle(t("A table of {game}", { game: card.title() }));

  const setSeat = (n: number, to: string) =>
    setSeats(seats.map((s, i) => (i === n ? to : to === "me" && s === "me" ? "open" : s)));

  async function open(): Promise<void> {
    setBusy(true);
    const here = seats.slice(0, players);
    const mine = here.indexOf("me");
    const chosen: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(options))
      if (value !== "") chosen[name] = name === "first" ? Number(value) : value;
    const plan: Plan = {
      game, players, options: chosen, seats: here.map((s) => (s === "me" ? "open" : s)), listed, spectators, chat,
      stand_in: standIn, clock: clocks[clock].clock, hints: hints && !rated, undo: undo && !rated, rated,
    };
    try {
      const made = await createTable(plan);
      if (mine >= 0) await sitDown(made.id, mine);
      go(`/t/${made.id}${made.key ? `?key=${made.key}` : ""}`);
    } catch (why) {
      setProblem(refused(why).message);
    }
    setBusy(false);
  }

  return (
    <div class="narrow">
      <h1>{t("A table of {game}", { game: card.title() })}</h1>
      <Scene game={game} />
      <Facts game={card} />
      <form class="form" onSubmit={(e) => {
        e.preventDefault();
        withName(() => void open());
      }}>
        <Players least={least} most={most} players={players} choose={setPlayers} />
        <fieldset>
          <legend>{t("Seats")}</legend>
          {Array.from({ length: players }, (_, n) => (
            <label key={n} class="field">
              <span>{t("Seat {n}", { n: n + 1 })}</span>
              <select value={seats[n]} onChange={(e) => setSeat(n, e.currentTarget.value)}>
                <option value="me">{t("for me")}</option>
                <option value="open">{t("open: whoever comes first")}</option>
                <option value="invited">{t("reserved for an invited player")}</option>
                {levels.map((l) => <option key={l} value={l}>{t("bot: {level}", { level: levelName(l) })}</option>)}
              </select>
            </label>
          ))}
          <p class="muted small">
            {tn("The game begins when the {n} seat is taken.", "The game begins when all {n} seats are taken.", players)}
          </p>
        </fieldset>
        <Check value={listed} set={setListed} label={t("Show it in the lobby")}
          about={t("otherwise only people with the link can find it")} />
        <fieldset>
          <legend>{t("The game")}</legend>
          <GameOptions info={info} players={players} values={options}
            set={(name, value) => setOptions({ ...options, [name]: value })} />
          <label class="field">
            <span>{t("Clock")}</span>
            <select value={clock} onChange={(e) => setClock(e.currentTarget.value as ClockChoice)}>
              {Object.entries(clocks).map(([id, c]) => <option key={id} value={id}>{c.say()}</option>)}
            </select>
          </label>
        </fieldset>
        <details>
          <summary>{t("Table options")}</summary>
          <Check value={rated} set={setRated} label={t("Rated")}
            about={t("counts for the leaderboard; no hints, no undo")} />
          <Check value={hints && !rated} set={setHints} label={t("Hints")} about={t("a bot says what it would do")} />
          <Check value={undo && !rated} set={setUndo} label={t("Undo")}
            about={t("if it revealed nothing")} />
          <Check value={spectators} set={setSpectators} label={t("Spectators")} />
          <Check value={chat} set={setChat} label={t("Chat")} />
          <label class="field">
            <span>{t("Replacement bot")}</span>
            <select value={standIn} onChange={(e) => setStandIn(e.currentTarget.value)}>
              {levels.map((l) => <option key={l} value={l}>{levelName(l)}</option>)}
            </select>
          </label>
        </details>
        {problem ? <p class="notice bad" role="alert">{problem}</p> : null}
        <div class="acts"><button class="primary" disabled={busy}>{t("Open the table")}</button></div>
      </form>
      {nameDialog}
    </div>
  );
}
