/**
 * Turns pixels into network inputs: a patch of a picture under a similarity transform, by supersampled bilinear
 * interpolation. Plain loops over typed arrays, because patches are small and rotated.
 */
import type { Picture } from './picture.ts';

/** Maps patch coordinates to picture coordinates: x' = a x - b y + tx, y' = b x + a y + ty. */
export interface Similarity {
  readonly a: number;
  readonly b: number;
  readonly tx: number;
  readonly ty: number;
}

/** Where a warped patch goes: bytes (interleaved) or floats (one plane per channel). */
export type Patch =
  | { readonly kind: 'bytes'; readonly data: Uint8Array }
  | { readonly kind: 'planes'; readonly data: Float32Array };

/** Adds one sample per pixel of a row of the patch to `sums`; the first is taken at (px, py) of the patch. */
type AddRow = (
  picture: Picture,
  transform: Similarity,
  px: number,
  py: number,
  sums: Float64Array,
) => void;

/**
 * Reads a side x side patch. Each patch pixel is the mean of n x n bilinear samples, n being how many picture pixels
 * it spans, so that a large face shrinks without aliasing. Beyond the picture the patch is black.
 */
export function warp(picture: Picture, transform: Similarity, side: number, patch: Patch): void {
  const n = Math.max(1, Math.min(5, Math.round(Math.hypot(transform.a, transform.b))));
  const addRow = isInside(picture, transform, side) ? addInside : addAtEdge;
  const sums = new Float64Array(3 * side);
  const weight = 1 / (n * n);
  for (let y = 0; y < side; y++) {
    sums.fill(0);
    for (let k = 0; k < n * n; k++) {
      const across = ((k % n) + 0.5) / n - 0.5;
      const down = (Math.floor(k / n) + 0.5) / n - 0.5;
      addRow(picture, transform, across, y + down, sums);
    }
    write(sums, weight, y, side, patch);
  }
}

/** Whether no sample needs a pixel beyond the picture: the corners of a convex area tell. */
function isInside({ width, height }: Picture, { a, b, tx, ty }: Similarity, side: number): boolean {
  const ends = [-0.5, side - 0.5];
  return ends.every((x) =>
    ends.every((y) => {
      const sx = a * x - b * y + tx;
      const sy = b * x + a * y + ty;
      return sx >= 0 && sy >= 0 && sx < width - 1 && sy < height - 1;
    }),
  );
}

/** For nearly all patches: without a check at each pixel it takes half the time. */
const addInside: AddRow = ({ width, rgb }, { a, b, tx, ty }, px, py, sums) => {
  const stride = width * 3;
  const end = sums.length;
  const startX = tx - b * py;
  const startY = ty + a * py;
  for (let k = 0, x = px; k < end; k += 3, x++) {
    const sx = a * x + startX;
    const sy = b * x + startY;
    const x0 = sx | 0;
    const y0 = sy | 0;
    const fx = sx - x0;
    const fy = sy - y0;
    const p = y0 * stride + x0 * 3;
    const r = p + stride;
    const w11 = fx * fy;
    const w10 = fx - w11;
    const w01 = fy - w11;
    const w00 = 1 - fx - w01;
    sums[k]! += rgb[p]! * w00 + rgb[p + 3]! * w10 + rgb[r]! * w01 + rgb[r + 3]! * w11;
    sums[k + 1]! += rgb[p + 1]! * w00 + rgb[p + 4]! * w10 + rgb[r + 1]! * w01 + rgb[r + 4]! * w11;
    sums[k + 2]! += rgb[p + 2]! * w00 + rgb[p + 5]! * w10 + rgb[r + 2]! * w01 + rgb[r + 5]! * w11;
  }
};

const addAtEdge: AddRow = ({ width, height, rgb }, { a, b, tx, ty }, px, py, sums) => {
  const right = width - 1;
  const bottom = height - 1;
  const end = sums.length;
  const startX = tx - b * py;
  const startY = ty + a * py;
  for (let k = 0, x = px; k < end; k += 3, x++) {
    const sx = a * x + startX;
    const sy = b * x + startY;
    if (sx < -0.5 || sy < -0.5 || sx > right + 0.5 || sy > bottom + 0.5) continue;
    const cx = sx < 0 ? 0 : sx > right ? right : sx;
    const cy = sy < 0 ? 0 : sy > bottom ? bottom : sy;
    const x0 = cx | 0;
    const y0 = cy | 0;
    const fx = cx - x0;
    const fy = cy - y0;
    const p = (y0 * width + x0) * 3;
    const q = x0 < right ? p + 3 : p;
    const down = y0 < bottom ? width * 3 : 0;
    const r = p + down;
    const s = q + down;
    const w11 = fx * fy;
    const w10 = fx - w11;
    const w01 = fy - w11;
    const w00 = 1 - fx - w01;
    sums[k]! += rgb[p]! * w00 + rgb[q]! * w10 + rgb[r]! * w01 + rgb[s]! * w11;
    sums[k + 1]! += rgb[p + 1]! * w00 + rgb[q + 1]! * w10 + rgb[r + 1]! * w01 + rgb[s + 1]! * w11;
    sums[k + 2]! += rgb[p + 2]! * w00 + rgb[q + 2]! * w10 + rgb[r + 2]! * w01 + rgb[s + 2]! * w11;
  }
};

/** Writes a finished row of the patch; `weight` is the weight of each sample. */
function write(sums: Float64Array, weight: number, y: number, side: number, patch: Patch): void {
  const { kind, data } = patch;
  if (kind === 'bytes') {
    for (let k = 0, at = y * side * 3; k < sums.length; k++, at++)
      data[at] = sums[k]! * weight + 0.5;
    return;
  }
  const area = side * side;
  for (let k = 0, at = y * side; k < sums.length; k += 3, at++) {
    data[at] = sums[k]! * weight;
    data[at + area] = sums[k + 1]! * weight;
    data[at + 2 * area] = sums[k + 2]! * weight;
  }
}
