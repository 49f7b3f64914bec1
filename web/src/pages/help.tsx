// Help bubbles in somebody's first games: what to do in a phase, the first time they are asked there.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n";
import { gameInfo } from "../offer";
import { keep, prefs } from "../prefs";
import type { Snapshot } from "../table";
import { Icon } from "../ui/icons";
import "./company.css";

export function FirstHelp({ snap, mine }: { snap: Snapshot; mine: boolean }): JSX.Element | null {
  const [, redraw] = useState(0);
  const phase = (snap.state?.phase ?? "") as string;
  const text = gameInfo(snap.game)?.help?.[phase];
  const read = `${snap.game} ${phase}`;
  const shown = mine && !!text && prefs.help && !prefs.helped.includes(read);
  // Once per phase: whoever acts has read it, or does not need it.
  useEffect(() => {
    if (shown) return () => keep({ helped: [...prefs.helped.filter((h) => h !== read), read] });
    return undefined;
  }, [shown, read]);
  if (!shown) return null;
  const done = (change: Parameters<typeof keep>[0]) => {
    keep(change);
    redraw((n) => n + 1);
  };
  return (
    <div class="help-bubble" role="note" data-testid="help">
      <Icon name="bulb" size={18} />
      <p>{text}</p>
      <span class="row">
        <button onClick={() => done({ helped: [...prefs.helped, read] })}>{t("Got it")}</button>
        <button class="quiet" onClick={() => done({ help: false })}>{t("No more tips")}</button>
      </span>
    </div>
  );
}
