/**
 * SCRFD with points (insightface): three grids of cells, two proposals in the corner of each, which say how
 * far the four sides and the five points are from that corner, in cells.
 */
import type { Point } from '#lib/geometry.ts';
import type { Decode, Proposal } from './detection.ts';

const cells = [8, 16, 32] as const;
const perCell = 2;

export const scrfd: Decode = (output, { width: inputWidth }, minScore) => {
  const found: Proposal[] = [];
  for (const cell of cells) {
    const scores = output[`score_${cell}`]!;
    const sides = output[`bbox_${cell}`]!;
    const keys = output[`kps_${cell}`]!;
    const columns = inputWidth / cell;
    for (let i = 0; i < scores.length; i++) {
      const score = scores[i]!;
      if (score < minScore) continue;
      const index = Math.floor(i / perCell);
      const x = (index % columns) * cell;
      const y = Math.floor(index / columns) * cell;
      const [left = 0, top = 0, right = 0, bottom = 0] = sides.subarray(i * 4, i * 4 + 4);
      const [width, height] = [(left + right) * cell, (top + bottom) * cell];
      if (width <= 0 || height <= 0) continue;
      const points = Array.from({ length: 5 }, (_, k): Point => [
        x + keys[i * 10 + k * 2]! * cell,
        y + keys[i * 10 + k * 2 + 1]! * cell,
      ]);
      found.push({ box: { x: x - left * cell, y: y - top * cell, width, height }, score, points });
    }
  }
  return found;
};
