/**
 * What the blocks of a small grey picture show, as the mean of several samples has it: sensor noise and whatever passes
 * by fades in it, and what it may still hold of both is known from how much the pixels changed meanwhile. Pure.
 */
import type { Size } from '#lib/geometry.ts';

/** `unsure`: dark, glaring, moving, or between the other two. */
export type Block = 'unsure' | 'blank' | 'detailed';

/** Pixels of the small picture whose mean is a cell, in both directions: half the noise of a pixel. */
const cellSide = 2;
/** Cells of a block, in both directions. */
const blockSide = 4;
/**
 * Grey levels between which a block is lit: below, a room without light and a black cover are alike; above, a lamp
 * that shines into the lens hides everything.
 */
const [dark, glaring] = [40, 225];
/** Grey levels of detail (see `#detail`) that noise must leave a block, to have some. A faint edge of 8 levels has 3. */
const leastDetail = 2.5;
/** What a block has less than, beside the noise, to be blank: coded grey cards have 0.3 at most. */
const blankDetail = 1;
/** With more noise than this in the mean, no block is blank: people walk there, or the light changes. */
const mostNoise = 4;
/** Mean of |2b - a - c| where a, b and c are noise alone, as a multiple of its standard deviation. */
const noiseShare = Math.sqrt(6) * Math.sqrt(2 / Math.PI);

export class Samples {
  readonly #width: number;
  readonly #height: number;
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;
  #count = 0;

  constructor({ width, height }: Size) {
    this.#width = Math.floor(width / cellSide);
    this.#height = Math.floor(height / cellSide);
    this.#sums = new Float64Array(this.#width * this.#height);
    this.#squares = new Float64Array(this.#sums.length);
  }

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#sums.fill(0);
    this.#squares.fill(0);
    this.#count = 0;
  }

  /** `stride`: pixels in a row of the picture. */
  add(grey: Uint8Array, stride: number): void {
    this.#count += 1;
    for (let y = 0, cell = 0; y < this.#height; y++) {
      let at = y * cellSide * stride;
      for (let x = 0; x < this.#width; x++, cell++, at += cellSide) {
        const mean = (grey[at]! + grey[at + 1]! + grey[at + stride]! + grey[at + stride + 1]!) / 4;
        this.#sums[cell]! += mean;
        this.#squares[cell]! += mean * mean;
      }
    }
  }

  /** The blocks row by row, of all samples since the last `clear`. */
  blocks(): Block[] {
    const means = this.#sums.map((sum) => sum / this.#count);
    const blocks: Block[] = [];
    for (let y = 0; y + blockSide <= this.#height; y += blockSide) {
      for (let x = 0; x + blockSide <= this.#width; x += blockSide) {
        blocks.push(this.#block(means, x, y));
      }
    }
    return blocks;
  }

  #block(means: Float64Array, left: number, top: number): Block {
    let [light, variance, detail] = [0, 0, 0];
    for (let y = top; y < top + blockSide; y++) {
      for (let x = left; x < left + blockSide; x++) {
        const cell = y * this.#width + x;
        const mean = means[cell]!;
        light += mean;
        variance += Math.max(0, this.#squares[cell]! / this.#count - mean * mean);
        detail += this.#detail(means, x, y);
      }
    }
    const cells = blockSide * blockSide;
    light /= cells;
    if (light < dark || light > glaring) return 'unsure';
    const noise = noiseShare * Math.sqrt(variance / cells / this.#count);
    detail /= cells;
    if (detail >= leastDetail + 2 * noise) return 'detailed';
    return noise <= mostNoise && detail <= blankDetail + 1.3 * noise ? 'blank' : 'unsure';
  }

  /** How far a cell is from the mean of its neighbours: 0 for a surface however unevenly lit, much at an edge. */
  #detail(means: Float64Array, x: number, y: number): number {
    const cell = y * this.#width + x;
    const of = (before: number, after: number): number =>
      Math.abs(2 * means[cell]! - means[before]! - means[after]!);
    const across = x > 0 && x + 1 < this.#width ? of(cell - 1, cell + 1) : 0;
    const down = y > 0 && y + 1 < this.#height ? of(cell - this.#width, cell + this.#width) : 0;
    return (across + down) / 2;
  }
}

/** 0 to 1. */
export const shareOf = (blocks: readonly Block[], kind: Block): number =>
  blocks.filter((block) => block === kind).length / Math.max(1, blocks.length);
