// The still lifes themselves: they come when the page is there, which is then there sooner.
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { CardArt, DoorArt } from "./art/cards";
import { Cameo, LouisArt } from "./art/court";
import { GemArt } from "./art/pieces";

const stills: Record<string, () => JSX.Element[]> = {
  doors: () => [<DoorArt card="RL" />, <DoorArt card="??" />, <DoorArt card="BT" />],
  favor: () => [<CardArt card="BL" />, <CardArt card="BR" />, <GemArt />],
  traps: () => [<CardArt card="??" />, <CardArt card="RT" />, <CardArt card="??" />],
  louis: () => [<Cameo tile={5} />, <LouisArt />, <Cameo tile={11} />],
};

/** Made once, not each time that the page around it hears something new. */
export function Still({ game }: { game: string }): JSX.Element {
  return useMemo(() => <>{(stills[game]?.() ?? [<CardArt card="??" />]).map((piece, i) => <span key={i}>{piece}</span>)}</>, [game]);
}
