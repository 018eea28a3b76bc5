/**
 * Pixels to network inputs: a square of the picture scaled by area averaging (`Scaler`), and a patch under
 * a similarity transform by supersampled bilinear reading (`warp`). Plain loops over typed arrays; no
 * library, because moving a picture into libvips costs more than these take (bench/vision.ts).
 */
import type { Picture } from './picture.ts';
import type { Tile } from './tiles.ts';

/** Maps patch coordinates to picture coordinates: x' = a x - b y + tx, y' = b x + a y + ty. */
export interface Similarity {
  readonly a: number;
  readonly b: number;
  readonly tx: number;
  readonly ty: number;
}

/** For each target pixel the source pixels it is the mean of, with their parts. */
interface Axis {
  readonly first: Int32Array;
  readonly count: Int32Array;
  /** `stride` parts per target pixel; they add up to 1 where the source has pixels. */
  readonly parts: Float32Array;
  readonly stride: number;
}

/** Scales squares to one side; owns its buffers, so it serves one picture at a time. */
export class Scaler {
  readonly #side: number;
  readonly #deviation: number;
  readonly #black: number;
  readonly #planar: Float32Array;
  #rows = new Float32Array(0);

  constructor({ side, mean, deviation }: { side: number; mean: number; deviation: number }) {
    this.#side = side;
    this.#deviation = deviation;
    this.#black = -mean / deviation;
    this.#planar = new Float32Array(3 * side * side);
  }

