// Your progress: accuracy and luck over your reviewed games, by game and role, and the common mistakes.
// Only you see it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useAsked, useServer, useTitle } from "../hooks";
import { number, t, tn } from "../i18n";
import { gameInfo } from "../offer";
import { accuracyOf, forgetProgress, localProgress, type Mistakes, type Reviewed, type Role, themes } from "../progress";
import { api } from "../server";
import "./progress.css";

const percent = (part: number): string => `${number(Math.round(100 * part))}\u00a0%`;
const signed = (part: number): string => `${part < 0 ? "−" : "+"}${number(Math.abs(Math.round(100 * part)))}\u00a0%`;

function roleName(role: Role["role"]): string {
  return role === "collector" ? t("Collector") : role === "guesser" ? t("Guesser") : "";
}

/** What an action is called when nobody knows its cards. */
function verbName(verb: string): string {
  const names: Record<string, () => string> = {
    take: () => t("take a card"), discard: () => t("discard"), guess: () => t("guess"), claim: () => t("claim a set"),
    end: () => t("end the turn"), add: () => t("add a card to the lot"), auction: () => t("call an auction"), bid: () => t("bid"),
    pass: () => t("pass"), place: () => t("lay a card"), build: () => t("build on the pile"), bet: () => t("bet"),
    reveal: () => t("turn a card up"), give: () => t("give a token away"), stop: () => t("stop"),
    favour: () => t("put markers on the Favourite board"), withdraw: () => t("recover markers from the Favourite board"), swap: () => t("change a card"),
    exchange: () => t("exchange cards"), foothold: () => t("place a mission's free markers"), play: () => t("play a card"),
    jump: () => t("jump with a card"), recover: () => t("recover markers"), intrigue: () => t("play an intrigue card"),
    tie: () => t("break a tie"), pay: () => t("pay"), put: () => t("place markers"), recoup: () => t("recover winning markers"),
    fulfil: () => t("complete a mission"), trade: () => t("trade a mission"), done: () => t("be done"), draw: () => t("draw a mission"),
    keep: () => t("keep chips"),
  };
  return names[verb]?.() ?? verb;
}

const W = 600, H = 180, EDGE = 28;
/** Games that the line is the mean of. */
const SPAN = 10;

/** A dot for each game, the mean of the last ten as a line, luck as bars. */
function Chart({ list }: { list: Reviewed[] }): JSX.Element {
  const x = (i: number) => EDGE + ((i + 0.5) / list.length) * (W - EDGE - 6);
  const y = (part: number) => 8 + (1 - Math.max(0, part)) * (H - 16);
  const mean = list.map((_, i) => {
    const last = list.slice(Math.max(0, i - SPAN + 1), i + 1);
    return last.reduce((sum, g) => sum + g.accuracy, 0) / last.length;
  });
  const width = Math.max(1, Math.min(10, (W - EDGE) / list.length - 1));
  return (
    <figure>
      <svg viewBox={`0 0 ${W} ${H}`} role="img" aria-label={t("Accuracy from {first} to {last}", { first: percent(mean[0]!), last: percent(mean.at(-1)!) })}>
        {[0, 0.25, 0.5, 0.75, 1].map((part) => <path key={part} class="grid" d={`M${EDGE} ${y(part)}H${W}`} />)}
        {[0, 0.5, 1].map((part) => <text key={part} x={EDGE - 4} y={y(part) + 4} text-anchor="end">{Math.round(100 * part)}</text>)}
        {list.map((g, i) => <rect key={g.table} class="luck" x={x(i) - width / 2} width={width}
          y={y(0.5 + Math.max(0, g.luck / 2))} height={Math.max(0.5, y(0.5 - Math.abs(g.luck) / 2) - y(0.5))} />)}
        {list.map((g, i) => <circle key={g.table} class="dot" cx={x(i)} cy={y(g.accuracy)} r="3" />)}
        <polyline class="mean" points={mean.map((m, i) => `${x(i).toFixed(1)},${y(m).toFixed(1)}`).join(" ")} />
      </svg>
      <figcaption class="small muted">{t("Dots: the accuracy of each game, the latest at the right; line: the mean of ten; bars from the middle: luck.")}</figcaption>
    </figure>
  );
}

