// How the table feels: preferences that are set in the account and at the table alike.
import type { JSX } from "preact";
import { useReducer, useState } from "preact/hooks";
import { t } from "../i18n";
import { keep, prefs, type Prefs } from "../prefs";
import { applyMotion, type Motion } from "./pace";
import { play } from "./sounds";

function Check({ of, label, changed }: { of: "vibrate" | "remarks" | "notify"; label: string; changed(on: boolean): void }): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={prefs[of]} onChange={(e) => changed(e.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

export function Feel(): JSX.Element {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const [problem, setProblem] = useState("");
  const set = (change: Partial<Prefs>) => {
    keep(change);
    applyMotion();
    redraw(undefined);
  };
  const speeds: [Motion, string][] = [["calm", t("calm")], ["normal", t("normal")], ["quick", t("quick")], ["none", t("off")]];
  async function notify(on: boolean): Promise<void> {
    const allowed = !on || (await Notification.requestPermission()) === "granted";
    setProblem(allowed ? "" : t("Your browser does not allow notifications from this page. You can change that in its settings."));
    set({ notify: on && allowed });
    const push = await import("../push");
    await (on && allowed ? push.startPush() : push.stopPush());
  }
  return (
    <div class="form">
      <fieldset>
        <legend>{t("Animations")}</legend>
        <div class="row">
          {speeds.map(([value, name]) => (
            <label key={value} class="check pill">
              <input type="radio" name="motion" checked={prefs.motion === value} onChange={() => set({ motion: value })} />
              <span>{name}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <label class="check">
        <span>{t("Volume")}</span>
        <input type="range" min={0} max={10} value={prefs.volume} aria-valuetext={prefs.volume ? `${prefs.volume * 10} %` : t("off")}
          onInput={(e) => {
            set({ volume: Number(e.currentTarget.value) });
            play("turn");
          }} />
        <button type="button" onClick={() => set({ volume: prefs.volume ? 0 : 5 })}>{prefs.volume ? t("Sound off") : t("Sound on")}</button>
      </label>
      <Check of="remarks" label={t("Bots say a word now and then")} changed={(on) => set({ remarks: on })} />
      {"vibrate" in navigator ? <Check of="vibrate" label={t("Vibrate when it is my turn")} changed={(on) => set({ vibrate: on })} /> : null}
      {"Notification" in window
        ? <Check of="notify" label={t("Notify me when it is my turn and I am looking elsewhere")} changed={(on) => void notify(on)} /> : null}
      {problem ? <p class="notice bad" role="alert">{problem}</p> : null}
    </div>
  );
}
