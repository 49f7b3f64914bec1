// The court of Louis XIV, drawn here: chips, shields, markers, the people of the twelve tiles. A
// marker has its player's shape as well as colour, a shield its sign and number, a side its mark.
import type { JSX } from "preact";

const box = { viewBox: "0 0 24 24", class: "piece", "aria-hidden": true } as const;
const INK = "#3b2a12", GOLD = "#e2b64c", PAPER = "#fdf8ec";

const CHIPS: Record<string, JSX.Element> = {
  crown: <path d="M5 8 9 11.5 12 6 15 11.5 19 8 17.5 17H6.5Z" fill={INK} />,
  sceptre: <path d="M6 18 14.5 9.5M17 4.5V10.5M14 7.5H20M8 20 4 16" stroke={INK} stroke-width="2.2" fill="none" stroke-linecap="round" />,
  helmet: <path d="M6 18V12A6 6.5 0 0 1 18 12V18H14V13H10V18ZM12 5.5V3" fill={INK} stroke={INK} stroke-width="1.5" />,
  ring: <><circle cx="12" cy="14.5" r="4.8" fill="none" stroke={INK} stroke-width="2.2" /><path d="M9 5.5H15L16 8 12 10.5 8 8Z" fill={INK} /></>,
  letter: <path d="M5 7.5H19V17H5ZM5 7.5 12 13 19 7.5" fill="none" stroke={INK} stroke-width="2" stroke-linejoin="round" />,
};

/** A chip: a gold disc with its sign. */
export const ChipArt = ({ of }: { of: string }) => (
  <svg {...box}>
    <circle cx="12" cy="12" r="11" fill={GOLD} stroke={INK} stroke-width="1" />
    {CHIPS[of] ?? <path d="M9 9A3 3 0 1 1 12 12.5V14.5M12 17V18" stroke={INK} stroke-width="2" fill="none" />}
  </svg>
);

const SIGNS: (JSX.Element | null)[] = [
  null,
  <path d="M12 4C14 7 14.5 9 12.7 12H16C18 12 18 9 16 9 19 8 20 13 16.5 13.5H7.5C4 13 5 8 8 9 6 9 6 12 8 12H11.3C9.5 9 10 7 12 4ZM10.5 14H13.5L13 18H11Z" />,
  <path d="M12 4 13.5 7.5 17 6 15.5 9.5 19 11 15.5 12.5 17 16 13.5 14.5 12 18 10.5 14.5 7 16 8.5 12.5 5 11 8.5 9.5 7 6 10.5 7.5Z" />,
  <path d="M7 5H9V7H11V5H13V7H15V5H17V10H15.5V17H8.5V10H7Z" />,
  <path d="M12 4.5 13.8 9H18.5L14.8 11.9 16.2 16.5 12 13.7 7.8 16.5 9.2 11.9 5.5 9H10.2Z" />,
  <path d="M12 4A3.3 3.3 0 0 1 13.3 10.3V12H15.5V14H13.3V15H15V17H10.7V10.3A3.3 3.3 0 0 1 12 4Z" />,
  <path d="M12 16.5C5 11.5 6 6 9 6 11 6 12 8 12 8S13 6 15 6C18 6 19 11.5 12 16.5Z" />,
];
const FIELDS = ["#8d8477", "#2f5f9e", "#b06a12", "#5d5a57", "#7a3b86", "#1f7167", "#a3232d"];

/** A shield: 1 to 6 by its kind; 0 for one whose kind is not known or not there. */
export const ShieldArt = ({ kind }: { kind: number }) => (
  <svg {...box}>
    <path d="M3 2H21V12C21 18 16 21 12 23 8 21 3 18 3 12Z" fill={FIELDS[kind] ?? FIELDS[0]} stroke={PAPER} stroke-width="1.4" />
    <g fill={PAPER}>{SIGNS[kind]}</g>
  </svg>
);

export const GoldArt = () => (
  <svg {...box}>
    <ellipse cx="12" cy="17" rx="9" ry="4.5" fill="#c8942a" stroke={INK} />
    <ellipse cx="12" cy="13" rx="9" ry="4.5" fill="#d9a941" stroke={INK} />
    <ellipse cx="12" cy="9" rx="9" ry="4.5" fill="#f0cb68" stroke={INK} />
  </svg>
);

