/**
 * The last seconds of a camera that is recorded only when something moves: whole groups of pictures, so that what
 * is recorded then begins before it moved.
 */
import type { Picture } from './segment-writer.ts';

/** What came before the motion is recorded too. */
const preRollMs = 5_000;
/** Five seconds of 25 Mbit/s; a camera that sends more has a shorter pre-roll. */
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
    // The first group may go when the second one alone reaches back far enough.
    while (
      this.#isEnough(monotonicMs - preRollMs) ||
      (this.#bytes > maxBytes && this.#groups.length > 0)
    ) {
      this.#drop();
    }
  }

  /** Everything, oldest first; nothing is left. */
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
