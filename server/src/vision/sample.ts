/**
 * Pixels to network inputs: a patch of a picture under a similarity transform, by supersampled bilinear
 * reading. Plain loops over typed arrays, because patches are small and turned.
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
