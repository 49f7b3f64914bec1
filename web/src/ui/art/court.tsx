// The court of Louis XIV, drawn here: chips, shields, markers, the people of the twelve tiles. A
// marker has its player's shape as well as colour, a shield its sign and number, a side its mark.
import type { JSX } from "preact";

const box = { viewBox: "0 0 24 24", class: "piece", "aria-hidden": true } as const;
const INK = "#3b2a12", GOLD = "#e2b64c", PAPER = "#fdf8ec";

const CHIPS: Record<string, JSX.Element> = {
  crown: <path d="M5 8 9 11.500 12 6 15 11.500 19 8 17.500 17H6.500Z" fill={INK} />,
  sceptre: <path d="M6 18 14.500 9.500M17 4.500V10.500M14 7.500H20M8 20 4 16" stroke={INK} stroke-width="2.200" fill="none" stroke-linecap="round" />,
  helmet: <path d="M6 18V12A6 6.500 0 0 1 18 12V18H14V13H10V18ZM12 5.500V3" fill={INK} stroke={INK} stroke-width="1.500" />,
  ring: <><circle cx="12" cy="14.500" r="4.800" fill="none" stroke={INK} stroke-width="2.200" /><path d="M9 5.500H15L16 8 12 10.500 8 8Z" fill={INK} /></>,
  letter: <path d="M5 7.500H19V17H5ZM5 7.500 12 13 19 7.500" fill="none" stroke={INK} stroke-width="2" stroke-linejoin="round" />,
};

/** A chip: a gold disc with its sign. */
export const ChipArt = ({ of }: { of: string }) => (
  <svg {...box}>
    <circle cx="12" cy="12" r="11" fill={GOLD} stroke={INK} stroke-width="1" />
    {CHIPS[of] ?? <path d="M9 9A3 3 0 1 1 12 12.500V14.500M12 17V18" stroke={INK} stroke-width="2" fill="none" />}
  </svg>
);

const SIGNS: (JSX.Element | null)[] = [
  null,
  <path d="M12 4C14 7 14.500 9 12.700 12H16C18 12 18 9 16 9 19 8 20 13 16.500 13.500H7.500C4 13 5 8 8 9 6 9 6 12 8 12H11.300C9.500 9 10 7 12 4ZM10.500 14H13.500L13 18H11Z" />,
  <path d="M12 4 13.500 7.500 17 6 15.500 9.500 19 11 15.500 12.500 17 16 13.500 14.500 12 18 10.500 14.500 7 16 8.500 12.500 5 11 8.500 9.500 7 6 10.500 7.500Z" />,
  <path d="M7 5H9V7H11V5H13V7H15V5H17V10H15.500V17H8.500V10H7Z" />,
  <path d="M12 4.500 13.800 9H18.500L14.800 11.900 16.200 16.500 12 13.700 7.800 16.500 9.200 11.900 5.500 9H10.200Z" />,
  <path d="M12 4A3.300 3.300 0 0 1 13.300 10.300V12H15.500V14H13.300V15H15V17H10.700V10.300A3.300 3.300 0 0 1 12 4Z" />,
  <path d="M12 16.500C5 11.500 6 6 9 6 11 6 12 8 12 8S13 6 15 6C18 6 19 11.500 12 16.500Z" />,
];
const FIELDS = ["#8d8477", "#2f5f9e", "#b06a12", "#5d5a57", "#7a3b86", "#1f7167", "#a3232d"];

/** A shield: 1 to 6 by its kind; 0 for one whose kind is not known or not there. */
export const ShieldArt = ({ kind }: { kind: number }) => (
  <svg {...box}>
    <path d="M3 2H21V12C21 18 16 21 12 23 8 21 3 18 3 12Z" fill={FIELDS[kind] ?? FIELDS[0]} stroke={PAPER} stroke-width="1.400" />
    <g fill={PAPER}>{SIGNS[kind]}</g>
  </svg>
);

