// The first game of somebody who has never played it: one plays it, and is told what one sees.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { gameCard, type Lesson } from "../games";
import { useLesson } from "../games/lesson";
import { useTitle } from "../hooks";
import { offered, t } from "../i18n";
import { createOffline } from "../offline";
import { keep, prefs } from "../prefs";
import type { Table } from "../table";
import { Around, useGameUi } from "./around";

/** What comes after a lesson: its next chapter or the next game that is new, and a real game. */
function After({ game, next }: { game: string; next?: { to: string; title: string } }): JSX.Element {
  return (
    <>
      {next ? <a class="button" data-testid="next-lesson" href={next.to}>{t("Next lesson: {title}", { title: next.title })}</a> : null}
      <a class="button" data-testid="real-game" href={`/play/${game}`}>{t("Play against bots")}</a>
    </>
  );
}

/** The first game after this one, in the order of the lobby, that was not learnt yet. */
function nextGame(game: string): { to: string; title: string } | undefined {
  const all = offered().games.map((g) => g.game), at = all.indexOf(game);
  const next = [...all.slice(at + 1), ...all.slice(0, at)].find((g) => !prefs.learnt.includes(g));
  return next ? { to: `/learn/${next}`, title: gameCard(next).title() } : undefined;
}

function Guided({ table, lesson, game, next }: {
  table: Table;
  lesson: Lesson;
  game: string;
  next?: { to: string; title: string };
}): JSX.Element {
  const after = <After game={game} next={next ?? nextGame(game)} />;
  const guide = useLesson(table, lesson, game, () => {
    if (!prefs.learnt.includes(game)) keep({ learnt: [...prefs.learnt, game] });
  }, after);
  return <Around table={guide.table} before={guide.before} after={after} only={guide.only} refuse={guide.refuse} />;
}

export function Learn({ game, chapter }: { game: string; chapter: number }): JSX.Element {
  const ui = useGameUi(game);
  const lesson = ui?.lessons?.[chapter - 1], further = ui?.lessons?.[chapter];
  const next = further ? { to: `/learn/${game}/${chapter + 1}`, title: further.title!() } : undefined;
  const [table, setTable] = useState<Table | null>(null);
  const [problem, setProblem] = useState(false);
  useTitle(t("{game}: the first game", { game: gameCard(game).title() }));
  useEffect(() => {
    if (!lesson) return;
    let made: Table | null = null;
    let alive = true;
    const seats = ["you", ...Array<string>(lesson.players - 1).fill("regular")];
    createOffline({ game, players: lesson.players, options: lesson.options, seats, deal: lesson.deal as never, script: lesson.script })
      .then((opened) => {
        made = opened;
        if (alive) setTable(opened);
        else opened.close();
      })
      .catch(() => setProblem(true));
    return () => {
      alive = false;
      made?.close();
    };
  }, [lesson]);
  if (problem)
    return <p class="notice bad">{t("The engine could not be loaded. After a first visit with a connection it also works without one.")}</p>;
  if (ui && !lesson) return <p>{t("There is no lesson for this game yet.")} <a href={`/rules/${game}`}>{t("Rules")}</a></p>;
  return table && lesson ? <Guided table={table} lesson={lesson} game={game} next={next} /> : <p class="muted">{t("One moment…")}</p>;
}
