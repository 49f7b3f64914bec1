// Who I am to the server: name, account, sessions, what is stored, deleting the account; and preferences.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { Face, FACES, faceOf } from "../faces";
import { api, server, type Me } from "../server";
import { useAsked, useServer, useTitle } from "../hooks";
import { lang, t } from "../i18n";
import { refused } from "../online";
import { keep, prefs } from "../prefs";
import { stopPush } from "../push";
import { go } from "../router";
import { Dialog } from "../ui/dialog";
import { Feel } from "../ui/feel";
import { NameForm } from "./name";
import { save } from "./result";
import "./profile.css";

interface Session {
  session: string;
  at: number;
  seen: number;
  agent: string;
  here?: number;
}

/** A form that sends something and says how it went. */
function AccountForm({ act, children, label, done, primary = false }: {
  act(): Promise<void>;
  children: ComponentChildren;
  label: string;
  done?: string;
  primary?: boolean;
}): JSX.Element {
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ text: string; bad: boolean } | null>(null);
  async function submit(e: Event): Promise<void> {
    e.preventDefault();
    setBusy(true);
    try {
      await act();
      setSaid(done ? { text: done, bad: false } : null);
    } catch (why) {
      setSaid({ text: refused(why).message, bad: true });
    }
    setBusy(false);
  }
  return (
    <form class="form" onSubmit={(e) => void submit(e)}>
      {children}
      {said ? <p class={said.bad ? "notice bad" : "notice good"} role={said.bad ? "alert" : "status"}>{said.text}</p> : null}
      <div class="acts"><button class={primary ? "primary" : ""} disabled={busy}>{label}</button></div>
    </form>
  );
}

function Field({ label, value, set, type = "text", complete, min = 1, max = 200 }: {
  label: string;
  value: string;
  set(v: string): void;
  type?: "text" | "password";
  complete: string;
  min?: number;
  max?: number;
}): JSX.Element {
  return (
    <label>
      <span>{label}</span>
      <input type={type} value={value} required minLength={min} maxLength={max} autocomplete={complete}
        onInput={(e) => set(e.currentTarget.value)} />
    </label>
  );
}

function Enter(): JSX.Element {
  const [name, setName] = useState(prefs.name);
  const [password, setPassword] = useState("");
  return (
    <AccountForm label={t("Sign in")} primary act={async () => {
      await server.enter(name.trim(), password);
      keep({ name: name.trim() });
    }}>
      <Field label={t("Name")} value={name} set={setName} complete="username" max={24} />
      <Field label={t("Password")} value={password} set={setPassword} type="password" complete="current-password" />
    </AccountForm>
  );
}

function OpenAccount({ opened }: { opened(): void }): JSX.Element {
  const [password, setPassword] = useState("");
  return (
    <section class="panel">
      <h2>{t("Create an account")}</h2>
      <p>{t("With a password you can sign in from any device under this name. Nothing else is needed.")}</p>
      <AccountForm label={t("Create an account")} primary act={async () => {
        await api("/api/account", { password });
        opened();
      }}>
        <Field label={t("Password, at least 8 characters")} value={password} set={setPassword} type="password"
          complete="new-password" min={8} />
      </AccountForm>
    </section>
  );
}

function Names({ account }: { account: boolean }): JSX.Element {
  const [name, setName] = useState(server.me?.name ?? "");
  const [password, setPassword] = useState("");
  return (
    <section class="panel">
      <h2>{t("Change your name")}</h2>
      <AccountForm label={t("Change the name")} done={t("Your name has been changed.")} act={async () => {
        await api("/api/name", { name: name.trim(), ...(account ? { password } : {}) });
        keep({ name: name.trim() });
        await server.start();
      }}>
        <Field label={t("Name")} value={name} set={setName} complete="nickname" max={24} />
        {account ? (
          <Field label={t("Password")} value={password} set={setPassword} type="password" complete="current-password" />
        ) : null}
      </AccountForm>
    </section>
  );
}

function Passwords(): JSX.Element {
  const [old, setOld] = useState("");
  const [password, setPassword] = useState("");
  return (
    <section class="panel">
      <h2>{t("Change your password")}</h2>
      <AccountForm label={t("Change the password")} done={t("Changed. Your other devices have been signed out.")} act={async () => {
        await api("/api/password", { old, password });
        setOld("");
        setPassword("");
      }}>
        <Field label={t("Current password")} value={old} set={setOld} type="password" complete="current-password" />
        <Field label={t("New password, at least 8 characters")} value={password} set={setPassword} type="password"
          complete="new-password" min={8} />
      </AccountForm>
    </section>
  );
}

/** A browser as people call it. */
function agentName(agent: string): string {
  const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(agent)?.[0];
  const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(agent)?.[0];
  const known: Record<string, string> = { Edg: "Edge", OPR: "Opera", "Mac OS X": "macOS" };
  const name = (word: string | undefined) => (word ? known[word] ?? word : "");
  return [name(browser), name(system)].filter(Boolean).join(", ") || agent || t("unknown browser");
}

