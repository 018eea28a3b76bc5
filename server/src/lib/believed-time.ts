/**
 * Decides whether the clock can be trusted before anything is deleted by age: a machine whose clock jumped
 * ahead must not empty its archive. A clock that jumped is trusted again once it has run steadily for 15
 * minutes, or when an administrator confirms it. Pure; the caller keeps `believedAtMs` across restarts.
 */
const dayMs = 24 * 60 * 60_000;
const jumpMs = 10 * 60_000;
const steadyForMs = 15 * 60_000;
const steadyWithinMs = 60_000;

export interface Reading {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

export class BelievedTime {
  #last: Reading | null = null;
  #doubtedSince: Reading | null = null;

  /** `believedAtMs`: when any process last trusted the clock; null: never. */
  isBelieved(now: Reading, believedAtMs: number | null): boolean {
    const isOdd =
      (this.#last !== null && drift(this.#last, now) > jumpMs) ||
      (this.#last === null && believedAtMs !== null && isFar(believedAtMs, now.wallMs));
    this.#last = now;
    if (isOdd || (this.#doubtedSince && drift(this.#doubtedSince, now) > steadyWithinMs)) {
      this.#doubtedSince = now;
      return false;
    }
    if (!this.#doubtedSince) return true;
    if (now.monotonicMs - this.#doubtedSince.monotonicMs < steadyForMs) return false;
    this.#doubtedSince = null;
    return true;
  }

  /** An administrator confirmed the time. */
  confirm(now: Reading): void {
    this.#last = now;
    this.#doubtedSince = null;
  }
}

/** How far the wall clock deviated from the monotonic clock. */
function drift(from: Reading, to: Reading): number {
  return Math.abs(to.wallMs - from.wallMs - (to.monotonicMs - from.monotonicMs));
}

/** Longer ago than a restart of the machine explains, or in the future. */
function isFar(believedAtMs: number, wallMs: number): boolean {
  return wallMs - believedAtMs > dayMs || believedAtMs - wallMs > jumpMs;
}
