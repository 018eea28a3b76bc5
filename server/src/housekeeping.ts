/** What must be done now and then and belongs to nobody's request: room for the coming months, expired tokens. */
import type { Accounts } from '#accounts/accounts.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { Sightings } from '#sightings/sightings.ts';

const everyMs = 60 * 60_000;

export interface HousekeepingOptions {
  readonly accounts: Pick<Accounts, 'deleteExpiredTokens'>;
  readonly sightings: Pick<Sightings, 'preparePartitions'>;
  readonly clock: Clock;
  readonly log: Log;
}

export class Housekeeping implements AsyncDisposable {
  readonly #options: HousekeepingOptions;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: HousekeepingOptions) {
    this.#options = options;
    this.#running = this.#keepRunning();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #keepRunning(): Promise<void> {
    const { accounts, sightings, clock, log } = this.#options;
    const { signal } = this.#stop;
    const failed = (err: unknown): void =>
      log.warn({ err }, 'housekeeping failed; tried again later');
    while (!signal.aborted) {
      await clock.wait(everyMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      await sightings.preparePartitions().catch(failed);
      await accounts.deleteExpiredTokens().catch(failed);
    }
  }
}