const HUES = ["#935a00", "#0d6a70", "#7a3488", "#2d4b8c"];
const SHAPES = [
  <circle cx="12" cy="12" r="10" />,
  <rect x="2.5" y="2.5" width="19" height="19" rx="2" />,
  <path d="M12 1 23 21.5H1Z" />,
  <path d="M12 1 22 6.5V17.5L12 23 2 17.5V6.5Z" />,
];

/** A player's marker; `n` is written on it. Seat -1 is neutral. */
export const MarkerArt = ({ seat, n }: { seat: number; n?: number | string | undefined }) => (
  <svg {...box} class="piece marker-art">
    <g fill={HUES[seat] ?? "#6b655d"} stroke="#fff" stroke-width="1.3">
      {SHAPES[seat] ?? <path d="M7 2H17L22 7V17L17 22H7L2 17V7Z" stroke-dasharray="3 2" />}
    </g>
    {n !== undefined && (
      <text x="12" y={seat === 2 ? 19 : 16.5} text-anchor="middle" fill="#fff" class="tally-text">{n}</text>
    )}
  </svg>
);

export const InfluenceArt = () => (
  <svg {...box}>
    <rect x="5" y="2" width="14" height="20" rx="2" fill={PAPER} stroke={INK} stroke-width="1.3" />
    <path d="M7.5 16 7 8.5 10 11 12 6.5 14 11 17 8.5 16.5 16Z" fill="#a3232d" />
  </svg>
);
export const IntrigueArt = () => (
  <svg {...box}>
    <rect x="5" y="2" width="14" height="20" rx="2" fill="#33243f" stroke="#b0925a" stroke-width="1.6" />
    <path d="M6.5 9C9 7.5 11 9 12 10 13 9 15 7.5 17.5 9 17.5 13 15 14.5 12 12 9 14.5 6.5 13 6.5 9Z" fill="#e8d9a8" />
    <circle cx="9.3" cy="10.7" r="1.1" fill="#33243f" /><circle cx="14.7" cy="10.7" r="1.1" fill="#33243f" />
  </svg>
);

/** Louis himself: a sun with a crown. */
export const LouisArt = () => (
  <svg {...box} class="piece figure-art">
    <path d="M12 0 14 4 18 1.6 18.3 6.1 22.8 5.7 20.4 9.6 24 12 20.4 14.4 22.8 18.3 18.3 17.9 18 22.4 14 20 12 24 10 20 6 22.4 5.7 17.9 1.2 18.3 3.6 14.4 0 12 3.6 9.6 1.2 5.7 5.7 6.1 6 1.6 10 4Z" fill="#f0c24e" stroke="#6b4a08" stroke-width=".8" />
    <path d="M6.5 9 9.5 11.5 12 7 14.5 11.5 17.5 9 16.3 16H7.7Z" fill="#6b2430" />
  </svg>
);
/** La Favorita: a rose. */
export const FavouriteArt = () => (
  <svg {...box} class="piece figure-art">
    <path d="M12 13V23M12 19C8 19 7 17 6.5 15.5M12 21C16 20.5 17 18.5 17.5 17" stroke="#2d6b3f" stroke-width="1.8" fill="none" />
    <path d="M12 1C16 1 20 4 19 9 18 13 15 14.5 12 14.5S6 13 5 9C4 4 8 1 12 1Z" fill="#c2476b" stroke="#6b1733" stroke-width=".9" />
    <path d="M8 6C10 3 14 3 16 6 16 10 9 10 9 7 10 5 14 5.5 13.5 8" fill="none" stroke="#ffe3ea" stroke-width="1.2" />
  </svg>
);

/* Twelve people: hair, what they wear on the head, moustache, clothes. */
type Look = [hair: "wig" | "updo" | "veil" | "short" | "grey", head: string, cloth: string, shade: string, beard?: boolean];
const LOOKS: Look[] = [
  ["veil", "tiara", "#3c3552", "#8b8296"],
  ["wig", "ribbon", "#8c5a9c", "#5a3b22"],
  ["updo", "tiara", "#2f6e8a", "#c99a4b"],
  ["short", "none", "#35598f", "#b07b3a"],
  ["updo", "feather", "#a33c52", "#d9ae5f"],
  ["wig", "laurel", "#6d7480", "#6d6258", true],
  ["wig", "none", "#2f2a28", "#2b211c", true],
  ["updo", "lace", "#2d2b3a", "#4a3428"],
  ["updo", "flower", "#6f9aa8", "#e2c277"],
  ["short", "plume", "#59636b", "#7a5a3c", true],
  ["grey", "biretta", "#a3232d", "#7d746b", true],
  ["wig", "none", "#4a3a63", "#7b4a2a", true],
];

