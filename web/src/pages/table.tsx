// The page around a board: seats, prompt, log.
import type { JSX } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { gameCard, type GameUi } from "../games";
import { useStore, useTitle } from "../hooks";
import { t } from "../i18n";
import { openTable, type OnlineTable } from "../online";
import { here } from "../router";
import { announce } from "../ui/live";
import { Log } from "../ui/log";
import { Prompt } from "../ui/prompt";
import { SeatBadge } from "../ui/seat";
import "./table.css";

function useOnline(id: string): OnlineTable | null {
  const [table, set] = useState<OnlineTable | null>(null);
  useEffect(() => {
    const opened = openTable(id, here().query.get("key") ?? undefined);
    set(opened);
    return () => opened.close();
  }, [id]);
  return table;
}

export function TablePage({ id }: { id: string }): JSX.Element {
  const table = useOnline(id);
  return table ? <Around table={table} /> : <p>{t("One moment…")}</p>;
}

function Around({ table }: { table: OnlineTable }): JSX.Element {
  useStore(useCallback((changed: () => void) => table.subscribe(changed), [table]));
  const snap = table.snapshot;
  const card = gameCard(snap.game);
  const [ui, setUi] = useState<GameUi | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const mine = snap.seat !== null && snap.legal.length > 0;
  useTitle(snap.game ? card.title() : "");
  useEffect(() => {
    if (snap.game) void card.load().then(setUi);
  }, [snap.game]);
  const lastLine = snap.log.at(-1);
  useEffect(() => announce(lastLine?.text ?? ""), [lastLine?.n]);
  useEffect(() => announce(snap.prompt), [snap.prompt]);

  async function choose(action: string): Promise<void> {
    setBusy(true);
    const answer = await table.act(action);
    setBusy(false);
    setProblem(answer.ok ? "" : answer.message);
  }
  async function blocked(action: string): Promise<void> {
    const why = await table.why(action);
    if (!why.legal) setProblem(why.message ?? "");
  }

  if (table.problem && !table.problem.ok) return <p class="notice bad">{table.problem.message}</p>;
  if (!table.ready) return <p>{t("One moment…")}</p>;
  const toAct = (snap.state?.to_act ?? []) as number[];
  return (
    <>
      <h1>{card.title()}</h1>
      <ul class="plain row seats">
        {snap.seats.map((s, n) => (
          <li key={n}>
            <SeatBadge seat={s} n={n} mine={n === snap.seat} active={toAct.includes(n)}>
              {s.kind === "open" && snap.seat === null ? (
                <button onClick={() => void table.sit(n)}>{t("Sit here")}</button>
              ) : null}
            </SeatBadge>
          </li>
        ))}
      </ul>
      <Prompt text={snap.prompt || (mine ? t("Your turn.") : "")} mine={mine} />
      {problem ? <p class="notice bad" role="alert">{problem}</p> : null}
      {snap.started && ui ? (
        <ui.Board snap={snap} choose={(a) => void choose(a)} blocked={(a) => void blocked(a)} busy={busy} />
      ) : null}
      <Log lines={snap.log} game={snap.game} />
    </>
  );
}
