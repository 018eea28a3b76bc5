/**
 * Keeps a live picture close to now: as close as its arrivals allow, further away at once when the picture stood
 * still, and nearer again slowly. Knows buffers and seconds only: what is read from and written to a video element
 * is the sink's business.
 */
import { Arrivals } from './arrivals.ts';

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

/** Until it is known how evenly a stream arrives. */
const FIRST_TARGET_S = 0.1;
const LEAST_TARGET_S = 0.05;
/** For what happens once in half a minute the picture is not always older than this. */
const LONGEST_FOR_RARE_S = 0.15;
/** A stream that stalls again and again (slow cameras, radio networks) is given more room, up to this. */
const LONGEST_TARGET_S = 0.6;
/** For decoding. */
const MARGIN_S = 0.015;
/** What a stall adds. */
const STALL_STEP_S = 0.05;
/** So long without a stall gives one step back. */
const CALM_MS = 20_000;
/** How fast the target comes nearer, in seconds a second. */
const NARROWING = 0.02;
/** Later than the target by less than this, nothing is done about it. */
const IDLE_S = 0.04;
/** Beyond this the player doesn't wait for a faster pace to catch up. */
const JUMP_BEHIND_S = 1;
const KEEP_S = 15;
/** Removing costs a task of the decoder: not for every picture. */
const TRIM_ABOVE_S = 20;

export class LiveEdge {
  readonly #arrivals = new Arrivals();
  readonly #leastS: number;
  #targetS = FIRST_TARGET_S;
  /** What is needed all the time. */
  #typicalS = 0;
  /** Nearer than this the picture stood still not long ago. */
  #floorS = 0;
  #calmSinceMs = 0;
  #steeredMs = 0;
  #rate = 1;

  constructor(leastS = LEAST_TARGET_S) {
    this.#leastS = leastS;
  }

  /** How far behind the fastest arrivals it is played. */
  get targetS(): number {
    return this.#targetS;
  }

  /** The picture stood still for want of data. */
  stalled(nowMs: number): void {
    this.#targetS = Math.min(this.#targetS + STALL_STEP_S, LONGEST_TARGET_S);
    this.#floorS = this.#targetS;
    this.#calmSinceMs = nowMs;
  }

  /** Something was added to the buffer. */
  steer({ start, end, current }: Position, nowMs: number): Steering {
    const grows = this.#arrivals.add(end, nowMs);
    this.#aim(nowMs);
    const behind = end - current;
    // Outside the range: just opened, or the timeline began anew.
    if (current < start || behind < -JUMP_BEHIND_S || behind > JUMP_BEHIND_S + this.#targetS) {
      this.#rate = 1;
      return { seekTo: Math.max(start, end - this.#targetS), playbackRate: 1 };
    }
    // A picture that is shown before the last one (B-frames) says nothing new of how much there is.
    if (grows) this.#rate = this.#paceAt(behind);
    return { seekTo: null, playbackRate: this.#rate };
  }

  /** Everything before this second may go; null: nothing worth removing. `start` is the oldest second kept. */
  trimBefore({ start, end }: Pick<Position, 'start' | 'end'>): number | null {
    return end - start > TRIM_ABOVE_S ? end - KEEP_S : null;
  }

  #aim(nowMs: number): void {
    if (this.#floorS > 0 && nowMs - this.#calmSinceMs >= CALM_MS) {
      this.#floorS = Math.max(0, this.#floorS - STALL_STEP_S);
      this.#calmSinceMs = nowMs;
    }
    const narrowed = this.#targetS - (NARROWING * (nowMs - this.#steeredMs)) / 1000;
    const target = Math.max(this.#wantedS(), narrowed, this.#floorS);
    this.#targetS = Math.min(target, LONGEST_TARGET_S);
    this.#steeredMs = nowMs;
  }

  /** What the arrivals alone ask for. */
  #wantedS(): number {
    const needed = this.#arrivals.needed();
    this.#typicalS = needed === null ? 0 : needed.typicalS + MARGIN_S;
    if (needed === null) return FIRST_TARGET_S;
    const rare = Math.min(needed.worstS + MARGIN_S, LONGEST_FOR_RARE_S);
    return Math.max(this.#leastS, rare, this.#typicalS);
  }

  /** A pace that was taken is kept until it has reached its end, or it would change with every picture. */
  #paceAt(behind: number): number {
    const late = behind - this.#targetS;
    if (late > 0.2) return 1.2;
    if (late > IDLE_S || (late > 0 && this.#rate > 1)) return 1.05;
    // Slower only for what is wanted all the time (few pictures a second, B-frames): for the rest a stall is cheaper.
    const short = Math.min(this.#typicalS, LONGEST_TARGET_S) - behind;
    return short > IDLE_S || (short > 0 && this.#rate < 1) ? 0.95 : 1;
  }
}
