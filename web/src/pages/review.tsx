// The review beside a replay: the chances over the game, what each decision was worth, and a summary of
// everybody. It is computed by the server, or by the engine in this browser, and comes step by step.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { earnedTitle } from "../games/story";
import { api, isForNow, Refusal } from "../server";
import { capital, lang, signed, t } from "../i18n";
import { localGames } from "../local";
import { refused } from "../online";
import { policy } from "../policy";
import { noteProgress, type Reviewed } from "../progress";
import { captionOfMix, OfferOptimal } from "../ui/learn";
import "./review.css";

type Mark = "forced" | "best" | "good" | "inaccuracy" | "mistake" | "blunder";

interface Candidate { action: string; say: string; value: number; error: number; often?: number }
interface Belief { by: number; model: "habit" | "best-play"; truth: number; before: number[]; after: number[]; bits: number }
interface Step {
  step: number;
  kind: "draw" | "move" | "resigned";
  seat?: number;
  action?: string;
  say?: string;
  actions: number;
  value: number[];
  luck: number[];
  mark?: Mark;
  lost?: number;
  mixed?: boolean;
  weighed?: Candidate[];
  beliefs?: Belief[];
}
interface Person extends Pick<Reviewed, "roles" | "mistakes"> {
  seat: number;
  accuracy: number;
  lost: number;
  luck: number;
  hidden: number;
  play: number;
  others: number;
  /** In bits: what one's own actions told the others, and what theirs told. */
  gave: number;
  read: number;
  marks: Record<string, number>;
  moments: number[];
  /** Tokens or points by cause. */
  earned: { rule: string; points: number; say: string }[];
  /** Steps in which somebody was led astray. */
  bluffs: number[];
}
interface Review {
  game: string;
  total: number;
  /** The least that is lost, by mark. */
  thresholds: Record<string, number>;
  start: number[];
  result: number[];
  secret: { name: string; labels: string[] } | null;
  steps: Step[];
  seats?: Person[];
  deserved?: number;
  /** Made in this browser, which has not fetched the master's play. */
  lacking?: boolean;
}

// ---- Fetching -------------------------------------------------------------------------------------

const PAUSE_MS = 600;
const pause = () => new Promise((done) => setTimeout(done, PAUSE_MS));

/** The server computes at its leisure, and refuses while there is too much to do: then a refusal is told, and one
 * asks again. */
async function* fromServer(id: string): AsyncGenerator<Review | Refusal> {
  let since = 0;
  const steps: Step[] = [];
  for (let seats: Person[] | undefined; !seats; ) {
    let part: Review & { next: number } | null = null;
    try {
      part = await api<Review & { next: number }>(`/api/review/${encodeURIComponent(id)}?lang=${lang()}&since=${since}`);
    } catch (why) {
      if (!isForNow(why)) throw why;
      yield why;
    }
    if (part?.total) { // before the first step nothing is known
      steps.push(...part.steps);
      ({ next: since, seats } = part);
      yield { ...part, steps: [...steps] };
    }
    if (!seats) await pause();
  }
}

async function* fromEngine(id: string, learn: boolean): AsyncGenerator<Review> {
  const { reviewOffline } = await import("../offline");
  let head = {} as Review;
  const steps: Step[] = [];
  for await (const part of reviewOffline(id, learn) as AsyncGenerator<Review>) {
    steps.push(...(part.steps ?? []));
    head = { ...head, ...part, steps: [...steps] };
    yield head;
  }
  if (!head.seats) throw new Refusal("no-table", "");
}

/** Of a game of one person's, kept in this browser: the sums are kept too. */
function keepProgress(id: string, { game, result, seats }: Review): void {
  const known = localGames().find((g) => g.id === id);
  const seat = known?.seats.indexOf("you") ?? -1;
  if (!known || seat < 0 || known.seats.lastIndexOf("you") !== seat) return;
  const { accuracy, lost, luck, roles, mistakes } = seats![seat]!;
  noteProgress({ table: id, game, at: known.at, accuracy, lost, luck, won: result[seat]!, players: result.length, roles, mistakes });
}

