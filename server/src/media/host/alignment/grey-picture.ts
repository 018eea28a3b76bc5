/** A small grey picture from which parts are taken at any size, by its sums (an integral image). Pure. */
import type { Rect, Size } from '#lib/geometry.ts';

export interface Grey extends Size {
  /** A byte a pixel, rows without gaps. */
  readonly data: Uint8Array;
}

export class GreyPicture implements Size {
  readonly width: number;
  readonly height: number;
  /** The sums of all pixels above and to the left of each corner between pixels. */
  readonly #sums: Float64Array;

  constructor({ width, height, data }: Grey) {
    this.width = width;
    this.height = height;
    const row = width + 1;
    const sums = new Float64Array(row * (height + 1));
    for (let y = 0; y < height; y++) {
      let sum = 0;
      for (let x = 0; x < width; x++) {
        sum += data[y * width + x]!;
        sums[(y + 1) * row + x + 1] = sums[y * row + x + 1]! + sum;
      }
    }
    this.#sums = sums;
  }

  /**
   * A part of it (in fractions, also beyond its edges) as so many samples, each the mean of what it covers; NaN where a
   * sample is not wholly on the picture.
   */
  take(part: Rect, columns: number, rows: number): Float32Array {
    const taken = new Float32Array(columns * rows).fill(NaN);
    const [left, top] = [part.x * this.width, part.y * this.height];
    const [stepX, stepY] = [
      (part.width * this.width) / columns,
      (part.height * this.height) / rows,
    ];
    const area = stepX * stepY;
    const [firstColumn, endColumn] = within(left, stepX, columns, this.width);
    const [firstRow, endRow] = within(top, stepY, rows, this.height);
    for (let row = firstRow; row < endRow; row++) {
      const [y1, y2] = [top + row * stepY, top + (row + 1) * stepY];
      for (let column = firstColumn; column < endColumn; column++) {
        const [x1, x2] = [left + column * stepX, left + (column + 1) * stepX];
        const sum = this.#sum(x2, y2) - this.#sum(x1, y2) - this.#sum(x2, y1) + this.#sum(x1, y1);
        taken[row * columns + column] = sum / area;
      }
    }
    return taken;
  }

  /** The sum of everything above and to the left of a place between pixels. */
  #sum(x: number, y: number): number {
    const row = this.width + 1;
    const column = Math.min(this.width - 1, Math.max(0, Math.floor(x)));
    const line = Math.min(this.height - 1, Math.max(0, Math.floor(y)));
    const [right, down] = [x - column, y - line];
    const at = line * row + column;
    const above = this.#sums[at]! * (1 - right) + this.#sums[at + 1]! * right;
    const below = this.#sums[at + row]! * (1 - right) + this.#sums[at + row + 1]! * right;
    return above * (1 - down) + below * down;
  }
}

/** The first sample that is wholly on the picture, and the end of those that are. */
function within(from: number, step: number, count: number, size: number): [number, number] {
  const rounding = 1e-6;
  const first = Math.max(0, Math.ceil(-from / step - rounding));
  return [first, Math.min(count, Math.floor((size - from) / step + rounding))];
}
