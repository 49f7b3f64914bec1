// The games I have finished here.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { gameCard } from "../games";
import { api } from "../server";
import { useServer, useTitle } from "../hooks";
import { lang, number, t } from "../i18n";
import { levelName } from "../names";
import { refused } from "../online";

interface Past {
  n: number;
  table: string;
  game: string;
  at: number;
  rated: boolean;
  seat: number;
  seats: { name?: string; bot?: string; level?: string; place: number; score: number; gone?: boolean; before?: number; after?: number }[];
}

function place(p: number): string {
  return p === 1 ? t("won") : t("rank {n}", { n: p });
}

function Line({ game }: { game: Past }): JSX.Element {
  const when = new Intl.DateTimeFormat(lang(), { dateStyle: "medium", timeStyle: "short" });
  const mine = game.seats[game.seat];
  const change = mine?.after !== undefined && mine.before !== undefined ? Math.round(mine.after - mine.before) : null;
  return (
    <tr>
      <th scope="row"><a href={`/replay/${game.table}`}>{gameCard(game.game).title()}</a></th>
      <td>{when.format(game.at)}</td>
      <td>{mine ? place(mine.place) : ""}{mine?.gone ? ` (${t("resigned")})` : ""}</td>
      <td>{game.seats.map((s) => `${s.name ?? levelName(s.bot ?? s.level)} ${number(s.score)}`).join(", ")}</td>
      <td class="right">{change === null ? "" : `${change > 0 ? "+" : ""}${number(change)}`}</td>
    </tr>
  );
}

export function History(): JSX.Element {
  const { me, asked } = useServer();
  const [games, setGames] = useState<Past[] | null>(null);
  const [next, setNext] = useState<number | null>(null);
  const [problem, setProblem] = useState("");
  useTitle(t("My games"));
  async function more(before: number | null): Promise<void> {
    try {
      const got = await api<{ games: Past[]; next: number | null }>(`/api/history${before === null ? "" : `?before=${before}`}`);
      setGames((old) => [...(before === null ? [] : old ?? []), ...got.games]);
      setNext(got.next);
    } catch (why) {
      setProblem(refused(why).message);
    }
  }
  useEffect(() => {
    if (me) void more(null);
  }, [me?.person]);
  return (
    <>
      <h1>{t("My games")}</h1>
      {asked && !me ? <p>{t("Sign in and play: your games will appear here.")} <a href="/me">{t("Sign in")}</a></p> : null}
      {problem ? <p class="notice bad">{problem}</p> : null}
      {games && !games.length ? <p class="muted">{t("No game is over yet.")} <a href="/">{t("To the games")}</a></p> : null}
      {games?.length ? (
        <div class="scroll" tabIndex={0} role="region" aria-label={t("My games")}>
          <table class="list">
            <thead>
              <tr>
                <th scope="col">{t("Game")}</th><th scope="col">{t("When")}</th><th scope="col">{t("You")}</th>
                <th scope="col">{t("Scores")}</th><th scope="col" class="right">{t("Rating")}</th>
              </tr>
            </thead>
            <tbody>{games.map((g) => <Line key={g.n} game={g} />)}</tbody>
          </table>
        </div>
      ) : null}
      {next !== null ? <p><button onClick={() => void more(next)}>{t("Older games")}</button></p> : null}
    </>
  );
}
