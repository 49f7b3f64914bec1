// The lobby: the games, the tables that wait for somebody, and one's own.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { gameCard, type GameCard } from "../games";
import { api, type Listed } from "../server";
import { useServer, useStore, useTitle } from "../hooks";
import { t, tn } from "../i18n";
import { installer, onInstall } from "../install";
import { lazy } from "../lazy";
import { forgetGame, localGames, onLocal } from "../local";
import { seatNames } from "../names";
import { games } from "../offer";
import type { OfflinePlan } from "../offline";
import { go } from "../router";
import type { Seat } from "../table";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { Scene } from "../ui/scene";
import "./lobby.css";

export function Facts({ game }: { game: GameCard }): JSX.Element {
  const [least, most] = game.players;
  return (
    <p class="game-facts muted small">
      <span><Icon name="people" size={16} />{" "}
        {least === most ? tn("{n} player", "{n} players", least) : t("{least} to {most} players", { least, most })}</span>
      {game.minutes ? (
        <span><Icon name="clock" size={16} /> {tn("about {n} minute", "about {n} minutes", game.minutes)}</span>
      ) : null}
    </p>
  );
}

function GameTile({ game, play }: { game: GameCard; play(): void }): JSX.Element {
  return (
    <article class="panel game-tile" data-game={game.id}>
      <Scene game={game.id} />
      <h2>{game.title()}</h2>
      <p>{game.about()}</p>
      <Facts game={game} />
      <div class="row">
        <button class="primary" onClick={play}>
          <Icon name="play" size={16} /> {t("Play against bots")}
          <span class="hidden-visually">: {game.title()}</span>
        </button>
        <a class="button" href={`/new/${game.id}`}>
          <Icon name="people" size={18} /> {t("With friends")}
          <span class="hidden-visually">: {game.title()}</span>
        </a>
      </div>
      <p class="links small">
        <a href={`/learn/${game.id}`}>{t("Learn it by playing")}<span class="hidden-visually">: {game.title()}</span></a>
        <a href={`/problems/${game.id}`}>{t("Problems")}<span class="hidden-visually">: {game.title()}</span></a>
        <a href={`/rules/${game.id}`}>{t("Rules")}<span class="hidden-visually">: {game.title()}</span></a>
      </p>
    </article>
  );
}

const BotSheet = lazy(() => import("./bots").then((m) => m.BotSheet));

/** Begins a game in the browser and goes to its page. */
async function playHere(plan: OfflinePlan): Promise<void> {
  const { createOffline, handOver } = await import("../offline");
  const table = await createOffline(plan);
  handOver(table);
  go(`/play/${plan.game}?id=${table.snapshot.id}`);
}

