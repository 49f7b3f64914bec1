// A game against bots that this browser keeps by itself: the same page as online, without a house.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { gameCard } from "../games";
import { useTitle } from "../hooks";
import { t } from "../i18n";
import { levelName } from "../names";
import { playsHere } from "../offer";
import { createOffline } from "../offline";
import type { Table } from "../table";
import { Players } from "../ui/players";
import { Scene } from "../ui/scene";
import { Around } from "./around";

const LEVELS = ["novice", "regular", "expert"];

export function Play({ game }: { game: string }): JSX.Element {
  const card = gameCard(game);
  const [least, most] = card.players;
  const [players, setPlayers] = useState(card.usual);
  const [level, setLevel] = useState("regular");
  const [table, setTable] = useState<Table | null>(null);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  useTitle(card.title());
  useEffect(() => () => table?.close(), [table]);
  async function begin(): Promise<void> {
    setBusy(true);
    try {
      setTable(await createOffline({ game, players, seats: ["you", ...Array<string>(players - 1).fill(level)] }));
    } catch {
      setProblem(t("The engine could not be loaded. Once you have been here with a connection, it works without one."));
    }
    setBusy(false);
  }
  if (table) return <Around table={table} />;
  if (!playsHere(game)) return <h1>{t("There is nothing here")}</h1>;
  return (
    <div class="narrow gaps">
      <h1>{t("{game} against bots", { game: card.title() })}</h1>
      <Scene game={game} />
      <p>{card.about()}</p>
      <p class="muted small">{t("This game runs in your browser and needs no connection. It is kept nowhere else.")}</p>
      {problem ? <p class="notice bad" role="alert">{problem}</p> : null}
      <form class="form" onSubmit={(e) => {
        e.preventDefault();
        void begin();
      }}>
        <Players least={least} most={most} players={players} choose={setPlayers} />
        <fieldset>
          <legend>{t("How strong are they?")}</legend>
          <div class="row">
            {LEVELS.map((l) => (
              <label key={l} class="check pill">
                <input type="radio" name="level" checked={level === l} onChange={() => setLevel(l)} />
                <span>{levelName(l)}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <div class="acts"><button class="primary" disabled={busy}>{t("Deal")}</button></div>
      </form>
    </div>
  );
}
