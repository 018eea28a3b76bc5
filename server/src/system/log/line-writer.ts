/**
 * Writes waiting lines in batches, all the time. No caller waits for it: while the database is away lines gather up to
 * the bound of the queue, and what did not fit is counted. What it logs itself goes to the printed log only.
 */
import { backoffMs } from '#lib/backoff.ts';
import { awaitAtMost, type Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { isRowRefused } from '#db/connection.ts';
import type { LineQueue, QueuedLine } from './line-queue.ts';

export interface LineWriterOptions {
  readonly queue: LineQueue;
  readonly store: {
    add(lines: readonly QueuedLine[]): Promise<void>;
    repeat(lines: readonly QueuedLine[]): Promise<void>;
  };
  readonly clock: Clock;
  /** Its source is `ownSource`: none of its lines come back into the queue. */
  readonly log: Log;
}

/** A reader of the live log waits no longer than that for a line. */
const everyMs = 500;
/** One statement of it takes about 20 ms. */
const batch = 1_000;
const afterFailure = { firstMs: 1_000, maxMs: 30_000 };
/** At the end the last lines get this long. */
const lastMs = 2_000;

export class LineWriter implements AsyncDisposable {
  readonly #options: LineWriterOptions;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #failures = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(options: LineWriterOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Writes what waits now, one at a time; false: the database did not take it, and it waits on. */
  flush(): Promise<boolean> {
    const flushed = this.#last.then(() => this.#flush());
    this.#last = flushed.then(() => undefined);
    return flushed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await awaitAtMost(this.#options.clock, this.flush(), lastMs);
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    while (!this.#stop.signal.aborted) {
      const waitMs =
        this.#failures === 0 ? everyMs : backoffMs(afterFailure, this.#failures, Math.random);
      await clock.wait(waitMs, this.#stop.signal).catch(() => undefined);
      if (!this.#stop.signal.aborted) await this.flush();
    }
  }

  async #flush(): Promise<boolean> {
    const { queue, clock } = this.#options;
    while (!queue.isEmpty) {
      // Losses are reported behind the lines that had room, once these are on their way.
      const lines = queue.next(batch);
      if (lines.length === 0) queue.tellLosses(clock.now());
      const repeated = queue.repeated(batch);
      if (!(await this.#write(lines, repeated))) return false;
    }
    return true;
  }

  async #write(lines: readonly QueuedLine[], repeated: readonly QueuedLine[]): Promise<boolean> {
    const { queue, store } = this.#options;
    try {
      if (lines.length > 0) await store.add(lines);
      queue.written(lines);
      if (repeated.length > 0) await store.repeat(repeated);
      queue.written(repeated);
      this.#failures = 0;
      return true;
    } catch (error) {
      return this.#failed(error, lines, repeated);
    }
  }

  /** If the database refuses a line of a batch, each line of the batch is tried by itself. */
  async #failed(
    error: unknown,
    lines: readonly QueuedLine[],
    repeated: readonly QueuedLine[],
  ): Promise<boolean> {
    const { queue, log } = this.#options;
    if (isRowRefused(error)) {
      if (lines.length + repeated.length === 1) {
        log.error({ err: error }, 'the database refused a line of the log');
        queue.refused([...lines, ...repeated]);
        return true;
      }
      for (const line of lines) if (!(await this.#write([line], []))) return false;
      for (const line of repeated) if (!(await this.#write([], [line]))) return false;
      return true;
    }
    this.#failures += 1;
    if (this.#failures === 1) log.warn({ err: error }, 'the system log cannot be written now');
    return false;
  }
}
