// Hints and reviews without optimal play, which this browser has not fetched: says so, and offers to.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { number, t } from "../i18n";
import { POLICY_MB } from "../policy";

export function OfferOptimal({ game, learn }: { game: string; learn(): Promise<void> }): JSX.Element {
  const [state, setState] = useState<"" | "busy" | "failed">("");
  return (
    <>
      {t("Without optimal play, which this browser has not downloaded yet.")}{" "}
      <button class="link" data-testid="learn" disabled={state === "busy"} onClick={() => {
        setState("busy");
        learn().catch(() => setState("failed"));
      }}>{state === "busy" ? t("One moment…") : t("With optimal play ({mb} MB, once)", { mb: number(POLICY_MB[game]!) })}</button>
      {state === "failed" ? <b role="alert"> {t("That did not work.")}</b> : null}
    </>
  );
}
