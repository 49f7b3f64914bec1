// A handful of reactions, drawn here. On the wire each is one sign of the chat, so that every client can
// show it and the rules of the chat hold for it.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "./i18n";
import type { Snapshot, Table } from "./table";
import "./reactions.css";

interface Reaction {
  sign: string;
  name(): string;
  /** Eyes and mouth, on a round face of 32. */
  art: string;
}

const REACTIONS: Reaction[] = [
  { sign: "😊", name: () => t("Well played"), art: "M10 13h.01M22 13h.01M9 19c3 5 11 5 14 0" },
  { sign: "😂", name: () => t("Ha ha"), art: "M8 14l4-2-4-2M24 14l-4-2 4-2M9 18h14c0 8-14 8-14 0Z" },
  { sign: "😮", name: () => t("Oh!"), art: "M10 12h.01M22 12h.01M16 23a3 4 0 1 0 0-8 3 4 0 0 0 0 8Z" },
  { sign: "🤔", name: () => t("Hmm…"), art: "M8 10l4-2M10 13h.01M22 13h.01M12 21c3-2 6-2 9-1M9 27l3-5" },
  { sign: "😬", name: () => t("Oops"), art: "M10 12h.01M22 12h.01M9 18h14v5H9zM13 18v5M19 18v5" },
  { sign: "😢", name: () => t("Too bad"), art: "M10 13h.01M22 13h.01M10 23c3-4 9-4 12 0M23 16v4" },
];

const reactionOf = (text: string): Reaction | undefined => REACTIONS.find((r) => r.sign === text);

function ReactionArt({ reaction, size = 28 }: { reaction: Reaction; size?: number }): JSX.Element {
  return (
    <svg class="reaction" viewBox="0 0 32 32" width={size} height={size} role="img" aria-label={reaction.name()}>
      <circle cx="16" cy="16" r="15" fill="#f4cf6b" stroke="#8a5a1c" />
      <path d={reaction.art} fill="none" stroke="#4a2c10" stroke-width="2.200" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}

/** What was said: words, or a reaction. */
export function Said({ text }: { text: string }): JSX.Element {
  const reaction = reactionOf(text);
  return reaction ? <ReactionArt reaction={reaction} size={22} /> : <>{text}</>;
}

/** The strip to choose from. */
export function Reactions({ table }: { table: Table }): JSX.Element {
  return (
    <div class="reactions" role="group" aria-label={t("Reactions")}>
      {REACTIONS.map((r) => (
        <button key={r.sign} type="button" class="quiet icon" title={r.name()} onClick={() => void table.chat(r.sign)}>
          <ReactionArt reaction={r} />
        </button>
      ))}
    </div>
  );
}

const SHOWN_MS = 5000;

/** The last reaction of a seat, for a few seconds. */
export function Reacted({ snap, seat }: { snap: Snapshot; seat: number }): JSX.Element | null {
  const last = snap.chat.reduce((found, c, n) => (c.seat === seat && reactionOf(c.text) ? n : found), -1);
  const [gone, setGone] = useState(last);
  useEffect(() => {
    const timer = setTimeout(() => setGone(last), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [last]);
  return last >= 0 && last !== gone ? <ReactionArt reaction={reactionOf(snap.chat[last]!.text)!} size={26} /> : null;
}
