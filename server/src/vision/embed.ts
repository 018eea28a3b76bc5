/** Chips to vectors: near ones show one person. The mean of a chip and its mirror image is steadier than either. */
import { chipBytes, chipSide } from './messages.ts';
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
    const vectors: Float32Array[] = [];
    for (let i = 0; i < count; i++) {
      vectors.push(await this.#one(chips.subarray(i * chipBytes, (i + 1) * chipBytes)));
    }
    return vectors;
  }

  async #one(chip: Uint8Array): Promise<Float32Array> {
    const { dimensions, flip } = this.#settings;
    const looks = flip ? 2 : 1;
    const input = new Float32Array(looks * chipBytes);
    planes(chip, input);
    const { embedding } = await this.#network.run(input, [looks, 3, chipSide, chipSide]);
    const vector = new Float32Array(dimensions);
    for (let i = 0; i < embedding!.length; i++) vector[i % dimensions]! += embedding![i]! / looks;
    return vector;
  }
}

/** Interleaved bytes to planes; the second half of `input`, if there is one, gets the mirror image. */
export function planes(chip: Uint8Array, input: Float32Array): void {
  const area = chipSide * chipSide;
  const mirrored = input.length > chipBytes;
  for (let y = 0; y < chipSide; y++) {
    for (let x = 0; x < chipSide; x++) {
      const at = y * chipSide + x;
      const mirror = chipBytes + (y + 1) * chipSide - 1 - x;
      for (let channel = 0; channel < 3; channel++) {
        const value = chip[at * 3 + channel]!;
        input[channel * area + at] = value;
        if (mirrored) input[channel * area + mirror] = value;
      }
    }
  }
}

/** Euclidean, what the pack's distances are measured in. */
export function distance(a: Float32Array, b: Float32Array): number {
  let squares = 0;
  for (let i = 0; i < a.length; i++) squares += (a[i]! - b[i]!) ** 2;
  return Math.sqrt(squares);
}