function Sums({ list, title }: { list: Reviewed[]; title: string }): JSX.Element {
  const roles = (["collector", "guesser"] as const).map((role) => ({ role, accuracy: accuracyOf(list.flatMap((g) => g.roles.filter((r) => r.role === role))) }));
  const mean = (of: (g: Reviewed) => number) => list.reduce((sum, g) => sum + of(g), 0) / list.length;
  return (
    <tr>
      <th scope="row">{title}</th>
      <td class="right">{number(list.length)}</td>
      <td class="right">{percent(accuracyOf(list.flatMap((g) => g.roles)) ?? 1)}
        {roles.filter((r) => r.accuracy !== null).map((r) => <small key={r.role} class="muted"><br />{roleName(r.role)} {percent(r.accuracy!)}</small>)}</td>
      <td class="right">{signed(mean((g) => g.luck))}</td>
      <td class="right">{percent(mean((g) => g.won))}</td>
    </tr>
  );
}

function Themes({ list }: { list: (Mistakes & { game: string })[] }): JSX.Element | null {
  if (!list.length) return null;
  return (
    <section>
      <h2>{t("Common mistakes")}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={t("Common mistakes")}>
        <table class="list">
          <thead><tr><th scope="col">{t("Game")}</th><th scope="col">{t("You did")}</th><th scope="col">{t("Better")}</th>
            <th scope="col" class="right">{t("Times")}</th><th scope="col" class="right">{t("Lost in all")}</th></tr></thead>
          <tbody>
            {list.slice(0, 10).map((m) => (
              <tr key={`${m.game} ${m.role} ${m.did} ${m.better}`}>
                <th scope="row">{gameInfo(m.game)?.title ?? m.game}{m.role ? `, ${roleName(m.role)}` : ""}</th>
                <td>{verbName(m.did)}</td>
                <td>{m.did === m.better ? t("the same, but another choice") : verbName(m.better)}</td>
                <td class="right">{number(m.count)}</td><td class="right">{percent(m.lost)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

export function Progress(): JSX.Element {
  const { me } = useServer();
  const [game, setGame] = useState("");
  const [gone, forget] = useState(false);
  const { value } = useAsked(() => (me ? api<{ games: Reviewed[] }>("/api/progress") : Promise.resolve({ games: [] })), [me?.person]);
  useTitle(t("Your progress"));
  const here = gone ? [] : localProgress();
  const all = [...(value?.games ?? []), ...here].sort((a, b) => a.at - b.at);
  const names = [...new Set(all.map((g) => g.game))];
  const list = all.filter((g) => !game || g.game === game);
  return (
    <div class="narrow gaps progress-page" data-games={list.length}>
      <h1>{t("Your progress")}</h1>
      <p>{t("Every game of yours that is reviewed counts here. Nobody else sees this.")}</p>
      {all.length ? (
        <>
          <label class="row"><span>{t("Game")}</span>
            <select value={game} onChange={(e) => setGame(e.currentTarget.value)}>
              <option value="">{t("all games")}</option>
              {names.map((id) => <option key={id} value={id}>{gameInfo(id)?.title ?? id}</option>)}
            </select>
          </label>
          <Chart list={list} />
          <div class="scroll" tabIndex={0} role="region" aria-label={t("By game")}>
            <table class="list">
              <thead><tr><td /><th scope="col" class="right">{t("Played")}</th><th scope="col" class="right">{t("Accuracy")}</th>
                <th scope="col" class="right">{t("Luck")}</th><th scope="col" class="right">{t("Won")}</th></tr></thead>
              <tbody>{names.filter((id) => !game || id === game).map((id) =>
                <Sums key={id} title={gameInfo(id)?.title ?? id} list={all.filter((g) => g.game === id)} />)}</tbody>
            </table>
          </div>
          <Themes list={themes(list)} />
        </>
      ) : <p class="muted">{t("No game was reviewed yet: open one of yours and choose “Review”.")} <a href={me ? "/history" : "/"}>{t("To the games")}</a></p>}
      {here.length ? (
        <p class="acts"><button onClick={() => { forgetProgress(); forget(true); }}>{tn("Remove {n} game of this browser", "Remove {n} games of this browser", here.length)}</button></p>
      ) : null}
    </div>
  );
}
