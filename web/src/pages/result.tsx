// After the game: who won, how the points came about, and what next.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { gameCard, type GameUi } from "../games";
import { Tally } from "../games/moments";
import { earnedTitle } from "../games/story";
import { useAsked } from "../hooks";
import { api, type Listed } from "../server";
import { t } from "../i18n";
import { rematchLabel, seatNames, standingNames } from "../names";
import { go } from "../router";
import type { Snapshot, Table } from "../table";
import { CrownSign } from "../ui/art/pieces";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { Remark } from "./remark";

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

/** What comes next: a table of one's own that waits for a move, or another game of this kind. */
function NextGame({ snap }: { snap: Snapshot }): JSX.Element {
  const local = snap.connection === "offline";
  const { value } = useAsked(async () => (local || snap.seat === null ? [] : (await api<{ tables: Listed[] }>("/api/mine")).tables), [snap.id]);
  const waiting = value?.find((l) => l.asked && l.table !== snap.id);
  if (waiting)
    return <a class="button" data-testid="next-game" href={`/t/${waiting.table}`}>{t("Next: your turn in {game}", { game: gameCard(waiting.game).title() })}</a>;
  return <a class="button" data-testid="next-game" href={local ? `/play/${snap.game}` : `/new/${snap.game}`}>{t("Next game")}</a>;
}

export function Result({ table, ui, after }: {
  table: Table;
  ui: GameUi | null;
  /** Where to go from here, if not to a rematch or another game. */
  after?: ComponentChildren;
}): JSX.Element {
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
  const names = standingNames(snap), winners = (snap.state?.winners ?? []) as number[];
  const scores = (snap.state?.scores ?? []) as number[];
  const order = scores.map((_, i) => i).sort((a, b) => Number(winners.includes(b)) - Number(winners.includes(a)) || scores[b]! - scores[a]!);
  // Whoever resigned has decided it, whatever the points say.
  const resigned = snap.log.find((l) => l.event.event === "resigned");
  const story = resigned ? [resigned.text] : ui?.story?.(snap) ?? [];
  const mine = snap.seat !== null && winners.includes(snap.seat);
  const rematch = snap.seat !== null ? (
    <button class="primary" onClick={() => void again()}>{rematchLabel(snap)}</button>
  ) : snap.next ? <a class="button primary" href={`/t/${snap.next}`}>{t("To the rematch")}</a> : null;
  if (seen)
    return (
      <div class="end-bar" role="group" aria-label={t("Result")}>
        <strong><Icon name="trophy" /> {winnersLine(snap)}</strong>
        <button onClick={() => see(false)}>{t("Show the result")}</button>
        {after ?? rematch}
        <a class="button" href="/">{t("Back to the games")}</a>
        {problem ? <p class="notice bad" role="alert">{problem}</p> : null}
      </div>
    );
  return (
    <Dialog title={t("The game is over.")} close={() => see(true)} wide>
      <div class="game-result">
        <h2 class={mine ? "champion mine" : "champion"} tabIndex={-1} autofocus><span class="laurel"><CrownSign /></span> {winnersLine(snap)}</h2>
        <ol class="plain standing">
          {order.map((i) => (
            <li key={i} class={winners.includes(i) ? "first" : ""}>
              <span>{names[i]}{i === snap.seat && names[i] !== t("You") ? <small> {t("(you)")}</small> : null}</span> <Tally from={0} to={scores[i] ?? 0} ms={1200} />
            </li>
          ))}
        </ol>
        {story.length ? <ul class="plain story">{story.map((line) => <li key={line}>{line}</li>)}</ul> : null}
        <Remark snap={snap} n={snap.log.length} over />
        <details class="how"><summary>{earnedTitle(snap.game)}</summary>
          {ui?.Result ? <ui.Result snap={snap} /> : null}
        </details>
        {problem ? <p class="notice bad" role="alert">{problem}</p> : null}
        <div class="acts">
          {after ?? <>{rematch}<NextGame snap={snap} /></>}
          {!local || snap.id.startsWith("local-") ? (
            <>
              <a class="button" href={`/replay/${snap.id}?review`}><Icon name="bulb" size={16} /> {t("Review")}</a>
              <a class="button" href={`/replay/${snap.id}`}><Icon name="play" size={16} /> {t("Replay")}</a>
            </>
          ) : null}
          {!local ? (
            <>
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
