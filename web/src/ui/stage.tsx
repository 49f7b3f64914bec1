// The stage: a dialog over the whole window in which the end of a round is told. It has the focus,
// Escape and Enter go on, and it never hides whose turn it is.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import type { Clock as ClockOf } from "../table";
import { Clock } from "./clock";
import "./dialog.css";
import "./stage.css";

/** How long it stays by itself while one's own clock runs. */
const LIMIT = 12000;

export function Stage({ title, mine, clock, seat, goOn, children }: {
  title: string;
  /** It is one's turn behind it. */
  mine: boolean;
  clock: ClockOf | null;
  seat: number | null;
  goOn(): void;
  children: ComponentChildren;
}): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const running = seat !== null && !!clock?.running.includes(seat);
  const [limited] = useState(LIMIT);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const dialog = ref.current!;
    dialog.showModal();
    dialog.querySelector<HTMLElement>("[data-testid=go-on]")?.focus({ preventScroll: true });
    return () => {
      dialog.close();
      before?.focus?.({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    if (!running) return;
    const timer = setTimeout(goOn, limited);
    return () => clearTimeout(timer);
  }, [running]);
  return (
    <dialog ref={ref} class="dialog stage" aria-labelledby={id} aria-describedby={`${id}-body`} onCancel={(e) => {
      e.preventDefault();
      goOn();
    }}>
      <div class="inside">
        <h2 id={id}>{title}</h2>
        <div class="moment" id={`${id}-body`} tabIndex={0} role="group" aria-label={title}>{children}</div>
        <footer>
          {mine ? <span class="your-turn">{t("It is your turn.")} {clock && seat !== null ? <Clock clock={clock} seat={seat} /> : null}</span> : null}
          <button class="primary" data-testid="go-on" onClick={goOn}>
            {t("Continue")}
            {running ? <span class="limit" style={{ animationDuration: `${limited}ms` }} aria-hidden="true" /> : null}
          </button>
        </footer>
      </div>
    </dialog>
  );
}
