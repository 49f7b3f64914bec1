// A game that this browser keeps by itself, against bots or of several people at one device: the same
// page as online, without a server. /play/GAME asks how; /play/GAME?id=ID goes on with one.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { gameCard } from "../games";
import { useStore, useTitle } from "../hooks";
import { t } from "../i18n";
import { seatNames } from "../names";
import { gameInfo } from "../offer";
import { createOffline, resumeOffline, taken, type OfflinePlan, type OfflineTable } from "../offline";
import { go, here } from "../router";
import { Dialog } from "../ui/dialog";
import { Scene } from "../ui/scene";
import { Around } from "./around";
import { BotSheet } from "./bots";

/** Between two people at one device: nothing is shown until the next one has taken it. */
function Curtain({ table, seat }: { table: OfflineTable; seat: number }): JSX.Element {
  const name = seatNames(table.snapshot.seats)[seat]!;
  return (
    <Dialog title={t("{name}, it is your turn", { name })}>
      <p>{t("Pass the device on. The others look away.")}</p>
      <div class="acts">
        <button class="primary" autofocus onClick={() => void table.lift(seat)}>{t("I am {name}", { name })}</button>
      </div>
    </Dialog>
  );
}

function Local({ table }: { table: OfflineTable }): JSX.Element {
  useStore(table.subscribe);
  const { id, game, curtain } = table.snapshot;
  // A rematch is another game: the address follows.
  useEffect(() => {
    if (id !== here().query.get("id")) go(`/play/${game}?id=${id}`, true);
  }, [id]);
  return (
    <>
      <Around table={table} />
      {typeof curtain === "number" ? <Curtain key={curtain} table={table} seat={curtain} /> : null}
    </>
  );
}

export function Play({ game }: { game: string }): JSX.Element {
  const card = gameCard(game);
  const wanted = here().query.get("id");
  const [table, setTable] = useState<OfflineTable | null>(() => (wanted ? taken(wanted) : null));
  const [lost, setLost] = useState(false);
  useTitle(card.title());
  useEffect(() => () => table?.close(), [table]);
  useEffect(() => {
    if (!wanted) return setTable(null); // the next game is asked for anew
    if (table?.snapshot.id === wanted) return;
    let alive = true;
    resumeOffline(wanted).then(
      (found) => (alive ? (found ? setTable(found) : setLost(true)) : found?.close()),
      () => alive && setLost(true),
    );
    return () => void (alive = false);
  }, [wanted]);
  async function begin(plan: OfflinePlan): Promise<void> {
    const made = await createOffline(plan);
    go(`/play/${game}?id=${made.snapshot.id}`, true);
    setTable(made);
  }
  if (table) return <Local table={table} />;
  if (!gameInfo(game)) return <h1>{t("There is nothing here")}</h1>;
  if (wanted && !lost) return <p class="muted">{t("One moment…")}</p>;
  return (
    <div class="narrow gaps">
      <h1>{t("{game} against bots", { game: card.title() })}</h1>
      <Scene game={game} />
      <p>{card.about()}</p>
      {lost ? <p class="notice" role="status">{t("This browser no longer has that game.")}</p> : null}
      <BotSheet game={game} startHere={begin} />
    </div>
  );
}
