// Opening a table: who sits where, how the game is set up, what is allowed there.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { gameCard } from "../games";
import { api } from "../server";
import { useServer, useTitle } from "../hooks";
import { t, tn } from "../i18n";
import { levelName } from "../names";
import { gameInfo, playedWith, sitsAt, startValues, type GameInfo } from "../offer";
import { createTable, refused, sitDown, type Plan } from "../online";
import { go } from "../router";
import { Players } from "../ui/players";
import { Scene } from "../ui/scene";
import { Facts } from "./lobby";
import { useName } from "./name";

type ClockChoice = "none" | "move60" | "move180" | "game10" | "game30" | "slow1" | "slow3";

const clocks: Record<ClockChoice, { say(): string; clock: unknown }> = {
  none: { say: () => t("No clock"), clock: null },
  move60: { say: () => t("1 minute per move"), clock: { kind: "move", seconds: 60 } },
  move180: { say: () => t("3 minutes per move"), clock: { kind: "move", seconds: 180 } },
  game10: { say: () => t("10 minutes per game, plus 5 seconds per move"), clock: { kind: "game", seconds: 600, increment: 5 } },
  game30: { say: () => t("30 minutes per game, plus 10 seconds per move"), clock: { kind: "game", seconds: 1800, increment: 10 } },
  slow1: { say: () => t("1 day per move"), clock: { kind: "slow", days: 1 } },
  slow3: { say: () => t("3 days per move"), clock: { kind: "slow", days: 3 } },
};

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

/** A court file of one's own: the server checks it when the table is opened. */
function CourtFile({ choice, file, set }: {
  choice: GameInfo["choices"][number];
  file: File | null;
  set(file: File | null): void;
}): JSX.Element {
  return (
    <label class="field" title={choice.about}>
      <span>{choice.title}</span>
      <input type="file" accept=".json,application/json" data-testid="court-file"
        onChange={(e) => set(e.currentTarget.files?.[0] ?? null)} />
      {file ? <span class="muted small">{t("With a court file the table is private and not rated.")}</span> : null}
    </label>
  );
}

/** The id that the server knows the file by. */
async function handIn(file: File): Promise<string> {
  return (await api<{ court: string }>("/api/court", await file.text())).court;
}

function GameOptions({ info, players, values, set }: {
  info: GameInfo;
  players: number;
  values: Record<string, string>;
  set(name: string, value: string): void;
}): JSX.Element {
  return (
    <>
      {info.choices.filter((c) => c.kind !== "file").map((c) => (
        <label key={c.name} class="field" title={c.about}>
          <span>{c.title}</span>
          <select value={values[c.name] ?? ""} onChange={(e) => set(c.name, e.currentTarget.value)}>
            {c.kind === "seat" ? (
              <>
                <option value="">{t("at random")}</option>
                {Array.from({ length: players }, (_, n) => <option key={n} value={String(n)}>{t("Seat {n}", { n: n + 1 })}</option>)}
              </>
            ) : c.values.map((v) => <option key={v.value} value={v.value}>{v.title}</option>)}
          </select>
        </label>
      ))}
    </>
  );
}

export function Create({ game }: { game: string }): JSX.Element {
  const { hello } = useServer();
  const card = gameCard(game);
  const info = gameInfo(game);
  const [least, most] = card.players;
  const [players, setPlayers] = useState(card.usual);
  const levels = (info?.levels ?? []).filter((l) => (!hello || hello.bots.includes(l)) && sitsAt(l, players));
  const [seats, setSeats] = useState<string[]>(["me", "open", "open", "open", "open", "open"]);
  const [options, setOptions] = useState<Record<string, string>>(info ? startValues(info) : {});
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
  const [court, setCourt] = useState<File | null>(null);
  const [withName, nameDialog] = useName();
  useTitle(t("A table of {game}", { game: card.title() }));

  const setSeat = (n: number, to: string) =>
    setSeats(seats.map((s, i) => (i === n ? to : to === "me" && s === "me" ? "open" : s)));

  async function open(): Promise<void> {
    setBusy(true);
    const here = seats.slice(0, players);
    const mine = here.indexOf("me");
    const counts = rated && !court;
    const plan: Plan = {
      game, players, options: playedWith(info!, options), seats: here.map((s) => (s === "me" ? "open" : s)),
      listed: listed && !court, spectators, chat, stand_in: standIn, clock: clocks[clock].clock,
      hints: hints && !counts, undo: undo && !counts, rated: counts,
    };
    try {
      if (court) plan.options = { ...plan.options, court: await handIn(court) };
      const made = await createTable(plan);
      if (mine >= 0) await sitDown(made.id, mine);
      go(`/t/${made.id}${made.key ? `?key=${made.key}` : ""}`);
    } catch (why) {
      setProblem(refused(why).message);
    }
    setBusy(false);
  }

  if (!info) return <h1>{t("There is nothing here")}</h1>;
  return (
    <div class="narrow">
      <h1>{t("A table of {game}", { game: card.title() })}</h1>
      <Scene game={game} />
      <Facts game={card} />
      <form class="form" onSubmit={(e) => {
        e.preventDefault();
        void withName(() => void open());
      }}>
        <Players least={least} most={most} players={players} choose={(n) => {
          setPlayers(n);
          setSeats(seats.map((s) => (sitsAt(s, n) ? s : "expert")));
        }} />
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
          {info.choices.filter((c) => c.kind === "file").map((c) => <CourtFile key={c.name} choice={c} file={court} set={setCourt} />)}
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
        {problem ? <p class="notice bad lines" role="alert">{problem}</p> : null}
        <div class="acts at-hand"><button class="primary" disabled={busy}>{t("Open the table")}</button></div>
      </form>
      {nameDialog}
    </div>
  );
}
