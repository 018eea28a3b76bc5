/**
 * How alike two pictures are, sample by sample: the normalised correlation of their gradients, block by block, so that
 * neither exposure nor one strong edge decides. Pure.
 */

/** Blocks across and down. */
export const blockColumns = 8;
export const blockRows = 6;
/** A block whose gradients are weaker than this (grey levels from one sample to the next, root mean square) says nothing. */
const minTexture = 2.5;
/** A block is the same in both from here. */
const minAgreement = 0.6;

export interface Likeness {
  /** -1 to 1: the mean of the blocks with texture; 0 where there is none. */
  readonly score: number;
  readonly textured: number;
  /** The blocks that agree, by their number (row by row). */
  readonly agreeing: readonly number[];
}

interface Sums {
  readonly product: Float64Array;
  readonly one: Float64Array;
  readonly other: Float64Array;
  readonly count: Float64Array;
}

/** Both have so many samples; NaN where one shows nothing. */
export function likenessOf(
  one: Float32Array,
  other: Float32Array,
  columns: number,
  rows: number,
): Likeness {
  const { product, one: ofOne, other: ofOther, count } = sumsOf(one, other, columns, rows);
  const agreeing: number[] = [];
  let [score, textured] = [0, 0];
  for (let block = 0; block < count.length; block++) {
    const samples = count[block]!;
    const strongest = Math.max(ofOne[block]!, ofOther[block]!);
    // Less than a quarter of a block: what is left of it at an edge decides nothing.
    if (samples * blockColumns * blockRows * 4 < columns * rows) continue;
    if (strongest < samples * minTexture ** 2) continue;
    const alike = product[block]! / Math.sqrt(ofOne[block]! * ofOther[block]! + 1e-9);
    textured += 1;
    score += alike;
    if (alike >= minAgreement) agreeing.push(block);
  }
  return { score: textured === 0 ? 0 : score / textured, textured, agreeing };
}

function sumsOf(one: Float32Array, other: Float32Array, columns: number, rows: number): Sums {
  const blocks = blockColumns * blockRows;
  const sums: Sums = {
    product: new Float64Array(blocks),
    one: new Float64Array(blocks),
    other: new Float64Array(blocks),
    count: new Float64Array(blocks),
  };
  for (let row = 1; row < rows - 1; row++) {
    const line = Math.floor((row * blockRows) / rows) * blockColumns;
    for (let column = 1; column < columns - 1; column++) {
      const at = row * columns + column;
      const [x1, y1] = [one[at + 1]! - one[at - 1]!, one[at + columns]! - one[at - columns]!];
      const [x2, y2] = [
        other[at + 1]! - other[at - 1]!,
        other[at + columns]! - other[at - columns]!,
      ];
      const product = x1 * x2 + y1 * y2;
      if (Number.isNaN(product)) continue;
      const block = line + Math.floor((column * blockColumns) / columns);
      sums.product[block]! += product;
      sums.one[block]! += x1 * x1 + y1 * y1;
      sums.other[block]! += x2 * x2 + y2 * y2;
      sums.count[block]! += 1;
    }
  }
  return sums;
}
