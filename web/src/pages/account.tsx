// Who I am to the house.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useHouse } from "../hooks";
import { t } from "../i18n";
import { house } from "../house";
import { refused } from "../online";
import { keep, prefs } from "../prefs";

/** A name for who has none yet. */
export function NameForm({ done }: { done?(): void }): JSX.Element {
  const [name, setName] = useState(prefs.name);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  async function submit(e: Event): Promise<void> {
    e.preventDefault();
    setBusy(true);
    try {
      await house.guest(name.trim());
      keep({ name: name.trim() });
      done?.();
    } catch (why) {
      setProblem(refused(why).message);
    }
    setBusy(false);
  }
  return (
    <form class="row" onSubmit={(e) => void submit(e)}>
      <label>
        {t("Your name")}{" "}
        <input required maxLength={24} value={name} autocomplete="nickname"
          onInput={(e) => setName(e.currentTarget.value)} />
      </label>
      <button class="primary" disabled={busy || !name.trim()}>{t("Come in")}</button>
      {problem ? <p class="notice bad" role="alert">{problem}</p> : null}
    </form>
  );
}

export function Account(): JSX.Element {
  const { me } = useHouse();
  return me ? <h1>{me.name}</h1> : <NameForm />;
}
