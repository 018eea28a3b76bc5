/** Chips to vectors: near ones show one person. The mean of a chip and its mirror image is steadier than either. */
import { chipSide } from './chip.ts';
import { asInput } from './colours.ts';
import type { Network } from './network.ts';
import type { Pack } from './pack.ts';

export class Embedder {
  readonly #network: Network;
  readonly #settings: Pack['embedder'];

  constructor(network: Network, settings: Pack['embedder']) {
    this.#network = network;
    this.#settings = settings;
  }

  /** One vector per chip. Chips go through one at a time: batches brought nothing with one thread. */
  async embed(chips: Uint8Array, count: number): Promise<Float32Array[]> {
    const bytes = chips.length / count;
    const vectors: Float32Array[] = [];
    for (let i = 0; i < count; i++) {
      vectors.push(await this.#one(chips.subarray(i * bytes, (i + 1) * bytes)));
    }
    return vectors;
  }

  async #one(chip: Uint8Array): Promise<Float32Array> {
    const { colours, dimensions, flip, metric } = this.#settings;
    const looks = (flip ? [false, true] : [false]).map((mirrored) => {
      const input = new Float32Array(chip.length);
      planes(chip, mirrored, input);
      asInput(input, colours);
      return input;
    });
    const made = await this.#run(looks);
    if (made.length !== looks.length * dimensions) {
      throw new Error(`${made.length} numbers for ${looks.length} of ${dimensions}`);
    }
    const vector = new Float32Array(dimensions);
    for (let i = 0; i < made.length; i++) vector[i % dimensions]! += made[i]! / looks.length;
    return metric === 'cosine' ? ofLengthOne(vector) : vector;
  }

  /** Vectors one after another. Both looks at once take 10 % less time, where the network allows it. */
  async #run(looks: readonly Float32Array[]): Promise<number[]> {
    const { side } = this.#settings;
    const batches = this.#network.takesSeveral ? [looks] : looks.map((look) => [look]);
    const made: number[] = [];
    for (const batch of batches) {
      const input = new Float32Array(batch.length * batch[0]!.length);
      for (const [i, look] of batch.entries()) input.set(look, i * look.length);
      const [vectors] = Object.values(
        await this.#network.run(input, [batch.length, 3, side, side]),
      );
      made.push(...vectors!);
    }
    return made;
  }
}

function ofLengthOne(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Interleaved bytes to planes of the same colours, or of their mirror image. */
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

/** Euclidean, what the pack's distances are measured in. */
export function distance(a: Float32Array, b: Float32Array): number {
  let squares = 0;
  for (let i = 0; i < a.length; i++) squares += (a[i]! - b[i]!) ** 2;
  return Math.sqrt(squares);
}
