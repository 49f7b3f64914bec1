// Calm signs about the connection and about a new version, under the header.
import type { JSX } from "preact";
import { useServer } from "../hooks";
import { t } from "../i18n";
import { reloadNew, useNewVersion } from "../version";
import { Icon } from "./icons";

export function Signs({ page }: { page: string }): JSX.Element | null {
  const { link, me } = useServer();
  const newer = useNewVersion();
  const local = page === "play" || page === "learn" || page === "rules" || page === "verify";
  const lost = link === "lost" ? (me
    ? t("Connection lost. Reconnecting… your game is safe.")
    : t("The server cannot be reached right now. You can still play against bots and read the rules."))
    : link === "closing" ? t("The server is restarting. Your tables will be back in a moment.") : "";
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
