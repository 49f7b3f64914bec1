// What is heard of a table, and how one's turn calls: a sound for what happens, the title and the
// icon of the tab, and a notification of the browser if that is wanted and nobody is looking.
import { useEffect, useRef } from "preact/hooks";
import { gameCard } from "../games";
import { t } from "../i18n";
import { prefs } from "../prefs";
import type { LogLine, Snapshot } from "../table";
import { play, prepareSounds, type Sound } from "../ui/sounds";

const HEARD: Record<string, Sound> = {
  dealt: "deal", round: "deal", day: "deal", taken: "take", discarded: "take", added: "take", placed: "take", built: "take",
  played: "take", revealed: "take", bid: "bid", bet: "bid", auction: "bid", sold: "chip", given: "chip", rewarded: "chip",
  paid: "chip", crown: "chip", fulfilled: "chip", trap: "trap", guessed: "bid",
};

/** What of the new lines is heard: the loudest last thing, not all of them at once. After a moment on the
 * stage that is the next deal alone. */
function soundOf(lines: LogLine[], afterStage = false): Sound | undefined {
  const heard = lines.map((l) => HEARD[l.event.event]).filter((s) => s !== undefined);
  if (afterStage) return heard.find((s) => s === "deal");
  return heard.includes("trap") ? "trap" : heard.find((s) => s !== "deal") ?? heard[0];
}

/** What others say is heard, in the waiting room too. */
export function useChatSound(snap: Snapshot): void {
  const said = useRef(snap.chat.length);
  useEffect(prepareSounds, []);
  useEffect(() => {
    const line = snap.chat.at(-1);
    if (snap.chat.length > said.current && line?.seat !== snap.seat) play("chat");
    said.current = snap.chat.length;
  }, [snap.chat.length]);
}

function useSounds(snap: Snapshot, mine: boolean, over: boolean, staged: boolean, begins: boolean): void {
  const heard = useRef<number | null>(begins ? -1 : null), held = useRef(false);
  useChatSound(snap);
  const last = snap.log.at(-1)?.n ?? -1;
  useEffect(() => {
    held.current ||= staged;
    if (staged && heard.current !== null) return;
    const before = heard.current ?? last;
    heard.current = last;
    const sound = soundOf(snap.log.filter((l) => l.n > before), held.current);
    held.current = false;
    if (sound) play(sound);
  }, [last, staged]);
  const turned = useRef(mine && !begins);
  useEffect(() => {
    if (mine && !turned.current && !staged) play("turn");
    turned.current = mine && !staged;
  }, [mine, staged]);
  const ended = useRef(over);
  useEffect(() => {
    if (over && !staged && !ended.current)
      play(snap.seat === null || (snap.state.winners as number[]).includes(snap.seat) ? "win" : "loss");
    ended.current = over && !staged;
  }, [over, staged]);
}

function icon(href: string): void {
  document.querySelector("link[rel=icon]")?.setAttribute("href", href);
}

/** By the service worker where there is one: browsers on phones allow no other way. */
async function notify(snap: Snapshot): Promise<void> {
  if (!prefs.notify || !document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  const told = { body: `${gameCard(snap.game).title()}: ${snap.prompt}`, icon: "/icon-192.png", tag: snap.id,
    data: { path: location.pathname } };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) return worker.showNotification(t("Your turn"), told);
  const note = new Notification(t("Your turn"), told);
  note.onclick = () => {
    focus();
    note.close();
  };
}

/** It is not one's turn any more: what has called is put away, so that the next one calls again. */
async function dismiss(id: string): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  for (const note of (await worker?.getNotifications({ tag: id })) ?? []) note.close();
}

/** `staged`: a moment is on the stage, and sounds for itself. `begins`: one has waited for this game. */
export function useCalling(snap: Snapshot, mine: boolean, over: boolean, staged: boolean, begins: boolean): void {
  useSounds(snap, mine, over, staged, begins);
  const calls = mine && !over;
  const title = gameCard(snap.game).title();
  useEffect(() => {
    document.title = calls ? `● ${t("Your turn")} · ${title}` : `${title} · Salotto`;
    icon(calls ? "/icon-turn.svg" : "/icon.svg");
    if (calls) void notify(snap).catch(() => {}); // not every browser that asks can show one
    return () => {
      document.title = `${title} · Salotto`;
      icon("/icon.svg");
      if (calls) void dismiss(snap.id).catch(() => {});
    };
  }, [calls, title]);
}
