// Calm signs about the connection and about a new version, under the header.
import type { JSX } from "preact";
import { useServer } from "../hooks";
import { t } from "../i18n";
import { usePlace } from "../router";
import { reloadNew, useNewVersion } from "../version";
import { Icon } from "./icons";

/** What these pages do without the server. */
const LOCAL = /^(play|learn|problems|rules|verify)$/;

/** What is wrong with the connection, where the page needs one. */
export function useLost(): string {
  const { link, me } = useServer();
  const { page } = usePlace();
  if (LOCAL.test(page)) return "";
  if (link === "closing") return t("The server is restarting. Your tables will be back in a moment.");
  if (link !== "lost") return "";
  if (me) return t("Connection lost. Reconnecting… your game is safe.");
  return page === "t" || page === "replay" ? t("The server cannot be reached. Trying again…")
    : t("The server cannot be reached right now. You can still play against bots and read the rules.");
}

export function Signs(): JSX.Element {
  const lost = useLost();
  const newer = useNewVersion();
  return (
    <>
      {lost ? (
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
