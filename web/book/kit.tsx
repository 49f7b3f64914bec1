// What the figures of the rule books are put together from: the art of the boards, placed on a sheet,
// with words beside it. A figure is one SVG file that needs nothing else.
import type { ComponentChildren, JSX, VNode } from "preact";
import { CardArt, DoorArt } from "../src/ui/art/cards";

export const INK = "#2b2320", PALE = "#6d5f4c", LINE = "#b9a67c", PAPER = "#f7f0df", FELT = "#e6eadb", GOOD = "#2d6b3f", BAD = "#a3232d";
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

/** What the art has from style sheets, as attributes: a picture in a page may bring no style of its own. */
const CLASSES: Record<string, Record<string, string>> = {
  ivory: { fill: "#fdf8ec", stroke: "#b9a67c", "stroke-width": "1.5" },
  letter: { "font-weight": "700", "font-size": "21", "text-anchor": "middle" },
  "letter small": { "font-weight": "700", "font-size": "17", "text-anchor": "middle" },
  "tally-text": { "font-weight": "700", "font-size": "13" },
};

/** A component until it is an element. */
function element(node: VNode): VNode {
  let now = node;
  while (typeof now.type === "function") now = (now.type as (props: unknown) => VNode)(now.props);
  return now;
}

/** A drawing with a view box of its own, put at a place. */
export function at(node: VNode, x: number, y: number, width: number, height: number): VNode {
  const drawn = element(node);
  return { ...drawn, props: { ...drawn.props, x, y, width, height } };
}

export const Card = (code: string, x: number, y: number, w = 56) => at(<CardArt card={code} />, x, y, w, w * 1.4);
export const Door = (code: string, x: number, y: number, w = 56) => at(<DoorArt card={code} />, x, y, w, w * 1.4);

/** Cards in a row; `step` from one to the next. */
export const Row = ({ cards, x, y, w = 56, step = w + 6 }: { cards: string[]; x: number; y: number; w?: number; step?: number }) => (
  <>{cards.map((c, i) => Card(c, x + i * step, y, w))}</>
);

type Words = { x: number; y: number; size?: number; fill?: string; bold?: boolean; anchor?: "start" | "middle" | "end"; italic?: boolean };
export const Say = ({ x, y, size = 15, fill = INK, bold, anchor = "start", italic, children }: Words & { children: ComponentChildren }) => (
  <text x={x} y={y} font-size={size} fill={fill} text-anchor={anchor} font-weight={bold ? 700 : undefined} font-style={italic ? "italic" : undefined}>{children}</text>
);

/** Several lines, one below the other. */
export const Lines = ({ lines, gap = 1.3, ...where }: Words & { lines: string[]; gap?: number }) => (
  <>{lines.map((l, i) => <Say {...where} y={where.y + i * (where.size ?? 15) * gap}>{l}</Say>)}</>
);

export const Box = ({ x, y, w, h, fill = "#fffaf0", line = LINE, r = 8, dash }: { x: number; y: number; w: number; h: number; fill?: string; line?: string; r?: number; dash?: boolean }) => (
  <rect x={x} y={y} width={w} height={h} rx={r} fill={fill} stroke={line} stroke-width="1.3" stroke-dasharray={dash ? "5 4" : undefined} />
);

export const Arrow = ({ from, to, colour = INK, wide = 2.4 }: { from: [number, number]; to: [number, number]; colour?: string; wide?: number }) => {
  const [ax, ay] = from, [bx, by] = to;
  const long = Math.hypot(bx - ax, by - ay), ux = (bx - ax) / long, uy = (by - ay) / long;
  const n = (v: number) => +v.toFixed(1);
  const [cx, cy] = [bx - ux * 11, by - uy * 11];
  return (
    <>
      <path d={`M${n(ax)} ${n(ay)}L${n(cx)} ${n(cy)}`} stroke={colour} stroke-width={wide} fill="none" />
      <path d={`M${n(bx)} ${n(by)}L${n(cx - uy * 6)} ${n(cy + ux * 6)}L${n(cx + uy * 6)} ${n(cy - ux * 6)}Z`} fill={colour} />
    </>
  );
};

/** The sheet that a figure is drawn on. */
export const Sheet = ({ w = 720, h, title, children }: { w?: number; h: number; title: string; children: ComponentChildren }): JSX.Element => (
  <svg xmlns="http://www.w3.org/2000/svg" viewBox={`0 0 ${w} ${h}`} role="img" width={w} height={h} font-family={FONT}>
    <title>{title}</title>
    <rect width={w} height={h} rx="12" fill={PAPER} />
    {children}
  </svg>
);

const escape = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** A tree without state as text. */
export function render(node: ComponentChildren): string {
  if (node === null || node === undefined || typeof node === "boolean") return "";
  if (typeof node === "string" || typeof node === "number" || typeof node === "bigint") return escape(String(node));
  if (Array.isArray(node)) return node.map(render).join("");
  const { type, props } = node as VNode<{ children?: ComponentChildren }>;
  if (typeof type === "function") return render((type as (p: unknown) => ComponentChildren)(props));
  const { class: named, ...rest } = props as Record<string, unknown>;
  const given = Object.entries({ ...CLASSES[String(named)], ...rest })
    .filter(([name, value]) => !/^(children|aria-hidden|focusable)$/.test(name) && value !== undefined && value !== false && value !== null)
    .map(([name, value]) => ` ${name}="${escape(String(value))}"`).join("");
  const inside = render(props.children);
  return inside ? `<${type}${given}>${inside}</${type}>` : `<${type}${given}/>`;
}
