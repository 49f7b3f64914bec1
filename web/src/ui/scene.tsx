// A small still life for each game, from its own pieces; a picture without words.
import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import "./scene.css";

let Still: ComponentType<{ game: string }> | null = null;

export function Scene({ game }: { game: string }): JSX.Element {
  const [, set] = useState(!!Still);
  useEffect(() => {
    if (Still) return;
    import("./still").then((m) => {
      Still = m.Still;
      set(true);
    }, () => {}); // a page without its picture is still a page
  }, []);
  return <div class={`scene ${game}`} aria-hidden="true">{Still && <Still game={game} />}</div>;
}
