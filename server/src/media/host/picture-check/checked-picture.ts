/** What is found of one stream of a camera by the small grey pictures that are taken of it every few seconds. Pure. */
import type { PictureFindings } from '@nazar/contract/cameras.ts';
import type { Size } from '#lib/geometry.ts';
import { Samples, shareOf } from './blocks.ts';
import { Covered, leastDetailed } from './covered.ts';
import { Frozen } from './frozen.ts';

/** The samples of one step: 48 s at one each 4 s; two minutes where there are only stills. */
const samplesOfStep = 12;

export class CheckedPicture {
  readonly #width: number;
  readonly #samples: Samples;
  readonly #frozen = new Frozen();
  readonly #covered = new Covered();
  /** Whether the last step showed detail. */
  #hasDetail = false;

  constructor(size: Size) {
    this.#width = size.width;
    this.#samples = new Samples(size);
  }

  get found(): PictureFindings {
    return { frozen: this.#frozen.found, covered: this.#covered.found };
  }

  /** `nowMs`: monotonic. */
  push(grey: Uint8Array, nowMs: number): void {
    this.#samples.add(grey, this.#width);
    this.#frozen.push(grey, this.#hasDetail, nowMs);
    if (this.#samples.count < samplesOfStep) return;
    const blocks = this.#samples.blocks();
    this.#samples.clear();
    this.#hasDetail = shareOf(blocks, 'detailed') >= leastDetailed;
    // A picture that is repeated says nothing of what is before the lens now.
    if (this.#frozen.found !== true) this.#covered.push(blocks);
  }

  /** Some time was not seen: what was counted begins anew, and what was found stays. */
  interrupt(): void {
    this.#samples.clear();
    this.#frozen.interrupt();
    this.#covered.interrupt();
  }
}