export const GoldArt = () => (
  <svg {...box}>
    <ellipse cx="12" cy="17" rx="9" ry="4.500" fill="#c8942a" stroke={INK} />
    <ellipse cx="12" cy="13" rx="9" ry="4.500" fill="#d9a941" stroke={INK} />
    <ellipse cx="12" cy="9" rx="9" ry="4.500" fill="#f0cb68" stroke={INK} />
  </svg>
);

export const HUES = ["#935a00", "#0d6a70", "#7a3488", "#2d4b8c"];
const SHAPES = [
  <circle cx="12" cy="12" r="10" />,
  <rect x="2.500" y="2.500" width="19" height="19" rx="2" />,
  <path d="M12 1 23 21.500H1Z" />,
  <path d="M12 1 22 6.500V17.500L12 23 2 17.500V6.500Z" />,
];

/** A player's marker; `n` is written on it. Seat -1 is neutral. */
export const MarkerArt = ({ seat, n }: { seat: number; n?: number | string | undefined }) => (
  <svg {...box} class="piece marker-art">
    <g fill={HUES[seat] ?? "#6b655d"} stroke="#fff" stroke-width="1.300">
      {SHAPES[seat] ?? <path d="M7 2H17L22 7V17L17 22H7L2 17V7Z" stroke-dasharray="3 2" />}
    </g>
    {n !== undefined && (
      <text x="12" y={seat === 2 ? 19 : 16.500} text-anchor="middle" fill="#fff" class="tally-text">{n}</text>
    )}
  </svg>
);

export const InfluenceArt = () => (
  <svg {...box}>
    <rect x="5" y="2" width="14" height="20" rx="2" fill={PAPER} stroke={INK} stroke-width="1.300" />
    <path d="M7.500 16 7 8.500 10 11 12 6.500 14 11 17 8.500 16.500 16Z" fill="#a3232d" />
  </svg>
);
export const IntrigueArt = () => (
  <svg {...box}>
    <rect x="5" y="2" width="14" height="20" rx="2" fill="#33243f" stroke={INK} stroke-width="1.300" />
    <path d="M6.500 9C9 7.500 11 9 12 10 13 9 15 7.500 17.500 9 17.500 13 15 14.500 12 12 9 14.500 6.500 13 6.500 9Z" fill="#e8d9a8" />
    <circle cx="9.300" cy="10.700" r="1.100" fill="#33243f" /><circle cx="14.700" cy="10.700" r="1.100" fill="#33243f" />
  </svg>
);

