// Hooks that tie stores outside of components to what is drawn.
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useReducer, useState } from "preact/hooks";
import { server } from "./server";

/** Draws again whenever the store says that it changed. It listens before anything else can run, so nothing
 * that changes after the first drawing is missed. */
export function useStore(subscribe: (changed: () => void) => () => void): void {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  useLayoutEffect(() => subscribe(() => redraw(undefined)), [subscribe]);
}

export function useServer(): typeof server {
  useStore(server.subscribe);
  return server;
}

/** What a promise gives; null until it does. Asked again when `on` changes. */
export function useAsked<T>(ask: () => Promise<T>, on: unknown[]): { value: T | null; failed: unknown } {
  const [got, set] = useState<{ value: T | null; failed: unknown }>({ value: null, failed: null });
  useEffect(() => {
    let alive = true;
    ask().then(
      (value) => alive && set({ value, failed: null }),
      (failed: unknown) => alive && set({ value: null, failed }),
    );
    return () => void (alive = false);
  }, on);
  return got;
}

/** Keeps a list at its newest line: when there is one more, and when it comes to be seen, as in a drawer. */
export function useNewest(list: RefObject<HTMLElement>, lines: number): void {
  const last = () => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  };
  useEffect(last, [lines]);
  useEffect(() => {
    const sizes = new ResizeObserver(last);
    sizes.observe(list.current!);
    return () => sizes.disconnect();
  }, []);
}

/** The title of the page in the window. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Salotto` : "Salotto";
  }, [title]);
}
