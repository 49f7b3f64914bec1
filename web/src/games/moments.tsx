// The ends of rounds: what takes the stage before the next deal is shown. A moment is told step by
// step at the pace the person likes, from events alone; everything is there at once where nothing
// should move.
import { createContext, type ComponentChildren, type ComponentType, type JSX } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { number } from "../i18n";
import type { Snapshot } from "../table";
import { pace } from "../ui/pace";
import { play, type Sound } from "../ui/sounds";

export interface Moment {
  /** The event it is about. */
  n: number;
  title: string;
  Body: ComponentType<{ snap: Snapshot }>;
}

/** Called when a moment has been told to its end. */
const Told = createContext<() => void>(() => {});

/** A moment, and what may be said only after it: its room is kept from the beginning. */
export function Telling({ moment, snap, after }: { moment: Moment; snap: Snapshot; after: ComponentChildren }): JSX.Element {
  const [told, set] = useState(false);
  return (
    <>
      <Told.Provider value={() => set(true)}><moment.Body snap={snap} /></Told.Provider>
      <div class={told ? "step shown" : "step"}>{after}</div>
    </>
  );
}

/** Where nothing moves, a moment is heard all the same: the loudest of its sounds, once. */
function useOneSound(still: boolean, count: number, sounds?: (step: number) => Sound | undefined): void {
  useEffect(() => {
    if (!still) return;
    const all = Array.from({ length: count }, (_, step) => sounds?.(step));
    const loudest = (["trap", "door", "chip"] as const).find((s) => all.includes(s));
    if (loudest) play(loudest);
  }, []);
}

/** How many of `count` steps are to be seen, one more every `ms`; `sounds` says what each sounds like. */
export function useSteps(count: number, ms: number, sounds?: (step: number) => Sound | undefined): number {
  const speed = pace();
  const [at, set] = useState(speed ? 0 : count);
  const told = useContext(Told);
  useOneSound(!speed, count, sounds);
  useEffect(() => {
    if (at >= count) return told();
    const timer = setTimeout(() => {
      const sound = sounds?.(at);
      if (sound) play(sound);
      set(at + 1);
    }, (at === 0 ? 350 : ms) * speed);
    return () => clearTimeout(timer);
  }, [at, count]);
  return at;
}

/** Shown from its step on; its room is kept from the beginning, so that nothing jumps. */
export function Step({ at, from, class: extra = "", children }: {
  at: number; from: number; class?: string; children: ComponentChildren;
}): JSX.Element {
  return <div class={`step ${extra}${at >= from ? " shown" : ""}`}>{children}</div>;
}

/** A number that runs up to its value, from where it is when that changes. */
export function Tally({ from, to, ms = 700 }: { from: number; to: number; ms?: number }): JSX.Element {
  const speed = pace();
  const [n, set] = useState(speed ? from : to);
  useEffect(() => {
    if (!speed) return set(to);
    const began = performance.now();
    let frame = requestAnimationFrame(function tick(now) {
      const part = Math.max(0, Math.min(1, (now - began) / (ms * speed)));
      set(Math.round(n + (to - n) * part));
      if (part < 1) frame = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(frame);
  }, [to]);
  return <b class="running">{number(n)}</b>;
}

/** The moments among the lines from `since` on: one for each that `make` knows. */
export function momentsAt(snap: Snapshot, since: number, event: string, make: (index: number, line: Snapshot["log"][number]) => Moment | null): Moment[] {
  return snap.log.map((line, i) => (line.n >= since && line.event.event === event ? make(i, line) : null))
    .filter((m) => m !== null);
}
