// Randomness of one's own (docs/fair-deals.md): a part is drawn here, its hash is pledged when sitting
// down, and the part itself is told when everybody has pledged. It is kept by its hash, so that a page
// that was loaded again, and a rematch whose table was not known yet, find it.
import { keepList, keptList } from "./kept";

const KEEP = 32;
const STORE = "salotto.parts";
const IV = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
];
/** Which word of the message comes when, one line a round (RFC 7693). */
const SIGMA = [
  "0123456789abcdef",
  "ea489fd61c02b753",
  "b8c052fdae367194",
  "7931dcbe265a40f8",
  "905724afe1bc683d",
  "2c6a0b834d75fe19",
  "c51fed4a0763928b",
  "db7ec13950f4862a",
  "6fe9b308c2d714a5",
  "a2847615fb9e3cd0",
];

const word = (x: bigint): bigint => BigInt.asUintN(64, x);
const turned = (x: bigint, n: bigint): bigint => word((x >> n) | (x << (64n - n)));

/** BLAKE2b with 32 bytes of output, without a key, of at most one block (128 bytes). */
function blake2b(message: Uint8Array): Uint8Array {
  const block = new DataView(new ArrayBuffer(128));
  message.forEach((byte, i) => block.setUint8(i, byte));
  const h = [...IV];
  h[0]! ^= 0x01010020n; // 32 bytes out, no key, no tree
  const v = [...h, ...IV];
  v[12]! ^= BigInt(message.length);
  v[14] = word(~v[14]!); // the last block
  const mix = (a: number, b: number, c: number, d: number, x: bigint, y: bigint): void => {
    for (const [m, first, second] of [[x, 32n, 24n], [y, 16n, 63n]] as const) {
      v[a] = word(v[a]! + v[b]! + m);
      v[d] = turned(v[d]! ^ v[a]!, first);
      v[c] = word(v[c]! + v[d]!);
      v[b] = turned(v[b]! ^ v[c]!, second);
    }
  };
  for (let round = 0; round < 12; round++) {
    const m = [...SIGMA[round % 10]!].map((at) => block.getBigUint64(8 * parseInt(at, 16), true));
    for (let i = 0; i < 8; i++) {
      const turn = i < 4 ? 0 : 1; // columns, then diagonals
      const at = (row: number): number => 4 * row + ((i + turn * row) % 4);
      mix(at(0), at(1), at(2), at(3), m[2 * i]!, m[2 * i + 1]!);
    }
  }
  const out = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 4; i++) out.setBigUint64(8 * i, h[i]! ^ v[i]! ^ v[i + 8]!, true);
  return new Uint8Array(out.buffer);
}

const hex = (bytes: Uint8Array): string => [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");

type Kept = [hash: string, part: string];
let drawn: Kept[] = []; // by this page; the browser may have drawn others

const stored = (): Kept[] => keptList<Kept>(STORE);

/** A fresh part: what to pledge when sitting down or asking for a rematch. */
export function pledge(): { part_hash: string } {
  const part = crypto.getRandomValues(new Uint8Array(32));
  const kept: Kept = [hex(blake2b(part)), hex(part)];
  drawn = [...drawn, kept].slice(-KEEP);
  keepList(STORE, [...stored(), kept].slice(-KEEP)); // else it is remembered until the page is closed
  return { part_hash: kept[0] };
}

/** The part with that hash, if it was drawn in this browser. */
export function partOf(hash: string | null | undefined): string | undefined {
  return [...drawn, ...stored()].find(([known]) => known === hash)?.[1];
}
