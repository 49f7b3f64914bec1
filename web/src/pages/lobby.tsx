// The lobby: the games, and the tables that wait for somebody.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { games, type GameCard } from "../games";
import { house } from "../house";
import { useHouse, useTitle } from "../hooks";
import { t, tn } from "../i18n";
import { createTable, refused } from "../online";
import { go } from "../router";
import { NameForm } from "./account";

async function playBots(game: GameCard): Promise<void> {
  await house.online();
  const players = game.players[0];
  const { id } = await createTable({
    game: game.id, players, seats: ["open", ...Array<string>(players - 1).fill("regular")], listed: false,
  });
  await house.ask("sit", { table: id, seat: 0 });
  go(`/t/${id}`);
}

function GameTile({ game, problem }: { game: GameCard; problem(text: string): void }): JSX.Element {
  const { me } = useHouse();
  const [least, most] = game.players;
  return (
    <article class="panel">
      <h2>{game.title()}</h2>
      <p>{game.about()}</p>
      <p class="muted small">
        {least === most ? tn("{n} player", "{n} players", least) : t("{least} to {most} players", { least, most })}
        {" · "}{tn("{n} minute", "{n} minutes", game.minutes)}
      </p>
      <button class="primary" disabled={!me}
        onClick={() => void playBots(game).catch((why) => problem(refused(why).message))}>
        {t("Play against bots")}
      </button>
    </article>
  );
}

export function Lobby(): JSX.Element {
  const { me, asked } = useHouse();
  const [problem, setProblem] = useState("");
  useTitle("");
  return (
    <>
      <h1>{t("Good evening")}</h1>
      {asked && !me ? <NameForm /> : null}
      {problem ? <p class="notice bad" role="alert">{problem}</p> : null}
      {games.map((g) => <GameTile key={g.id} game={g} problem={setProblem} />)}
    </>
  );
}
