// Somebody with an account, for everybody to see: face, results by game and opponent, streaks, ratings.
import type { JSX } from "preact";
import { Face, faceOf } from "../faces";
import { api, type Refusal } from "../server";
import { useAsked, useServer, useTitle } from "../hooks";
import { lang, number, t, tn } from "../i18n";
import { levelName } from "../names";
import { gameInfo, games } from "../offer";
import "./profile.css";

interface Result {
  game: string;
  /** "people", "mixed" (people and bots, or several levels), or the level of the bots. */
  against: string;
  games: number;
  won: number;
  drawn: number;
}

interface Profiled {
  person: number;
  name: string;
  face: number;
  at: number;
  results: Result[];
  streaks: { game: string; longest: number; now: number }[];
  curve: { game: string; at: number; rating: number }[];
  ratings: { game: string; rating: number; deviation: number; games: number }[];
}

function opponent(against: string): string {
  if (against === "people") return t("People");
  return against === "mixed" ? t("People and bots") : levelName(against);
}

function Results({ list, game }: { list: Result[]; game: string }): JSX.Element {
  const caption = t("Results at {game}", { game });
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table class="list">
        <caption class="hidden-visually">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t("Against")}</th><th scope="col" class="right">{t("Played")}</th>
            <th scope="col" class="right">{t("Wins")}</th><th scope="col" class="right">{t("Draws")}</th>
            <th scope="col" class="right">{t("Losses")}</th>
          </tr>
        </thead>
        <tbody>
          {list.map((r) => (
            <tr key={r.against} data-against={r.against}>
              <th scope="row">{opponent(r.against)}</th>
              <td class="right">{number(r.games)}</td><td class="right">{number(r.won)}</td>
              <td class="right">{number(r.drawn)}</td><td class="right">{number(r.games - r.won - r.drawn)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The rating after each rated game, the oldest at the left. */
function Curve({ points }: { points: number[] }): JSX.Element | null {
  if (points.length < 2) return null;
  const low = Math.min(...points), high = Math.max(...points);
  const width = 600, height = 140, edge = 12;
  const x = (i: number) => edge + (i / (points.length - 1)) * (width - 2 * edge);
  const y = (r: number) => height - edge - ((r - low) / (high - low || 1)) * (height - 2 * edge);
  return (
    <figure class="curve">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t("Rating from {first} to {last}; lowest {low}, highest {high}",
        { first: number(points[0]!), last: number(points.at(-1)!), low: number(low), high: number(high) })}>
        <path class="edges" d={`M0 ${y(high)}H${width}M0 ${y(low)}H${width}`} />
        <polyline points={points.map((r, i) => `${x(i).toFixed(1)},${y(r).toFixed(1)}`).join(" ")} />
        <circle cx={x(points.length - 1)} cy={y(points.at(-1)!)} r="4" />
      </svg>
      <figcaption class="muted small">
        {tn("Rating over the last {n} rated game, from {low} to {high}", "Rating over the last {n} rated games, from {low} to {high}",
          points.length, { low: number(low), high: number(high) })}
      </figcaption>
    </figure>
  );
}

function AtGame({ game, of }: { game: string; of: Profiled }): JSX.Element | null {
  const results = of.results.filter((r) => r.game === game);
  const streak = of.streaks.find((s) => s.game === game);
  const rating = of.ratings.find((r) => r.game === game);
  if (!results.length) return null;
  const title = gameInfo(game)?.title ?? game;
  return (
    <section class="panel" data-game={game}>
      <h2>{title}</h2>
      {rating ? (
        <p>{tn("Rating {rating} ± {give} after {n} rated game", "Rating {rating} ± {give} after {n} rated games", rating.games,
          { rating: number(rating.rating), give: number(2 * rating.deviation) })}</p>
      ) : null}
      <Curve points={of.curve.filter((p) => p.game === game).map((p) => p.rating)} />
      {streak?.longest ? (
        <p class="streaks">
          {tn("Longest winning streak: {n} game", "Longest winning streak: {n} games", streak.longest)}
          {streak.now ? ` · ${tn("now: {n} game", "now: {n} games", streak.now)}` : ""}
        </p>
      ) : null}
      <Results list={results} game={title} />
    </section>
  );
}

export function Profile({ person }: { person: string }): JSX.Element {
  const { me } = useServer();
  const { value, failed } = useAsked(
    () => api<Profiled>(`/api/profile?person=${encodeURIComponent(person)}`), [person]);
  useTitle(value?.name ?? t("Profile"));
  if (failed)
    return (
      <div class="narrow">
        <h1>{t("Profile")}</h1>
        <p class="notice bad">{(failed as Refusal).code === "lost" ? t("The server cannot be reached. Trying again…")
          : t("There is no such account. Guests have no profile.")}</p>
        <p><a href="/">{t("Back to the games")}</a></p>
      </div>
    );
  if (!value) return <div class="narrow" />;
  const all = value.results.reduce((sum, r) => sum + r.games, 0);
  const won = value.results.reduce((sum, r) => sum + r.won, 0);
  const since = new Intl.DateTimeFormat(lang(), { dateStyle: "long" }).format(value.at);
  const order = [...games().map((g) => g.game), ...value.results.map((r) => r.game)];
  return (
    <div class="narrow gaps profile">
      <div class="profile-head">
        <Face of={faceOf(value.face, value.name)} size={88} />
        <div>
          <h1>{value.name}</h1>
          <p class="muted">{t("Member since {date}", { date: since })}</p>
          <p data-testid="all-games">{all ? `${tn("{n} game", "{n} games", all)}, ${tn("{n} won", "{n} won", won)}` : t("No finished games yet")}</p>
          {me?.person === value.person ? <p><a href="/progress">{t("Your progress")}</a> · <a href="/me">{t("Change name or picture")}</a></p> : null}
        </div>
      </div>
      {[...new Set(order)].map((game) => <AtGame key={game} game={game} of={value} />)}
    </div>
  );
}
