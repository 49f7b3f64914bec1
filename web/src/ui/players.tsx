// How many sit down, where a game leaves a choice.
import type { JSX } from "preact";
import { number, t } from "../i18n";

export function Players({ least, most, players, choose }: {
  least: number;
  most: number;
  players: number;
  choose(n: number): void;
}): JSX.Element | null {
  if (most === least) return null;
  return (
    <fieldset>
      <legend>{t("Players")}</legend>
      <div class="row">
        {Array.from({ length: most - least + 1 }, (_, i) => least + i).map((n) => (
          <label key={n} class="check pill">
            <input type="radio" name="players" checked={players === n} onChange={() => choose(n)} />
            <span>{number(n)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
