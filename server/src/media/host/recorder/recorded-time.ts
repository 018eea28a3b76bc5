/**
 * The wall time of recorded pictures, which never goes back and never repeats. Within a segment it runs by the
 * monotonic clock; at the boundary of two segments it follows the machine's clock again. A clock that is set forward
 * leaves a gap with the cause `clock`; when it is set back the old time goes on, so that no two recordings are of the
 * same moment.
 */
import type { Clock } from '#lib/clock.ts';

/** A clock that is adjusted in small steps stays within this. */
const jumpMs = 1_000;

export interface TimeGap {
  readonly endedAtMs: number;
  readonly startedAtMs: number;
}

export class RecordedTime {
  readonly #clock: Clock;
  #anchorMs = 0;
  #anchorMonotonicMs = 0;
  #lastMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Recordings exist up to that time. */
  notBefore(ms: number): void {
    this.#lastMs = Math.max(this.#lastMs, ms);
  }

  /** A picture is recorded now. */
  touch(): void {
    this.#lastMs = Math.max(this.#lastMs, this.#nowMs());
  }

  /** Recording begins after a pause of any length, with a picture that came `agoMs` ago. */
  resume(agoMs = 0): number {
    return this.#anchor(Math.max(Math.round(this.#clock.now() - agoMs), this.#lastMs), agoMs);
  }

  /** One segment ends and the next begins, with the same picture. */
  boundary(): TimeGap {
    const runningMs = Math.max(this.#nowMs(), this.#lastMs);
    const wallMs = this.#clock.now();
    if (wallMs > runningMs + jumpMs) {
      return { endedAtMs: runningMs, startedAtMs: this.#anchor(wallMs) };
    }
    const isSetBack = wallMs < runningMs - jumpMs;
    const startedAtMs = this.#anchor(isSetBack ? runningMs : Math.max(wallMs, this.#lastMs));
    return { endedAtMs: startedAtMs, startedAtMs };
  }

  #nowMs(): number {
    return Math.round(this.#anchorMs + this.#clock.monotonicMs() - this.#anchorMonotonicMs);
  }

  #anchor(ms: number, agoMs = 0): number {
    this.#anchorMs = ms;
    this.#anchorMonotonicMs = this.#clock.monotonicMs() - agoMs;
    this.#lastMs = ms;
    return ms;
  }
}
