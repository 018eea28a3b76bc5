/**
 * The server's side of one host process: finds it alive and adopts it, or starts it; detects that it has
 * ended or does not answer; starts it again. Knows nothing of what the host does.
 *
 * Hosts outlive the server: they are started detached, and the next server finds them by the unix socket they listen
 * on. A host that runs another version of the code than ours is asked to leave, and a new one is started.
 */
import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import { backoffMs } from './backoff.ts';
import type { Clock } from './clock.ts';
import { compileCacheVariable } from './compile-cache.ts';
import type { Log } from './log.ts';
import { Peer, type Handlers, type Message } from './ipc.ts';

export interface HostOptions {
  /** For logs and the name of the error file, e.g. `media-1`. */
  readonly name: string;
  /** Absolute path of the `.ts` file to run. */
  readonly entry: string;
  readonly socketPath: string;
  /** The file of the process's standard error, where a native crash leaves its message. */
  readonly errorPath: string;
  /** Added to a minimal environment; never holds a secret. */
  readonly env?: Record<string, string>;
  /** Further arguments; never a secret, never typed text. */
  readonly words?: readonly string[];
  /** `nice` value for work that must not disturb recording. */
  readonly nice?: number;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with the host's messages. */
  readonly received: (message: Message) => void;
  /** Called each time a host is reached, new or adopted, to send it what it must know. */
  readonly reached: (peer: Peer) => void;
  /** Called each time a reached host is lost without having been asked to end. */
  readonly lost?: () => void;
}

export interface Hello {
  readonly pid: number;
  readonly version: string;
}

/**
 * glibc: the buffers of frames, packets and networks return to the system when they are freed, instead of being kept
 * for later in one arena per thread. A media host has some fifty threads.
 */
const allocator = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };
/**
 * V8, MiB: hosts allocate few objects that last and many that do not, mostly outside V8's heap; by default V8 keeps
 * garbage until that heap is several times as large as what is used (`bench/memory.ts`).
 */
const heap = ['--max-semi-space-size=4', '--max-old-space-size=1024'];
/** A new host must listen within this time; starting Node and loading the native library takes 0.3-2 s here. */
const startTimeoutMs = 15_000;
/** A host that does not answer a ping for this long hangs and is killed (R-06: back within 12 s of SIGSTOP). */
const pingTimeoutMs = 6_000;
const pingEveryMs = 2_000;

