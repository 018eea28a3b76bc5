/**
 * How much is encoded anew at once for those who may not see behind privacy masks, live and recorded together. A
 * camera that is watched live costs an encoder for as long as that lasts; who plays something recorded has a place
 * until nothing of it was asked for a while.
 */
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';

/** Live each takes 14 % of a core at 1280x720, played as much as the player is ahead. */
const maxAtOnce = 4;
/** A player that plays asks each few seconds; one that is paused, or gone, does not. */
const idleMs = 20_000;
/** What who is refused is told. */
const retryAfterS = 10;

export class MaskingLimit {
  readonly #clock: Clock;
  /** Who plays, by the monotonic time of the last question. */
  readonly #players = new Map<string, number>();
  #liveCameras: () => number = () => 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Live views count themselves. */
  countLive(cameras: () => number): void {
    this.#liveCameras = cameras;
  }

  /** Throws too_many_masked_views. */
  mustHaveRoom(): void {
    this.#forget();
    if (this.#liveCameras() + this.#players.size < maxAtOnce) return;
    throw new Problem('too_many_masked_views', { max: maxAtOnce, retry_after_s: retryAfterS });
  }

  /** Takes a place, or keeps the one that this player has. Throws too_many_masked_views. */
  play(player: string): void {
    this.#forget();
    if (!this.#players.has(player)) this.mustHaveRoom();
    this.#players.set(player, this.#clock.monotonicMs());
  }

  /** Whether this player has a place now. */
  has(player: string): boolean {
    this.#forget();
    return this.#players.has(player);
  }

  #forget(): void {
    const since = this.#clock.monotonicMs() - idleMs;
    for (const [player, askedAtMs] of this.#players) {
      if (askedAtMs <= since) this.#players.delete(player);
    }
  }
}
