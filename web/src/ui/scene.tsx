// A small still life for each game, from its own pieces; a picture without words.
import type { JSX } from "preact";
import { CardArt, DoorArt } from "./art/cards";
import { Cameo, LouisArt } from "./art/court";
import { GemArt } from "./art/pieces";
import "./scene.css";

const scenes: Record<string, () => JSX.Element[]> = {
  doors: () => [<DoorArt card="RL" />, <DoorArt card="??" />, <DoorArt card="BT" />],
  favor: () => [<CardArt card="BL" />, <CardArt card="BR" />, <GemArt />],
  traps: () => [<CardArt card="??" />, <CardArt card="RT" />, <CardArt card="??" />],
  louis: () => [<Cameo tile={5} />, <LouisArt />, <Cameo tile={11} />],
};

export function Scene({ game }: { game: string }): JSX.Element {
  return (
    <div class={`scene ${game}`} aria-hidden="true">
      {(scenes[game]?.() ?? [<CardArt card="??" />]).map((piece, i) => <span key={i}>{piece}</span>)}
    </div>
  );
}