export class Host implements AsyncDisposable {
  readonly #options: HostOptions;
  readonly #stop = new AbortController();
  #peer: Peer | null = null;
  #pid: number | null = null;
  /** Whether the process is to end with us. */
  #ends = false;
  #running: Promise<void>;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#running = this.#keepRunning();
  }

  /** The connection while there is one. */
  get peer(): Peer | null {
    return this.#peer;
  }

  get pid(): number | null {
    return this.#pid;
  }

  /** Leaves the host running for the next server to adopt. */
  async release(): Promise<void> {
    this.#stop.abort();
    this.#peer?.close();
    await this.#running;
  }

  /** Asks the host to leave and waits for it, five seconds at most. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ends = true;
    this.#stop.abort();
    if (this.#peer) await this.#end(this.#peer);
    else if (this.#pid !== null) kill(this.#pid, 'SIGKILL');
    await this.#running;
  }

  async #end(peer: Peer): Promise<void> {
    const pid = this.#pid;
    if (!peer.closed) {
      peer.tell({ kind: 'leave' });
      await waitUntilGone(pid, 5_000, this.#options.clock);
    }
    peer.close();
    if (pid !== null) kill(pid, 'SIGKILL');
  }

  async #keepRunning(): Promise<void> {
    const { clock, log, name } = this.#options;
    let failures = 0;
    while (!this.#stop.signal.aborted) {
      const reachedAtMs = clock.monotonicMs();
      try {
        await this.#runOnce();
        // A host that worked for a minute resets the count.
        failures = clock.monotonicMs() - reachedAtMs > 60_000 ? 1 : failures + 1;
      } catch (error) {
        failures += 1;
        if (!this.#stop.signal.aborted) log.error({ err: error, host: name }, 'host did not start');
      }
      if (this.#stop.signal.aborted) return;
      const delayMs = backoffMs({ firstMs: 100, maxMs: 10_000 }, failures, Math.random);
      await clock.wait(delayMs, this.#stop.signal).catch(() => undefined);
    }
  }

  /** Adopts or starts the host and returns when it is lost. */
  async #runOnce(): Promise<void> {
    const { log, name, reached, lost } = this.#options;
    const ended = Promise.withResolvers<void>();
    const handlers: Handlers = { received: this.#options.received, closed: () => ended.resolve() };
    const peer = (await this.#adopt(handlers)) ?? (await this.#start(handlers));
    if (this.#stop.signal.aborted) {
      // The code that ended us found no peer to end.
      if (this.#ends) await this.#end(peer);
      peer.close();
      return;
    }
    this.#peer = peer;
    const watching = new AbortController();
    try {
      log.info({ host: name, pid: this.#pid }, 'host reached');
      reached(peer);
      void this.#watch(peer, watching.signal);
      await ended.promise;
    } finally {
      watching.abort();
      this.#peer = null;
      if (!this.#stop.signal.aborted) {
        log.warn({ host: name, pid: this.#pid }, 'host lost');
        lost?.();
      }
    }
  }

  async #adopt(handlers: Handlers): Promise<Peer | null> {
    const { socketPath, version, clock } = this.#options;
    const peer = await dial(socketPath, handlers).catch(() => null);
    if (!peer) return null;
    const hello = await peer.request<Hello>({ kind: 'hello' }, pingTimeoutMs).catch(() => null);
    if (hello?.head.version === version) {
      this.#pid = hello.head.pid;
      return peer;
    }
    // Another version, or one that hangs: it must be gone before a new one can take the socket.
    peer.tell({ kind: 'leave' });
    await waitUntilGone(hello?.head.pid ?? null, 5_000, clock);
    if (hello) kill(hello.head.pid, 'SIGKILL');
    peer.close();
    return null;
  }

  async #start(handlers: Handlers): Promise<Peer> {
    const { entry, socketPath, errorPath, env, nice, version, clock } = this.#options;
    const { words: more = [] } = this.#options;
    await using errors = await open(errorPath, 'w', 0o600);
    const command = nice ? 'nice' : process.execPath;
    const words = [...heap, entry, '--socket', socketPath, '--version', version, ...more];
    const child = spawn(command, nice ? ['-n', String(nice), process.execPath, ...words] : words, {
      detached: true,
      stdio: ['ignore', errors.fd, errors.fd],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        ...compileCacheVariable(),
        ...allocator,
        ...env,
      },
    });
    let failed: Error | null = null;
    child.on('error', (error) => (failed = error));
    child.on('exit', (code, signal) => (failed ??= new Error(`ended at start: ${code ?? signal}`)));
    child.unref();
    this.#pid = child.pid ?? null;
    const deadlineMs = clock.monotonicMs() + startTimeoutMs;
    while (!failed && clock.monotonicMs() < deadlineMs && !this.#stop.signal.aborted) {
      const peer = await dial(socketPath, handlers).catch(() => null);
      if (peer) return peer;
      await clock.wait(20);
    }
    if (child.pid) kill(child.pid, 'SIGKILL');
    throw failed ?? new Error(`did not listen within ${startTimeoutMs} ms`);
  }

  async #watch(peer: Peer, signal: AbortSignal): Promise<void> {
    const { clock, log, name } = this.#options;
    while (!signal.aborted) {
      await clock.wait(pingEveryMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      const answered = await peer.request({ kind: 'ping' }, pingTimeoutMs).then(
        () => true,
        () => false,
      );
      if (answered || signal.aborted) continue;
      log.error({ host: name, pid: this.#pid }, 'host does not answer, killing it');
      if (this.#pid !== null) kill(this.#pid, 'SIGKILL');
      peer.close();
      return;
    }
  }
}

/** Connects to a unix socket. */
export function dial(socketPath: string, handlers: Handlers): Promise<Peer> {
  const answer = Promise.withResolvers<Peer>();
  const socket = connect(socketPath);
  socket.once('error', answer.reject);
  socket.once('connect', () => {
    socket.off('error', answer.reject);
    answer.resolve(new Peer(socket, handlers));
  });
  return answer.promise;
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The host has already ended, as intended.
  }
}

async function waitUntilGone(pid: number | null, timeoutMs: number, clock: Clock): Promise<void> {
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  while (pid !== null && isAlive(pid) && clock.monotonicMs() < deadlineMs) await clock.wait(20);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