/** The review as far as it is known; what went wrong instead, or is waited for. */
interface Known { review: Review | null; problem: string; waiting: string }

function waitingFor(why: Refusal): string {
  switch (why.code) {
    case "busy": return t("The server is busy with other reviews. This one follows by itself.");
    case "slow-down": return ""; // for moments
    default: return refused(why).message;
  }
}

/** `again` makes it once more, with the master's play, which is fetched for it. */
function useReview(id: string): Known & { again(): Promise<void> } {
  const [known, setKnown] = useState<Known>({ review: null, problem: "", waiting: "" });
  const [learnt, setLearnt] = useState(false);
  useEffect(() => {
    const parts = id.startsWith("local-") ? fromEngine(id, learnt) : fromServer(id);
    let left = false;
    setKnown({ review: null, problem: "", waiting: "" });
    void (async () => {
      try {
        for await (const part of parts) {
          if (left) break;
          if (part instanceof Refusal) {
            setKnown((now) => ({ ...now, waiting: waitingFor(part) }));
            continue;
          }
          setKnown({ review: part, problem: "", waiting: "" });
          if (part.seats && id.startsWith("local-")) keepProgress(id, part);
        }
      } catch (why) {
        if (!left) setKnown({ review: null, problem: refused(why).message, waiting: "" });
      }
    })();
    return () => void (left = true);
  }, [id, lang(), learnt]);
  return { ...known, again: () => policy(known.review!.game).then(() => setLearnt(true)) };
}

// ---- Drawing --------------------------------------------------------------------------------------

const percent = (part: number): string => `${Math.round(100 * part)}\u00a0%`;
const change = (part: number): string => `${Math.round(100 * part) < 0 ? "−" : "+"}${Math.abs(Math.round(100 * part))}\u00a0%`;
const bits = (n: number): string => `${Math.round(10 * n) < 0 ? "−" : "+"}${Math.abs(n).toLocaleString(lang(), { maximumFractionDigits: 1 })}`;

function markName(mark: Mark): string {
  switch (mark) {
    case "forced": return t("forced");
    case "best": return t("best");
    case "good": return t("good");
    case "inaccuracy": return t("inaccuracy");
    case "mistake": return t("mistake");
    case "blunder": return t("blunder");
  }
}

/** How many actions stand after a step. */
const after = (step: Step): number => step.actions + (step.kind === "move" ? 1 : 0);

const W = 300, H = 100;
const WRONG: Mark[] = ["inaccuracy", "mistake", "blunder"];

/** A line for each seat, told apart by colour and dashes; errors are dots, and where one is a bar. */
function Chart({ review, now, names, jump }: { review: Review; now: number; names: string[]; jump(actions: number): void }): JSX.Element {
  const x = (n: number) => ((n + 1) / Math.max(1, review.total)) * W, y = (v: number) => H - v * H;
  const line = (seat: number) => [review.start, ...review.steps.map((s) => s.value)]
    .map((v, n) => `${n ? "L" : "M"}${x(n - 1).toFixed(1)} ${y(v[seat]!).toFixed(1)}`).join("");
  return (
    <svg class="chances" viewBox={`0 0 ${W} ${H}`} preserveAspectRatio="none" role="img" aria-label={t("The chance to win over the game")}
      onClick={(e) => {
        const box = e.currentTarget.getBoundingClientRect();
        const n = Math.round(((e.clientX - box.left) / box.width) * review.total) - 1;
        const step = review.steps[Math.max(0, Math.min(review.steps.length - 1, n))];
        if (step) jump(after(step));
      }}>
      <line x1="0" x2={W} y1={H / 2} y2={H / 2} class="half" />
      <line x1={x(now)} x2={x(now)} y1="0" y2={H} class="now" />
      {names.map((_, seat) => <path key={seat} d={line(seat)} class={`seat${seat}`} />)}
      {review.steps.filter((s) => s.mark && WRONG.includes(s.mark)).map((s) =>
        <circle key={s.step} cx={x(s.step)} cy={y(s.value[s.seat!]!)} r="2.5" class={s.mark} />)}
    </svg>
  );
}