/** One's own games: those that wait for oneself first, then those that this browser keeps. */
function Mine({ list }: { list: Listed[] }): JSX.Element | null {
  useStore(onLocal);
  const local = localGames().filter((g) => !g.over);
  if (!list.length && !local.length) return null;
  const turn = [...list].sort((a, b) => Number(b.asked ?? false) - Number(a.asked ?? false));
  return (
    <section class="panel your-games">
      <h2>{t("Your games")}</h2>
      <Tables list={turn} empty="" />
      {local.length ? (
        <ul class="plain tables">
          {local.map((g) => (
            <li key={g.id}>
              <a href={`/play/${g.game}?id=${g.id}`}>
                <strong>{gameCard(g.game).title()}</strong>
                <span class="muted small">{g.names.join(", ")}</span>
                <span class="sign">{t("in this browser")}</span>
              </a>
              <button class="quiet icon" aria-label={t("Delete this game")} onClick={() => forgetGame(g.id)}><Icon name="close" size={16} /></button>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

/** Who is at a table, in a few words. */
function Company({ seats }: { seats: Seat[] }): JSX.Element {
  const there = seatNames(seats).filter((_, n) => seats[n]!.kind === "person" || seats[n]!.kind === "bot");
  const free = seats.filter((s) => s.kind === "open").length;
  return (
    <span class="muted small">
      {there.join(", ")}
      {there.length && free ? " · " : ""}
      {free ? tn("{n} free seat", "{n} free seats", free) : ""}
    </span>
  );
}

function Tables({ list, empty, watch }: { list: Listed[] | null; empty: string; watch?: boolean }): JSX.Element {
  if (!list) return <p class="muted">{t("One moment…")}</p>;
  if (!list.length) return <p class="muted">{empty}</p>;
  return (
    <ul class="plain tables">
      {list.map((l) => (
        <li key={l.table}>
          <a href={`/t/${l.table}`}>
            <strong>{gameCard(l.game).title()}</strong>
            <Company seats={l.seats} />
            <span class={l.asked ? "sign mine" : "sign"}>
              {l.asked ? t("your turn") : l.over ? t("over")
                : !l.started ? t("waiting for players") : watch ? t("being played, you may watch") : t("being played")}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Tables that anybody may join or watch; no name is needed to see them. */
async function openTables(): Promise<Listed[]> {
  return (await api<{ tables: Listed[] }>("/api/lobby")).tables.filter((l) => !l.started || l.spectators);
}

/** Asked again every few seconds while somebody looks. */
function usePolled<T>(ask: () => Promise<T>, on: boolean): T | null {
  const [value, set] = useState<T | null>(null);
  useEffect(() => {
    if (!on) return;
    let alive = true;
    const look = () => {
      if (!document.hidden) ask().then((v) => alive && set(v)).catch(() => {});
    };
    look();
    const timer = setInterval(look, 5000);
    return () => {
      alive = false;
      clearInterval(timer);
    };
  }, [on]);
  return value;
}

function JoinByLink(): JSX.Element {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  function join(e: Event): void {
    e.preventDefault();
    const found = /(?:\/t\/)?([A-Za-z0-9_-]{6,})(\?key=[\w-]+)?$/.exec(text.trim());
    if (found) go(`/t/${found[1]}${found[2] ?? ""}`);
    else setProblem(t("That is not a link to a table."));
  }
  return (
    <form class="panel" onSubmit={join}>
      <h2>{t("Got an invitation?")}</h2>
      <label for="link">{t("Paste the link you were sent")}</label>
      <div class="row">
        <input id="link" value={text} onInput={(e) => setText(e.currentTarget.value)}
          aria-describedby={problem ? "link-problem" : undefined} />
        <button disabled={!text.trim()}>{t("Go to the table")}</button>
      </div>
      {problem ? <p class="small bad-text" id="link-problem" role="alert">{problem}</p> : null}
    </form>
  );
}

/** Offers to install the pages as an app, where the browser can. */
function Install(): JSX.Element | null {
  useStore(onInstall);
  const ask = installer();
  return ask ? <button class="install" onClick={() => void ask()}><Icon name="download" size={18} /> {t("Install Salotto")}</button> : null;
}

export function Lobby(): JSX.Element {
  const { me, link, hello, asked } = useServer();
  const online = link === "online";
  const [chosen, setChosen] = useState<string | null>(null);
  const open = usePolled(openTables, link !== "lost" && link !== "closing");
  const mine = usePolled(async () => (await api<{ tables: Listed[] }>("/api/mine")).tables, online);
  useTitle("");
  // One's own stand above, and are offered to others only.
  const others = asked && (!me || mine) && open ? open.filter((l) => !mine?.some((own) => own.table === l.table)) : null;
  return (
    <>
      <div class="hero">
        <h1>{me ? t("Good evening, {name}", { name: me.name }) : t("Good evening")}</h1>
        <p>{t("Games of hidden cards. Sit down with friends, or with bots that are happy to lose.")}</p>
        <Install />
      </div>
      {hello?.welcome ? <p class="notice">{hello.welcome}</p> : null}
      <Mine list={mine ?? []} />
      <section class="tiles" aria-label={t("The games")}>
        {games().map(({ game }) => <GameTile key={game} game={gameCard(game)} play={() => setChosen(game)} />)}
      </section>
      <div class="columns">
        <section class="panel">
          <h2>{t("Open tables")}</h2>
          {link === "lost" || link === "closing" ? <p class="muted">{t("The server cannot be reached. Trying again…")}</p>
            : <Tables list={others} watch empty={t("Nobody is waiting just now. Open a table, and somebody may come.")} />}
        </section>
        <JoinByLink />
      </div>
      {chosen ? (
        <Dialog title={t("{game} against bots", { game: gameCard(chosen).title() })} close={() => setChosen(null)}>
          <BotSheet game={chosen} startHere={playHere} />
        </Dialog>
      ) : null}
    </>
  );
}
