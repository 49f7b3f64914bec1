// A board for any game: the position in the engine's words and the actions as buttons.
import type { JSX } from "preact";
import { t } from "../i18n";
import type { BoardProps, GameUi } from "./index";

function Board({ snap, choose, busy }: BoardProps): JSX.Element {
  return (
    <div class={busy ? "fallback-board busy" : "fallback-board"} data-testid="board" data-game={snap.game} data-phase={snap.state?.phase}>
      <pre class="panel" tabIndex={0} aria-label={t("The position")}>
        {snap.position || JSON.stringify(snap.state, null, 1)}
      </pre>
      {snap.legal.length ? (
        <ul class="plain row" data-testid="in-words" aria-label={t("What you can do")}>
          {snap.legal.map((action, i) => (
            <li key={action}>
              <button class="can" disabled={busy} data-action={action} onClick={() => choose(action)}>{snap.legalSay[i] ?? action}</button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

export const ui: GameUi = { id: "fallback", Board, irreversible: () => false };
