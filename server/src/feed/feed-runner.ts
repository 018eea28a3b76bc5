/**
 * Takes the changes of one reader from the feed. A pass is one transaction: changes go with what followed from them, so
 * that a server that dies neither loses nor repeats any. Where several servers share a database, one reads at a time.
 */
import { awaitAtMost, type Clock } from '#lib/clock.ts';
import { backoffMs } from '#lib/backoff.ts';
import type { Log } from '#lib/log.ts';
import { Topic } from '#lib/topic.ts';
import type { Database, Tx } from '#db/database.ts';
import { mayRead, removeChanges, takeChanges, type ChangeKind, type TakenChange } from './store.ts';

/** Changes of other servers, and those that have waited long enough, are found this late at most. */
const everyMs = 500;
/** Passes are this far apart, so that a hundred visits a second do not make a hundred passes. */
const leastMs = 100;
const changesPerPass = 1_000;
const retry = { firstMs: 500, maxMs: 30_000 };

/** Anything whose news may be in the feed. */
export interface Wakes {
  on(read: () => void): Disposable;
}

/** What a pass did. */
export interface Followed<T> {
  /** Changes that are dealt with; the others wait. */
  readonly taken: readonly number[];
  /** Published after the commit. */
  readonly happened: readonly T[];
}

export interface FeedRunnerOptions<T> {
  readonly db: Database;
  /** Names the lock that lets one server read at a time. */
  readonly reader: string;
  readonly kinds: readonly ChangeKind[];
  readonly follow: (tx: Tx, changes: readonly TakenChange[]) => Promise<Followed<T>>;
  /** Runs after the passes of each look. */
  readonly afterwards?: () => Promise<void>;
  /** A pass failed; it is tried again, later each time. */
  readonly failed: (error: unknown) => void;
  readonly wakes: readonly Wakes[];
  readonly clock: Clock;
  readonly log: Log;
}

export class FeedRunner<T> implements AsyncDisposable {
  /** Published after the commit. */
  readonly happened: Topic<T>;
  readonly #options: FeedRunnerOptions<T>;
  readonly #stop = new AbortController();
  readonly #listening = new DisposableStack();
  #running: Promise<void> = Promise.resolve();
  #reading: Promise<unknown> = Promise.resolve();
  #woken = Promise.withResolvers<void>();

  constructor(options: FeedRunnerOptions<T>) {
    this.#options = options;
    const { wakes, log, reader } = options;
    this.happened = new Topic((err) => log.error({ err, reader }, 'reader of a topic failed'));
    for (const topic of wakes) this.#listening.use(topic.on(() => this.#woken.resolve()));
  }

  start(): void {
    this.#running = this.#keepRunning();
  }

  /** Reads what is in the feed now; does nothing while another server reads. */
  run(): Promise<void> {
    const mine = this.#reading.then(() => this.#runOnce());
    this.#reading = mine.catch(() => undefined);
    return mine;
  }

  /** What is in the feed then is read by the next start. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#listening.dispose();
    this.#stop.abort();
    await this.#running;
    await this.#reading;
  }

  async #keepRunning(): Promise<void> {
    const { clock, failed } = this.#options;
    const { signal } = this.#stop;
    for (let failures = 0; !signal.aborted;) {
      try {
        await this.run();
        failures = 0;
      } catch (error) {
        failures += 1;
        failed(error);
      }
      const restMs = failures > 0 ? backoffMs(retry, failures, Math.random) : leastMs;
      await clock.wait(restMs, signal).catch(() => undefined);
      await awaitAtMost(clock, this.#woken.promise, everyMs - leastMs, signal);
      this.#woken = Promise.withResolvers();
    }
  }

  async #runOnce(): Promise<void> {
    const { db, afterwards } = this.#options;
    for (let afterId = 0; ;) {
      const passed = await db.transaction((tx) => this.#pass(tx, afterId));
      if (!passed) return;
      for (const one of passed.happened) this.happened.publish(one);
      if (passed.read < changesPerPass) break;
      afterId = passed.lastId;
    }
    await afterwards?.();
  }

  /** Null: another server reads. */
  async #pass(tx: Tx, afterId: number) {
    const { reader, kinds, follow } = this.#options;
    if (!(await mayRead(tx, reader))) return null;
    const changes = await takeChanges(tx, { kinds, afterId, limit: changesPerPass });
    if (changes.length === 0) return { read: 0, lastId: afterId, happened: [] };
    const { taken, happened } = await follow(tx, changes);
    await removeChanges(tx, taken);
    return { read: changes.length, lastId: changes.at(-1)!.id, happened };
  }
}
