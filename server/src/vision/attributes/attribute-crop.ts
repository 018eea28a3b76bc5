/**
 * Cuts a chip as face-api cuts a picture for these networks: the outline of its 68 points and a tenth more on each
 * side. On an upright chip that is always nearly the same square, so no points are searched for again.
 */
import { similarity, templateOf, type Template } from '../align.ts';
import type { Similarity } from '../sample.ts';

export const cropSide = 112;

/** A face with its five points where ArcFace has them. */
const { five } = templateOf({ template: 'arcface-112', side: 112 });

/**
 * The mean of 129 labelled faces, in pixels of that face: the outline is 82.5 wide and 79.9 high there, whichever
 * pack found the five points, and varies by 3 %.
 */
const square = { x: 56.5, y: 78.6, side: 99 };

/**
 * Returns how to read the crop out of a chip. It reaches beyond the chin, which some chips do not: black stands
 * there, as face-api has it at the edge of a picture. With the edge repeated the age is 13 years lower.
 */
export function attributeCrop(template: Pick<Template, 'five'>): Similarity {
  const { a, b, tx, ty } = similarity(five, template.five);
  const scale = square.side / cropSide;
  // Pixels are named by their middles.
  const left = square.x - square.side / 2 + scale / 2 - 0.5;
  const top = square.y - square.side / 2 + scale / 2 - 0.5;
  return {
    a: a * scale,
    b: b * scale,
    tx: a * left - b * top + tx,
    ty: b * left + a * top + ty,
  };
}
