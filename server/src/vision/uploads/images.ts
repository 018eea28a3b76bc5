/**
 * The server's side of the image hosts: the server starts one when an upload comes, gives each one picture at a time,
 * kills one when a picture takes too long or too much memory, and ends it after 30 s without work.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endChild, startChild, type Child } from '#lib/child.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { PeerFailure } from '#lib/ipc.ts';
import type { Clean } from './clean.ts';
import type { CleanReply, CleanRequest } from './image-messages.ts';
import type { Turn } from '../turns.ts';
import { checkUpload } from './upload.ts';

/** Two at once: a second user need not wait for the first one's large picture. */
const maxHosts = 2;
const pictureTimeoutMs = 5_000;
/** A new process also needs time to start Node and libvips. */
const startAllowanceMs = 5_000;
const idleMs = 30_000;
/**
 * Peaks measured: 100 MiB for a small JPEG, 144 for one of 40 megapixels (PNG 151, WebP 117), 227 when it is
 * progressive. Only progressive JPEGs of 40 megapixels with full colour (343) and interlaced PNGs of that size with
 * transparency (275) exceed it: these are refused.
 */
const maxRssBytes = 256 * 1024 * 1024;
const watchEveryMs = 50;

interface ImageHost extends Child {
  busy: boolean;
  fresh: boolean;
  idle: AbortController;
}

export interface ImagesOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Narrower limits than the usual ones. */
  readonly maxRssBytes?: number;
  readonly pictureTimeoutMs?: number;
  /** Returns how much memory a process takes now. */
  readonly rssBytesOf?: (pid: number | undefined) => Promise<number>;
}

export class Images implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #hosts = new Set<ImageHost>();
  readonly #waiting: (() => void)[] = [];
  readonly #limits: { readonly rssBytes: number; readonly pictureMs: number };
  readonly #rssBytesOf: (pid: number | undefined) => Promise<number>;
  #stopped = false;

  constructor({ clock, log, ...limits }: ImagesOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#limits = {
      rssBytes: limits.maxRssBytes ?? maxRssBytes,
      pictureMs: limits.pictureTimeoutMs ?? pictureTimeoutMs + startAllowanceMs,
    };
    this.#rssBytesOf = limits.rssBytesOf ?? rssBytes;
  }

  /** How many processes are running. */
  get processes(): number {
    return this.#hosts.size;
  }

  /**
   * Problems: `image_too_large`, `image_type`, `image_too_many_pixels` (also for a picture that needs more
   * memory than it may have), `image_unreadable` (also for one that takes too long).
   */
  async clean(bytes: Buffer, signal?: AbortSignal, turn: Turn = 0): Promise<Clean> {
    checkUpload(bytes);
    for (let usedUp = 0; usedUp <= maxHosts; usedUp++) {
      const clean = await this.#tried({ kind: 'clean', turn }, bytes, signal);
      if (clean) return clean;
    }
    throw new Problem('unavailable');
  }

  /** Null when earlier pictures used up the process: another has to be asked. */
  async #tried(
    request: CleanRequest,
    bytes: Buffer,
    signal: AbortSignal | undefined,
  ): Promise<Clean | null> {
    const host = await this.#take();
    try {
      signal?.throwIfAborted();
      return await this.#ask(host, request, bytes);
    } finally {
      this.#giveBack(host);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    for (const wake of this.#waiting.splice(0)) wake();
    await Promise.all([...this.#hosts].map((host) => end(host)));
  }

  async #ask(host: ImageHost, request: CleanRequest, bytes: Buffer): Promise<Clean | null> {
    const { fresh } = host;
    const timeoutMs = this.#limits.pictureMs - (fresh ? 0 : startAllowanceMs);
    const done = new AbortController();
    const memory = this.#watchMemory(host, done.signal);
    try {
      const { head, body } = await host.peer.request<CleanReply>(request, timeoutMs, bytes);
      host.fresh = false;
      if (head.refused !== null) throw new Problem(head.refused);
      const { width, height, jpegBytes, thumbnailBytes } = head;
      const thumbnailEnd = jpegBytes + thumbnailBytes;
      return {
        jpeg: Buffer.from(body.subarray(0, jpegBytes)),
        thumbnail: Buffer.from(body.subarray(jpegBytes, thumbnailEnd)),
        rgb: body.subarray(thumbnailEnd),
        width,
        height,
      };
    } catch (error) {
      if (!(error instanceof PeerFailure)) throw error;
      done.abort();
      const outgrown = await memory;
      this.#log.warn({ pid: host.process.pid, outgrown }, 'image host ended over a picture');
      this.#hosts.delete(host);
      await end(host);
      if (this.#stopped) throw new Problem('unavailable', {}, error);
      // In a used process, earlier pictures may have left too much; in a fresh one, this picture was too much.
      if (outgrown && !fresh) return null;
      throw new Problem(outgrown ? 'image_too_many_pixels' : 'image_unreadable', {}, error);
    } finally {
      done.abort();
    }
  }

  /** Kills the host when it outgrows its memory; true when it did. */
  async #watchMemory({ process: child }: ImageHost, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if ((await this.#rssBytesOf(child.pid)) > this.#limits.rssBytes) {
        child.kill('SIGKILL');
        return true;
      }
      await this.#clock.wait(watchEveryMs, signal).catch(() => undefined);
    }
    return false;
  }

  async #take(): Promise<ImageHost> {
    for (;;) {
      if (this.#stopped) throw new Problem('unavailable');
      const free = [...this.#hosts].find(({ busy }) => !busy);
      const host = free ?? (this.#hosts.size < maxHosts ? this.#start() : null);
      if (host) {
        host.idle.abort();
        host.busy = true;
        return host;
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #giveBack(host: ImageHost): void {
    host.busy = false;
    host.idle = new AbortController();
    void this.#endWhenIdle(host, host.idle.signal);
    this.#waiting.shift()?.();
  }

  async #endWhenIdle(host: ImageHost, signal: AbortSignal): Promise<void> {
    await this.#clock.wait(idleMs, signal).catch(() => undefined);
    if (signal.aborted || !this.#hosts.delete(host)) return;
    await end(host);
  }

  #start(): ImageHost {
    const entry = join(import.meta.dirname, '../../image-host.ts');
    const child = startChild({
      name: 'image host',
      words: ['--max-old-space-size=96', entry],
      closed: () => {
        this.#hosts.delete(host);
        this.#waiting.shift()?.();
      },
      log: this.#log,
    });
    const host: ImageHost = { ...child, busy: false, fresh: true, idle: new AbortController() };
    this.#hosts.add(host);
    return host;
  }
}

async function end(host: ImageHost): Promise<void> {
  host.idle.abort();
  await endChild(host);
}

/** Returns 0 where the system does not report it (no /proc) or the process is gone. */
async function rssBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kib] = /^VmRSS:\s*(\d+) kB/m.exec(status) ?? [];
  return Number(kib ?? 0) * 1024;
}
