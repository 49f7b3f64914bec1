// The Ladies, the Tigers and what they stand on: every card of Doors, Favor
// and Traps, drawn here. A colour is always a sign and a letter as well (red:
// a lozenge, R; blue: a drop, B), and so is a role (lady: a fan, L; tiger: a
// striped mask, T). Nothing here has ids, so a card may be drawn many times.
import type { ComponentChildren } from "preact";
import { t } from "../../i18n";
import "./art.css";

const RED = "#a3232d", BLUE = "#1d4f91", BRONZE = "#5d4a24";
const PALE = { R: "#f6dad2", B: "#d6e2f1", N: "#ece0c4" };
const FUR = { R: "#d8745f", B: "#7ea3d3", N: "#d9b45f" };
const INK = { R: RED, B: BLUE, N: BRONZE };
const IVORY = "#fdf8ec";
type Hue = "R" | "B" | "N";

const NAMES: Record<string, () => string> = {
  RL: () => t("Red Lady"),
  BL: () => t("Blue Lady"),
  RT: () => t("Red Tiger"),
  BT: () => t("Blue Tiger"),
  BR: () => t("Blue/Red"),
  LT: () => t("Lady/Tiger"),
  "??": () => t("hidden card"),
};
export const KINDS = ["RL", "BL", "RT", "BT", "BR", "LT"];
export const cardName = (card: string) => NAMES[card]?.() ?? card;

/* The four signs, each in a box of 20 by 20 around 0,0. */
export function Sign({ of, fill }: { of: string; fill?: string }) {
  switch (of) {
    case "R":
      return <path d="M0-10 8 0 0 10-8 0Z" fill={fill ?? RED} />;
    case "B":
      return (
        <path d="M0-10C3-5 8-1 8 3A8 7.5 0 0 1-8 3C-8-1-3-5 0-10Z"
          fill={fill ?? BLUE} />
      );
    case "L":
      return (
        <g fill="none" stroke={fill ?? "#2b2320"} stroke-width="1.8"
          stroke-linejoin="round">
          <path d="M0 8-9.5-2A13 13 0 0 1 9.5-2Z" fill={IVORY} />
          <path d="M0 8-4.5-6.2M0 8V-7.5M0 8 4.5-6.2" />
          <circle cy="8" r="1.6" fill={fill ?? "#2b2320"} stroke="none" />
        </g>
      );
    default:
      return (
        <g fill={fill ?? "#2b2320"}>
          <path d="M-9-9-3-6.5A9 9 0 0 1 3-6.5L9-9 8.6-1A8.7 8.7 0 1 1-8.6-1Z" />
          <path d="M0-6V-2M-3.4-5.4-2.4-2.4M3.4-5.4 2.4-2.4M-8 2-4.6 2.6M8 2 4.6 2.6M-6.6 5.6-4 4.8M6.6 5.6 4 4.8"
            stroke={IVORY} stroke-width="1.3" />
          <path d="M-2 3.4H2L0 6Z" fill={IVORY} />
        </g>
      );
  }
}

/* A lady with her fan, in a box of 66 by 120 around 0,0. */
function Lady({ hue }: { hue: Hue }) {
  const ink = INK[hue];
  return (
    <g>
      <path d="M-33 60C-32 30-20 19-7 15V6H7V15C20 19 32 30 33 60Z" fill={ink} />
      <path d="M-12 17C-8 31 8 31 12 17L7 13.5V4H-7V13.5Z" fill="#f3cfb3" />
      <circle cy="-42" r="9" fill="#3a2a22" />
      <path d="M-9-47Q0-55 9-47" stroke={ink} stroke-width="3.4" fill="none" />
      <path d="M-17-14C-22-46 22-46 17-14 17-4 13 6 10 8V-8H-10V8C-13 6-17-4-17-14Z"
        fill="#3a2a22" />
      <path d="M-11-16C-11-2-5 9 0 9S11-2 11-16C10-25 5-24 0-27-5-23-10-25-11-16Z"
        fill="#f7dcc4" />
      <path d="M-7.5-12Q-5-14-2.5-12M7.5-12Q5-14 2.5-12" stroke="#3a2a22"
        stroke-width="1.5" fill="none" />
      <path d="M-3 1.5Q0-.5 3 1.5 0 4.6-3 1.5Z" fill={ink} />
      <path d="M-10.5 18Q0 26 10.5 18" stroke={IVORY} stroke-width="2.6"
        stroke-dasharray=".1 3.4" stroke-linecap="round" fill="none" />
      <circle cx="-13" cy="-1" r="1.8" fill={IVORY} />
      <circle cx="13" cy="-1" r="1.8" fill={IVORY} />
      <path d="M0 60-29 38A36 36 0 0 1 29 38Z" fill={IVORY} stroke={ink}
        stroke-width="1.6" />
      <path d="M0 60-20 31M0 60-10 26.5M0 60V25M0 60 10 26.5M0 60 20 31" stroke={ink}
        stroke-width="1.3" />
      <path d="M-21.5 43.5A27 27 0 0 1 21.5 43.5" stroke={ink} stroke-width="2.6"
        fill="none" />
    </g>
  );
}

