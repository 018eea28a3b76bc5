/** Where a small picture fits best on another of the same scale, to the sample: by the correlation of their gradients. Pure. */
import type { Size } from '#lib/geometry.ts';

export interface Gradients extends Size {
  readonly x: Float32Array;
  readonly y: Float32Array;
}

/** Gradients much stronger than this (grey levels) count as one of it: no single edge decides. */
const strong = 8;
const bestOf = 4;

export function gradientsOf(samples: Float32Array, width: number, height: number): Gradients {
  const x = new Float32Array(width * height);
  const y = new Float32Array(width * height);
  for (let row = 1; row < height - 1; row++) {
    for (let column = 1; column < width - 1; column++) {
      const at = row * width + column;
      const dx = samples[at + 1]! - samples[at - 1]!;
      const dy = samples[at + width]! - samples[at - width]!;
      const less = strong / Math.sqrt(dx * dx + dy * dy + strong * strong);
      x[at] = dx * less;
      y[at] = dy * less;
    }
  }
  return { width, height, x, y };
}

export interface Offset {
  readonly x: number;
  readonly y: number;
  readonly score: number;
}

/** The best few offsets of `small` on `large`: all within it, or all around it where it is larger after all. */
export function bestOffsets(large: Gradients, small: Gradients): Offset[] {
  const found: Offset[] = [];
  for (const y of between(0, large.height - small.height)) {
    for (const x of between(0, large.width - small.width)) {
      const score = correlation(large, small, x, y);
      const last = found.at(-1);
      if (found.length >= bestOf && last && score <= last.score) continue;
      found.push({ x, y, score });
      found.sort((a, b) => b.score - a.score);
      if (found.length > bestOf) found.pop();
    }
  }
  return found;
}

function between(a: number, b: number): number[] {
  const from = Math.min(a, b);
  return Array.from({ length: Math.abs(a - b) + 1 }, (_, index) => from + index);
}

function correlation(large: Gradients, small: Gradients, x: number, y: number): number {
  let [product, ofLarge, ofSmall] = [0, 0, 0];
  const [firstRow, endRow] = [Math.max(0, -y), Math.min(small.height, large.height - y)];
  const [firstColumn, endColumn] = [Math.max(0, -x), Math.min(small.width, large.width - x)];
  for (let row = firstRow; row < endRow; row++) {
    let at = row * small.width + firstColumn;
    let on = (row + y) * large.width + firstColumn + x;
    for (let column = firstColumn; column < endColumn; column++, at++, on++) {
      const [x1, y1] = [large.x[on]!, large.y[on]!];
      const [x2, y2] = [small.x[at]!, small.y[at]!];
      product += x1 * x2 + y1 * y2;
      ofLarge += x1 * x1 + y1 * y1;
      ofSmall += x2 * x2 + y2 * y2;
    }
  }
  return product / Math.sqrt(ofLarge * ofSmall + 1e-9);
}
