/**
 * Keeps the last seconds of a camera that is recorded on motion: whole groups of pictures, so that a recording begins
 * before the motion did.
 */
import type { Picture } from './segment-writer.ts';

/** So much before the motion is recorded, too. */
const preRollMs = 5_000;
/** Five seconds at 25 Mbit/s; a camera that sends more has a shorter pre-roll. */
const maxBytes = 16 * 1024 * 1024;

export interface Kept {
  readonly picture: Picture;
  readonly monotonicMs: number;
}

export class PreRoll {
  /** Each begins with a key frame. */
  #groups: Kept[][] = [];
  #bytes = 0;

  add(picture: Picture, monotonicMs: number): void {
    if (picture.key) this.#groups.push([]);
    const group = this.#groups.at(-1);
    if (!group) return;
    group.push({ picture, monotonicMs });
    this.#bytes += picture.body.length;
    // The first group is dropped when the second one alone reaches back far enough.
    while (
      this.#isEnough(monotonicMs - preRollMs) ||
      (this.#bytes > maxBytes && this.#groups.length > 0)
    ) {
      this.#drop();
    }
  }

  /** Returns everything, oldest first, and empties the pre-roll. */
  take(): Kept[] {
    const all = this.#groups.flat();
    this.clear();
    return all;
  }

  clear(): void {
    this.#groups = [];
    this.#bytes = 0;
  }

  #isEnough(sinceMs: number): boolean {
    const second = this.#groups[1]?.[0];
    return second !== undefined && second.monotonicMs <= sinceMs;
  }

  #drop(): void {
    for (const { picture } of this.#groups.shift() ?? []) this.#bytes -= picture.body.length;
  }
}
