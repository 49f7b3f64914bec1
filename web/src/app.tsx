// The shell of every page: header, page, signs about the connection, live region.
import type { JSX } from "preact";
import { useEffect, useReducer, useRef } from "preact/hooks";
import { useServer, useStore } from "./hooks";
import { lang, LANGUAGES, onLang, setLang, t } from "./i18n";
import { lazy } from "./lazy";
import { Lobby } from "./pages/lobby";
import { usePlace, type Place } from "./router";
import type { Lang } from "./table";
import { isDark, switchTheme } from "./theme";
import { Icon } from "./ui/icons";
import { Live } from "./ui/live";
import { Signs } from "./ui/signs";

const Account = lazy(() => import("./pages/account").then((m) => m.Account));
const Create = lazy(() => import("./pages/create").then((m) => m.Create));
const Explore = lazy(() => import("./pages/explore").then((m) => m.Explore));
const History = lazy(() => import("./pages/history").then((m) => m.History));
const Leaders = lazy(() => import("./pages/leaders").then((m) => m.Leaders));
const Learn = lazy(() => import("./pages/learn").then((m) => m.Learn));
const Play = lazy(() => import("./pages/play").then((m) => m.Play));
const Problems = lazy(() => import("./pages/problems").then((m) => m.Problems));
const Profile = lazy(() => import("./pages/profile").then((m) => m.Profile));
const Progress = lazy(() => import("./pages/progress").then((m) => m.Progress));
const Replay = lazy(() => import("./pages/replay").then((m) => m.Replay));
const Rules = lazy(() => import("./pages/rules").then((m) => m.Rules));
const TablePage = lazy(() => import("./pages/table").then((m) => m.TablePage));
const Verify = lazy(() => import("./pages/verify").then((m) => m.Verify));

/** Where a board fills the window, the header makes room. */
const isPlaying = ({ page, part }: Place): boolean => /^(t|play|learn|replay)$/.test(page) || (page === "problems" && part !== "");

function Header({ place }: { place: Place }): JSX.Element {
  const { page } = place;
  const { me } = useServer();
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  return (
    <header class={isPlaying(place) ? "top playing" : "top"}>
      <a class="skip" href="#main">{t("Skip to the page")}</a>
      <a class="brand" href="/" aria-label={t("Salotto, the lobby")}>
        <Icon name="door" size={26} /> <span>Salotto</span>
      </a>
      <nav aria-label={t("Pages")}>
        <a href="/" aria-current={page === "" ? "page" : undefined}>{t("Games")}</a>
        <a href="/problems" aria-current={page === "problems" ? "page" : undefined}>{t("Problems")}</a>
        <a href="/rules/doors" aria-current={page === "rules" ? "page" : undefined}>{t("Rules")}</a>
        <a href="/leaders/doors" aria-current={page === "leaders" ? "page" : undefined}>{t("Leaderboard")}</a>
        {me ? <a href="/history" aria-current={page === "history" ? "page" : undefined}>{t("My games")}</a> : null}
      </nav>
      <div class="row end">
        <label>
          <span class="hidden-visually">{t("Language")}</span>
          <select value={lang()} onChange={(e) => void setLang(e.currentTarget.value as Lang)}>
            {LANGUAGES.map(([id, name]) => <option key={id} value={id} lang={id}>{name}</option>)}
          </select>
        </label>
        <button class="quiet icon" aria-label={isDark() ? t("Light colours") : t("Dark colours")}
          onClick={() => {
            switchTheme();
            redraw(undefined);
          }}>
          <Icon name={isDark() ? "sun" : "moon"} />
        </button>
        {me ? <a class="me" href="/me"><Icon name="person" size={18} /> <span>{me.name}</span></a> : null}
      </div>
    </header>
  );
}

function Page({ place }: { place: Place }): JSX.Element {
  switch (place.page) {
    case "": return <Lobby />;
    case "new": return <Create key={place.what} game={place.what} />;
    case "rules": return <Rules game={place.what || "doors"} rule={place.hash} />;
    case "t": return <TablePage key={place.what} id={place.what} />;
    case "play": return <Play key={place.what} game={place.what} />;
    case "learn": return <Learn key={`${place.what}/${place.part}`} game={place.what} chapter={Number(place.part) || 1} />;
    case "problems": return <Problems game={place.what} n={place.part} />;
    case "replay": return <Replay key={place.what} id={place.what} />;
    case "explore": return place.what === "doors" ? <Explore /> : <Lost />;
    case "history": return <History />;
    case "progress": return <Progress />;
    case "leaders": return <Leaders game={place.what || "doors"} />;
    case "verify": return <Verify table={place.query.get("table")} />;
    case "p": return <Profile key={place.what} person={place.what} />;
    case "me": return <Account />;
    default: return <Lost />;
  }
}

function Lost(): JSX.Element {
  return (
    <>
      <h1>{t("There is nothing here")}</h1>
      <p><a href="/">{t("Back to the games")}</a></p>
    </>
  );
}

export function App(): JSX.Element {
  const place = usePlace();
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useStore(onLang);
  // A new page begins at its top, and with the focus there.
  useEffect(() => {
    if (first.current) first.current = false;
    else if (!place.hash) {
      scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
  }, [place.page, place.what]);
  return (
    <>
      <Header place={place} />
      <Signs />
      <main id="main" ref={main} tabIndex={-1}><Page place={place} /></main>
      <Live />
    </>
  );
}
