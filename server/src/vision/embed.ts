/**
 * Turns chips into vectors: near ones show one person. The mean of a chip and its mirror image is steadier than
 * either.
 */
import { chipSide } from './chip.ts';
import { asInput } from './colours.ts';
import type { Network } from './network.ts';
import type { Pack } from './packs/pack.ts';

export class Embedder {
  readonly #network: Network;
  readonly #settings: Pack['embedder'];
  /** A chip, and its mirror image where the pack uses it; the array is reused, because one call at a time uses it. */
  readonly #input: Float32Array;
  /** The parts of `#input`: the chip, and its mirror image. */
  readonly #inputs: readonly Float32Array[];

  constructor(network: Network, settings: Pack['embedder']) {
    const { side, flip } = settings;
    const count = flip ? 2 : 1;
    const values = 3 * side * side;
    this.#network = network;
    this.#settings = settings;
    this.#input = new Float32Array(count * values);
    this.#inputs = Array.from({ length: count }, (_, i) =>
      this.#input.subarray(i * values, (i + 1) * values),
    );
  }

  /** Returns one vector per chip. Chips go through one at a time: batches brought nothing with one thread. */
  async embed(chips: Uint8Array, count: number): Promise<Float32Array[]> {
    const bytes = chips.length / count;
    const vectors: Float32Array[] = [];
    for (let i = 0; i < count; i++) {
      vectors.push(await this.#one(chips.subarray(i * bytes, (i + 1) * bytes)));
    }
    return vectors;
  }

  /** Returns how far the vectors of a chip and of its mirror image are from each other. */
  async mirrorDistance(chip: Uint8Array): Promise<number> {
    const [own, mirrored] = [await this.#once(chip, false), await this.#once(chip, true)];
    return distance(own, mirrored);
  }

  /** Returns the vector of a chip alone, or of its mirror image. */
  async #once(chip: Uint8Array, mirrored: boolean): Promise<Float32Array> {
    const [input] = this.#inputs;
    planes(chip, mirrored, input!);
    asInput(input!, this.#settings.colours);
    const [vector] = await this.#run([input!]);
    return this.#scaled(Float32Array.from(vector!));
  }

  async #one(chip: Uint8Array): Promise<Float32Array> {
    const { dimensions, colours } = this.#settings;
    for (const [i, input] of this.#inputs.entries()) {
      planes(chip, i === 1, input);
      asInput(input, colours);
    }
    const vectors = await this.#run(this.#network.takesSeveral ? [this.#input] : this.#inputs);
    const vector = new Float32Array(dimensions);
    for (const row of vectors) {
      for (let i = 0; i < dimensions; i++) vector[i]! += row[i]! / vectors.length;
    }
    return this.#scaled(vector);
  }

  #scaled(vector: Float32Array): Float32Array {
    return this.#settings.metric === 'cosine' ? ofLengthOne(vector) : vector;
  }

  /** Returns the vector of each input. Running both at once takes 10 % less time, where the network allows it. */
  async #run(batches: readonly Float32Array[]): Promise<Float32Array[]> {
    const { dimensions, side } = this.#settings;
    const rows: Float32Array[] = [];
    for (const batch of batches) {
      const several = batch.length / (3 * side * side);
      const [vectors] = Object.values(await this.#network.run(batch, this.#shape(several)));
      if (vectors?.length !== several * dimensions) {
        throw new Error(`${vectors?.length} numbers for ${several} of ${dimensions}`);
      }
      for (let i = 0; i < several; i++) {
        rows.push(vectors.subarray(i * dimensions, (i + 1) * dimensions));
      }
    }
    return rows;
  }

  #shape(count: number): number[] {
    const { side } = this.#settings;
    return [count, 3, side, side];
  }
}

function ofLengthOne(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Turns interleaved bytes into planes of the same colours, or of those of the mirror image. */
export function planes(chip: Uint8Array, mirrored: boolean, input: Float32Array): void {
  const side = chipSide(chip);
  const area = side * side;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const from = (y * side + (mirrored ? side - 1 - x : x)) * 3;
      const at = y * side + x;
      input[at] = chip[from]!;
      input[at + area] = chip[from + 1]!;
      input[at + 2 * area] = chip[from + 2]!;
    }
  }
}

/** The Euclidean distance, in which the pack's limits are given. */
export function distance(a: Float32Array, b: Float32Array): number {
  let squares = 0;
  for (let i = 0; i < a.length; i++) squares += (a[i]! - b[i]!) ** 2;
  return Math.sqrt(squares);
}
