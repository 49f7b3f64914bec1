// How long a seat may still think, counted down between two messages of the table.
import type { JSX } from "preact";
import { useEffect, useReducer } from "preact/hooks";
import { t, tn } from "../i18n";
import type { Clock as ClockOf } from "../table";

const two = (n: number) => String(n).padStart(2, "0");

function face(ms: number): string {
  const s = Math.max(0, Math.ceil(ms / 1000));
  if (s >= 172800) return tn("{n} day", "{n} days", Math.floor(s / 86400));
  if (s >= 3600) return `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
  return `${Math.floor(s / 60)}:${two(s % 60)}`;
}

export function Clock({ clock, seat }: { clock: ClockOf; seat: number }): JSX.Element | null {
  const running = clock.running.includes(seat);
  const [, tick] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => tick(undefined), 500);
    return () => clearInterval(timer);
  }, [running]);
  const told = clock.left[seat];
  if (told === null || told === undefined) return null;
  const left = running ? told - (performance.now() - clock.at) : told;
  return (
    <span class={`clock${running ? " running" : ""}${left < 15000 ? " short" : ""}`} role="timer"
      aria-label={t("{time} left", { time: face(left) })}>
      {face(left)}
    </span>
  );
}
