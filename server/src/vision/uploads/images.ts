/**
 * The server's side of the image hosts: the server starts one when an upload comes, gives each one picture at a time,
 * kills one when a picture takes too much processor time or memory, and ends it after 30 s without work. Accounts take
 * turns, so that one that sends fifty photos does not delay one that sends a single photo.
 */
import { join } from 'node:path';
import { endChild, startChild, type Child } from '#lib/child.ts';
import type { Clock } from '#lib/clock.ts';
import { Turns } from '#lib/limits/turns.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { PeerFailure } from '#lib/ipc.ts';
import type { Clean } from './clean.ts';
import type { CleanReply, CleanRequest } from './image-messages.ts';
import { exceededLimit, type EndReason, type PictureLimits } from './picture-watch.ts';
import { processUse, type ProcessUse } from './process-use.ts';
import type { Turn } from '../turns.ts';
import { checkUpload } from './upload.ts';

/** Two at once: a second user need not wait for the first one's large picture. */
const maxHosts = 2;
/** Starting Node and libvips takes 0.5 s of processor time. */
const startAllowanceCpuMs = 2_000;
const idleMs = 30_000;
/**
 * Memory, peaks measured: 100 MiB for a small JPEG, 144 for one of 40 megapixels (PNG 151, WebP 117), 227 when it is
 * progressive. Only progressive JPEGs of 40 megapixels with full colour (343) and interlaced PNGs of that size with
 * transparency (275) exceed it: these are refused. HEIC in tiles, as phones write it: 209 MiB and 2 s of processor time
 * for 12 megapixels, 220 and 3.5 for 23; not divided, 251 for 12. AVIF: 309 MiB for 12 megapixels.
 */
const usualLimits: PictureLimits = {
  rssBytes: 256 * 1024 * 1024,
  cpuMs: 5_000,
  stallMs: 30_000,
};
/** Each upload that waits holds its bytes, 10 MiB at most. */
const maxWaiting = 24;
/** Longer than this a proxy may not wait for an answer. */
const queueMs = 30_000;
const retryAfterS = 2;
/** A bound for the unforeseen: the watch decides long before. */
const replyTimeoutMs = 15 * 60_000;

interface ImageHost extends Child {
  busy: boolean;
  fresh: boolean;
  idle: AbortController;
}

export interface ImagesOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Narrower limits than the usual ones. */
  readonly limits?: Partial<PictureLimits>;
  /** Returns what a process takes now. */
  readonly usageOf?: (pid: number | undefined) => Promise<ProcessUse>;
}

export interface CleanOptions {
  /** For whom the picture is read; `ownWork` for the server itself. */
  readonly account: string;
  /** The picture is turned by it, after what its file says of itself. */
  readonly turn?: Turn;
  readonly signal?: AbortSignal | undefined;
}

