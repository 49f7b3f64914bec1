// A dialog over the page: keeps the focus, closes with Escape, gives the focus back.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "./icons";
import "./dialog.css";

export function Dialog({ title, close, wide = false, children }: {
  title: string;
  close?(): void;
  wide?: boolean;
  children: ComponentChildren;
}): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const dialog = ref.current!;
    dialog.showModal();
    return () => {
      dialog.close();
      before?.focus?.();
    };
  }, []);
  return (
    <dialog ref={ref} class={wide ? "dialog wide" : "dialog"} aria-labelledby={id}
      onCancel={(e) => {
        e.preventDefault();
        close?.();
      }}
      onMouseDown={(e) => {
        if (e.target === ref.current) close?.();
      }}>
      <div class="inside">
        <header>
          <h2 id={id}>{title}</h2>
          {close ? (
            <button class="quiet icon" onClick={close} aria-label={t("Close")}><Icon name="close" /></button>
          ) : null}
        </header>
        {children}
      </div>
    </dialog>
  );
}