function Sessions(): JSX.Element {
  const [turn, again] = useState(0);
  const { value } = useAsked(() => api<{ sessions: Session[] }>("/api/sessions"), [turn]);
  const when = new Intl.DateTimeFormat(lang(), { dateStyle: "medium", timeStyle: "short" });
  const end = async (what: unknown) => {
    await api("/api/revoke", what).catch(() => {});
    again(turn + 1);
  };
  return (
    <section class="panel">
      <h2>{t("Signed-in devices")}</h2>
      <ul class="plain sessions">
        {(value?.sessions ?? []).map((s) => (
          <li key={s.session}>
            <span>
              <span title={s.agent}>{agentName(s.agent)}</span>
              <span class="muted small"> {t("last seen {time}", { time: when.format(s.seen) })}</span>
            </span>
            {s.here ? <strong>{t("this device")}</strong>
              : <button onClick={() => void end({ session: s.session })}>{t("Sign out this device")}</button>}
          </li>
        ))}
      </ul>
      {(value?.sessions.length ?? 0) > 1 ? (
        <p><button onClick={() => void end({ others: true })}>{t("Sign out all others")}</button></p>
      ) : null}
    </section>
  );
}

function DeleteAccount({ account, close }: { account: boolean; close(): void }): JSX.Element {
  const [password, setPassword] = useState("");
  return (
    <Dialog title={t("Delete your account?")} close={close}>
      <p>{t("Your account, devices, statistics and name will be deleted. A bot takes over your running games. This cannot be undone.")}</p>
      <AccountForm label={t("Delete my account")} act={async () => {
        await api("/api/delete", account ? { password } : {});
        keep({ name: "" });
        server.gone();
        go("/");
      }}>
        {account ? (
          <Field label={t("Password")} value={password} set={setPassword} type="password" complete="current-password" />
        ) : null}
      </AccountForm>
    </Dialog>
  );
}

function Likes(): JSX.Element {
  const [confirm, setConfirm] = useState(prefs.confirm);
  return (
    <section class="panel">
      <h2>{t("Preferences")}</h2>
      <label class="check">
        <input type="checkbox" checked={confirm} onChange={(e) => {
          keep({ confirm: e.currentTarget.checked });
          setConfirm(prefs.confirm);
        }} />
        <span>{t("Confirm moves that cannot be undone")}</span>
      </label>
      <Feel />
    </section>
  );
}

/** The picture beside one's name: one of those that are drawn, or that of the name. */
function Faces({ me }: { me: Me }): JSX.Element {
  const [problem, setProblem] = useState("");
  const [chosen, setChosen] = useState(me.face ?? 0);
  async function choose(face: number): Promise<void> {
    setChosen(face);
    try {
      await api("/api/face", { face });
      setProblem("");
    } catch (why) {
      setChosen(chosen);
      setProblem(refused(why).message);
    }
  }
  return (
    <section class="panel">
      <h2>{t("Picture")}</h2>
      <fieldset class="face-choice">
        <legend class="hidden-visually">{t("Picture")}</legend>
        {Array.from({ length: FACES + 1 }, (_, n) => (
          <label key={n}>
            <input type="radio" name="face" checked={chosen === n} onChange={() => void choose(n)}
              aria-label={n ? t("Face {n}", { n }) : t("The face that goes with your name")} />
            <Face of={faceOf(n, me.name)} size={48} />
          </label>
        ))}
      </fieldset>
      {problem ? <p class="notice bad" role="alert">{problem}</p> : null}
      <p><a href={`/p/${me.person}`}>{t("Your public profile")}</a></p>
    </section>
  );
}

export function Account(): JSX.Element {
  const { me, asked } = useServer();
  const [turn, again] = useState(0);
  const [leaving, setLeaving] = useState(false);
  const { value } = useAsked(
    () => (me ? api<{ account: boolean; you: Me | null }>("/api/me") : Promise.resolve({ account: false, you: null })), [me?.person, turn]);
  const account = !!value?.account;
  useTitle(t("Account"));
  if (!me)
    return (
      <div class="narrow gaps">
        <h1>{t("Sign in")}</h1>
        {asked ? (
          <div class="columns">
            <section class="panel"><h2>{t("As a guest")}</h2><NameForm /></section>
            <section class="panel"><h2>{t("With an account")}</h2><Enter /></section>
          </div>
        ) : null}
        <Likes />
      </div>
    );
  return (
    <div class="narrow gaps">
      <h1>{me.name}</h1>
      <p class="muted">{account ? t("You have an account.")
        : t("You are playing as a guest in this browser. With an account you can sign in from anywhere.")}</p>
      {value && !account ? <OpenAccount opened={() => again(turn + 1)} /> : null}
      {account && value?.you ? <Faces key={value.you.person} me={value.you} /> : null}
      <Likes />
      <Names account={account} />
      {account ? <Passwords /> : null}
      <Sessions />
      <section class="panel">
        <h2>{t("Your data")}</h2>
        <div class="row">
          <button onClick={() => void api("/api/export").then((all) => save("salotto.json", JSON.stringify(all, null, 1)))}>
            {t("Download my data")}
          </button>
          <button onClick={() => void stopPush().then(() => api("/api/forget", {})).then(() => server.gone())}>{t("Sign out")}</button>
          <button onClick={() => setLeaving(true)}>{t("Delete account…")}</button>
        </div>
      </section>
      {leaving ? <DeleteAccount account={account} close={() => setLeaving(false)} /> : null}
    </div>
  );
}
