// The lobby: the games, the tables that wait for somebody, and one's own.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { gameCard, type GameCard } from "../games";
import { api, house } from "../house";
import { useHouse, useTitle } from "../hooks";
import { t, tn } from "../i18n";
import { seatNames } from "../names";
import { games } from "../offer";
import { createTable, refused, sitDown } from "../online";
import { go } from "../router";
import type { Seat } from "../table";
import { Icon } from "../ui/icons";
import { Scene } from "../ui/scene";
import { useName } from "./name";
import "./lobby.css";

/** A table with bots around it, at once; without a server the engine in the browser keeps it. */
async function playBots(game: GameCard): Promise<void> {
  const away = house.link === "lost" || house.link === "closing";
  const soon = new Promise((late) => setTimeout(late, 4000));
  if (!away) await Promise.race([house.online(), soon]);
  if (house.link !== "online" || !house.hello?.games.some((g) => g.game === game.id)) {
    go(`/play/${game.id}`);
    return;
  }
  const seats = ["open", ...Array<string>(game.usual - 1).fill("regular")];
  const { id } = await createTable({ game: game.id, players: game.usual, seats, listed: false, hints: true, undo: true });
  await sitDown(id, 0);
  go(`/t/${id}`);
}

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
        <a href={`/rules/${game.id}`}>{t("Rules")}<span class="hidden-visually">: {game.title()}</span></a>
      </p>
    </article>
  );
}

interface Listed {
  table: string;
  game: string;
  seats: Seat[];
  started: boolean;
  spectators: boolean;
  asked?: boolean;
  over?: boolean;
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

function Tables({ list, empty }: { list: Listed[] | null; empty: string }): JSX.Element {
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
                : !l.started ? t("waiting for players") : t("being played")}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
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
    else setProblem(t("That is no link to a table."));
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

export function Lobby(): JSX.Element {
  const { me, link, hello } = useHouse();
  const online = link === "online";
  const [problem, setProblem] = useState("");
  const [withName, nameDialog] = useName();
  const open = usePolled(async () => (await house.ask("lobby")).tables as Listed[], online);
  const mine = usePolled(async () => (await api<{ tables: Listed[] }>("/api/mine")).tables, online);
  useTitle("");
  const play = (game: GameCard) =>
    withName(() => void playBots(game).catch((why) => setProblem(refused(why).message)));
  return (
    <>
      <div class="hero">
        <h1>{me ? t("Good evening, {name}", { name: me.name }) : t("Good evening")}</h1>
        <p>{t("Four games of hidden cards. Sit down with friends, or with bots that are happy to lose.")}</p>
      </div>
      {hello?.welcome ? <p class="notice">{hello.welcome}</p> : null}
      {problem ? <p class="notice bad" role="alert">{problem}</p> : null}
      <section class="tiles" aria-label={t("The games")}>
        {games().map(({ game }) => <GameTile key={game} game={gameCard(game)} play={() => play(gameCard(game))} />)}
      </section>
      <div class="columns">
        {mine?.length ? (
          <section class="panel">
            <h2>{t("Your games")}</h2>
            <Tables list={mine} empty="" />
          </section>
        ) : null}
        <section class="panel">
          <h2>{t("Open tables")}</h2>
          {online ? <Tables list={open} empty={t("Nobody is waiting just now. Open a table, and somebody may come.")} />
            : <p class="muted">{t("Sign in to see open tables.")}</p>}
        </section>
        <JoinByLink />
      </div>
      {nameDialog}
    </>
  );
}