/* A tiger's head and chest, in the same box. */
function Tiger({ hue }: { hue: Hue }) {
  const fur = FUR[hue], dark = "#2b2320";
  return (
    <g>
      <path d="M-32 60C-34 34-22 18 0 18S34 34 32 60Z" fill={fur} />
      <path d="M-11 60C-13 46-7 34 0 34S13 46 11 60Z" fill={IVORY} />
      <path d="M-31 48-18 44-30 40ZM-29 36-17 36-25 29ZM31 48 18 44 30 40ZM29 36 17 36 25 29Z"
        fill={dark} />
      <circle cx="-20" cy="-31" r="10" fill={fur} />
      <circle cx="20" cy="-31" r="10" fill={fur} />
      <circle cx="-20" cy="-31" r="5" fill={dark} />
      <circle cx="20" cy="-31" r="5" fill={dark} />
      <path d="M0-40C20-40 30-26 30-8 36-4 33 10 26 14 20 26 9 30 0 30S-20 26-26 14C-33 10-36-4-30-8-30-26-20-40 0-40Z"
        fill={fur} />
      <path d="M0-40-4.5-39 0-22 4.5-39ZM-13-37-16-35-7-21ZM13-37 16-35 7-21ZM-31-11-31-5-17-6ZM31-11 31-5 17-6ZM-32 2-30 8-17 4ZM32 2 30 8 17 4ZM-27 14-22 20-15 12ZM27 14 22 20 15 12Z"
        fill={dark} />
      <path d="M-18-11Q-11-19-5-9-12-4-18-11ZM18-11Q11-19 5-9 12-4 18-11Z"
        fill={IVORY} />
      <circle cx="-11" cy="-11" r="3.2" fill={dark} />
      <circle cx="11" cy="-11" r="3.2" fill={dark} />
      <path d="M-14 15C-14 5-5 4 0 4S14 5 14 15 5 25 0 25-14 25-14 15Z" fill={IVORY} />
      <path d="M-6 5H6L0 12Z" fill={dark} />
      <path d="M0 12V17M0 17Q-5 21-8 17M0 17Q5 21 8 17" stroke={dark}
        stroke-width="1.7" fill="none" stroke-linecap="round" />
    </g>
  );
}

function Figure({ card }: { card: string }) {
  const hue = card[0] as Hue;
  return card[1] === "L" ? <Lady hue={hue} /> : <Tiger hue={hue} />;
}

/* Letter and sign of one trait, one below the other. */
function Index({ of, y }: { of: string; y: number }) {
  const ink = of === "R" ? RED : of === "B" ? BLUE : "#2b2320";
  return (
    <>
      <text x="14" y={y} fill={ink} class="letter">{of}</text>
      <g transform={`translate(14 ${y + 15})`}><Sign of={of} fill={ink} /></g>
    </>
  );
}

/* The field behind a figure: pointed for red, wavy for blue. */
const FIELD: Record<Hue, string> = {
  R: "M61 5 94 24V116L61 135 28 116V24Z",
  B: "M28 20Q36 4 44.5 12T61 10T77.5 12T94 20Q98 35 94 45T94 70T94 95T94 120Q86 136 77.5 128T61 130T44.5 128T28 120Q24 105 28 95T28 70T28 45T28 20Z",
  N: "M28 12H94V128H28Z",
};

