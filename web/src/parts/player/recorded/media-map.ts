/**
 * Wall time and media time of one playlist. A playlist has no holes: what was not recorded is left out of it, so that
 * media time runs on where wall time jumps. Each file says when it began (`EXT-X-PROGRAM-DATE-TIME`). Pure.
 */

/** One file of a playlist, or a part of one. */
export interface Fragment {
  /** Media time at which it begins, and how long it lasts, in seconds. */
  readonly startS: number;
  readonly durationS: number;
  /** Wall time at which it begins. */
  readonly wallMs: number;
  /** The same of all parts of one file; nothing: it is whole. */
  readonly file?: string | undefined;
}

/** A time without a recording, between two files. */
export interface Hole {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Where a wall time lies. */
export type Place =
  | { readonly kind: 'recorded'; readonly mediaS: number; readonly index: number }
  /** Nothing then; the file after it begins at `mediaS`. `hole.fromMs` is the time that was asked for. */
  | {
      readonly kind: 'hole';
      readonly mediaS: number;
      readonly index: number;
      readonly hole: Hole;
    }
  /** The playlist ends before. */
  | { readonly kind: 'after' };

/** The recorder leaves up to a second between files; less is not worth a word. */
export const leastHoleMs = 1000;

const endMs = (fragment: Fragment): number => fragment.wallMs + fragment.durationS * 1000;

export class MediaMap {
  readonly #fragments: readonly Fragment[];

  /** In their order, one at least. */
  constructor(fragments: readonly Fragment[]) {
    this.#fragments = fragments;
  }

  get lastMs(): number {
    const last = this.#fragments.at(-1);
    return last === undefined ? 0 : endMs(last);
  }

  place(wallMs: number): Place {
    // What lies before the first file is a hole that ends with it.
    const index = Math.max(
      0,
      this.#lastWith((fragment) => fragment.wallMs <= wallMs),
    );
    const fragment = this.#fragments[index];
    if (fragment === undefined) return { kind: 'after' };
    if (wallMs < fragment.wallMs) return this.#hole(wallMs, fragment, index);
    const intoMs = wallMs - fragment.wallMs;
    if (intoMs < fragment.durationS * 1000) {
      return { kind: 'recorded', mediaS: fragment.startS + intoMs / 1000, index };
    }
    const next = this.#fragments[index + 1];
    return next === undefined ? { kind: 'after' } : this.#hole(wallMs, next, index + 1);
  }

  holds(mediaS: number): boolean {
    const [first, last] = [this.#fragments[0], this.#fragments.at(-1)];
    if (first === undefined || last === undefined) return false;
    return mediaS >= first.startS && mediaS < last.startS + last.durationS;
  }

  /** The wall time of a media time; times outside are those of the nearest picture. */
  wallMs(mediaS: number): number {
    const fragment = this.#fragments[this.indexAt(mediaS)];
    if (fragment === undefined) return 0;
    const intoS = Math.min(Math.max(0, mediaS - fragment.startS), fragment.durationS);
    return fragment.wallMs + intoS * 1000;
  }

  indexAt(mediaS: number): number {
    // A decoder shows a picture a rounding error before the time at which its file begins.
    return Math.max(
      0,
      this.#lastWith((fragment) => fragment.startS <= mediaS + 0.001),
    );
  }

  /** The hole right before a file; null: it follows on. */
  holeBefore(index: number): Hole | null {
    const [before, fragment] = [this.#fragments[index - 1], this.#fragments[index]];
    if (before === undefined || fragment === undefined) return null;
    const fromMs = endMs(before);
    if (fragment.wallMs - fromMs < leastHoleMs) return null;
    return { fromMs, untilMs: fragment.wallMs };
  }

  /** The file after the one that this is of, and the media time at which it begins; null: it is the last. */
  nextFile(index: number): { readonly index: number; readonly startS: number } | null {
    const file = this.#fragments[index]?.file;
    let next = index + 1;
    while (file !== undefined && this.#fragments[next]?.file === file) next += 1;
    const fragment = this.#fragments[next];
    return fragment === undefined ? null : { index: next, startS: fragment.startS };
  }

  #hole(fromMs: number, next: Fragment, index: number): Place {
    return {
      kind: 'hole',
      mediaS: next.startS,
      index,
      hole: { fromMs, untilMs: next.wallMs },
    };
  }

  /** The index of the last file of which it is true, -1 for none; it is true of all before that one. */
  #lastWith(isTrue: (fragment: Fragment) => boolean): number {
    let [low, high] = [0, this.#fragments.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const fragment = this.#fragments[middle];
      if (fragment !== undefined && isTrue(fragment)) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
