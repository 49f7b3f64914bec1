// Before the game: who invites whom to what, one tap to sit down, and while one waits the link, a QR code,
// the chat, and bots for seats that stay free.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Face, faceOf } from "../faces";
import { gameCard } from "../games";
import { api, server } from "../server";
import { useAsked } from "../hooks";
import { t, tn } from "../i18n";
import { levelName, seatNames } from "../names";
import { gameInfo } from "../offer";
import { refused, seatFor, type OnlineTable } from "../online";
import { prefs } from "../prefs";
import { qrCode } from "../qr";
import { go, here } from "../router";
import type { Seat } from "../table";
import { CopyLink } from "../ui/copy";
import { Icon } from "../ui/icons";
import { Scene } from "../ui/scene";
import { SeatLine } from "../ui/seat";
import { Chat } from "./around";
import { useChatSound } from "./calling";
import { useNameField } from "./name";
import "./company.css";

function inviteLink(id: string, key?: string): string {
  return `${location.origin}/t/${id}${key ? `?key=${key}` : ""}`;
}

function Qr({ text }: { text: string }): JSX.Element | null {
  const code = qrCode(text);
  if (!code) return null;
  const n = code.length + 8;
  const path = code.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + 4} ${y + 4}h1v1h-1z`] : []))).join("");
  return (
    <svg class="qr" viewBox={`0 0 ${n} ${n}`} role="img" aria-label={t("QR code of the link")} shape-rendering="crispEdges">
      <rect width={n} height={n} fill="#fff" /><path d={path} fill="#000" />
    </svg>
  );
}

/** The link to send, by the device's own sheet, by a picture, or by hand. */
function Invite({ link, game, from }: { link: string; game: string; from: string }): JSX.Element {
  const text = t("{name} invites you to {game}", { name: from, game });
  return (
    <section class="panel invite">
      <h2>{t("Invite somebody")}</h2>
      <div class="invite-ways">
        <div>
          <p>{t("Send this link. Anyone with the link can join.")}</p>
          <CopyLink link={link} label={t("The link to this table")} />
          {"share" in navigator ? (
            <p><button onClick={() => void navigator.share({ title: text, text, url: link }).catch(() => {})}>
              <Icon name="people" size={18} /> {t("Share…")}
            </button></p>
          ) : null}
        </div>
        <Qr text={link} />
      </div>
    </section>
  );
}

const free = (s: Seat) => s.kind === "open" || s.kind === "invited";

/** Who opened the table, as far as one can see: the first person there. */
function inviter(seats: Seat[]): string | undefined {
  return seats.find((s) => s.kind === "person")?.name;
}

function Invited({ game, seats, started = false }: { game: string; seats: Seat[]; started?: boolean }): JSX.Element {
  const card = gameCard(game);
  const name = inviter(seats);
  const places = { name: name ?? "", names: seatNames(seats).join(", "), game: card.title() };
  const face = seats.find((s) => s.kind === "person")?.face;
  return (
    <>
      <div class="invited">
        {name ? <Face of={faceOf(face, name)} size={56} /> : null}
        <h1>{started ? t("{names} are playing {game}", places) : name ? t("{name} invites you to {game}", places) : card.title()}</h1>
      </div>
      <Scene game={game} />
      <p>{card.about()} <a href={`/rules/${game}`}>{t("Rules")}</a></p>
    </>
  );
}

interface Listed {
  game: string;
  seats: Seat[];
  started: boolean;
  spectators: boolean;
}

/** For who has no name yet: what one is invited to, and a name to sit down with. */
export function Invitation({ id, entered }: { id: string; entered(sit: boolean): void }): JSX.Element {
  const { value, failed } = useAsked(() => api<Listed>(`/api/table/${encodeURIComponent(id)}`), [id]);
  const { submit, field, problem, ready } = useNameField({ before: () => entered(!!value && !value.started) });
  if (failed)
    return (
      <>
        <h1>{t("No table here")}</h1>
        <p>{refused(failed).message}</p>
        <p><a href={`/replay/${id}`}>{t("Perhaps its game is over: look at the replay")}</a></p>
        <p><a href="/">{t("Back to the games")}</a></p>
      </>
    );
  if (!value) return <p class="muted">{t("One moment…")}</p>;
  return (
    <div class="narrow at-table">
      <Invited game={value.game} seats={value.seats} started={value.started} />
      <form class="form panel" onSubmit={(e) => void submit(e)}>
        {field}
        {problem}
        <p class="muted small">{t("The other players see this name.")} <a href="/me">{t("I have an account")}</a></p>
        <div class="acts">
          <button class="primary" disabled={!ready}>{value.started ? t("Watch the game") : t("Sit down")}</button>
        </div>
      </form>
    </div>
  );
}

/** Bots for the seats that are still free. */
function FillWithBots({ table, fail }: { table: OnlineTable; fail(text: string): void }): JSX.Element {
  const { game, seats } = table.snapshot;
  const levels = gameInfo(game)?.levels ?? [];
  const [level, setLevel] = useState(prefs.bots[game]?.level ?? "regular");
  async function fill(all: boolean): Promise<void> {
    const places = seats.flatMap((s, n) => (free(s) ? [n] : []));
    for (const seat of all ? places : places.slice(0, 1)) {
      const answer = await table.bot(seat, level);
      if (!answer.ok) return fail(answer.message);
    }
  }
  return (
    <section class="panel">
      <h2>{t("Nobody coming?")}</h2>
      <div class="row">
        <label class="field">
          <span>{t("Bot")}</span>
          <select value={level} onChange={(e) => setLevel(e.currentTarget.value)}>
            {levels.map((l) => <option key={l} value={l}>{levelName(l)}</option>)}
          </select>
        </label>
        {seats.filter(free).length > 1 ? <button onClick={() => void fill(false)}>{t("Add one bot")}</button> : null}
        <button onClick={() => void fill(true)}>{t("Fill up with bots and start")}</button>
      </div>
    </section>
  );
}

/** Until every seat is taken. */
export function Waiting({ table }: { table: OnlineTable }): JSX.Element {
  const snap = table.snapshot;
  const [problem, setProblem] = useState("");
  useChatSound(snap);
  const names = seatNames(snap.seats);
  const key = here().query.get("key") ?? snap.key;
  const missing = snap.seats.filter(free).length;
  // Seats of a rematch are kept for those who played.
  const kept = snap.seats.filter((s) => free(s) && s.name).map((s) => s.name!);
  const invited = snap.seats.some((s) => s.kind === "invited");
  const seated = snap.seat !== null;
  const mine = seated ? -1 : seatFor(snap.seats, key);
  const sit = async (n: number) => {
    const answer = await table.sit(n, key);
    setProblem(answer.ok ? "" : answer.message);
  };
  return (
    <div class="narrow gaps at-table">
      {seated ? (
        <>
          <h1>{gameCard(snap.game).title()}</h1>
          <Scene game={snap.game} />
        </>
      ) : <Invited game={snap.game} seats={snap.seats} />}
      {!seated && mine >= 0 ? (
        <p><button class="primary big" data-testid="sit" onClick={() => void sit(mine)}>{t("Sit down")}</button></p>
      ) : null}
      <p class="prompt" role="status">
        {missing && kept.length === missing ? t("Waiting for {names}.", { names: kept.join(", ") })
          : missing ? tn("{n} seat is still free.", "{n} seats are still free.", missing)
          : t("Shuffling with a random part from every player…")}{" "}
        {missing && seated ? t("The game begins when everyone is here.") : ""}
      </p>
      {problem || table.unseated ? <p class="notice bad" role="alert">{problem || table.unseated}</p> : null}
      <ul class="plain panel">
        {snap.seats.map((s, n) => (
          <li key={n}>
            <SeatLine seat={s} at={n} name={names[n]!} mine={n === snap.seat} active={false}>
              {!seated && n !== mine && (s.kind === "open" || (s.kind === "invited" && key)) ? (
                <button onClick={() => void sit(n)}>{t("Sit down here")}</button>
              ) : null}
            </SeatLine>
          </li>
        ))}
      </ul>
      {missing > kept.length ? <Invite link={inviteLink(snap.id, invited ? key : undefined)} game={gameCard(snap.game).title()}
        from={inviter(snap.seats) ?? server.me?.name ?? ""} /> : null}
      {seated && missing ? <FillWithBots table={table} fail={setProblem} /> : null}
      {snap.chatOn ? <section class="panel talk"><h2>{t("Chat")}</h2><Chat table={table} /></section> : null}
      <p class="row">
        {seated ? <button onClick={() => void table.stand()}>{t("Stand up")}</button> : null}
        <button class="quiet" onClick={() => go("/")}>{t("Back to the games")}</button>
      </p>
    </div>
  );
}
