/**
 * How often frames of one camera are analyzed between those that are due by the processing mode: as often as its form
 * says, as far as the machine can. The time that an analysis takes shows that, because it includes waiting for a vision
 * host that others use, too. Pure: times go in.
 */

/** The weight of the newest analysis in what one is expected to take. */
const weight = 0.3;
/** Frames come a little early and late: that early is on time. */
export const earlyMs = 15;

export class AnalysisPace {
  readonly #leastMs: number;
  #startedAtMs = 0;
  /** The next one is due then: what began early makes up for what began late. */
  #nextAtMs = -Infinity;
  #tookMs: number | null = null;

  /** `mostFps`: what the camera's form asks for, and the processing mode allows. */
  constructor(mostFps: number) {
    this.#leastMs = 1000 / mostFps;
  }

  /** `share`: the part of the time that this camera's analyses may take. */
  started(atMs: number, share: number): void {
    const everyMs = Math.max(this.#leastMs, (this.#tookMs ?? 0) / share);
    this.#nextAtMs = Math.max(this.#nextAtMs, atMs - everyMs) + everyMs;
    this.#startedAtMs = atMs;
  }

  /** The analysis ended that began when `started` said. */
  ended(atMs: number): void {
    const tookMs = atMs - this.#startedAtMs;
    this.#tookMs = this.#tookMs === null ? tookMs : this.#tookMs * (1 - weight) + tookMs * weight;
  }

  /** Whether one may begin that is over by `dueMs`, when the next frame is compared. */
  mayBegin(atMs: number, dueMs: number): boolean {
    if (this.#tookMs === null || atMs + this.#tookMs > dueMs) return false;
    return atMs >= this.#nextAtMs - earlyMs;
  }
}
