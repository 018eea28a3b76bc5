/**
 * Work that is requested again and again: it runs at once, then at most once per pause for as long as requests come.
 * A run always follows the last request.
 */
import type { Clock } from '../clock.ts';

export interface PacedOptions {
  readonly clock: Pick<Clock, 'wait'>;
  /** From the end of one run to the start of the next. */
  readonly pauseMs: number;
  /** Receives the error of the work. The error does not request another run. */
  readonly failed: (error: unknown) => void;
}

export class Paced implements AsyncDisposable {
  readonly #options: PacedOptions;
  readonly #work: () => void | Promise<void>;
  readonly #stop = new AbortController();
  #isWanted = false;
  #isRunning = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: PacedOptions, work: () => void | Promise<void>) {
    this.#options = options;
    this.#work = work;
  }

  want(): void {
    this.#isWanted = true;
    if (this.#isRunning || this.#stop.signal.aborted) return;
    this.#isRunning = true;
    this.#running = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, pauseMs, failed } = this.#options;
    const { signal } = this.#stop;
    while (this.#isWanted && !signal.aborted) {
      this.#isWanted = false;
      try {
        await this.#work();
      } catch (error) {
        failed(error);
      }
      await clock.wait(pauseMs, signal).catch(() => undefined);
    }
    this.#isRunning = false;
  }
}
