/**
 * Keeps a live picture close to now. Knows buffers and seconds only: what is read from and written to a
 * video element is the sink's business.
 *
 * Figures: with fragments of one picture over a local network a target of 0.1 s gives 87 ms from glass
 * to glass (p50, 30 pictures a second); 0.05 s gains nothing, 0.2 s costs exactly the difference.
 */

/** Seconds on the media timeline; `start` and `end` are those of the newest buffered range. */
export interface Position {
  readonly start: number;
  readonly end: number;
  readonly current: number;
}

export interface Steering {
  /** Where to jump; null: stay. */
  readonly seekTo: number | null;
  readonly playbackRate: number;
}

const TARGET_S = 0.1;
/** Whoever stalls again and again (slow cameras, radio networks) is given more room, up to this. */
const LONGEST_TARGET_S = 0.6;
const TARGET_STEP_S = 0.05;
/** So long without a stall gives one step back. */
const CALM_MS = 20_000;
/** Beyond this nobody waits for a faster pace to catch up. */
const JUMP_BEHIND_S = 1;
const KEEP_S = 15;
/** Removing costs a task of the decoder: not for every picture. */
const TRIM_ABOVE_S = 20;

export class LiveEdge {
  #targetS = TARGET_S;
  #calmSinceMs = 0;

  get targetS(): number {
    return this.#targetS;
  }

  /** The picture stood still for want of data. */
  stalled(nowMs: number): void {
    this.#targetS = Math.min(this.#targetS + TARGET_STEP_S, LONGEST_TARGET_S);
    this.#calmSinceMs = nowMs;
  }

  steer({ start, end, current }: Position, nowMs: number): Steering {
    this.#relax(nowMs);
    const behind = end - current;
    // Outside the range: just opened, or the timeline began anew.
    if (current < start || behind < -JUMP_BEHIND_S || behind > JUMP_BEHIND_S + this.#targetS) {
      return { seekTo: Math.max(start, end - this.#targetS), playbackRate: 1 };
    }
    const late = behind - this.#targetS;
    return { seekTo: null, playbackRate: late > 0.2 ? 1.2 : late > 0.05 ? 1.05 : 1 };
  }

  /** Everything before this second may go; null: nothing worth removing. `start` is the oldest second kept. */
  trimBefore({ start, end }: Pick<Position, 'start' | 'end'>): number | null {
    return end - start > TRIM_ABOVE_S ? end - KEEP_S : null;
  }

  #relax(nowMs: number): void {
    if (this.#targetS <= TARGET_S || nowMs - this.#calmSinceMs < CALM_MS) return;
    this.#targetS = Math.max(TARGET_S, this.#targetS - TARGET_STEP_S);
    this.#calmSinceMs = nowMs;
  }
}
