/**
 * Whether a camera is covered: the places that had detail are lit and have none, all but a few of them. What it sees is
 * learned while it has detail, and goes on changing slowly. A dark picture says nothing: a room
 * without light and a black cover are alike. Pure; each step takes what several samples show (`blocks.ts`).
 */
import { shareOf, type Block } from './blocks.ts';

/** Share of all blocks: with less detail there is nothing that a cover could take away. */
export const leastDetailed = 0.2;
/** Steps that show detail before anything is known: about two and a half minutes. */
const learningSteps = 3;
/** Share of the blocks that had detail. The clock that a camera writes has detail on any cover; it takes 3 to 10 %. */
const coveredShare = 0.85;
/** Above this share nothing is learned: something large stands before the camera, or a cover is being put on. */
const learnedShare = 0.5;
/** Steps in a row: about two and a half minutes. A face close to the lens, or a van that stops, is gone by then. */
const coveredSteps = 3;
/** Share of the blocks that had detail, or of all blocks where the camera shows something else now. */
const backShare = 0.5;
const elsewhereShare = 0.25;
/** Steps in a row: about a minute and a half. */
const backSteps = 2;
/** A block had detail in so many steps more than it had none. */
const knownFrom = 2;
const mostKnown = 20;

export class Covered {
  #known: Int8Array | null = null;
  #learned = 0;
  #inRow = 0;
  #isCovered: boolean | null = null;

  /** Null: it is not known yet, or the camera sees nothing that has detail. */
  get found(): boolean | null {
    return this.#isCovered;
  }

  /** Some time was not seen: what was counted in a row begins anew, and what was found stays. */
  interrupt(): void {
    this.#inRow = 0;
  }

  push(blocks: readonly Block[]): void {
    if (this.#isCovered === true) this.#waitForEnd(blocks);
    else if (this.#learned < learningSteps) this.#learnFirst(blocks);
    else this.#compare(blocks);
  }

  #learnFirst(blocks: readonly Block[]): void {
    if (shareOf(blocks, 'detailed') < leastDetailed) return;
    this.#learn(blocks);
    this.#learned += 1;
    if (this.#learned === learningSteps) this.#isCovered = false;
  }

  #compare(blocks: readonly Block[]): void {
    const places = this.#places();
    if (places.length < leastDetailed * blocks.length) {
      this.#forget();
      this.#isCovered = null;
      return;
    }
    const lost = shareOf(at(places, blocks), 'blank');
    this.#inRow = lost >= coveredShare ? this.#inRow + 1 : 0;
    if (lost < learnedShare) this.#learn(blocks);
    if (this.#inRow < coveredSteps) return;
    this.#inRow = 0;
    this.#isCovered = true;
  }

  #waitForEnd(blocks: readonly Block[]): void {
    const isBack = shareOf(at(this.#places(), blocks), 'detailed') >= backShare;
    const isElsewhere = shareOf(blocks, 'detailed') >= elsewhereShare;
    this.#inRow = isBack || isElsewhere ? this.#inRow + 1 : 0;
    if (this.#inRow < backSteps) return;
    // The camera may have been turned when it was uncovered.
    this.#forget();
    this.#isCovered = false;
  }

  #forget(): void {
    this.#known = null;
    this.#learned = 0;
    this.#inRow = 0;
  }

  #learn(blocks: readonly Block[]): void {
    const known = (this.#known ??= new Int8Array(blocks.length));
    for (const [place, block] of blocks.entries()) {
      const step = block === 'detailed' ? 1 : block === 'blank' ? -1 : 0;
      known[place] = Math.max(0, Math.min(mostKnown, known[place]! + step));
    }
  }

  /** The blocks that had detail. */
  #places(): number[] {
    const places: number[] = [];
    for (const [place, known] of (this.#known ?? []).entries()) {
      if (known >= knownFrom) places.push(place);
    }
    return places;
  }
}

const at = (places: readonly number[], blocks: readonly Block[]): Block[] =>
  places.map((place) => blocks[place]!);
