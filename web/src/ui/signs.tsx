// Calm signs about the connection and about a new version, under the header.
import type { JSX } from "preact";
import { useHouse } from "../hooks";
import { t } from "../i18n";
import { reloadNew, useNewVersion } from "../version";
import { Icon } from "./icons";

export function Signs({ page }: { page: string }): JSX.Element | null {
  const { link, me } = useHouse();
  const newer = useNewVersion();
  const local = page === "play" || page === "learn" || page === "rules" || page === "verify";
  const lost = link === "lost" ? (me
    ? t("The connection is lost. It is being tried again; nothing you do is lost.")
    : t("The house cannot be reached just now. You can still play against bots and read the rules."))
    : link === "closing" ? t("The house is closing for a moment. Your tables will be there when it is back.") : "";
  return (
    <>
      {lost && !local ? (
        <p class="sign-link" role="status"><Icon name="cloud" size={18} /> {lost}</p>
      ) : null}
      {newer ? (
        <p class="sign-new" role="status">
          {t("There is a new version of these pages.")}{" "}
          <button onClick={reloadNew}>{t("Load it")}</button>
        </p>
      ) : null}
    </>
  );
}