export class Images implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #hosts = new Set<ImageHost>();
  readonly #turns = new Turns(maxHosts, maxWaiting);
  readonly #limits: PictureLimits;
  readonly #usageOf: (pid: number | undefined) => Promise<ProcessUse>;
  #stopped = false;

  constructor({ clock, log, limits, usageOf }: ImagesOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#limits = { ...usualLimits, ...limits };
    this.#usageOf = usageOf ?? processUse;
  }

  /** How many processes are running. */
  get processes(): number {
    return this.#hosts.size;
  }

  /**
   * Problems: the refusals of `clean.ts` and `upload.ts`; `image_too_many_pixels` also for a picture that needs more
   * memory than it may have, `image_too_slow` for one that needs more processor time, `busy` for one that waited too
   * long for its turn or for a processor, or whose place went to another.
   */
  async clean(bytes: Buffer, { account, turn = 0, signal }: CleanOptions): Promise<Clean> {
    checkUpload(bytes);
    const request: CleanRequest = { kind: 'clean', turn };
    for (let usedUp = 0; usedUp <= maxHosts; usedUp++) {
      const clean = await this.#inTurn(account, () => this.#tried(request, bytes), signal);
      if (clean) return clean;
    }
    throw busy();
  }

  /** Throws `busy` when too many wait already, when another took the place, or when no process becomes free in time. */
  async #inTurn<R>(account: string, work: () => Promise<R>, signal?: AbortSignal): Promise<R> {
    const begun = new AbortController();
    const late = new AbortController();
    const waited = this.#clock.wait(queueMs, begun.signal);
    void waited.then(
      () => late.abort(busy()),
      () => undefined,
    );
    const giveUp = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
    const begin = (): Promise<R> => {
      begun.abort();
      signal?.throwIfAborted();
      return work();
    };
    try {
      return await this.#turns.take(account, begin, giveUp);
    } catch (error) {
      // A client that is asked to retry does so; "replaced" is for clients that should give up.
      const hasNoPlace = !begun.signal.aborted && !this.#stopped && !signal?.aborted;
      throw hasNoPlace ? busy(error) : error;
    } finally {
      begun.abort();
    }
  }

  /** Null when the process failed for what earlier pictures left in it: another has to be asked. */
  async #tried(request: CleanRequest, bytes: Buffer): Promise<Clean | null> {
    const host = this.#take();
    try {
      return await this.#ask(host, request, bytes);
    } finally {
      this.#giveBack(host);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    this.#turns.refuseWaiting(new Problem('unavailable'));
    await Promise.all([...this.#hosts].map((host) => end(host)));
  }

  async #ask(host: ImageHost, request: CleanRequest, bytes: Buffer): Promise<Clean | null> {
    const { fresh } = host;
    const done = new AbortController();
    const ended = this.#watch(host, done.signal);
    try {
      const { head, body } = await host.peer.request<CleanReply>(request, replyTimeoutMs, bytes);
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
      const reason = await ended;
      this.#log.warn({ pid: host.process.pid, reason }, 'image host ended over a picture');
      this.#hosts.delete(host);
      await end(host);
      if (this.#stopped) throw new Problem('unavailable', {}, error);
      // A used process may have failed for what earlier pictures left in it; a fresh one failed for this picture.
      if (!fresh && (reason === 'memory' || reason === null)) return null;
      throw refusalOf(reason, error);
    } finally {
      done.abort();
    }
  }

  /** Kills the host when it exceeds a limit; resolves with that limit, or null. */
  async #watch(
    { process: child, fresh }: ImageHost,
    signal: AbortSignal,
  ): Promise<EndReason | null> {
    const allowanceMs = fresh ? startAllowanceCpuMs : 0;
    const limits = { ...this.#limits, cpuMs: this.#limits.cpuMs + allowanceMs };
    const usage = (): Promise<ProcessUse> => this.#usageOf(child.pid);
    const reason = await exceededLimit({ clock: this.#clock, limits, usage }, signal);
    if (reason !== null) child.kill('SIGKILL');
    return reason;
  }

  /** There are as many turns as hosts: one is free, or may be started. */
  #take(): ImageHost {
    if (this.#stopped) throw new Problem('unavailable');
    const host = [...this.#hosts].find(({ busy }) => !busy) ?? this.#start();
    host.idle.abort();
    host.busy = true;
    return host;
  }

  #giveBack(host: ImageHost): void {
    host.busy = false;
    if (!this.#hosts.has(host)) return;
    host.idle = new AbortController();
    void this.#endWhenIdle(host, host.idle.signal);
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
      closed: () => this.#hosts.delete(host),
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

const busy = (cause?: unknown): Problem =>
  new Problem('busy', { retry_after_s: retryAfterS }, cause);

/** Names the picture as the cause only where it is. */
function refusalOf(reason: EndReason | null, cause: unknown): Problem {
  if (reason === 'stalled') return busy(cause);
  if (reason === 'memory') return new Problem('image_too_many_pixels', {}, cause);
  if (reason === 'processor') return new Problem('image_too_slow', {}, cause);
  return new Problem('image_unreadable', {}, cause);
}
