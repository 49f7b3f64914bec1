// Small pieces on the table: tokens, gems, the pot, the gavel. Each is a
// drawing without words; whoever uses it says what it stands for.
const box = { viewBox: "0 0 24 24", class: "piece", "aria-hidden": true } as const;

export const TokenArt = ({ empty }: { empty?: boolean }) => (
  <svg {...box}>
    <circle cx="12" cy="12" r="10" fill={empty ? "none" : "#d9a941"}
      stroke={empty ? "currentColor" : "#7d5a12"} stroke-width="1.6"
      stroke-dasharray={empty ? "3 3" : undefined} opacity={empty ? 0.45 : 1} />
    {!empty && (
      <path d="M12 6.500A3.200 3.200 0 0 1 13.700 12.400L15 17.500H9L10.300 12.400A3.200 3.200 0 0 1 12 6.500Z"
        fill="#7d5a12" />
    )}
  </svg>
);

export const GemArt = () => (
  <svg {...box}>
    <path d="M6 4H18L22 10 12 21 2 10Z" fill="#3d9a86" stroke="#134a3f"
      stroke-width="1.500" stroke-linejoin="round" />
    <path d="M6 4 9 10 12 4 15 10 18 4M2 10H22M9 10 12 21 15 10" fill="none"
      stroke="#134a3f" stroke-width="1" />
    <path d="M9 10 12 4 15 10Z" fill="#a9dfd2" />
  </svg>
);

export const PotArt = () => (
  <svg {...box}>
    <path d="M4 8H20C22 16 19 21 15 21H9C5 21 2 16 4 8Z" fill="#8c5a33"
      stroke="#3d2413" stroke-width="1.500" />
    <ellipse cx="12" cy="8" rx="8.500" ry="2.600" fill="#3d2413" />
    <circle cx="10" cy="6" r="3" fill="#d9a941" stroke="#7d5a12" />
    <circle cx="14.500" cy="6.500" r="3" fill="#d9a941" stroke="#7d5a12" />
  </svg>
);

export const GavelArt = () => (
  <svg {...box}>
    <path d="M12.500 3 19 9.500 16 12.500 9.500 6ZM11.500 9 3 17.500 5.500 20 14 11.500ZM13 19H22V22H13Z"
      fill="currentColor" />
  </svg>
);

export const CrownSign = () => (
  <svg {...box}>
    <path d="M3 7 8 11 12 4 16 11 21 7 19 19H5Z" fill="#d9a941" stroke="#7d5a12"
      stroke-width="1.300" stroke-linejoin="round" />
  </svg>
);