const HAIR: Record<Look[0], JSX.Element> = {
  wig: <path d="M20 5C12 5 10 10 10 15 7 17 7 21 9 23 6 26 8 31 12 32H28C32 31 34 26 31 23 33 21 33 17 30 15 30 10 28 5 20 5Z" />,
  updo: <path d="M20 3C15 3 12.5 6 13 9 10.5 12 11 18 12 23L15 26H25L28 23C29 18 29.5 12 27 9 27.5 6 25 3 20 3Z" />,
  veil: <path d="M20 4C11 4 9 12 9 20 9 27 7 31 6 34H34C33 31 31 27 31 20 31 12 29 4 20 4Z" />,
  short: <path d="M20 6C13 6 11.5 11 12 17 12 21 12.5 23 13.5 24H26.5C27.5 23 28 21 28 17 28.5 11 27 6 20 6Z" />,
  grey: <path d="M20 8C14 8 12.5 12 13 18L14.5 22H25.5L27 18C27.5 12 26 8 20 8Z" />,
};
const HEAD: Record<string, JSX.Element | null> = {
  none: null,
  tiara: <path d="M13 9 16 11 20 5 24 11 27 9 26 13H14Z" fill={GOLD} />,
  ribbon: <path d="M8 22 3 19V27ZM8 22 12 20V25Z" fill="#d9476b" />,
  feather: <path d="M24 7C30-1 37 3 35 9 32 6 28 8 25 10Z" fill="#f2e6d0" stroke="#8c5a44" stroke-width=".7" />,
  laurel: <path d="M11 13C10 8 14 4 19 4 15 6 13 9 13 13ZM29 13C30 8 26 4 21 4 25 6 27 9 27 13Z" fill="#4d8a55" />,
  lace: <path d="M12 12C11 5 16 2 20 2S29 5 28 12L26 8 23.5 10 20 6.5 16.5 10 14 8Z" fill="#f4efe4" stroke="#8a8274" stroke-width=".7" />,
  flower: <><circle cx="27" cy="9" r="3.6" fill="#d9476b" /><circle cx="27" cy="9" r="1.3" fill={GOLD} /></>,
  plume: <><path d="M7 13C9 9 31 9 33 13 28 15 12 15 7 13ZM12 11C12 3 28 3 28 11Z" fill="#3a3f46" /><path d="M26 9C34 1 38 6 36 11 33 8 30 10 27 11Z" fill="#b8433f" /></>,
  biretta: <path d="M11 12 13 4 20 6.5 27 4 29 12C24 10 16 10 11 12Z" fill="#b3202c" />,
};

/** The likeness of a tile's person, 1 to 12. */
export function Cameo({ tile }: { tile: number }) {
  const [hair, head, cloth, shade, beard] = LOOKS[tile - 1]!;
  return (
    <svg viewBox="0 0 40 40" class="cameo" aria-hidden="true">
      <ellipse cx="20" cy="20" rx="19.5" ry="19.5" fill="#e9dcc0" stroke="#8a6d36" />
      <g fill={shade}>{HAIR[hair]}</g>
      <path d="M6.5 33.5C8 29 14 27.5 16.5 27H23.5C26 27.5 32 29 33.5 33.5A19.5 19.5 0 0 1 6.5 33.5Z" fill={cloth} />
      <path d="M16.5 23H23.5V27.5C23.5 31 16.5 31 16.5 27.5Z" fill="#e8bf9f" />
      <path d="M14.3 15C14.3 10 17 9 20 9S25.7 10 25.7 15C25.7 21 23 25.5 20 25.5S14.3 21 14.3 15Z" fill="#f5d5ba" />
      <path d="M16.5 15.5H18.5M21.5 15.5H23.5" stroke="#3a2a22" stroke-width="1.3" />
      <path d="M18.5 21.8Q20 22.8 21.5 21.8" stroke="#a3434a" stroke-width="1.2" fill="none" />
      {beard && <path d="M16.8 20.4Q18.5 19 20 20 21.5 19 23.2 20.4 21.5 21 20 20.7 18.5 21 16.8 20.4Z" fill={shade} />}
      {HEAD[head]}
    </svg>
  );
}
