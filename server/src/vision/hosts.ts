/** The vision hosts as the server has them: kept running, asked in turn, asked again when one dies. */
import { join } from 'node:path';
import type { Clock } from '#lib/clock.ts';
import { Host } from '#lib/host.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { PeerFailure, type Message } from '#lib/wire.ts';
import type { StatsReply, VisionRequest } from './messages.ts';

export interface HostsOptions {
  /** How many; one core each. */
  readonly hosts: number;
  /** Folder of the sockets. */
  readonly runDir: string;
  /** Folder of what the processes write to standard error. */
  readonly logsDir: string;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface HostHealth {
  readonly name: string;
  readonly pid: number | null;
  /** Null when it cannot be reached. */
  readonly stats: StatsReply | null;
}

/**
 * glibc: buffers of pictures and networks go back to the system when they are freed, instead of being
 * kept for later in one arena per thread.
 */
const allocator = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };
/** A host that died is back within 1 s; whoever asks meanwhile waits this long. */
const reachTimeoutMs = 8_000;

export class Hosts implements AsyncDisposable {
  readonly sockets: readonly string[];
  readonly #clock: Clock;
  readonly #hosts: { readonly name: string; readonly host: Host }[];
  #reached = Promise.withResolvers<void>();
  #turn = 0;

  constructor({ hosts, runDir, logsDir, version, clock, log }: HostsOptions) {
    this.#clock = clock;
    const names = Array.from({ length: hosts }, (_, i) => `vision-${i + 1}`);
    this.sockets = names.map((name) => join(runDir, `${name}.sock`));
    this.#hosts = names.map((name, i) => {
      const host = new Host({
        name,
        entry: join(import.meta.dirname, '../vision-host.ts'),
        socketPath: this.sockets[i]!,
        errorPath: join(logsDir, `${name}.log`),
        env: allocator,
        // Pictures must not hold up the server or the recorders on a busy machine.
        nice: 5,
        version,
        clock,
        log,
        told: () => undefined,
        reached: () => this.#wake(),
      });
      return { name, host };
    });
  }

  /** Asks the next live host; once more another (or the same, restarted) when it fails. */
  async ask<H>(
    request: VisionRequest,
    body: Uint8Array,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<Message<H>> {
    let failed: Host | null = null;
    for (;;) {
      const host = await this.#next(failed, signal);
      try {
        return await abortable(host.peer!.request<H>(request, timeoutMs, body), signal);
      } catch (error) {
        if (!(error instanceof PeerFailure)) throw error;
        if (failed !== null) throw new Problem('unavailable', {}, error);
        failed = host;
      }
    }
  }

  async health(): Promise<HostHealth[]> {
    return Promise.all(
      this.#hosts.map(async ({ name, host }) => {
        const asked = host.peer?.request<StatsReply>({ kind: 'stats' }, 2_000);
        const stats = (await asked?.catch(() => null))?.head ?? null;
        return { name, pid: host.pid, stats };
      }),
    );
  }

  /** Leaves the processes for the next server. */
  async release(): Promise<void> {
    await Promise.all(this.#hosts.map(({ host }) => host.release()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#hosts.map(({ host }) => host[Symbol.asyncDispose]()));
  }

  #wake(): void {
    this.#reached.resolve();
    this.#reached = Promise.withResolvers();
  }

  /** A reachable host, another one than `failed` if there is a choice; waits for one to come back. */
  async #next(failed: Host | null, signal?: AbortSignal): Promise<Host> {
    const deadlineMs = this.#clock.monotonicMs() + reachTimeoutMs;
    for (;;) {
      signal?.throwIfAborted();
      const live = this.#hosts.map(({ host }) => host).filter(({ peer }) => peer && !peer.closed);
      const others = live.filter((host) => host !== failed);
      const choice = others.length > 0 ? others : live;
      const host = choice[this.#turn++ % choice.length];
      if (host) return host;
      const leftMs = deadlineMs - this.#clock.monotonicMs();
      if (leftMs <= 0) throw new Problem('unavailable');
      await this.#reachedWithin(leftMs, signal);
    }
  }

  async #reachedWithin(ms: number, signal?: AbortSignal): Promise<void> {
    const over = new AbortController();
    const waiting = AbortSignal.any(signal ? [over.signal, signal] : [over.signal]);
    await Promise.race([
      this.#reached.promise,
      this.#clock.wait(ms, waiting).catch(() => undefined),
    ]);
    over.abort();
  }
}

/** The work goes on in the host; only the waiting ends. */
async function abortable<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
