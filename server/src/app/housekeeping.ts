/** Runs each chore at its interval, independently of the others; a failed chore runs again the next time. */
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Log } from '#lib/log.ts';

const everyMs = 60 * 60_000;

export interface HousekeepingOptions {
  /** Each gets a signal that stops it. */
  readonly chores: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>>;
  readonly clock: Clock;
  readonly log: Log;
}

export class Housekeeping implements AsyncDisposable {
  readonly #options: HousekeepingOptions;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: HousekeepingOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  #run(): Promise<void> {
    const { clock, log } = this.#options;
    return every(
      { clock, everyMs, signal: this.#stop.signal },
      () => this.#doAll(),
      (error) => log.error({ err: error }, 'chores ended early'),
    );
  }

  async #doAll(): Promise<void> {
    const { chores, log } = this.#options;
    for (const [name, chore] of Object.entries(chores)) {
      await chore(this.#stop.signal).catch((error: unknown) =>
        log.warn({ err: error, chore: name }, 'chore failed'),
      );
    }
  }
}
