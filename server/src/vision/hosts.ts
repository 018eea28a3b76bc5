/**
 * The server's vision hosts: it keeps them running, asks them in turn, asks another when one dies, and gives them
 * another pack one after another.
 */
import { join } from 'node:path';
import { awaitAtMost, type Clock } from '#lib/clock.ts';
import { Host } from '#lib/host.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { PeerFailure, type Message } from '#lib/ipc.ts';
import { packFingerprint, type InstalledPack } from './packs/installed-packs.ts';
import type { StatsReply, VisionRequest } from './messages.ts';
import { packKey, type PackKey } from './packs/pack.ts';

export interface HostsOptions {
  /** How many processes; one core each. */
  readonly hosts: number;
  /** Folder of the sockets. */
  readonly runDir: string;
  /** Folder of the files that hold the processes' standard error. */
  readonly logsDir: string;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface HostHealth {
  readonly name: string;
  readonly pid: number | null;
  /** Null when the host cannot be reached. */
  readonly stats: StatsReply | null;
}

/** A host that died is back within 1 s; a request meanwhile waits this long. */
const reachTimeoutMs = 8_000;
/** A host that restarts with another pack checks and loads the networks, which takes 0.3 to 3 s. */
const restartTimeoutMs = 30_000;

export interface Asking {
  /** Only hosts that serve this pack are asked. */
  readonly pack: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** One of the hosts, under a name that stays when its process is replaced. */
interface Place {
  readonly name: string;
  readonly socketPath: string;
  host: Host;
  /** The pack it serves, or will when it is back. */
  pack: PackKey;
}

export class Hosts implements AsyncDisposable {
  readonly #options: HostsOptions;
  readonly #places: readonly Place[];
  #reached = Promise.withResolvers<void>();
  #turn = 0;

  constructor(options: HostsOptions, pack: InstalledPack) {
    this.#options = options;
    this.#places = Array.from({ length: options.hosts }, (_, i) => {
      const name = `vision-${i + 1}`;
      const socketPath = join(options.runDir, `${name}.sock`);
      const host = this.#start({ name, socketPath }, pack);
      return { name, socketPath, host, pack: packKey(pack) };
    });
  }

  get sockets(): readonly string[] {
    return this.#places.map(({ socketPath }) => socketPath);
  }

  /**
   * Ends and starts the hosts with this pack, one after another, so that with several the others go on meanwhile.
   * `first` is called when one serves it. Throws Problem `unavailable` when one does not come back.
   */
  async use(pack: InstalledPack, signal: AbortSignal, first: () => void): Promise<void> {
    for (const [i, place] of this.#places.entries()) {
      signal.throwIfAborted();
      await place.host[Symbol.asyncDispose]();
      place.host = this.#start(place, pack);
      place.pack = packKey(pack);
      await this.#reachable(() => [place], restartTimeoutMs, signal);
      if (i === 0) first();
    }
  }

  /** Asks the next live host of the pack; asks another (or the same, restarted) once more when it fails. */
  async ask<H>(
    request: VisionRequest,
    body: Uint8Array,
    { pack, timeoutMs, signal }: Asking,
  ): Promise<Message<H>> {
    let failed: Host | null = null;
    for (;;) {
      const host = await this.#next(pack, failed, signal);
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
      this.#places.map(async ({ name, host }) => {
        const asked = host.peer?.request<StatsReply>({ kind: 'stats' }, 2_000);
        const stats = (await asked?.catch(() => null))?.head ?? null;
        return { name, pid: host.pid, stats };
      }),
    );
  }

  /** Leaves the processes for the next server. */
  async release(): Promise<void> {
    await Promise.all(this.#places.map(({ host }) => host.release()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#places.map(({ host }) => host[Symbol.asyncDispose]()));
  }

  #start({ name, socketPath }: Pick<Place, 'name' | 'socketPath'>, pack: InstalledPack): Host {
    const { logsDir, version, clock, log } = this.#options;
    return new Host({
      name,
      entry: join(import.meta.dirname, '../vision-host.ts'),
      socketPath,
      errorPath: join(logsDir, `${name}.log`),
      words: ['--pack', pack.folder],
      // Detection must not hold up the server or the recorders on a busy machine.
      nice: 5,
      // The server does not adopt a host that serves another pack, nor one of other code.
      version: `${version} ${packFingerprint(pack)}`,
      clock,
      log,
      received: () => undefined,
      reached: () => this.#wake(),
    });
  }

  #wake(): void {
    this.#reached.resolve();
    this.#reached = Promise.withResolvers();
  }

  /** Returns a reachable host, another one than `failed` if there is a choice; waits for one to come back. */
  async #next(pack: string, failed: Host | null, signal?: AbortSignal): Promise<Host> {
    const serving = (): Place[] => this.#places.filter((place) => place.pack === pack);
    const live = await this.#reachable(serving, reachTimeoutMs, signal);
    const others = live.filter((host) => host !== failed);
    const choice = others.length > 0 ? others : live;
    return choice[this.#turn++ % choice.length]!;
  }

  /** Returns those of them that can be asked; waits until there is at least one. */
  async #reachable(
    places: () => readonly Place[],
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<Host[]> {
    const { clock } = this.#options;
    const deadlineMs = clock.monotonicMs() + timeoutMs;
    for (;;) {
      signal?.throwIfAborted();
      const waitedFor = places();
      const live = waitedFor.map(({ host }) => host).filter(({ peer }) => peer && !peer.closed);
      if (live.length > 0) return live;
      // No host serves that pack any more: waiting does not help.
      if (waitedFor.length === 0) throw new Problem('unavailable');
      const leftMs = deadlineMs - clock.monotonicMs();
      if (leftMs <= 0) throw new Problem('unavailable');
      await awaitAtMost(clock, this.#reached.promise, leftMs, signal);
    }
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
