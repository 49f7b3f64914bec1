// A table that the server keeps: the waiting room, then the game.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { gameCard } from "../games";
import { useServer, useStore, useTitle } from "../hooks";
import { t } from "../i18n";
import { openTable, type OnlineTable } from "../online";
import { here } from "../router";
import { Around } from "./around";
import { Invitation, Waiting } from "./waiting";

export function TablePage({ id }: { id: string }): JSX.Element {
  const [table, set] = useState<OnlineTable | null>(null);
  /** Whoever came by an invitation sits down with the same press. */
  const sits = useRef(false);
  const { me, asked, link } = useServer();
  const known = me?.person;
  useEffect(() => {
    if (!known) return;
    const opened = openTable(id, here().query.get("key") ?? undefined, sits.current);
    sits.current = false;
    set(opened);
    return () => opened.close();
  }, [id, known]);
  if (asked && !me)
    return link === "lost" ? <p>{t("The server cannot be reached. Trying again…")}</p>
      : <Invitation id={id} entered={(sit) => void (sits.current = sit)} />;
  return table ? <AtTable table={table} /> : <Moment />;
}

function Moment(): JSX.Element {
  return <p class="muted">{t("One moment…")}</p>;
}

function AtTable({ table }: { table: OnlineTable }): JSX.Element {
  useStore(table.subscribe);
  const { snapshot: snap, problem } = table;
  const waited = useRef(false);
  waited.current ||= table.ready && !snap.started;
  useTitle(snap.game ? gameCard(snap.game).title() : "");
  if (problem && !problem.ok)
    return (
      <>
        <h1>{t("No table here")}</h1>
        <p>{problem.message}</p>
        <p><a href={`/replay/${snap.id}`}>{t("Perhaps its game is over: look at the replay")}</a></p>
        <p><a href="/">{t("Back to the games")}</a></p>
      </>
    );
  if (!table.ready) return <Moment />;
  return snap.started ? <Around table={table} begins={waited.current} /> : <Waiting table={table} />;
}
