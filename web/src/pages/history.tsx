// The games I have finished here.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { gameCard } from "../games";
import { api } from "../server";
import { useServer, useTitle } from "../hooks";
import { lang, number, t } from "../i18n";
import { levelName } from "../names";
import { refused } from "../online";
import { go } from "../router";

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
  return p === 1 ? t("you won") : t("rank {n}", { n: p });
}

/** By how much one's rating changed, where it did. */
function change(game: Past): number | null {
  const { before, after } = game.seats[game.seat] ?? {};
  return after !== undefined && before !== undefined ? Math.round(after - before) : null;
}

function Line({ game, ratings }: { game: Past; ratings: boolean }): JSX.Element {
  const when = new Intl.DateTimeFormat(lang(), { dateStyle: "medium", timeStyle: "short" });
  const mine = game.seats[game.seat], by = change(game);
  return (
    <tr>
      <th scope="row"><a href={`/replay/${game.table}`}>{gameCard(game.game).title()}</a></th>
      <td>{when.format(game.at)}</td>
      <td>{mine ? place(mine.place) : ""}{mine?.gone ? ` (${t("you resigned")})` : ""}</td>
      <td>{game.seats.map((s) => `${s.name ?? levelName(s.bot ?? s.level)} ${number(s.score)}`).join(", ")}</td>
      {ratings ? <td class="right">{by === null ? "" : `${by > 0 ? "+" : ""}${number(by)}`}</td> : null}
    </tr>
  );
}

/** A record that somebody has on their disk. */
function OpenRecord(): JSX.Element {
  const [problem, setProblem] = useState("");
  async function open(file: File | undefined): Promise<void> {
    if (!file) return;
    setProblem("");
    try {
      const { FILE_ID, openRecord } = await import("../offline");
      const kept = await openRecord(await file.text());
      if (kept.ok) go(`/replay/${FILE_ID}?review`);
      else setProblem(kept.message || t("The game is not over yet."));
    } catch {
      setProblem(t("The engine could not be loaded."));
    }
  }
  return (
    <>
      <label class="row"><span>{t("Review a record from a file")}</span>
        <input type="file" accept=".salotto,text/plain" data-testid="open-record" onChange={(e) => void open(e.currentTarget.files?.[0])} />
      </label>
      {problem ? <p class="notice bad" role="alert">{problem}</p> : null}
    </>
  );
}

export function History(): JSX.Element {
  const { me, asked } = useServer();
  const [games, setGames] = useState<Past[] | null>(null);
  const [next, setNext] = useState<number | null>(null);
  const [problem, setProblem] = useState("");
  const ratings = !!games?.some((g) => change(g) !== null);
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
      <p class="row"><a class="button" href="/progress">{t("Your progress")}</a></p>
      <OpenRecord />
      {asked && !me ? <p>{t("Sign in and play: your games will appear here.")} <a href="/me">{t("Sign in")}</a></p> : null}
      {problem ? <p class="notice bad">{problem}</p> : null}
      {games && !games.length ? <p class="muted">{t("No game is over yet.")} <a href="/">{t("To the games")}</a></p> : null}
      {games?.length ? (
        <div class="scroll" tabIndex={0} role="region" aria-label={t("My games")}>
          <table class="list">
            <thead>
              <tr>
                <th scope="col">{t("Game")}</th><th scope="col">{t("When")}</th><th scope="col">{t("You")}</th>
                <th scope="col">{t("Scores")}</th>
                {ratings ? <th scope="col" class="right">{t("Rating")}</th> : null}
              </tr>
            </thead>
            <tbody>{games.map((g) => <Line key={g.n} game={g} ratings={ratings} />)}</tbody>
          </table>
        </div>
      ) : null}
      {next !== null ? <p><button onClick={() => void more(next)}>{t("Older games")}</button></p> : null}
    </>
  );
}
