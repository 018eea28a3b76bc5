/**
 * What a media host may ask of the vision hosts beyond the analyses that are due: an equal share for each camera in
 * whose picture something moves, so that none is served before another.
 */
import type { Clock } from '#lib/clock.ts';

/**
 * The part of the vision hosts' time that all of them may take. A fifth leaves most of two cores to decoding, recording
 * and viewers: one camera alone gets 30 frames a second of 12 ms, eight or more get what is due and nothing else.
 */
const part = 0.2;
/** A camera shares in it for so long after something moved; motion is compared 1 to 8 times a second. */
const movesForMs = 1_500;

export class SpareTime {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** Keyed by camera: when something moved last. */
  readonly #movedAtMs = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Something moved in the camera's picture. */
  moved(cameraId: string): void {
    this.#movedAtMs.set(cameraId, this.#clock.monotonicMs());
  }

  /** The part of the time that analyses of one camera may take where `hosts` vision hosts can be reached. */
  share(hosts: number): number {
    const sinceMs = this.#clock.monotonicMs() - movesForMs;
    for (const [id, atMs] of this.#movedAtMs) if (atMs < sinceMs) this.#movedAtMs.delete(id);
    return (part * hosts) / Math.max(1, this.#movedAtMs.size);
  }
}