function Face({ card }: { card: string }) {
  if (card === "BR")
    return (
      <>
        <path d="M28 8H94L28 132Z" fill={PALE.B} />
        <path d="M94 8V132H28Z" fill={PALE.R} />
        <path d="M94 8 28 132" stroke={BRONZE} stroke-width="2" />
        <g transform="translate(46 44) scale(1.7)"><Sign of="B" /></g>
        <g transform="translate(76 97) scale(1.7)"><Sign of="R" /></g>
        <Index of="B" y={25} />
        <Index of="R" y={78} />
      </>
    );
  if (card === "LT")
    return (
      <>
        <path d="M28 8H94L28 132Z" fill="#f4ead2" />
        <path d="M94 8V132H28Z" fill="#e0cfa2" />
        <path d="M94 8 28 132" stroke={BRONZE} stroke-width="2" />
        <g transform="translate(48 43) scale(.56)"><Lady hue="N" /></g>
        <g transform="translate(73 99) scale(.56)"><Tiger hue="N" /></g>
        <Index of="L" y={25} />
        <Index of="T" y={78} />
      </>
    );
  const hue = card[0] as Hue;
  return (
    <>
      <path d={FIELD[hue]} fill={PALE[hue]} stroke={INK[hue]} stroke-width="1.6" />
      <g transform="translate(61 71) scale(.92)"><Figure card={card} /></g>
      <Index of={card[0]!} y={25} />
      <Index of={card[1]!} y={78} />
    </>
  );
}

function Svg({ children }: { children: ComponentChildren }) {
  return (
    <svg viewBox="0 0 100 140" aria-hidden="true" focusable="false">{children}</svg>
  );
}

/* The back of a Clue: a keyhole on a lattice. */
function Back() {
  return (
    <>
      <rect x="1" y="1" width="98" height="138" rx="9" fill="#5a2a3c"
        stroke="#3c1a28" stroke-width="2" />
      <rect x="8" y="8" width="84" height="124" rx="5" fill="none" stroke="#d8b36a"
        stroke-width="2" />
      <path d="M8 39 50 8 92 39M8 70 50 8 92 70M8 101 92 39M92 101 8 39M8 70 50 132 92 70M8 101 50 132 92 101"
        stroke="#8a5566" stroke-width="1.2" fill="none" />
      <path d="M50 42 72 70 50 98 28 70Z" fill="#3c1a28" stroke="#d8b36a"
        stroke-width="2" />
      <path d="M50 56A8 8 0 0 1 54.5 70.5L58 84H42L45.5 70.5A8 8 0 0 1 50 56Z"
        fill="#d8b36a" />
    </>
  );
}

/* A Clue. "??" is its back. */
export function CardArt({ card }: { card: string }) {
  return (
    <Svg>
      {card === "??" ? <Back /> : (
        <>
          <rect x="1" y="1" width="98" height="138" rx="9" class="ivory" />
          <Face card={card} />
        </>
      )}
    </Svg>
  );
}

const ARCH = "M5 138V52A45 49 0 0 1 95 52V138Z";

/* A Door: shut as long as the identity behind it is hidden. */
export function DoorArt({ card }: { card: string }) {
  if (card === "??")
    return (
      <Svg>
        <path d={ARCH} fill="#6b4327" stroke="#3d2413" stroke-width="3" />
        <path d="M14 132V54A36 40 0 0 1 47 15V132ZM86 132V54A36 40 0 0 0 53 15V132Z"
          fill="#86572f" stroke="#3d2413" stroke-width="1.6" />
        <path d="M21 72H41V122H21ZM59 72H79V122H59ZM22 62A29 32 0 0 1 41 28V62ZM78 62A29 32 0 0 0 59 28V62Z"
          fill="#744a28" stroke="#3d2413" stroke-width="1.2" />
        <circle cx="44" cy="84" r="3.6" fill="#e0bd73" />
        <circle cx="56" cy="84" r="3.6" fill="#e0bd73" />
      </Svg>
    );
  const hue = card[0] as Hue;
  return (
    <Svg>
      <path d={ARCH} fill="#6b4327" stroke="#3d2413" stroke-width="3" />
      <path d="M13 112V54A37 41 0 0 1 87 54V112Z" fill={PALE[hue]} stroke={INK[hue]}
        stroke-width="1.6" />
      <g transform="translate(50 64) scale(.8)"><Figure card={card} /></g>
      <rect x="11" y="110" width="78" height="24" rx="3" class="ivory" />
      <text x="20" y="128" class="letter small" fill={INK[hue]}>{card[0]}</text>
      <g transform="translate(37 122) scale(.85)"><Sign of={card[0]!} /></g>
      <text x="61" y="128" class="letter small" fill="#2b2320">{card[1]}</text>
      <g transform="translate(78 122) scale(.85)"><Sign of={card[1]!} /></g>
    </Svg>
  );
}

/* One trait as a little picture: R, B, L or T. */
export function Trait({ of }: { of: string }) {
  return (
    <svg class="trait" viewBox="-11 -11 22 22" aria-hidden="true"><Sign of={of} /></svg>
  );
}
