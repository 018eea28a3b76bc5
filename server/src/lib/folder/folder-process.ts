/**
 * Reads and writes one folder's files in a process of its own, so that a disk that hangs (a network folder without its
 * server, a dying disk) holds up nothing else: libuv has few threads, and everything a process does shares them. While
 * the folder does not answer, every call is refused at once. A folder never has more than one process: the kernel
 * releases a process that waits for a disk only when the disk answers, and a second one would wait beside it.
 */
import { join } from 'node:path';
import { endChild, goneOf, startChild, type Child } from '../child.ts';
import { awaitAtMost, systemClock } from '../clock.ts';
import { PeerFailure } from '../ipc.ts';
import type { Log } from '../log.ts';
import { Problem } from '../problem.ts';
import { valueIn, type AnswerCall, type AskCall, type CallName } from './calls.ts';
import type { Entry, Folder, Probe } from './folder-files.ts';

export interface FolderLimits {
  readonly callMs: number;
  /** After this the folder counts as hung, and no other call waits for it. A late answer ends that state. */
  readonly probeMs: number;
  /** A process that does not answer by then is ended, and another one tries. */
  readonly lateMs: number;
  /** For a function on a file, which waits for earlier ones, and computes on a machine that may be busy. */
  readonly runMs: number;
}

/** A disk that spins up takes 10 s; every other call is one of many and short. */
const usualLimits: FolderLimits = {
  callMs: 15_000,
  probeMs: 3_000,
  lateMs: 10_000,
  runMs: 60_000,
};
/** The time to start Node on a busy machine; no disk of the folder is involved. */
const startMs = 30_000;
/** Frees about 45 MB while no call uses the folder. */
const idleMs = 30_000;
/** Readers have their own limits; this one bounds their sum. */
const maxCalls = 500;
/** A small heap: the bytes that are read lie outside it. */
const heap = ['--max-semi-space-size=1', '--max-old-space-size=128'];
/** Enough for several readers when one file among them hangs. */
const threads = '8';

/** The disk of the folder does not answer. */
export class FolderUnreachable extends Problem {
  override readonly name = 'FolderUnreachable';

  constructor(cause?: unknown) {
    super('recording_disk_away', {}, cause);
  }
}

/** libuv has no name for ESTALE. */
const systemCode = /^(?:E[A-Z0-9]+|Unknown system error -\d+)$/;

/** Whether the disk is at fault, or did not answer: an error of the file system has a code (EIO). */
export const isOfDisk = (error: unknown): boolean =>
  error instanceof FolderUnreachable ||
  systemCode.test(String((error as NodeJS.ErrnoException | null)?.code));

export interface FolderProcessOptions {
  readonly folder: string;
  /** The file that says which folder this is. */
  readonly markFile: string;
  readonly log: Log;
  /** Called when it does not answer, and when it does again. */
  readonly changed?: (isHung: boolean) => void;
  /** Tests don't wait that long. */
  readonly limits?: FolderLimits;
}