/** Louis himself: a sun with a crown. */
export const LouisArt = () => (
  <svg {...box} class="piece figure-art">
    <path d="M12 0 14 4 18 1.600 18.300 6.100 22.800 5.700 20.400 9.600 24 12 20.400 14.400 22.800 18.300 18.300 17.900 18 22.400 14 20 12 24 10 20 6 22.400 5.700 17.900 1.200 18.300 3.600 14.400 0 12 3.600 9.600 1.200 5.700 5.700 6.100 6 1.600 10 4Z" fill="#f0c24e" stroke="#6b4a08" stroke-width=".8" />
    <path d="M6.500 9 9.500 11.500 12 7 14.500 11.500 17.500 9 16.300 16H7.700Z" fill="#6b2430" />
  </svg>
);
/** La Favorita: a rose. */
export const FavouriteArt = () => (
  <svg {...box} class="piece figure-art">
    <path d="M12 13V23M12 19C8 19 7 17 6.500 15.500M12 21C16 20.500 17 18.500 17.500 17" stroke="#2d6b3f" stroke-width="1.800" fill="none" />
    <path d="M12 1C16 1 20 4 19 9 18 13 15 14.500 12 14.500S6 13 5 9C4 4 8 1 12 1Z" fill="#c2476b" stroke="#6b1733" stroke-width=".9" />
    <path d="M8 6C10 3 14 3 16 6 16 10 9 10 9 7 10 5 14 5.500 13.500 8" fill="none" stroke="#ffe3ea" stroke-width="1.200" />
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
  updo: <path d="M20 3C15 3 12.500 6 13 9 10.500 12 11 18 12 23L15 26H25L28 23C29 18 29.500 12 27 9 27.500 6 25 3 20 3Z" />,
  veil: <path d="M20 4C11 4 9 12 9 20 9 27 7 31 6 34H34C33 31 31 27 31 20 31 12 29 4 20 4Z" />,
  short: <path d="M20 6C13 6 11.500 11 12 17 12 21 12.500 23 13.500 24H26.500C27.500 23 28 21 28 17 28.500 11 27 6 20 6Z" />,
  grey: <path d="M20 8C14 8 12.500 12 13 18L14.500 22H25.500L27 18C27.500 12 26 8 20 8Z" />,
};
const HEAD: Record<string, JSX.Element | null> = {
  none: null,
  tiara: <path d="M13 9 16 11 20 5 24 11 27 9 26 13H14Z" fill={GOLD} />,
  ribbon: <path d="M8 22 3 19V27ZM8 22 12 20V25Z" fill="#d9476b" />,
  feather: <path d="M24 7C30-1 37 3 35 9 32 6 28 8 25 10Z" fill="#f2e6d0" stroke="#8c5a44" stroke-width=".7" />,
  laurel: <path d="M11 13C10 8 14 4 19 4 15 6 13 9 13 13ZM29 13C30 8 26 4 21 4 25 6 27 9 27 13Z" fill="#4d8a55" />,
  lace: <path d="M12 12C11 5 16 2 20 2S29 5 28 12L26 8 23.500 10 20 6.500 16.500 10 14 8Z" fill="#f4efe4" stroke="#8a8274" stroke-width=".7" />,
  flower: <><circle cx="27" cy="9" r="3.600" fill="#d9476b" /><circle cx="27" cy="9" r="1.300" fill={GOLD} /></>,
  plume: <><path d="M7 13C9 9 31 9 33 13 28 15 12 15 7 13ZM12 11C12 3 28 3 28 11Z" fill="#3a3f46" /><path d="M26 9C34 1 38 6 36 11 33 8 30 10 27 11Z" fill="#b8433f" /></>,
  biretta: <path d="M11 12 13 4 20 6.500 27 4 29 12C24 10 16 10 11 12Z" fill="#b3202c" />,
};

/** The likeness of a tile's person, 1 to 12. */
export function Cameo({ tile }: { tile: number }) {
  const [hair, head, cloth, shade, beard] = LOOKS[tile - 1]!;
  return (
    <svg viewBox="0 0 40 40" class="cameo" aria-hidden="true">
      <ellipse cx="20" cy="20" rx="19.500" ry="19.500" fill="#e9dcc0" stroke="#8a6d36" />
      <g fill={shade}>{HAIR[hair]}</g>
      <path d="M6.500 33.500C8 29 14 27.500 16.500 27H23.500C26 27.500 32 29 33.500 33.500A19.500 19.500 0 0 1 6.500 33.500Z" fill={cloth} />
      <path d="M16.500 23H23.500V27.500C23.500 31 16.500 31 16.500 27.500Z" fill="#e8bf9f" />
      <path d="M14.300 15C14.300 10 17 9 20 9S25.700 10 25.700 15C25.700 21 23 25.500 20 25.500S14.300 21 14.300 15Z" fill="#f5d5ba" />
      <path d="M16.500 15.500H18.500M21.500 15.500H23.500" stroke="#3a2a22" stroke-width="1.300" />
      <path d="M18.500 21.800Q20 22.800 21.500 21.800" stroke="#a3434a" stroke-width="1.200" fill="none" />
      {beard && <path d="M16.800 20.400Q18.500 19 20 20 21.500 19 23.200 20.400 21.500 21 20 20.700 18.500 21 16.800 20.400Z" fill={shade} />}
      {HEAD[head]}
    </svg>
  );
}
