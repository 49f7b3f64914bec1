// How the table feels: preferences that are set in the account and at the table alike.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { keep, prefs } from "../prefs";
import { applyMotion, type Motion } from "./pace";

export function Feel(): JSX.Element {
  const [motion, setMotion] = useState(prefs.motion);
  const speeds: [Motion, string][] = [["calm", t("calm")], ["normal", t("normal")], ["quick", t("quick")], ["none", t("none")]];
  return (
    <div class="form">
      <fieldset>
        <legend>{t("Animations")}</legend>
        <div class="row">
          {speeds.map(([value, name]) => (
            <label key={value} class="check pill">
              <input type="radio" name="motion" checked={motion === value} onChange={() => {
                keep({ motion: value });
                setMotion(value);
                applyMotion();
              }} />
              <span>{name}</span>
            </label>
          ))}
        </div>
      </fieldset>
    </div>
  );
}
