// Faces for those who sit at the tables: drawn here, from a name or a number, always the same one. They
// are pictures beside a name and say nothing alone.
import type { JSX } from "preact";

const SKINS = ["#f6d7bd", "#eec19d", "#d9a178", "#b97a51", "#8a5637", "#5f3a27"];
const HAIRS = ["#2c211c", "#5a3a22", "#8c5a2b", "#c9973f", "#a63f22", "#8d8a86", "#e6dfd3"];
const CLOTHES = ["#7c2d3b", "#2f5d50", "#2c4a7c", "#8a5a1c", "#5b3a6e", "#44545c"];
const WALLS = ["#e9d8b8", "#d5dfcb", "#d3dcea", "#ecd3cf", "#ddd3e6", "#e3dccf"];

/** What goes with a name that ends in a, and what with any other: a guess that fits most. */
const LONG = [1, 2, 4, 5], SHORT = [0, 3, 4];

/** Hair behind the head and before it, on a field of 64. */
const HAIR: [behind: string, before: string][] = [
  ["", "M18 27c0-12 7-16 14-16s14 4 14 16c-3-5-5-8-9-8-5 0-8 2-12 2-3 0-5 2-7 6Z"],
  ["M15 48c-2-8 0-14 1-22 1-10 8-15 16-15s15 5 16 15c1 8 3 14 1 22Z", "M18 29c1-9 7-13 14-13s13 4 14 13c-4-2-6-6-8-9-4 4-12 7-20 9Z"],
  ["M24 13a8 7 0 1 1 16 0Z", "M18 28c0-11 6-15 14-15s14 4 14 15c-4-6-8-8-14-8s-10 2-14 8Z"],
  ["", "M18 26c0-4 1-7 3-9l1 6c3-2 17-2 20 0l1-6c2 2 3 5 3 9l-2-3c-6-2-18-2-24 0Z"],
  ["M14 44c-4-4-3-9-1-12-3-6 1-12 6-12 2-6 9-8 13-6 4-2 11 0 13 6 5 0 9 6 6 12 2 3 3 8-1 12-3 3-6 3-8 1H22c-2 2-5 2-8-1Z", "M18 28c1-8 6-12 14-12s13 4 14 12c-3-4-4-6-7-7-5 2-10 3-14 1-3 1-5 3-7 6Z"],
  ["M12 40c0-18 6-28 20-28s20 10 20 28l-5 8H17Z", "M18 27c0-9 6-13 14-13s14 4 14 13c-3-3-6-7-14-7s-11 4-14 7Z"],
];

const MOUTHS = ["M27 41c3 3 7 3 10 0", "M27 42h10", "M28 41c2 1 6 2 9-1", "M27 40c2 5 8 5 10 0Z"];

type Extra = (hair: string) => JSX.Element;

const EXTRAS: (Extra | null)[] = [
  null,
  () => <g fill="none" stroke="#3b322c" stroke-width="1.4"><circle cx="26.500" cy="31" r="4.500" /><circle cx="37.500" cy="31" r="4.500" /><path d="M31 31h2" /></g>,
  (hair) => <path d="M24 39c3-3 6-2 8-1 2-1 5-2 8 1-3 1-5 1-8 0-3 1-5 1-8 0Z" fill={hair} />,
  (hair) => <path d="M20 36c1 12 7 16 12 16s11-4 12-16c-2 3-5 4-7 4l-5-1-5 1c-2 0-5-1-7-4Z" fill={hair} />,
  () => <g fill="#d8a93a"><circle cx="18" cy="38" r="1.800" /><circle cx="46" cy="38" r="1.800" /></g>,
  () => <path d="M14 20c4-3 32-3 36 0-1-3-6-3-8-4-1-7-4-10-10-10s-9 3-10 10c-2 1-7 1-8 4Z" fill="#3c2f3f" />,
  null,
];

function hash(text: string): number {
  let h = 2166136261;
  for (const c of text) h = Math.imul(h ^ c.codePointAt(0)!, 16777619);
  return h >>> 0;
}

/** How many faces there are to choose from; the server takes numbers up to this. */
export const FACES = 24;

/** What the face of somebody is drawn from: the one they have chosen, or their name. */
export function faceOf(chosen: number | undefined, name: string): string {
  if (!chosen) return name;
  return chosen % 2 ? `${chosen}a` : `a${chosen}`;
}

export function Face({ of, size = 40 }: { of: string; size?: number }): JSX.Element {
  let h = hash(of);
  const one = <T,>(list: readonly T[]): T => {
    const item = list[h % list.length]!;
    h = Math.imul(h ^ (h >>> 15), 2246822519) >>> 0;
    return item;
  };
  const long = /a$|^Adele$/i.test(of);
  const wall = one(WALLS), skin = one(SKINS), hair = one(HAIRS), [behind, before] = HAIR[one(long ? LONG : SHORT)]!;
  const cloth = one(CLOTHES), mouth = one(MOUTHS), extra = one(long ? EXTRAS.filter((_, n) => n !== 2 && n !== 3 && n !== 5) : EXTRAS);
  return (
    <svg class="face" viewBox="0 0 64 64" width={size} height={size} aria-hidden="true">
      <circle cx="32" cy="32" r="32" fill={wall} />
      <path d={behind} fill={hair} />
      <path d="M10 60c2-10 10-13 22-13s20 3 22 13A32 32 0 0 1 10 60Z" fill={cloth} />
      <path d="M27 42h10v6c0 3-10 3-10 0Z" fill={skin} />
      <path d="M18 30c0-9 6-14 14-14s14 5 14 14-6 16-14 16-14-7-14-16Z" fill={skin} />
      <path d={before} fill={hair} />
      <g fill="#2b2320"><circle cx="26.500" cy="31" r="1.700" /><circle cx="37.500" cy="31" r="1.700" /></g>
      <path d="M32 32l-1.500 4.500h3" fill="none" stroke="#2b2320" stroke-opacity=".35" stroke-width="1.200" />
      <path d={mouth} fill={mouth.endsWith("Z") ? "#fff" : "none"} stroke="#7a2f2a" stroke-width="1.600" stroke-linecap="round" />
      {extra?.(hair)}
    </svg>
  );
}