export class FolderProcess implements Folder {
  readonly #options: FolderProcessOptions;
  readonly #limits: FolderLimits;
  readonly #stop = new AbortController();
  #child: Child | null = null;
  #ready: Promise<unknown> = Promise.resolve();
  #hung: AbortController = new AbortController();
  #reviving: Promise<void> = Promise.resolve();
  #calls = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: FolderProcessOptions) {
    this.#options = options;
    this.#limits = options.limits ?? usualLimits;
  }

  /** Whether it does not answer. */
  get isHung(): boolean {
    return this.#hung.signal.aborted;
  }

  get hung(): AbortSignal {
    return this.#hung.signal;
  }

  get pid(): number | null {
    return this.#child?.process.pid ?? null;
  }

  /** Like every call, throws FolderUnreachable, the error of the file system, or `unavailable` under too many calls. */
  probe(): Promise<Probe> {
    return this.#call('probe', [], this.#limits.probeMs);
  }

  size(path: string): Promise<number | null> {
    return this.#call('size', [path]);
  }

  list(path: string): Promise<readonly Entry[] | null> {
    return this.#call('list', [path]);
  }

  read(path: string, from: number, until: number): Promise<Buffer> {
    return this.#call('read', [path, from, until]);
  }

  async run(name: string, path: string, params: readonly number[]): Promise<Buffer> {
    return await this.#call('run', [name, path, params], this.#limits.runMs);
  }

  realFolder(path: string): Promise<string> {
    return this.#call('realFolder', [path], this.#limits.probeMs);
  }

  makeFolder(path: string): Promise<void> {
    return this.#call('makeFolder', [path]);
  }

  write(path: string, bytes: Buffer): Promise<void> {
    return this.#call('write', [path], this.#limits.callMs, bytes);
  }

  append(path: string, bytes: Buffer): Promise<void> {
    return this.#call('append', [path], this.#limits.callMs, bytes);
  }

  cut(path: string, bytes: number): Promise<void> {
    return this.#call('cut', [path, bytes]);
  }

  rename(from: string, to: string): Promise<void> {
    return this.#call('rename', [from, to]);
  }

  remove(path: string): Promise<void> {
    return this.#call('remove', [path]);
  }

  removeEmptyFolder(path: string): Promise<boolean> {
    return this.#call('removeEmptyFolder', [path]);
  }

  syncFolder(path: string): Promise<void> {
    return this.#call('syncFolder', [path]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#hung.abort();
    clearTimeout(this.#idle);
    const child = this.#child;
    if (child) await endChild(child);
    await this.#reviving;
  }

  async #call<T>(
    call: CallName,
    words: AskCall['words'],
    timeoutMs = this.#limits.callMs,
    body?: Buffer,
  ): Promise<T> {
    if (this.isHung) throw new FolderUnreachable();
    if (this.#calls >= maxCalls) throw new Problem('unavailable', { retry_after_s: 2 });
    this.#calls += 1;
    clearTimeout(this.#idle);
    const child = (this.#child ??= this.#start());
    try {
      await this.#ready;
      return (await this.#ask(child, call, words, timeoutMs, body)) as T;
    } catch (error) {
      if (!(error instanceof PeerFailure)) throw error;
      // A function that computes for long does not mean that the disk hangs: the calls that only read detect that.
      if (call === 'run' && !child.peer.closed)
        throw new Problem('unavailable', { retry_after_s: 2 });
      this.#lost(child);
      throw new FolderUnreachable(error);
    } finally {
      this.#calls -= 1;
      this.#endWhenIdle();
    }
  }

  async #ask(
    { peer }: Child,
    call: AskCall['call'],
    words: AskCall['words'],
    timeoutMs: number,
    body?: Buffer,
  ): Promise<unknown> {
    const { folder, markFile } = this.#options;
    const head: AskCall = { call, folder, markFile, words };
    return valueIn(await peer.request<AnswerCall>(head, timeoutMs, body));
  }

  #start(): Child {
    const child = startChild({
      name: 'folder process',
      words: [...heap, join(import.meta.dirname, '../../folder-host.ts')],
      env: { UV_THREADPOOL_SIZE: threads },
      closed: () => undefined,
      log: this.#options.log,
    });
    this.#ready = this.#ask(child, 'ready', [], startMs);
    // The callers receive the error.
    this.#ready.catch(() => undefined);
    return child;
  }

  /** The process has ended, or the disk keeps it waiting. */
  #lost(child: Child): void {
    if (this.isHung || this.#child !== child) return;
    if (child.peer.closed) {
      // It crashed or was ended by the system; the next call starts another.
      this.#child = null;
      return;
    }
    this.#hung.abort();
    this.#options.log.error({ folder: this.#options.folder }, 'a recording folder does not answer');
    this.#options.changed?.(true);
    this.#reviving = this.#revive(child);
  }

  /** Resolves when the folder answers again. */
  async #revive(first: Child): Promise<void> {
    const { signal } = this.#stop;
    for (let child = first; !signal.aborted;) {
      try {
        await this.#ready;
        await this.#ask(child, 'probe', [], this.#limits.lateMs);
        if (signal.aborted) return;
        this.#hung = new AbortController();
        this.#options.log.warn(
          { folder: this.#options.folder },
          'a recording folder answers again',
        );
        this.#options.changed?.(false);
        return;
      } catch {
        await endChild(child);
        await untilAborted(goneOf(child.process), signal);
        await systemClock.wait(500, signal).catch(() => undefined);
        if (signal.aborted) return;
        this.#child = child = this.#start();
      }
    }
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    if (this.#calls > 0 || this.isHung) return;
    this.#idle = setTimeout(() => {
      const child = this.#child;
      this.#child = null;
      if (child) void endChild(child);
    }, idleMs);
    this.#idle.unref();
  }
}

const untilAborted = (comes: Promise<unknown>, signal: AbortSignal): Promise<void> =>
  awaitAtMost(systemClock, comes, 2 ** 31 - 1, signal);
