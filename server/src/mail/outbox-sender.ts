/**
 * Hands emails over, one at a time. Where several servers share a database, one of them takes each email and
 * holds it for five minutes; after that, any of them may take the email of a sender that died.
 */
import { backoffMs } from '#lib/backoff.ts';
import { awaitAtMost, type Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { NotSent, send, type Email, type MailRoute } from './smtp.ts';
import type { OutboxRow, OutboxStore } from './store.ts';

/** Longer than a hand-over can last: its own time limits end it earlier. */
const leaseMs = 5 * 60_000;
const retry = { firstMs: 15_000, maxMs: 10 * 60_000 };
/** The database announces emails of other processes at once; this covers announcements that were lost. */
const lookEveryMs = 60_000;
/** The time that a stopping server leaves a hand-over to end. */
const lastMs = 3_000;

export interface OutboxSenderOptions {
  readonly store: OutboxStore;
  readonly route: Pick<MailRoute, 'smtp' | 'from'>;
  readonly open: (id: string, sealed: Buffer) => Email;
  readonly clock: Clock;
  readonly log: Log;
}

export class OutboxSender implements AsyncDisposable {
  readonly #options: OutboxSenderOptions;
  readonly #stop = new AbortController();
  readonly #listening: Disposable;
  readonly #running: Promise<void>;
  #wake = Promise.withResolvers<void>();

  constructor(options: OutboxSenderOptions) {
    this.#options = options;
    this.#listening = options.store.onAdded(() => this.#wake.resolve());
    this.#running = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listening[Symbol.dispose]();
    this.#stop.abort();
    const given = new AbortController();
    const patience = this.#options.clock.wait(lastMs, given.signal).catch(() => undefined);
    await Promise.race([this.#running, patience]);
    given.abort();
  }

  async #run(): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers();
      try {
        await this.#handOverAll();
      } catch (error) {
        log.warn({ err: error }, 'letters could not be looked for');
      }
      if (!signal.aborted) await this.#rest();
    }
  }

  async #handOverAll(): Promise<void> {
    const { store, clock, log } = this.#options;
    const expired = await store.deleteExpired(new Date(clock.now()));
    if (expired > 0)
      log.warn({ letters: expired }, 'letters were not sent in time and are dropped');
    while (!this.#stop.signal.aborted) {
      const nowMs = clock.now();
      const row = await store.take(new Date(nowMs), new Date(nowMs + leaseMs));
      if (!row) return;
      await this.#handOver(row);
    }
  }

  /** The log never holds the receiver or the text. */
  async #handOver({ id, sealed, attempts }: OutboxRow): Promise<void> {
    const { store, route, open, clock, log } = this.#options;
    try {
      await send(route.smtp, route.from, id, open(id, sealed));
    } catch (error) {
      // An email that was sealed under another master key will never open.
      if (!(error instanceof NotSent) || error.isFinal) {
        log.error({ letter: id, err: error }, 'a letter cannot be sent and is dropped');
        await store.delete(id);
        return;
      }
      const waitMs = backoffMs(retry, attempts, Math.random);
      const { code, reply } = error;
      log.warn({ letter: id, attempts, reason: code, reply, waitMs }, 'a letter was not taken');
      await store.tryAgainAt(id, new Date(clock.now() + waitMs));
      return;
    }
    await store.delete(id);
    log.info({ letter: id, attempts }, 'a letter was handed over');
  }

  /** Waits until an email is added or due. */
  async #rest(): Promise<void> {
    const { store, clock } = this.#options;
    const due = await store.nextDueAt().catch(() => null);
    const untilDueMs = due === null ? lookEveryMs : Math.max(0, due.getTime() - clock.now());
    const waitMs = Math.min(lookEveryMs, untilDueMs);
    await awaitAtMost(clock, this.#wake.promise, waitMs, this.#stop.signal);
  }
}
