/**
 * Limits how much is encoded at once for those who may not see behind privacy masks, live and recorded together, and
 * for players of recordings whose coding they do not know. A camera with viewers of its masked view takes one encoder as long as they stay; a player of recordings counts until it
 * has asked for nothing for a while.
 */
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';

/** A live view takes 14 % of a core at 1280x720; a player takes as much as it reads ahead. */
const maxAtOnce = 4;
/** A playing player asks every few seconds; one that is paused, or gone, does not. */
const idleMs = 20_000;
/** A refused client is told to try again after so long. */
const retryAfterS = 10;

export class MaskingLimit {
  readonly #clock: Clock;
  /** The players, and the monotonic time of their last request. */
  readonly #players = new Map<string, number>();
  #liveCameras: () => number = () => 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sets how cameras with masked live views are counted. */
  countLive(cameras: () => number): void {
    this.#liveCameras = cameras;
  }

  /** Throws too_many_masked_views. */
  mustHaveRoom(): void {
    this.#forget();
    if (this.#liveCameras() + this.#players.size < maxAtOnce) return;
    throw new Problem('too_many_masked_views', { max: maxAtOnce, retry_after_s: retryAfterS });
  }

  /** Admits a player, or renews its admission. Throws too_many_masked_views. */
  play(player: string): void {
    this.#forget();
    if (!this.#players.has(player)) this.mustHaveRoom();
    this.#players.set(player, this.#clock.monotonicMs());
  }

  /** Whether this player is admitted now. */
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
