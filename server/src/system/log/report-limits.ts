/** How many errors of browsers are taken in a minute: a page that fails in a loop must not fill the log. */
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';

const minuteMs = 60_000;
export const reportsOfAccount = 20;
const reportsOfAll = 200;

export class ReportLimits {
  readonly #clock: Clock;
  readonly #counts = new Map<string, number>();
  #minute = -1;
  #all = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws too_many_requests. */
  take(userId: string): void {
    const nowMs = this.#clock.monotonicMs();
    const minute = Math.floor(nowMs / minuteMs);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#all = 0;
      this.#counts.clear();
    }
    const count = this.#counts.get(userId) ?? 0;
    if (count >= reportsOfAccount || this.#all >= reportsOfAll) {
      const leftMs = (minute + 1) * minuteMs - nowMs;
      throw new Problem('too_many_requests', { retry_after_s: Math.ceil(leftMs / 1000) });
    }
    this.#counts.set(userId, count + 1);
    this.#all += 1;
  }
}