  /** [3, side, side], normalised. Overwritten by the next call. */
  scale({ width, height, rgb }: Picture, tile: Tile): Float32Array {
    const side = this.#side;
    const horizontal = axis(tile.x, tile.side, width, side);
    const vertical = axis(tile.y, tile.side, height, side);
    const top = Math.max(0, Math.floor(tile.y));
    const bottom = Math.min(height, Math.ceil(tile.y + tile.side) + 1);
    const rowLength = 3 * side;
    const needed = Math.max(0, bottom - top) * rowLength;
    if (this.#rows.length < needed) this.#rows = new Float32Array(needed);
    for (let y = top; y < bottom; y++) {
      narrowRow(rgb, y * width * 3, horizontal, this.#rows, (y - top) * rowLength);
    }
    this.#planar.fill(this.#black);
    for (let y = 0; y < side; y++) this.#joinRows(vertical, y, top);
    return this.#planar;
  }

  #joinRows({ first, count, parts, stride }: Axis, y: number, top: number): void {
    const side = this.#side;
    const area = side * side;
    const rows = this.#rows;
    const planar = this.#planar;
    const scale = 1 / this.#deviation;
    for (let k = 0; k < count[y]!; k++) {
      const part = parts[y * stride + k]! * scale;
      let from = (first[y]! + k - top) * 3 * side;
      for (let x = y * side; x < (y + 1) * side; x++) {
        planar[x]! += part * rows[from]!;
        planar[x + area]! += part * rows[from + 1]!;
        planar[x + 2 * area]! += part * rows[from + 2]!;
        from += 3;
      }
    }
  }
}

function narrowRow(
  rgb: Uint8Array,
  row: number,
  { first, count, parts, stride }: Axis,
  rows: Float32Array,
  start: number,
): void {
  let to = start;
  for (let x = 0; x < count.length; x++) {
    let red = 0;
    let green = 0;
    let blue = 0;
    let from = row + first[x]! * 3;
    const base = x * stride;
    for (let k = 0; k < count[x]!; k++) {
      const part = parts[base + k]!;
      red += part * rgb[from]!;
      green += part * rgb[from + 1]!;
      blue += part * rgb[from + 2]!;
      from += 3;
    }
    rows[to] = red;
    rows[to + 1] = green;
    rows[to + 2] = blue;
    to += 3;
  }
}

/**
 * `start` and `length` of the source range that becomes `side` pixels; the source has `available`. Going
 * down, a target pixel is the mean of the area it covers; going up, neighbours are blended.
 */
function axis(start: number, length: number, available: number, side: number): Axis {
  const scale = length / side;
  const width = Math.max(1, scale);
  const stride = Math.ceil(width) + 1;
  const first = new Int32Array(side);
  const count = new Int32Array(side);
  const parts = new Float32Array(side * stride);
  for (let i = 0; i < side; i++) {
    const middle = start + (i + 0.5) * scale;
    const from = middle - width / 2;
    const to = middle + width / 2;
    const low = Math.max(0, Math.floor(from));
    const high = Math.min(available, Math.ceil(to));
    first[i] = low;
    count[i] = Math.min(stride, Math.max(0, high - low));
    const covered = (k: number): number =>
      Math.max(0, Math.min(to, low + k + 1) - Math.max(from, low + k));
    // At the picture's edge only what is there counts, or enlarged pictures would get a dark rim.
    let total = 0;
    for (let k = 0; k < count[i]!; k++) total += covered(k);
    for (let k = 0; k < count[i]!; k++) parts[i * stride + k] = total > 0 ? covered(k) / total : 0;
  }
  return { first, count, parts, stride };
}

/** Where a warped patch goes: bytes (interleaved) or floats (one plane per channel). */
export type Patch =
  | { readonly kind: 'bytes'; readonly data: Uint8Array }
  | { readonly kind: 'planes'; readonly data: Float32Array };

/**
 * Reads a side x side patch. Each patch pixel is the mean of n x n bilinear readings, n being how many
 * picture pixels it spans, so that a large face shrinks without aliasing. Black beyond the picture.
 */
export function warp(picture: Picture, transform: Similarity, side: number, patch: Patch): void {
  const { width, height, rgb } = picture;
  const { a, b, tx, ty } = transform;
  const n = Math.max(1, Math.min(5, Math.round(Math.hypot(a, b))));
  const weight = 1 / (n * n);
  const area = side * side;
  const right = width - 1;
  const bottom = height - 1;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let k = 0; k < n * n; k++) {
        const px = n === 1 ? x : x + ((k % n) + 0.5) / n - 0.5;
        const py = n === 1 ? y : y + (Math.floor(k / n) + 0.5) / n - 0.5;
        const sx = a * px - b * py + tx;
        const sy = b * px + a * py + ty;
        if (sx < -0.5 || sy < -0.5 || sx > right + 0.5 || sy > bottom + 0.5) continue;
        const cx = sx < 0 ? 0 : sx > right ? right : sx;
        const cy = sy < 0 ? 0 : sy > bottom ? bottom : sy;
        const x0 = Math.floor(cx);
        const y0 = Math.floor(cy);
        const fx = cx - x0;
        const fy = cy - y0;
        const p = (y0 * width + x0) * 3;
        const q = x0 < right ? p + 3 : p;
        const down = y0 < bottom ? width * 3 : 0;
        const w00 = (1 - fx) * (1 - fy);
        const w10 = fx * (1 - fy);
        const w01 = (1 - fx) * fy;
        const w11 = fx * fy;
        const r = p + down;
        const s = q + down;
        red += rgb[p]! * w00 + rgb[q]! * w10 + rgb[r]! * w01 + rgb[s]! * w11;
        green += rgb[p + 1]! * w00 + rgb[q + 1]! * w10 + rgb[r + 1]! * w01 + rgb[s + 1]! * w11;
        blue += rgb[p + 2]! * w00 + rgb[q + 2]! * w10 + rgb[r + 2]! * w01 + rgb[s + 2]! * w11;
      }
      const at = y * side + x;
      if (patch.kind === 'planes') {
        patch.data[at] = red * weight;
        patch.data[at + area] = green * weight;
        patch.data[at + 2 * area] = blue * weight;
      } else {
        patch.data[at * 3] = red * weight + 0.5;
        patch.data[at * 3 + 1] = green * weight + 0.5;
        patch.data[at * 3 + 2] = blue * weight + 0.5;
      }
    }
  }
}
