// A guided first game, for any table: steps to read, steps that let through one action, and when
// they are used up the table plays on freely. The page around the board shows what this gives:
//   const guide = useLesson(table, lesson, game, learnt);
//   <Around table={guide.table} before={guide.before} only={guide.only} refuse={guide.refuse} />
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useStore } from "../hooks";
import { t } from "../i18n";
import type { Table } from "../table";
import type { Lesson } from "./index";
import "./lesson.css";

interface Guide {
  /** The same table; an action that is made leads to the next step. */
  table: Table;
  before: JSX.Element | null;
  only?: (action: string) => boolean;
  refuse: string;
}

/** `learnt` is called when the last step is reached; `after` says there where to go from here. */
export function useLesson(table: Table, lesson: Lesson, game: string, learnt: () => void, after: ComponentChildren): Guide {
  const [at, setAt] = useState(0);
  useStore(table.subscribe);
  const snap = table.snapshot, step = lesson.steps[at], last = at === lesson.steps.length - 1;
  const wanted = step?.act === undefined ? [] : [step.act].flat();
  // What a step tells of the others, they have done first.
  const mine = snap.seat !== null && (snap.state?.to_act as number[] | undefined)?.includes(snap.seat);
  const ready = wanted.length ? wanted.some((a) => snap.legal.includes(a)) : mine || !!snap.state?.over;
  useEffect(() => {
    if (last) learnt();
  }, [last]);

  const guided = useMemo<Table>(() => ({
    get snapshot() {
      return table.snapshot;
    },
    subscribe: table.subscribe,
    act: async (action) => {
      const answer = await table.act(action);
      if (answer.ok) setAt((now) => (lesson.steps[now]?.act === undefined ? now : now + 1));
      return answer;
    },
    why: (action) => table.why(action),
    hint: () => table.hint(),
    undo: () => table.undo(),
    resign: () => table.resign(),
    back: () => table.back(),
    chat: (text) => table.chat(text),
    rematch: () => table.rematch(),
    record: () => table.record(),
    close: () => table.close(),
  }), [table, lesson]);

  // Point at what the step speaks of, and only at that. The board is drawn by somebody else, and at
  // any time.
  useEffect(() => {
    if (!step?.point) return undefined;
    let seen = false;
    const point = () => {
      const spots = document.querySelectorAll(`.board :is(${step.point})`);
      for (const s of spots) s.classList.add("pointed");
      const first = seen || !ready ? undefined : spots[0], box = first?.getBoundingClientRect();
      if (!box) return;
      seen = true;
      if (box.top < 170 || box.bottom > innerHeight)
        first!.scrollIntoView({ block: "center",
          behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    };
    const watch = new MutationObserver(point);
    watch.observe(document.body, { childList: true, subtree: true });
    point();
    return () => {
      watch.disconnect();
      for (const s of document.querySelectorAll(".pointed")) s.classList.remove("pointed");
    };
  }, [at, ready]);

  return {
    table: guided,
    refuse: wanted.length ? t("That would be possible too. For this lesson, do what is asked above.")
      : t("One moment: read on first."),
    ...(step ? { only: (action: string) => wanted.includes(action) } : {}),
    before: step ? (
      <section class="coach panel" aria-label={t("Lesson")} data-testid="coach" data-step={at} data-wanted={wanted[0]}
        data-points={step.point && ready ? "yes" : undefined}>
        <p class="say-it" role="status">{ready ? step.say() : t("One moment: the others are playing.")}</p>
        <p class="steps">
          <progress max={lesson.steps.length} value={at + 1}
            aria-label={t("Step {n} of {all}", { n: at + 1, all: lesson.steps.length })} />
          {step.rule && <a href={`/rules/${game}#${step.rule}`} target="_blank" rel="noopener">{t("The rule")}</a>}
          {at > 0 && !lesson.steps[at - 1]!.act && (
            <button type="button" class="quiet" onClick={() => setAt(at - 1)}>{t("Back")}</button>
          )}
          {wanted.length > 0 || !ready ? <span class="muted">{ready ? t("Your move") : t("One moment…")}</span> : (
            <button type="button" class="primary" data-testid="next" onClick={() => setAt(at + 1)}>
              {!last ? t("Next") : snap.state?.over ? t("Done") : t("Play on")}
            </button>
          )}
        </p>
        {last && ready ? <p class="steps after">{after}</p> : null}
      </section>
    ) : null,
  };
}
