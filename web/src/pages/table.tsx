// A table that the server keeps: the waiting room, then the game.
import type { JSX } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { gameCard } from "../games";
import { house } from "../house";
import { useHouse, useStore, useTitle } from "../hooks";
import { t, tn } from "../i18n";
import { seatNames } from "../names";
import { openTable, type OnlineTable } from "../online";
import { go, here } from "../router";
import { Icon } from "../ui/icons";
import { Scene } from "../ui/scene";
import { SeatLine } from "../ui/seat";
import { Around } from "./around";
import { useName } from "./name";

export function TablePage({ id }: { id: string }): JSX.Element {
  const [table, set] = useState<OnlineTable | null>(null);
  const { me, asked, link } = useHouse();
  const [withName, nameDialog] = useName();
  const known = me?.person;
  useEffect(() => {
    if (!known) return;
    const opened = openTable(id, here().query.get("key") ?? undefined);
    set(opened);
    return () => opened.close();
  }, [id, known]);
  // Who follows an invitation says a name first.
  useEffect(() => {
    if (asked && !me && link === "no-session") withName(() => {});
  }, [asked, !me, link]);
  if (nameDialog) return <>{nameDialog}</>;
  if (asked && !me)
    return (
      <p>
        {link === "lost" ? t("The server cannot be reached. Trying again…") : t("Sign in to sit down or watch.")}{" "}
        {link === "no-session" ? <button class="primary" onClick={() => withName(() => {})}>{t("Sign in")}</button> : null}
      </p>
    );
  return table ? <AtTable table={table} /> : <Moment />;
}

function Moment(): JSX.Element {
  return <p class="muted">{t("One moment…")}</p>;
}

function AtTable({ table }: { table: OnlineTable }): JSX.Element {
  useStore(useCallback((changed: () => void) => table.subscribe(changed), [table]));
  const { snapshot: snap, problem } = table;
  useTitle(snap.game ? gameCard(snap.game).title() : "");
  if (problem && !problem.ok)
    return (
      <>
        <h1>{t("No table here")}</h1>
        <p>{problem.message}</p>
        <p><a href={`/replay/${snap.id}`}>{t("Perhaps its game is over: look at the replay")}</a></p>
        <p><a href="/">{t("Back to the games")}</a></p>
      </>
    );
  if (!table.ready) return <Moment />;
  return snap.started ? <Around table={table} /> : <Waiting table={table} />;
}

export function inviteLink(id: string, key?: string): string {
  return `${location.origin}/t/${id}${key ? `?key=${key}` : ""}`;
}

export function CopyLink({ link, label }: { link: string; label: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
      setTimeout(() => setCopied(false), 2500);
    } catch {
      // Not allowed here: the field beside the button can be copied by hand.
    }
  }
  return (
    <div class="copy">
      <input readOnly value={link} aria-label={label} onFocus={(e) => e.currentTarget.select()} />
      <button onClick={() => void copy()}>
        <Icon name={copied ? "check" : "link"} size={18} /> {copied ? t("Copied") : t("Copy")}
      </button>
    </div>
  );
}

/** Until every seat is taken. */
function Waiting({ table }: { table: OnlineTable }): JSX.Element {
  const snap = table.snapshot;
  const [problem, setProblem] = useState("");
  const card = gameCard(snap.game);
  const names = seatNames(snap.seats);
  const key = here().query.get("key") ?? snap.key;
  const missing = snap.seats.filter((s) => s.kind === "open" || s.kind === "invited").length;
  const invited = snap.seats.some((s) => s.kind === "invited");
  const sit = async (n: number) => {
    const answer = await table.sit(n, key);
    setProblem(answer.ok ? "" : answer.message);
  };
  return (
    <div class="narrow">
      <h1>{card.title()}</h1>
      <Scene game={snap.game} />
      <p>{card.about()} <a href={`/rules/${snap.game}`}>{t("Rules")}</a></p>
      <p class="prompt" role="status">
        {missing ? tn("{n} seat is still free.", "{n} seats are still free.", missing) : t("Shuffling with a random part from every player…")}{" "}
        {!missing ? null : snap.seat === null ? t("Choose yours.") : t("The game begins when all have come.")}
      </p>
      {problem ? <p class="notice bad" role="alert">{problem}</p> : null}
      <ul class="plain panel">
        {snap.seats.map((s, n) => (
          <li key={n}>
            <SeatLine seat={s} name={names[n]!} mine={n === snap.seat} active={false}>
              {snap.seat === null && (s.kind === "open" || (s.kind === "invited" && (key || s.name === house.me?.name))) ? (
                <button class="primary" onClick={() => void sit(n)}>{t("Sit down here")}</button>
              ) : null}
            </SeatLine>
          </li>
        ))}
      </ul>
      <section class="panel invite">
        <h2>{t("Invite somebody")}</h2>
        <p>{t("Send this link. Anyone with the link can join.")}</p>
        <CopyLink link={inviteLink(snap.id, invited ? key : undefined)} label={t("The link to this table")} />
      </section>
      <p class="row">
        {snap.seat !== null ? (
          <button onClick={() => void table.stand()}>{t("Stand up")}</button>
        ) : null}
        <button class="quiet" onClick={() => go("/")}>{t("Back to the games")}</button>
      </p>
    </div>
  );
}
