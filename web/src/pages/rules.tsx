// The rules of one game as a page of its own, or all games to choose from.
import type { JSX } from "preact";
import { gameCard, games } from "../games";
import { useTitle } from "../hooks";
import { t } from "../i18n";
import { RulesText } from "../ui/rules";

export function Rules({ game, rule }: { game: string; rule: string }): JSX.Element {
  const known = games.some((g) => g.id === game);
  useTitle(known ? t("Rules of {game}", { game: gameCard(game).title() }) : t("Rules"));
  return (
    <>
      <nav class="tabs" aria-label={t("Rules")}>
        {games.map((g) => (
          <a key={g.id} href={`/rules/${g.id}`} aria-current={g.id === game ? "page" : undefined}>{g.title()}</a>
        ))}
      </nav>
      {known ? (
        <>
          <p class="row">
            <a class="button" href={`/learn/${game}`}>{t("Learn it by playing")}</a>
          </p>
          <RulesText game={game} rule={rule || undefined} />
        </>
      ) : <h1>{t("Rules")}</h1>}
    </>
  );
}
