/**
 * The tiny YOLO of face-api: one grid of cells of 32 pixels, five shapes of box in each, 25 planes of numbers
 * (place, size and score of the first shape, then of the second, ...).
 */
import type { Decode, Proposal } from './detection.ts';

const cell = 32;
/** Widths and heights in cells. */
const shapes = [
  [1.603231, 2.094468],
  [6.041143, 7.080126],
  [2.882459, 3.518061],
  [4.266906, 5.178857],
  [9.041765, 10.66308],
] as const;
const numbers = 5;

export const tiny: Decode = (output, { width: inputWidth, height: inputHeight }, minScore) => {
  const grid = output['grid']!;
  const columns = inputWidth / cell;
  const area = columns * (inputHeight / cell);
  const found: Proposal[] = [];
  for (const [k, [wide, high]] of shapes.entries()) {
    const value = (number: number, at: number): number => grid[(k * numbers + number) * area + at]!;
    for (let at = 0; at < area; at++) {
      const score = sigmoid(value(4, at));
      if (score < minScore) continue;
      const width = Math.exp(value(2, at)) * wide * cell;
      const height = Math.exp(value(3, at)) * high * cell;
      const box = {
        x: ((at % columns) + sigmoid(value(0, at))) * cell - width / 2,
        y: (Math.floor(at / columns) + sigmoid(value(1, at))) * cell - height / 2,
        width,
        height,
      };
      found.push({ box, score, points: null });
    }
  }
  return found;
};

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));
