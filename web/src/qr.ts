// A QR code of a short text (ISO/IEC 18004): bytes, error correction M, versions 1 to 6, which hold 106
// bytes; enough for the link to a table.

/** By version: data bytes, error correction bytes of a block, blocks; the place of the alignment pattern. */
const VERSIONS = [
  { data: 16, ec: 10, blocks: 1, align: 0 }, { data: 28, ec: 16, blocks: 1, align: 18 },
  { data: 44, ec: 26, blocks: 1, align: 22 }, { data: 64, ec: 18, blocks: 2, align: 26 },
  { data: 86, ec: 24, blocks: 2, align: 30 }, { data: 108, ec: 16, blocks: 4, align: 34 },
];

// ---- Arithmetic in GF(256) ----

const EXP = new Uint8Array(512), LOG = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i++, x = (x << 1) ^ (x & 128 ? 0x11d : 0)) {
  EXP[i] = EXP[i + 255] = x;
  LOG[x] = i;
}
const times = (a: number, b: number): number => (a && b ? EXP[LOG[a]! + LOG[b]!]! : 0);

/** The remainder of the data divided by the generator: Reed–Solomon. */
function correction(data: number[], count: number): number[] {
  let generator = [1];
  for (let i = 0; i < count; i++)
    generator = [...generator, 0].map((c, k) => c ^ (k ? times(generator[k - 1]!, EXP[i]!) : 0));
  const rest = [...data, ...Array<number>(count).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const lead = rest[i]!;
    generator.forEach((g, k) => (rest[i + k]! ^= times(g, lead)));
  }
  return rest.slice(data.length);
}

// ---- The text as code words ----

function codewords(bytes: Uint8Array, v: (typeof VERSIONS)[number]): number[] {
  const bits: number[] = [];
  const put = (value: number, n: number) => {
    for (let i = n - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(4, 4); // bytes
  put(bytes.length, 8);
  for (const b of bytes) put(b, 8);
  put(0, Math.min(4, v.data * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const data: number[] = [];
  for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(""), 2));
  for (let pad = 0xec; data.length < v.data; pad ^= 0xec ^ 0x11) data.push(pad);
  const size = v.data / v.blocks;
  const blocks = Array.from({ length: v.blocks }, (_, b) => data.slice(b * size, (b + 1) * size));
  const fixed = blocks.map((block) => correction(block, v.ec));
  const out: number[] = [];
  for (let i = 0; i < size; i++) for (const block of blocks) out.push(block[i]!);
  for (let i = 0; i < v.ec; i++) for (const block of fixed) out.push(block[i]!);
  return out;
}

// ---- The picture ----

const MASKS: ((y: number, x: number) => boolean)[] = [
  (y, x) => (y + x) % 2 === 0, (y) => y % 2 === 0, (_, x) => x % 3 === 0, (y, x) => (y + x) % 3 === 0,
  (y, x) => ((y >> 1) + Math.floor(x / 3)) % 2 === 0, (y, x) => ((y * x) % 2) + ((y * x) % 3) === 0,
  (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2 === 0, (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2 === 0,
];

type Grid = (boolean | null)[][];

/** The patterns that every code of the version has; null where the data goes. */
function frame(n: number, align: number): Grid {
  const grid: Grid = Array.from({ length: n }, () => Array<boolean | null>(n).fill(null));
  const finder = (top: number, left: number) => {
    for (let y = -1; y <= 7; y++)
      for (let x = -1; x <= 7; x++) {
        if (top + y < 0 || top + y >= n || left + x < 0 || left + x >= n) continue;
        const ring = Math.max(Math.abs(y - 3), Math.abs(x - 3));
        grid[top + y]![left + x] = ring !== 2 && ring !== 4;
      }
  };
  finder(0, 0);
  finder(0, n - 7);
  finder(n - 7, 0);
  for (let i = 8; i < n - 8; i++) grid[6]![i] = grid[i]![6] = i % 2 === 0;
  if (align)
    for (let y = -2; y <= 2; y++)
      for (let x = -2; x <= 2; x++) grid[align + y]![align + x] = Math.max(Math.abs(y), Math.abs(x)) !== 1;
  for (let i = 0; i < 9; i++) {
    if (grid[8]![i] === null) grid[8]![i] = false;
    if (grid[i]![8] === null) grid[i]![8] = false;
    if (i < 8) grid[8]![n - 1 - i] = grid[n - 1 - i]![8] = false;
  }
  grid[n - 8]![8] = true;
  return grid;
}

/** Error correction M (00) and the mask, with their own correction. */
function writeFormat(grid: Grid, mask: number): void {
  const n = grid.length;
  let rest = mask << 10;
  for (let i = 14; i >= 10; i--) if (rest & (1 << i)) rest ^= 0x537 << (i - 10);
  const format = ((mask << 10) | rest) ^ 0x5412;
  for (let i = 0; i < 15; i++) {
    const bit = ((format >> i) & 1) === 1;
    if (i < 6) grid[i]![8] = bit;
    else if (i < 8) grid[i + 1]![8] = bit;
    else grid[n - 15 + i]![8] = bit;
    if (i < 8) grid[8]![n - 1 - i] = bit;
    else if (i === 8) grid[8]![7] = bit;
    else grid[8]![14 - i] = bit;
  }
}

function fill(empty: Grid, words: number[], mask: number): boolean[][] {
  const n = empty.length;
  const grid = empty.map((row) => [...row]);
  let bit = 0;
  for (let right = n - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right--;
    for (let k = 0; k < n; k++)
      for (const x of [right, right - 1]) {
        const y = up ? n - 1 - k : k;
        if (empty[y]![x] !== null) continue;
        const word = words[bit >> 3] ?? 0;
        grid[y]![x] = (((word >> (7 - (bit & 7))) & 1) === 1) !== MASKS[mask]!(y, x);
        bit++;
      }
  }
  writeFormat(grid, mask);
  return grid as boolean[][];
}

/** How hard a picture is to read: the four penalties of the standard. */
function penalty(grid: boolean[][]): number {
  const n = grid.length;
  let sum = 0, dark = 0;
  const lines = [...grid, ...grid.map((_, x) => grid.map((row) => row[x]!))];
  for (const line of lines) {
    const text = line.map((b) => (b ? 1 : 0)).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    for (let i = 0; i + 11 <= n; i++)
      if (["10111010000", "00001011101"].includes(text.slice(i, i + 11))) sum += 40;
  }
  for (let y = 0; y < n; y++)
    for (let x = 0; x < n; x++) {
      dark += grid[y]![x] ? 1 : 0;
      if (y && x && [grid[y - 1]![x - 1], grid[y - 1]![x], grid[y]![x - 1]].every((b) => b === grid[y]![x])) sum += 3;
    }
  return sum + 10 * Math.floor(Math.abs((100 * dark) / (n * n) - 50) / 5);
}

/** Rows of dark and light; null if the text is too long. */
export function qrCode(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text);
  const version = VERSIONS.findIndex((v) => bytes.length <= v.data - 2);
  if (version < 0) return null;
  const v = VERSIONS[version]!;
  const empty = frame(21 + 4 * version, v.align);
  const words = codewords(bytes, v);
  const all = MASKS.map((_, mask) => fill(empty, words, mask));
  return all.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
}
