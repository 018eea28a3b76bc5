/**
 * A camera's slow pan over a still picture: a part of it, moving and zooming, filled up to one size. Works
 * on the planes of YUV 4:2:0, half the samples of RGB, and between pixels, so that slow movement does not
 * jerk. Enlarges only: for parts larger than the size it would have to average. Pure.
 */
import type { Size } from '#lib/geometry.ts';

/** Planes Y, U, V one after another; width and height are even. */
export interface Planes extends Size {
  readonly data: Uint8Array;
}

/** The middle of what is seen and how many pixels of the picture it is wide. */
export interface Aim {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

interface Window extends Size {
  readonly left: number;
  readonly top: number;
}

/** What is between two aims at `part` (0 to 1): starts and ends gently. */
export function between(from: Aim, to: Aim, part: number): Aim {
  const eased = part * part * (3 - 2 * part);
  const mix = (a: number, b: number): number => a + (b - a) * eased;
  return { x: mix(from.x, to.x), y: mix(from.y, to.y), width: mix(from.width, to.width) };
}

const half = ({ width, height }: Size): Size => ({ width: width >> 1, height: height >> 1 });

/** The part at `aim`, moved to lie inside the picture, filled up to `size`. */
export function look(picture: Planes, aim: Aim, size: Size): Buffer {
  const window = windowOf(picture, aim, size);
  const halfWindow = {
    left: window.left / 2,
    top: window.top / 2,
    width: window.width / 2,
    height: window.height / 2,
  };
  const seen = Buffer.allocUnsafe((size.width * size.height * 3) / 2);
  let from = 0;
  let to = 0;
  for (const chroma of [false, true, true]) {
    const source = chroma ? half(picture) : picture;
    const target = chroma ? half(size) : size;
    const plane = picture.data.subarray(from, (from += source.width * source.height));
    const out = seen.subarray(to, (to += target.width * target.height));
    enlarge(plane, source, chroma ? halfWindow : window, out, target);
  }
  return seen;
}

function startInside(middle: number, length: number, all: number): number {
  return Math.max(0, Math.min(all - length, middle - length / 2));
}

function windowOf(picture: Planes, aim: Aim, size: Size): Window {
  const width = Math.min(aim.width, picture.width, (picture.height * size.width) / size.height);
  const height = (width * size.height) / size.width;
  return {
    left: startInside(aim.x, width, picture.width),
    top: startInside(aim.y, height, picture.height),
    width,
    height,
  };
}

/** For each pixel of an axis its left neighbour and the part of the right one, of 256. */
function steps(
  start: number,
  length: number,
  all: number,
  count: number,
): [Int32Array, Int32Array] {
  const first = new Int32Array(count);
  const part = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const at = Math.max(0, Math.min(all - 1.001, start + ((i + 0.5) * length) / count - 0.5));
    first[i] = Math.floor(at);
    part[i] = Math.round((at - Math.floor(at)) * 256);
  }
  return [first, part];
}

/**
 * Blends the four neighbours, first along each row that is needed, once, then across rows. Whole numbers
 * only: floats take four times as long.
 */
function enlarge(
  plane: Uint8Array,
  { width, height }: Size,
  window: Window,
  out: Uint8Array,
  target: Size,
): void {
  const [columns, right] = steps(window.left, window.width, width, target.width);
  const [rows, below] = steps(window.top, window.height, height, target.height);
  let upper = new Int32Array(target.width);
  let lower = new Int32Array(target.width);
  let row = -2;
  for (let y = 0; y < target.height; y++) {
    const wanted = rows[y]!;
    if (wanted !== row) {
      [upper, lower] = [lower, upper];
      if (wanted !== row + 1) stretch(plane, wanted * width, columns, right, upper);
      stretch(plane, (wanted + 1) * width, columns, right, lower);
      row = wanted;
    }
    blend(upper, lower, below[y]!, out, y * target.width);
  }
}

function stretch(
  plane: Uint8Array,
  start: number,
  columns: Int32Array,
  right: Int32Array,
  out: Int32Array,
): void {
  for (let x = 0; x < out.length; x++) {
    const at = start + columns[x]!;
    const left = plane[at]!;
    out[x] = (left << 8) + (plane[at + 1]! - left) * right[x]!;
  }
}

function blend(
  upper: Int32Array,
  lower: Int32Array,
  part: number,
  out: Uint8Array,
  start: number,
): void {
  for (let x = 0; x < upper.length; x++) {
    const above = upper[x]!;
    out[start + x] = ((above << 8) + (lower[x]! - above) * part + 32768) >> 16;
  }
}
