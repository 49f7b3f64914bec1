// Who plays a game best on this server.
import type { JSX } from "preact";
import { api } from "../server";
import { useAsked, useTitle } from "../hooks";
import { number, t, tn } from "../i18n";
import { levelName } from "../names";
import { gameInfo, games } from "../offer";

interface Rated {
  rank?: number;
  name?: string;
  person?: number;
  bot?: string;
  rating: number;
  deviation: number;
  games: number;
}

function Table({ list, caption }: { list: Rated[]; caption: string }): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table class="list">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col" class="right">{t("Rank")}</th><th scope="col">{t("Name")}</th>
            <th scope="col" class="right">{t("Rating")}</th><th scope="col" class="right">{t("Played")}</th>
          </tr>
        </thead>
        <tbody>
          {list.map((r, i) => (
            <tr key={i}>
              <td class="right">{r.rank ? number(r.rank) : "–"}</td>
              <th scope="row">{r.person ? <a href={`/p/${r.person}`}>{r.name}</a> : levelName(r.bot)}</th>
              <td class="right">{number(Math.round(r.rating))} <span class="muted">± {number(Math.round(2 * r.deviation))}</span></td>
              <td class="right">{number(r.games)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Leaders({ game }: { game: string }): JSX.Element {
  const { value, failed } = useAsked(
    () => api<{ leaders: Rated[]; bots: Rated[]; you: Rated | null }>(`/api/leaders?game=${encodeURIComponent(game)}`), [game]);
  useTitle(t("Leaderboard: {game}", { game: gameInfo(game)?.title ?? game }));
  return (
    <div class="narrow">
      <nav class="tabs" aria-label={t("Games")}>
        {games().map((g) => <a key={g.game} href={`/leaders/${g.game}`} aria-current={g.game === game ? "page" : undefined}>{g.title}</a>)}
      </nav>
      <h1>{t("Leaderboard: {game}", { game: gameInfo(game)?.title ?? game })}</h1>
      {failed ? <p class="notice bad">{t("The server cannot be reached. Trying again…")}</p> : null}
      {value?.you?.games ? (
        <p>{tn("Your rating is {rating} after {n} rated game.", "Your rating is {rating} after {n} rated games.", value.you.games,
          { rating: number(Math.round(value.you.rating)) })}</p>
      ) : null}
      {value?.leaders.length ? <Table list={value.leaders} caption={t("People")} /> : value ? (
        <p class="muted">{t("Nobody has a rating here yet. Rated games need an account and have no hints and no undo.")}</p>
      ) : null}
      {value?.bots.some((b) => b.games) ? <Table list={value.bots.filter((b) => b.games)} caption={t("Bots")} /> : null}
    </div>
  );
}
