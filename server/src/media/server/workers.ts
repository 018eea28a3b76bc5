/**
 * Starts and ends media workers, from the server: processes that answer one question at a time about cameras that are
 * not ingested and about recorded files. What they read is untrusted: a worker that hangs or crashes is killed, and
 * nothing else suffers. Workers start when needed and end after 30 s without work.
 */
import { join } from 'node:path';
import { endChild, startChild, type Child } from '#lib/child.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { PeerFailure, type Message } from '#lib/ipc.ts';
import { ownWork, Turns } from '#lib/limits/turns.ts';
import type { AskWorker, TellCancelled } from '../protocol/worker-messages.ts';

/** Few people fill in a form at once; each worker takes about 60 MB while it works. */
const maxWorkers = 4;
/** Waiting questions; accounts share them and take turns. */
const maxWaiting = 16;
const idleMs = 30_000;
/** Starting Node and loading FFmpeg adds so much to the time that a question may take. */
const startAllowanceMs = 5_000;

/** The worker died on the question, or took too long. */
export class WorkerLost extends Error {
  override readonly name = 'WorkerLost';
}

interface Worker extends Child {
  busy: boolean;
  idle: AbortController;
}

export interface WorkersOptions {
  readonly clock: Clock;
  readonly log: Log;
}

export interface Asking {
  readonly body?: Uint8Array | undefined;
  /** The answer is not wanted any more; a worker that is busy with it is informed, and answers so. */
  readonly signal?: AbortSignal | undefined;
  /** Aborted when the disk of what is read does not answer: the worker waits for it, so it is ended. */
  readonly hung?: AbortSignal | undefined;
  /** For whom it is asked; left out: for the server itself. */
  readonly account?: string | undefined;
}

export class Workers implements AsyncDisposable {
  readonly #options: WorkersOptions;
  readonly #workers = new Set<Worker>();
  readonly #turns = new Turns(maxWorkers, maxWaiting);
  #stopped = false;

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  /** How many workers are running. */
  get processes(): number {
    return this.#workers.size;
  }

  /**
   * Throws WorkerLost; Problem `unavailable` when too many wait, or at shutdown; `request_replaced` when a newer
   * question took its place; the reason of `signal` when no worker had begun.
   */
  async ask<H>(
    question: AskWorker,
    timeoutMs: number,
    { body, signal, hung, account = ownWork }: Asking = {},
  ): Promise<Message<H>> {
    if (this.#stopped) throw new Problem('unavailable');
    const ask = () => this.#ask<H>(question, timeoutMs, { body, signal, hung });
    return this.#turns.take(account, ask, signal);
  }

  async #ask<H>(
    question: AskWorker,
    timeoutMs: number,
    { body, signal, hung }: Asking,
  ): Promise<Message<H>> {
    if (hung?.aborted) throw new WorkerLost('its disk does not answer');
    const worker = this.#take();
    const { clock, log } = this.#options;
    const askedAtMs = clock.monotonicMs();
    const cancelled: TellCancelled = { kind: 'cancelled' };
    const cancel = (): void => worker.peer.tell(cancelled);
    const giveUp = (): void => worker.peer.close();
    try {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', cancel);
      hung?.addEventListener('abort', giveUp);
      const answer = await worker.peer.request<H>(question, timeoutMs + startAllowanceMs, body);
      const ms = Math.round(clock.monotonicMs() - askedAtMs);
      log.debug({ pid: worker.process.pid, kind: question.kind, ms }, 'media worker answered');
      return answer;
    } catch (error) {
      if (!(error instanceof PeerFailure)) throw error;
      const { kind } = question;
      log.warn({ err: error, pid: worker.process.pid, kind }, 'media worker ended');
      this.#workers.delete(worker);
      await end(worker);
      if (this.#stopped) throw new Problem('unavailable', {}, error);
      throw new WorkerLost('over a question', { cause: error });
    } finally {
      signal?.removeEventListener('abort', cancel);
      hung?.removeEventListener('abort', giveUp);
      this.#giveBack(worker);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    this.#turns.refuseWaiting(new Problem('unavailable'));
    await Promise.all([...this.#workers].map((worker) => end(worker)));
  }

  /** There are as many turns as workers. */
  #take(): Worker {
    if (this.#stopped) throw new Problem('unavailable');
    const worker = [...this.#workers].find(({ busy }) => !busy) ?? this.#start();
    worker.idle.abort();
    worker.busy = true;
    return worker;
  }

  #giveBack(worker: Worker): void {
    worker.busy = false;
    if (this.#workers.has(worker)) {
      worker.idle = new AbortController();
      void this.#endWhenIdle(worker, worker.idle.signal);
    }
  }

  async #endWhenIdle(worker: Worker, signal: AbortSignal): Promise<void> {
    await this.#options.clock.wait(idleMs, signal).catch(() => undefined);
    if (signal.aborted || !this.#workers.delete(worker)) return;
    await end(worker);
  }

  #start(): Worker {
    const child = startChild({
      name: 'media worker',
      words: [join(import.meta.dirname, '../../media-worker.ts')],
      closed: () => this.#workers.delete(worker),
      log: this.#options.log,
    });
    const worker: Worker = { ...child, busy: false, idle: new AbortController() };
    this.#workers.add(worker);
    return worker;
  }
}

async function end(worker: Worker): Promise<void> {
  worker.idle.abort();
  // One that waits for a disk in the kernel goes later; its turn is free by then.
  await endChild(worker);
}
