/**
 * UltraFace (Linzaer's Ultra-Light-Fast-Generic-Face-Detector, RFB): four grids of cells, each of which proposes two or
 * three squares of fixed sizes around its middle. It was trained on inputs of 320 x 240 but consists of convolutions
 * only: sizes are in pixels of the input, whatever its size.
 */
import type { Rect } from '#lib/geometry.ts';
import type { Decode, Proposal } from './detection.ts';

/** Sides of the squares that each cell proposes, in pixels of the input. */
const grids = [
  { scores: 'scores0', boxes: 'boxes0', cell: 8, sides: [10, 16, 24] },
  { scores: 'scores1', boxes: 'boxes1', cell: 16, sides: [32, 48] },
  { scores: 'scores2', boxes: 'boxes2', cell: 32, sides: [64, 96] },
  { scores: 'scores3', boxes: 'boxes3', cell: 64, sides: [128, 192, 256] },
] as const;

/** The factors with which differences of places and of sizes were divided for training. */
const placeScale = 0.1;
const sizeScale = 0.2;

export const ultraface: Decode = (output, { width: inputWidth, height: inputHeight }, minScore) => {
  // Scores are compared before the softmax of two classes: nearly all proposals end here.
  const minLogit = Math.log(minScore / (1 - minScore));
  const found: Proposal[] = [];
  for (const { scores, boxes, cell, sides } of grids) {
    const columns = Math.ceil(inputWidth / cell);
    const cells = columns * Math.ceil(inputHeight / cell);
    const classes = output[scores]!;
    const values = output[boxes]!;
    for (const [k, side] of sides.entries()) {
      for (let i = 0; i < cells; i++) {
        const logit = classes[(2 * k + 1) * cells + i]! - classes[2 * k * cells + i]!;
        if (logit < minLogit) continue;
        const at = (number: number): number => values[(4 * k + number) * cells + i]!;
        const middleX = ((i % columns) + 0.5) * cell + at(0) * placeScale * side;
        const middleY = (Math.floor(i / columns) + 0.5) * cell + at(1) * placeScale * side;
        const width = side * Math.exp(at(2) * sizeScale);
        const height = side * Math.exp(at(3) * sizeScale);
        const box = { x: middleX - width / 2, y: middleY - height / 2, width, height };
        found.push({ box: shaped(box), score: 1 / (1 + Math.exp(-logit)), points: null });
      }
    }
  }
  return found;
};

/**
 * From forehead to chin, as it was trained, to the square around eyes and mouth that the other families give, whose
 * sizes gates and tracker mean: the median of 132 faces, each also seen alone by BlazeFace.
 */
function shaped({ x, y, width, height }: Rect): Rect {
  return {
    x: x - 0.036 * width,
    y: y + 0.13 * height,
    width: 1.072 * width,
    height: 0.78 * height,
  };
}
