// Small pieces on the table: tokens, gems, the pot, the gavel. Each is a
// drawing without words; whoever uses it says what it stands for.
const box = { viewBox: "0 0 24 24", class: "piece", "aria-hidden": true } as const;

export const TokenArt = ({ empty }: { empty?: boolean }) => (
  <svg {...box}>
    <circle cx="12" cy="12" r="10" fill={empty ? "none" : "#d9a941"}
      stroke={empty ? "currentColor" : "#7d5a12"} stroke-width="1.6"
      stroke-dasharray={empty ? "3 3" : undefined} opacity={empty ? 0.45 : 1} />
    {!empty && (
      <path d="M12 6.5A3.2 3.2 0 0 1 13.7 12.4L15 17.5H9L10.3 12.4A3.2 3.2 0 0 1 12 6.5Z"
        fill="#7d5a12" />
    )}
  </svg>
);

export const GemArt = () => (
  <svg {...box}>
    <path d="M6 4H18L22 10 12 21 2 10Z" fill="#3d9a86" stroke="#134a3f"
      stroke-width="1.5" stroke-linejoin="round" />
    <path d="M6 4 9 10 12 4 15 10 18 4M2 10H22M9 10 12 21 15 10" fill="none"
      stroke="#134a3f" stroke-width="1" />
    <path d="M9 10 12 4 15 10Z" fill="#a9dfd2" />
  </svg>
);

export const PotArt = () => (
  <svg {...box}>
    <path d="M4 8H20C22 16 19 21 15 21H9C5 21 2 16 4 8Z" fill="#8c5a33"
      stroke="#3d2413" stroke-width="1.5" />
    <ellipse cx="12" cy="8" rx="8.5" ry="2.6" fill="#3d2413" />
    <circle cx="10" cy="6" r="3" fill="#d9a941" stroke="#7d5a12" />
    <circle cx="14.5" cy="6.5" r="3" fill="#d9a941" stroke="#7d5a12" />
  </svg>
);

export const GavelArt = () => (
  <svg {...box}>
    <path d="M12.5 3 19 9.5 16 12.5 9.5 6ZM11.5 9 3 17.5 5.5 20 14 11.5ZM13 19H22V22H13Z"
      fill="currentColor" />
  </svg>
);

export const CrownSign = () => (
  <svg {...box}>
    <path d="M3 7 8 11 12 4 16 11 21 7 19 19H5Z" fill="#d9a941" stroke="#7d5a12"
      stroke-width="1.3" stroke-linejoin="round" />
  </svg>
);
