// The rules of one game as a page of its own, or all games to choose from.
import type { JSX } from "preact";
import noticesUrl from "@parts/notices.txt?url";
import { useTitle } from "../hooks";
import { t } from "../i18n";
import { gameInfo, games } from "../offer";
import { RulesText } from "../ui/rules";

export function Rules({ game, rule }: { game: string; rule: string }): JSX.Element {
  const known = gameInfo(game);
  useTitle(known ? t("Rules of {game}", { game: known.title }) : t("Rules"));
  return (
    <>
      <nav class="tabs" aria-label={t("Rules")}>
        {games().map((g) => (
          <a key={g.game} href={`/rules/${g.game}`} aria-current={g.game === game ? "page" : undefined}>{g.title}</a>
        ))}
      </nav>
      {known ? (
        <>
          <p class="row">
            <a class="button" href={`/learn/${game}`}>{t("Learn it by playing")}</a>
            {game === "doors" ? <a class="button" href="/explore/doors">{t("Explore optimal play")}</a> : null}
          </p>
          <RulesText game={game} rule={rule || undefined} />
        </>
      ) : <h1>{t("Rules")}</h1>}
      <p class="facts"><a href={noticesUrl} target="_blank">{t("Licences")}</a></p>
    </>
  );
}
