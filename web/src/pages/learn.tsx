// The first game of somebody who has never played it: one plays it, and is told what one sees.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { gameCard, type Lesson } from "../games";
import { useLesson } from "../games/lesson";
import { useTitle } from "../hooks";
import { t } from "../i18n";
import { createOffline } from "../offline";
import { keep, prefs } from "../prefs";
import type { Table } from "../table";
import { Around, useGameUi } from "./around";

function Guided({ table, lesson, game }: { table: Table; lesson: Lesson; game: string }): JSX.Element {
  const guide = useLesson(table, lesson, game, () => {
    if (!prefs.learnt.includes(game)) keep({ learnt: [...prefs.learnt, game] });
  });
  return <Around table={guide.table} before={guide.before} only={guide.only} refuse={guide.refuse} />;
}

export function Learn({ game }: { game: string }): JSX.Element {
  const ui = useGameUi(game);
  const lesson = ui?.lesson;
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
    return <p class="notice bad">{t("The engine could not be loaded. Once you have been here with a connection, it works without one.")}</p>;
  if (ui && !lesson) return <p>{t("There is no lesson for this game yet.")} <a href={`/rules/${game}`}>{t("Rules")}</a></p>;
  return table && lesson ? <Guided table={table} lesson={lesson} game={game} /> : <p class="muted">{t("One moment…")}</p>;
}