/** A possibility of the secret: a Door by its letters, how many traps, or a chip. */
function labelName(label: string): string {
  switch (label) {
    case "sceptre": return t("sceptre");
    case "helmet": return t("helmet");
    case "ring": return t("ring");
    case "letter": return t("letter");
    default: return label;
  }
}

/** What a game's secret is called. */
function secretName(name: string): string {
  return name === "traps" ? t("how many traps lie face down") : name === "chip" ? t("which chip the missions ask for most") : t("the identity");
}

/** So many are shown, and the one that was played. */
const CANDIDATES = 5;

/** What was done to come here, and what else could have been. */
function Decision({ game, step, names, secret }: { game: string; step: Step; names: string[]; secret: Review["secret"] }): JSX.Element {
  const labels = secret?.labels ?? [];
  const beliefs = (step.beliefs ?? []).filter((b) => Math.abs(b.bits) >= 0.05);
  return (
    <div class="decision">
      <p>
        <b>{names[step.seat!]}</b> {step.say ?? t("resigns")}
        {step.mark ? <span class={`mark ${step.mark}`}>{markName(step.mark)}</span> : null}
        {step.lost ? <span class="muted"> {t("{percent} lost", { percent: percent(step.lost) })}</span> : null}
      </p>
      {step.weighed && step.weighed.length > 1 ? (
        <table>
          <caption class="small">{step.mixed ? captionOfMix(game) : t("Chance to win, as far as {name} could know", { name: names[step.seat!]! })}</caption>
          <tbody>
            {step.weighed.filter((c, n) => n < CANDIDATES || c.action === step.action).map((c) => (
              <tr key={c.action} class={c.action === step.action ? "played" : ""}>
                <th scope="row">{c.say}</th>
                <td>{percent(c.value)} <small class="muted">±&nbsp;{Math.round(100 * c.error)}</small></td>
                {step.mixed ? <td>{percent(c.often ?? 0)}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {beliefs.map((b) => (
        <p key={`${b.by} ${b.model}`} class="small">
          {b.model === "best-play" ? t("Against optimal play {name} would infer:", { name: names[b.by]! })
            : b.bits > 0 ? t("This tells {name} more:", { name: names[b.by]! }) : t("This leads {name} astray:", { name: names[b.by]! })}{" "}
          <span class="muted">({secretName(secret!.name)})</span>{" "}
          {labels.map((label, i) => (b.before[i]! > 0.005 || b.after[i]! > 0.005 || i === b.truth) && (
            <span key={label} class={i === b.truth ? "label truth" : "label"}>
              {labelName(label)}<i class="belief" style={{ width: `${(3 * b.after[i]!).toFixed(2)}em` }} aria-hidden="true" />
              {percent(b.before[i]!)} → {percent(b.after[i]!)}
            </span>
          ))}
          <span class="muted">{t("{n} bits", { n: bits(b.bits) })}</span>
        </p>
      ))}
    </div>
  );
}

// ---- Retrying -------------------------------------------------------------------------------------

/** A decision to be made again: what the board offers meanwhile. */
export interface Retry {
  seat: number;
  actions: number;
  candidates: Candidate[];
  choose(action: string): void;
}

const lostBy = (step: Step, c: Candidate): number => step.weighed![0]!.value - c.value;

/** The mistakes of a seat, one after the other, until each is done better: what loses less than `most` is right. */
function Retrying({ steps, most, name, ask, done }: {
  steps: Step[];
  most: number;
  name: string;
  ask(wanted: Retry | null): void;
  done(): void;
}): JSX.Element {
  const [n, setN] = useState(0);
  const [tried, setTried] = useState<string[]>([]);
  const [given, giveUp] = useState(false);
  const step = steps[n]!;
  // In an order that tells nothing.
  const candidates = [...step.weighed!].sort((a, b) => a.say.localeCompare(b.say));
  const chosen = step.weighed!.find((c) => c.action === tried.at(-1));
  const right = !!chosen && lostBy(step, chosen) < most;
  const choose = (action: string) => setTried((all) => (all.includes(action) ? all : [...all, action]));
  useEffect(() => ask({ seat: step.seat!, actions: step.actions, candidates: right ? [] : candidates, choose }), [n, right]);
  const next = () => {
    setTried([]);
    giveUp(false);
    if (n + 1 < steps.length) return setN(n + 1);
    ask(null);
    done();
  };
  return (
    <section class="retry" aria-live="polite">
      <h3>{t("{n} of {all}", { n: n + 1, all: steps.length })}: {t("What is better here?")}</h3>
      <p>{t("{name} chose: {action}", { name, action: step.say! })} <span class="muted">{t("{percent} lost", { percent: percent(step.lost!) })}</span></p>
      <ul class="plain candidates">
        {candidates.map((c) => (
          <li key={c.action}>
            <button disabled={right || tried.includes(c.action) || c.action === step.action} onClick={() => choose(c.action)}>{c.say}</button>
            {tried.includes(c.action) || right ? <span>{percent(c.value)}</span> : null}
          </li>
        ))}
      </ul>
      {chosen ? (
        <p role="status"><b>{given ? `${t("The answer")}: ${chosen.say}` : right ? t("Right.") : t("Not this one: {percent} lost.", { percent: percent(lostBy(step, chosen)) })}</b></p>
      ) : null}
      <div class="acts">
        {right ? <button class="primary" onClick={next}>{n + 1 < steps.length ? t("Next") : t("Done")}</button> : (
          <>
            <button onClick={() => {
              giveUp(true);
              choose(step.weighed![0]!.action);
            }}>{t("Show the answer")}</button>
            <button onClick={() => { ask(null); done(); }}>{t("Stop")}</button>
          </>
        )}
      </div>
    </section>
  );
}

/** Those that can be made again: another choice was clearly better. */
const mistakesOf = (review: Review, seat: number): Step[] =>
  review.steps.filter((s) => s.seat === seat && s.mark && WRONG.includes(s.mark) && (s.weighed?.length ?? 0) > 1);

function Summary({ review, names, jump }: { review: Review; names: string[]; jump(actions: number): void }): JSX.Element {
  const seats = review.seats!;
  const value = (n: number) => (n < 0 ? review.start : review.steps[n]!.value);
  const moved = (n: number) => value(n).map((v, seat) => v - value(n - 1)[seat]!);
  const swing = (n: number) => Math.max(...moved(n).map(Math.abs));
  /** Whose chance a step moved most, and by how much. */
  const effect = (n: number) => {
    const by = moved(n), seat = by.findIndex((m) => Math.abs(m) === swing(n));
    return `${names[seat]!} ${change(by[seat]!)}`;
  };
  const moments = [...new Set(seats.flatMap((s) => s.moments))].sort((a, b) => swing(b) - swing(a)).slice(0, 3).sort((a, b) => a - b);
  const many = seats.length > 3; // then names stand above, and columns have their lines
  const bluffs = seats.flatMap((s) => s.bluffs).sort((a, b) => a - b);
  const links = (steps: number[]) => (
    <ul class="plain moments">
      {steps.map((n) => {
        const s = review.steps[n]!;
        return (
          <li key={n}>
            <button class="link" onClick={() => jump(after(s))}>
              {s.kind === "draw" ? t("Cards are drawn.") : `${names[s.seat!]!}: ${s.say ?? t("resigns")}`}
            </button> <small class="muted">{effect(n)}</small>
          </li>
        );
      })}
    </ul>
  );
  return (
    <>
      {many ? (
        <p class="small keys">{names.map((name, seat) => <span key={seat}><i class={`key seat${seat}`} aria-hidden="true" />{name}</span>)}</p>
      ) : null}
      <table class={many ? "summary many" : "summary"}>
        <caption>{t("Summary")}</caption>
        <thead><tr><td />{seats.map((s) => (
          <th key={s.seat} scope="col"><i class={`key seat${s.seat}`} aria-hidden="true" /><span class={many ? "hidden-visually" : ""}>{names[s.seat]}</span></th>
        ))}</tr></thead>
        <tbody>
          <tr><th scope="row">{t("Accuracy")}</th>{seats.map((s) => <td key={s.seat}>{percent(s.accuracy)}</td>)}</tr>
          <tr><th scope="row">{t("Lost by errors")}</th>{seats.map((s) => <td key={s.seat}>{percent(s.lost)}</td>)}</tr>
          <tr><th scope="row">{t("Luck")}</th>{seats.map((s) => <td key={s.seat}>{change(s.luck)}</td>)}</tr>
          <tr><th scope="row">{t("Hidden cards")}</th>{seats.map((s) => <td key={s.seat}>{change(s.hidden)}</td>)}</tr>
          <tr><th scope="row">{t("Own play")}</th>{seats.map((s) => <td key={s.seat}>{change(s.play)}</td>)}</tr>
          <tr><th scope="row">{t("Play of the others")}</th>{seats.map((s) => <td key={s.seat}>{change(s.others)}</td>)}</tr>
          {review.secret ? (
            <>
              <tr><th scope="row">{t("Told the others, in bits")}</th>{seats.map((s) => <td key={s.seat}>{bits(s.gave)}</td>)}</tr>
              <tr><th scope="row">{t("Read of the others, in bits")}</th>{seats.map((s) => <td key={s.seat}>{bits(s.read)}</td>)}</tr>
            </>
          ) : null}
          {WRONG.map((m) => (
            <tr key={m}><th scope="row">{markName(m)}</th>{seats.map((s) => <td key={s.seat}>{s.marks[m] ?? 0}</td>)}</tr>
          ))}
        </tbody>
        <tbody data-testid="earned">
          {seats.some((s) => s.earned.some((e) => e.points)) ? <tr><th scope="colgroup" colSpan={seats.length + 1}>{earnedTitle(review.game)}</th></tr> : null}
          {seats[0]!.earned.map(({ rule, say }, n) => (seats.some((s) => s.earned[n]!.points) ? (
            <tr key={rule}><th scope="row">{capital(say)}</th>{seats.map((s) => <td key={s.seat}>{signed(s.earned[n]!.points)}</td>)}</tr>
          ) : null))}
        </tbody>
      </table>
      <p class="small muted">
        {t("Luck is the effect of the draws; hidden cards are what the player to move could not know. Together with the play of everyone they add up to the result.")}
      </p>
      {review.deserved !== undefined ? (
        <p data-testid="verdict">{review.result[review.deserved] ? t("{seat} played best and won.", { seat: names[review.deserved]! })
          : t("With even luck {seat} would have deserved the game.", { seat: names[review.deserved]! })}</p>
      ) : null}
      <h3>{t("What decided the game")}</h3>
      {links(moments)}
      {bluffs.length ? <div data-testid="bluffs"><h3>{t("Bluffs that worked")}</h3>{links(bluffs)}</div> : null}
    </>
  );
}

/** What was decided from a position: for the board, which marks what was best and what was done. */
export interface Shown { seat: number; actions: number; best: string[]; played: string; say: [action: string, say: string][] }

/** All that are worth as much as the best. */
function shownAt(review: Review, at: Place): Shown | null {
  const step = review.steps.find((s) => s.kind === "move" && s.actions === at && (s.weighed?.length ?? 0) > 1);
  if (!step) return null;
  const top = step.weighed![0]!.value;
  return {
    seat: step.seat!, actions: step.actions, played: step.action!, best: step.weighed!.filter((c) => c.value === top).map((c) => c.action),
    say: step.weighed!.map((c) => [c.action, c.say]),
  };
}

/** What the draws before the next decision did to everybody. */
function Luck({ luck, names }: { luck: number[]; names: string[] }): JSX.Element {
  return (
    <p class="small" data-testid="luck">
      {t("Luck of the draw:")} {names.map((name, seat) => `${name} ${change(luck[seat]!)}`).join(", ")}
    </p>
  );
}

/** Where a replay stands: after so many actions, at the end by resigning, or at what was taken back and so is not
 * reviewed. */
export type Place = number | "resigned" | "undone";

/** What was done to come there. */
function doneAt(review: Review, at: Place): Step | undefined {
  return review.steps.find((s) => (at === "resigned" ? s.kind === at : s.kind === "move" && s.actions === Number(at) - 1));
}

/** `jump` leads to where so many actions stand; `ask` lets the board offer a decision again; `show` has it
 * mark the best actions of the position. */
export function ReviewPanel({ id, at, names, jump, ask, show }: {
  id: string;
  at: Place;
  names: string[];
  jump(actions: number): void;
  ask(wanted: Retry | null): void;
  show(decision: Shown | null): void;
}): JSX.Element {
  const { review, problem, waiting, again } = useReview(id);
  const [retrying, retry] = useState(-1);
  useEffect(() => () => { ask(null); show(null); }, []);
  const shown = review && retrying < 0 ? shownAt(review, at) : null;
  useEffect(() => show(shown), [shown ? `${shown.actions} ${shown.best.join()}` : ""]);
  if (problem) return <p class="notice bad" role="alert">{problem}</p>;
  if (!review) return <p class="muted" role="status">{waiting || t("The review begins…")}</p>;
  const here = doneAt(review, at);
  const drawn = review.steps.find((s) => s.kind === "draw" && s.actions === at);
  if (retrying >= 0 && review.seats) // in another language it comes anew, step by step
    return (
      <div class="review">
        <Retrying steps={mistakesOf(review, retrying)} most={review.thresholds.inaccuracy!} name={names[retrying]!} ask={ask} done={() => retry(-1)} />
      </div>
    );
  return (
    <div class="review" data-done={review.seats ? "yes" : "no"}>
      {review.seats ? null : <progress max={review.total || 1} value={review.steps.length} aria-label={t("Progress of the review")} />}
      {waiting ? <p class="small muted" role="status">{waiting}</p> : null}
      {review.lacking ? <p class="small muted"><OfferOptimal game={review.game} learn={again} /></p> : null}
      <Chart review={review} now={(drawn ?? here)?.step ?? -1} names={names} jump={jump} />
      {here ? <Decision game={review.game} step={here} names={names} secret={review.secret} /> : null}
      {drawn ? <Luck luck={drawn.luck} names={names} /> : null}
      {at === "undone" ? <p class="small muted">{t("This was undone later, and is not part of the review.")}</p> : null}
      {shown ? (
        <p class="small" data-testid="best-here">{t("Best for {name} here: {action}", { name: names[shown.seat]!,
          action: shown.best.map((a) => shown.say.find(([action]) => action === a)![1]).join(" / ") })}</p>
      ) : null}
      {review.seats ? <Summary review={review} names={names} jump={jump} /> : null}
      {review.seats ? names.map((name, seat) => (mistakesOf(review, seat).length ? (
        <p key={seat}><button data-testid={`retry-${seat}`} onClick={() => retry(seat)}>{t("Retry the mistakes of {name}", { name })}</button></p>
      ) : null)) : null}
    </div>
  );
}
