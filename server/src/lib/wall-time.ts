/**
 * Media time told as wall time. A stream's own times are even but begin anywhere, and begin anew when its
 * source does; arrival times never lie about the hour but come in bursts. Here the even steps of the one are
 * laid on the other: the least delay seen so far is taken for the true one, so nothing is ever told to have
 * happened later than it arrived, and what was told once is never taken back.
 */

/** A stream this much later than its own times say has begun anew, or its clock runs slow. */
const maxLagMs = 1_000;

export class WallTime {
  /** Wall time less media time. */
  #offsetMs = Infinity;
  #lastMs = -Infinity;

  /** When a picture of media time `mediaMs`, which arrived at `arrivedMs`, was taken. Never goes back. */
  of(mediaMs: number, arrivedMs: number): number {
    const offsetMs = arrivedMs - mediaMs;
    if (offsetMs < this.#offsetMs || offsetMs - this.#offsetMs > maxLagMs)
      this.#offsetMs = offsetMs;
    this.#lastMs = Math.max(this.#lastMs, mediaMs + this.#offsetMs);
    return this.#lastMs;
  }
}
