/** How many requests one key may make on one node: a script that runs wild slows down only itself. */
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';

const windowMs = 60_000;
export const requestsPerWindow = 600;

export class KeyRate {
  readonly #clock: Clock;
  #beganMs = -Infinity;
  #counts = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws too_many_requests with the seconds until the next window. */
  count(keyId: string): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#beganMs >= windowMs) {
      this.#beganMs = nowMs;
      this.#counts = new Map();
    }
    const count = (this.#counts.get(keyId) ?? 0) + 1;
    if (count > requestsPerWindow) {
      const waitMs = this.#beganMs + windowMs - nowMs;
      throw new Problem('too_many_requests', { retry_after_s: Math.ceil(waitMs / 1000) });
    }
    this.#counts.set(keyId, count);
  }
}
