// Hints and reviews without the master's play, which this browser has not fetched: says so, and offers to.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { number, t } from "../i18n";
import { isOptimal, POLICY_MB } from "../policy";

/** Above candidates that have both. */
export const captionOfMix = (game: string): string => (isOptimal(game)
  ? t("Chance to win, and how often optimal play does it") : t("Chance to win, and how often the master does it"));

export function OfferOptimal({ game, learn }: { game: string; learn(): Promise<void> }): JSX.Element {
  const [state, setState] = useState<"" | "busy" | "failed">("");
  const mb = number(POLICY_MB[game]!);
  return (
    <>
      {isOptimal(game) ? t("Without optimal play, which this browser has not downloaded yet.")
        : t("Without the master's play, which this browser has not downloaded yet.")}{" "}
      <button class="link" data-testid="learn" disabled={state === "busy"} onClick={() => {
        setState("busy");
        learn().catch(() => setState("failed"));
      }}>{state === "busy" ? t("One moment…")
        : isOptimal(game) ? t("With optimal play ({mb} MB, once)", { mb }) : t("With the master's play ({mb} MB, once)", { mb })}</button>
      {state === "failed" ? <b role="alert"> {t("That did not work.")}</b> : null}
    </>
  );
}
