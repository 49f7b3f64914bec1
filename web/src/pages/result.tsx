// After the game: who won, how the points came about, and what next.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { GameUi } from "../games";
import { t } from "../i18n";
import { seatNames } from "../names";
import { go } from "../router";
import type { Snapshot, Table } from "../table";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";

export function winnersLine(snap: Snapshot): string {
  const winners = (snap.state?.winners ?? []) as number[];
  if (snap.seat !== null && winners.includes(snap.seat))
    return winners.length > 1 ? t("You share the victory!") : t("You have won!");
  const all = seatNames(snap.seats);
  const names = winners.map((w) => all[w]).join(", ");
  return winners.length > 1 ? t("The winners: {names}", { names }) : t("The winner: {name}", { name: names });
}

/** Offers a text as a file. */
export function save(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export function Result({ table, ui }: { table: Table; ui: GameUi | null }): JSX.Element {
  const snap = table.snapshot;
  const [problem, setProblem] = useState("");
  const [seen, see] = useState(false);
  const local = snap.connection === "offline";
  async function again(): Promise<void> {
    const answer = await table.rematch();
    if ("id" in answer) {
      if (!local) go(`/t/${answer.id}`);
    } else if (!answer.ok) setProblem(answer.message);
  }
  const rematch = snap.seat !== null ? (
    <button class="primary" onClick={() => void again()}>{snap.next ? t("To the rematch") : t("Rematch")}</button>
  ) : snap.next ? <a class="button primary" href={`/t/${snap.next}`}>{t("To the rematch")}</a> : null;
  if (seen)
    return (
      <div class="end-bar" role="group" aria-label={t("Result")}>
        <strong><Icon name="trophy" /> {winnersLine(snap)}</strong>
        <button onClick={() => see(false)}>{t("Show the result")}</button>
        {rematch}
        <a class="button" href="/">{t("Back to the games")}</a>
        {problem ? <p class="notice bad" role="alert">{problem}</p> : null}
      </div>
    );
  return (
    <Dialog title={winnersLine(snap)} close={() => see(true)} wide>
      <div class="game-result">
        {ui?.Result ? <ui.Result snap={snap} /> : null}
        {problem ? <p class="notice bad" role="alert">{problem}</p> : null}
        <div class="acts">
          {rematch}
          {!local ? (
            <>
              <a class="button" href={`/replay/${snap.id}`}><Icon name="play" size={16} /> {t("Replay")}</a>
              <a class="button" href={`/verify?table=${snap.id}`}><Icon name="shield" size={18} /> {t("Check the deals")}</a>
            </>
          ) : null}
          <button onClick={() => void table.record().then((text) => save(`${snap.game}-${snap.id}.salotto`, text))}>
            <Icon name="download" size={18} /> {t("Download the game record")}
          </button>
          <a class="button" href="/">{t("Back to the games")}</a>
        </div>
      </div>
    </Dialog>
  );
}
