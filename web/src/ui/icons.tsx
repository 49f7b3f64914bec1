// The signs of the pages: small, one stroke, in the colour of the text around them. They never stand
// alone: whoever uses one gives it words too.
import type { JSX } from "preact";

const paths = {
  door: "M6 21V4a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v17M3 21h18M14.5 12h.01",
  moon: "M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5Z",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5",
  bulb: "M9 18h6M10 21h4M8 14a6 6 0 1 1 8 0c-.8.8-1 1.400-1 2H9c0-.6-.2-1.200-1-2Z",
  back: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  flag: "M5 21V4M5 4h13l-3 4 3 4H5",
  book: "M4 5a2 2 0 0 1 2-2h14v16H6a2 2 0 0 0-2 2V5Zm0 14a2 2 0 0 1 2-2h14",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  chat: "M4 5h16v11H9l-5 4V5Z",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12Zm10-3a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z",
  bot: "M5 9h14v10H5zM12 9V5M9 14h.01M15 14h.01M2 13v3M22 13v3",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4 21c0-4 4-6 8-6s8 2 8 6",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 4v5l3 2",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 13l4 4L19 7",
  cloud: "M7 18a4 4 0 0 1 0-8 5 5 0 0 1 9.600-1.200A4 4 0 0 1 17 18H7ZM4 4l16 16",
  play: "M7 4l13 8-13 8V4Z",
  pause: "M8 4v16M16 4v16",
  first: "M18 5 9 12l9 7V5ZM6 5v14",
  last: "M6 5l9 7-9 7V5ZM18 5v14",
  step: "M8 5l9 7-9 7V5Z",
  stepback: "M16 5l-9 7 9 7V5Z",
  shield: "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6l8-3ZM9 12l2 2 4-4",
  trophy: "M8 4h8v6a4 4 0 0 1-8 0V4ZM8 6H4c0 4 2 5 4 5M16 6h4c0 4-2 5-4 5M12 14v4M8 21h8",
  gear: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  menu: "M4 6h16M4 12h16M4 18h16",
  download: "M12 4v11M7 11l5 5 5-5M4 20h16",
  people: "M9 5a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7ZM2 20c0-3.500 3-5.500 7-5.500s7 2 7 5.500M16 5.500a3.500 3.500 0 0 1 0 6.500M18 14.800c2.400.7 4 2.300 4 5.200",
} as const;

type IconName = keyof typeof paths;

export function Icon({ name, size = 20 }: { name: IconName; size?: number }): JSX.Element {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} fill="none" stroke="currentColor"
      stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
