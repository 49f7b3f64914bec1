// A guided first game. It works on any table: steps to read, steps that let through one action, and
// when they are used up the table plays on freely.
import type { JSX } from "preact";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import type { Table } from "../table";
import type { GameUi, Lesson } from "./index";
import "./lesson.css";

export function LessonPlayer({ table, ui, lesson, game, end }: {
  table: Table; ui: GameUi; lesson: Lesson; game: string;
  /** The lesson was played to its last step. */
  end?(): void;
}): JSX.Element {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const [at, setAt] = useState(0);
  const [note, setNote] = useState("");
  const [busy, setBusy] = useState(false);
  const board = useRef<HTMLDivElement>(null);
  useEffect(() => table.subscribe(() => redraw(undefined)), [table]);
  const snap = table.snapshot, step = lesson.steps[at], last = at === lesson.steps.length - 1;
  const wanted = step?.act === undefined ? [] : [step.act].flat();
  const ready = !wanted.length || wanted.some((a) => snap.legal.includes(a));
  useEffect(() => {
    if (last) end?.();
  }, [last]);

  // Point at what the step speaks of, and only that.
  useEffect(() => {
    const spots = step?.point ? [...(board.current?.querySelectorAll(step.point) ?? [])] : [];
    for (const s of spots) s.classList.add("pointed");
    const first = spots[0];
    if (first && ready) {
      const box = first.getBoundingClientRect();
      if (box.top < 160 || box.bottom > innerHeight)
        first.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    }
    return () => { for (const s of spots) s.classList.remove("pointed"); };
  }, [at, ready, snap.seq]);

  async function choose(action: string): Promise<void> {
    if (step && !wanted.includes(action)) {
      setNote(wanted.length ? t("That would be possible too. For this lesson, do what is asked above.")
        : t("One moment: read on first."));
      return;
    }
    setBusy(true);
    const answer = await table.act(action);
    setBusy(false);
    setNote(answer.ok ? "" : answer.message);
    if (answer.ok && step) setAt(at + 1);
  }
  async function blocked(action: string): Promise<void> {
    const why = await table.why(action);
    setNote(why.legal ? "" : why.message ?? "");
  }

  return (
    <div class="lesson">
      {step ? (
        <section class="coach panel" aria-label={t("Lesson")} data-testid="coach" data-step={at} data-wanted={wanted[0]}>
          <p class="say-it" role="status">{step.say()}</p>
          {note && <p class="note" role="alert">{note}</p>}
          <p class="steps">
            <progress max={lesson.steps.length} value={at + 1} aria-label={t("Step {n} of {all}", { n: at + 1, all: lesson.steps.length })} />
            {step.rule && <a href={`/rules/${game}#${step.rule}`} target="_blank" rel="noopener">{t("The rule")}</a>}
            {at > 0 && !lesson.steps[at - 1]!.act && (
              <button type="button" class="quiet" onClick={() => setAt(at - 1)}>{t("Back")}</button>
            )}
            {!wanted.length && (
              <button type="button" class="primary" data-testid="next" onClick={() => { setNote(""); setAt(at + 1); }}>
                {last ? (snap.state?.over ? t("Done") : t("Play on")) : t("Next")}
              </button>
            )}
            {wanted.length > 0 && <span class="muted">{ready ? t("Your move") : t("One moment…")}</span>}
          </p>
        </section>
      ) : (
        <section class="coach panel" aria-label={t("Lesson")} data-testid="coach">
          <p class="say-it" role="status">{snap.prompt}</p>
          {note && <p class="note" role="alert">{note}</p>}
        </section>
      )}
      <div ref={board}>
        {snap.started && <ui.Board snap={snap} choose={(a) => void choose(a)} blocked={(a) => void blocked(a)} busy={busy} />}
        {snap.state?.over && ui.Result && <ui.Result snap={snap} />}
      </div>
    </div>
  );
}
