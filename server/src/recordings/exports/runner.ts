/**
 * Makes the exports that users asked for, one after the other; accounts take turns, so that fifty of one account do not
 * delay the others. An export that an earlier run of the server was making
 * begins again; when a worker dies over one, it is tried twice more. An export is removed a day after it was made.
 */
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { ExportStore, ListedExport } from './export-store.ts';
import { NoExport, type ExportMaker } from './export-maker.ts';

export interface RunnerOptions {
  readonly store: Pick<
    ExportStore,
    'requeue' | 'expired' | 'isAnyWaiting' | 'next' | 'update' | 'finish'
  >;
  readonly maker: Pick<ExportMaker, 'stop' | 'sweep' | 'discard' | 'make'>;
  readonly clock: Clock;
  readonly log: Log;
}

const keptMs = 24 * 60 * 60_000;
const checkEveryMs = 60_000;
/** While an export waits for its time to be recorded. */
const checkWaitingEveryMs = 2_000;
/** The pause after the database was away. */
const retryMs = 1_000;
const maxAttempts = 3;
/** The last turn is remembered for this many accounts. */
const maxServed = 1_000;

export class ExportRunner implements AsyncDisposable {
  readonly #options: RunnerOptions;
  readonly #stop = new AbortController();
  #pause = new AbortController();
  readonly #waiting = new Map<string, PromiseWithResolvers<void>>();
  #running: Promise<void> = Promise.resolve();
  /** The accounts that had a turn, the last one at the end. */
  #served: readonly string[] = [];

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Called when an export waits. */
  wake(): void {
    this.#pause.abort();
  }

  /** Resolves when that export is made, failed or gone. */
  finished(id: string): Promise<void> {
    const waiting = this.#waiting.get(id) ?? Promise.withResolvers<void>();
    this.#waiting.set(id, waiting);
    return waiting.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#pause.abort();
    // An export of a day must not keep a server from ending; the next server begins it again.
    await this.#options.maker.stop();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log, store } = this.#options;
    const { signal } = this.#stop;
    let isFresh = true;
    while (!signal.aborted) {
      this.#pause = new AbortController();
      try {
        if (isFresh) await this.#begin();
        isFresh = false;
        if ((await this.#work()) || signal.aborted) continue;
        await this.#wait((await store.isAnyWaiting()) ? checkWaitingEveryMs : checkEveryMs);
      } catch (error) {
        // No runner owns the running export any more; it begins again with the rest.
        isFresh = true;
        log.warn({ err: error }, 'exports could not be checked');
        if (!signal.aborted) await this.#wait(retryMs);
      }
    }
    for (const { resolve } of this.#waiting.values()) resolve();
  }

  async #begin(): Promise<void> {
    const { store, maker } = this.#options;
    await store.requeue();
    await maker.sweep();
  }

  async #wait(ms: number): Promise<void> {
    await this.#options.clock.wait(ms, this.#pause.signal).catch(() => undefined);
  }

  /** False when none can be made now. */
  async #work(): Promise<boolean> {
    const { store, maker, clock } = this.#options;
    for (const old of await store.expired(new Date(clock.now()))) await maker.discard(old);
    const job = await store.next(this.#served, new Date(clock.now()));
    if (!job) return false;
    const others = this.#served.filter((account) => account !== job.created_by);
    this.#served = [...others, job.created_by].slice(-maxServed);
    const isOver = await this.#make(job);
    if (isOver) {
      this.#waiting.get(job.id)?.resolve();
      this.#waiting.delete(job.id);
    }
    return true;
  }

  /** False when it is to be tried again. */
  async #make(job: ListedExport): Promise<boolean> {
    const { store, maker, log } = this.#options;
    try {
      const result = await maker.make(job);
      const done = { status: 'done', expires_at: this.#expiry() } as const;
      const isWanted =
        result !== null && (await store.finish(job.id, { ...done, ...result }, this.#now()));
      if (!isWanted) await maker.discard({ id: job.id, root_id: result?.root_id ?? null });
      return true;
    } catch (error) {
      // The next server begins it again.
      if (this.#stop.signal.aborted) return false;
      const fault = error instanceof NoExport ? error.fault : 'interrupted';
      log.warn({ err: error, export: job.id, fault }, 'an export was not made');
      const isOver = error instanceof NoExport || job.attempts >= maxAttempts;
      const failed = { status: 'failed', fault, expires_at: this.#expiry() } as const;
      if (isOver) await store.finish(job.id, failed, this.#now());
      else await store.update(job.id, { status: 'waiting' });
      return isOver;
    }
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }

  #expiry(): Date {
    return new Date(this.#options.clock.now() + keptMs);
  }
}
