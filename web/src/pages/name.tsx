// The first visit: a name and a language, which the server and the browser remember.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { server } from "../server";
import { lang, LANGUAGES, setLang, t } from "../i18n";
import { refused } from "../online";
import { keep, prefs } from "../prefs";
import { Dialog } from "../ui/dialog";

/** Why a name was refused, in the language of the page. */
function nameProblem(why: { code: string; message: string }): string {
  if (why.code !== "bad-request") return why.message;
  const said = [
    ["A name cannot have invisible characters.", t("A name cannot have invisible characters.")],
    ["A name cannot have so many accents in one place.", t("A name cannot have so many accents in one place.")],
    ["A name needs a letter or a digit.", t("A name needs a letter or a digit.")],
  ].find(([english]) => english === why.message);
  return said ? said[1]! : t("A name has 1 to 24 characters.");
}

/** Signing in with a name: its field, what is wrong with it, and whether it can be sent. `before` is called before the
 * server is asked. */
export function useNameField({ before, done }: { before?(): void; done?(): void }): {
  submit(e: Event): Promise<void>;
  field: JSX.Element;
  problem: JSX.Element | null;
  ready: boolean;
} {
  const [name, setName] = useState(prefs.name);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  async function submit(e: Event): Promise<void> {
    e.preventDefault();
    setBusy(true);
    try {
      before?.();
      await server.guest(name.trim());
      keep({ name: name.trim() });
      done?.();
    } catch (why) {
      setProblem(nameProblem(refused(why)));
    }
    setBusy(false);
  }
  return {
    submit,
    field: (
      <label>
        <span>{t("What shall we call you?")}</span>
        <input name="name" required maxLength={24} value={name} autocomplete="nickname" autofocus
          onInput={(e) => setName(e.currentTarget.value)} />
      </label>
    ),
    problem: problem ? <p class="notice bad" role="alert">{problem}</p> : null,
    ready: !busy && !!name.trim(),
  };
}

export function NameForm({ done }: { done?(): void }): JSX.Element {
  const { submit, field, problem, ready } = useNameField({ done });
  return (
    <form class="form" onSubmit={(e) => void submit(e)}>
      {field}
      <fieldset class="row">
        <legend>{t("Language")}</legend>
        {LANGUAGES.map(([id, label]) => (
          <label class="check" key={id}>
            <input type="radio" name="language" checked={lang() === id} onChange={() => void setLang(id)} />
            <span lang={id}>{label}</span>
          </label>
        ))}
      </fieldset>
      {problem}
      <p class="muted small">
        {t("Other players see this name. You don't need an account; you can create one later.")}{" "}
        <a href="/me">{t("I have an account")}</a>
      </p>
      <div class="acts"><button class="primary" disabled={!ready}>{t("Sign in")}</button></div>
    </form>
  );
}

/** Does something once there is a name; asks for one first if need be, but not before the server has said
 * whether there is one. The dialog is to be drawn. */
export function useName(): [(then: () => void) => Promise<void>, JSX.Element | null] {
  const [then, setThen] = useState<(() => void) | null>(null);
  const withName = async (what: () => void) => {
    if (!server.asked) await server.answered;
    if (server.me || server.link === "lost" || server.link === "closing") what();
    else setThen(() => what);
  };
  const dialog = then ? (
    <Dialog title={t("Welcome to the parlour")} close={() => setThen(null)}>
      <NameForm done={() => {
        setThen(null);
        void server.online().then(then);
      }} />
    </Dialog>
  ) : null;
  return [withName, dialog];
}
