/**
 * BlazeFace (mediapipe, "back" model): two grids of cells, each of which proposes several faces around its middle. It
 * was trained on inputs of 256 x 256 but consists of convolutions only: sizes are in pixels of the input, whatever
 * its size, as long as its sides are multiples of 32.
 */
import type { Decode, Proposal } from './detection.ts';

const grids = [
  { scores: 'scores16', boxes: 'boxes16', cell: 16, perCell: 2 },
  { scores: 'scores32', boxes: 'boxes32', cell: 32, perCell: 6 },
] as const;
/** Numbers per proposal: centre, size, six points (which lack the corners of the mouth). */
const stride = 16;

export const blazeface: Decode = (output, { width: inputWidth }, minScore) => {
  // Scores are compared before the sigmoid: nearly all proposals end here.
  const minLogit = Math.log(minScore / (1 - minScore));
  const found: Proposal[] = [];
  for (const { scores, boxes, cell, perCell } of grids) {
    const logits = output[scores]!;
    const values = output[boxes]!;
    const columns = inputWidth / cell;
    for (let i = 0; i < logits.length; i++) {
      if (logits[i]! < minLogit) continue;
      const index = Math.floor(i / perCell);
      const middleX = ((index % columns) + 0.5) * cell;
      const middleY = (Math.floor(index / columns) + 0.5) * cell;
      const [dx = 0, dy = 0, width = 0, height = 0] = values.subarray(i * stride, i * stride + 4);
      if (width <= 0 || height <= 0) continue;
      const box = { x: middleX + dx - width / 2, y: middleY + dy - height / 2, width, height };
      found.push({ box, score: 1 / (1 + Math.exp(-logits[i]!)), points: null });
    }
  }
  return found;
};
