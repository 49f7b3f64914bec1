// A card of Doors, Favor and Traps. Red has a diamond and an R, blue a wave and a B; the lady has a
// fan and an L, the tiger a striped mask and a T: no sign is a colour alone.
import type { JSX } from "preact";
import { t } from "../i18n";
import "./card.css";

export type CardCode = "RL" | "BL" | "RT" | "BT" | "BR" | "LT" | "??";

/** The card in words. */
export function cardName(code: string): string {
  switch (code) {
    case "RL": return t("Red Lady");
    case "BL": return t("Blue Lady");
    case "RT": return t("Red Tiger");
    case "BT": return t("Blue Tiger");
    case "BR": return t("Blue/Red");
    case "LT": return t("Lady/Tiger");
    default: return t("hidden card");
  }
}

/** A fan, 60 wide and 44 high around (0, 0). */
export function Fan(): JSX.Element {
  return (
    <g class="figure">
      <path d="M0 20 -30-4A38 38 0 0 1 30-4Z" />
      <path class="cut" d="M0 20-18-14M0 20-6-18M0 20 6-18M0 20 18-14M-21 3a28 28 0 0 1 42 0" />
      <circle cx="0" cy="20" r="4" />
    </g>
  );
}

/** A striped mask, of the same size. */
export function Mask(): JSX.Element {
  return (
    <g class="figure">
      <path d="M-28-18-14-14Q0-19 14-14L28-18 26 2Q22 18 0 24-22 18-26 2Z" />
      <path class="cut" d="M0-16V-6M-7-14-5-7M7-14 5-7M-25 3l9 1M25 3l-9 1M-22 10l8-1M22 10l-8-1" />
      <path class="hole" d="M-17-4Q-11-9-5-3-11 1-17-4ZM17-4Q11-9 5-3 11 1 17-4ZM-4 10h8L0 14Z" />
    </g>
  );
}

export function Diamond(): JSX.Element {
  return <path class="suit" d="M0-9 7 0 0 9-7 0Z" />;
}

export function Wave(): JSX.Element {
  return <path class="suit wave" d="M-8-4q4-5 8 0t8 0M-8 4q4-5 8 0t8 0" />;
}

function Corner({ code, at }: { code: string; at: string }): JSX.Element {
  return (
    <g transform={at}>
      {code[0] === "R" || code === "BR" ? <g class="red" transform="translate(13 15)"><Diamond /></g> : null}
      {code[0] === "B" ? <g class="blue" transform={code === "BR" ? "translate(31 15)" : "translate(14 15)"}><Wave /></g> : null}
    </g>
  );
}

function Face({ code }: { code: string }): JSX.Element {
  const hue = code === "BR" || code === "LT" ? "neutral" : code[0] === "R" ? "red" : "blue";
  return (
    <g class={hue}>
      <rect class="paper" x="1" y="1" width="98" height="138" rx="9" />
      <rect class="frame" x="6" y="6" width="88" height="128" rx="6" />
      <Corner code={code} at="" />
      <Corner code={code} at="rotate(180 50 70)" />
      {code === "BR" ? (
        <>
          <g class="red" transform="translate(50 50) scale(2.4)"><Diamond /></g>
          <g class="blue" transform="translate(50 92) scale(2.4)"><Wave /></g>
        </>
      ) : code === "LT" ? (
        <>
          <g transform="translate(50 48) scale(.9)"><Fan /></g>
          <g transform="translate(50 94) scale(.85)"><Mask /></g>
        </>
      ) : (
        <g transform="translate(50 68) scale(1.15)">{code[1] === "L" ? <Fan /> : <Mask />}</g>
      )}
      <text class="letters" x="50" y="128" text-anchor="middle">{code}</text>
    </g>
  );
}

function Back(): JSX.Element {
  return (
    <g class="back">
      <rect class="paper" x="1" y="1" width="98" height="138" rx="9" />
      <rect class="frame" x="8" y="8" width="84" height="124" rx="6" />
      <path class="door" d="M30 118V52a20 20 0 0 1 40 0v66ZM38 110V56a12 12 0 0 1 24 0v54Z" />
      <circle class="knob" cx="57" cy="84" r="3" />
    </g>
  );
}

/** The card as a picture; `label` false where words beside it say it already. */
export function Card({ code, label = true }: { code: string; label?: boolean }): JSX.Element {
  return (
    <svg class="card" viewBox="0 0 100 140" role={label ? "img" : undefined}
      aria-label={label ? cardName(code) : undefined} aria-hidden={label ? undefined : true}>
      {code === "??" ? <Back /> : <Face code={code} />}
    </svg>
  );
}
