/**
 * Converts media time to wall time. A stream's own times are even, but begin anywhere and begin anew when its
 * source does; arrival times match the clock but come in bursts. This class places the even steps of the one
 * on the other: it takes the smallest delay seen so far for the true one, so no time it returns is later
 * than the arrival, and a returned time is never taken back.
 */

/** A stream that arrives this much later than its own times say has begun anew, or its clock runs slow. */
const maxLagMs = 1_000;

export class WallTime {
  /** Wall time less media time. */
  #offsetMs = Infinity;
  #lastMs = -Infinity;

  /** When the frame of media time `mediaMs`, which arrived at `arrivedMs`, was taken. Never goes back. */
  of(mediaMs: number, arrivedMs: number): number {
    const offsetMs = arrivedMs - mediaMs;
    if (offsetMs < this.#offsetMs || offsetMs - this.#offsetMs > maxLagMs)
      this.#offsetMs = offsetMs;
    this.#lastMs = Math.max(this.#lastMs, mediaMs + this.#offsetMs);
    return this.#lastMs;
  }
}
