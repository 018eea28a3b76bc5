/**
 * The server's side of the chip host: vectors of a pack that is not in use, from chips that another pack made and the
 * photos they were cropped from. The chip host is a process of its own, so that the vision hosts neither wait nor
 * grow; it ends after 30 s without work.
 */
import { join } from 'node:path';
import { endChild, startChild, type Child } from '#lib/child.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { vectorOf } from '#lib/vectors.ts';
import { PeerFailure } from '#lib/ipc.ts';
import type { EmbedKeptReply, EmbedKeptRequest, KeptChip } from './chip-messages.ts';
import { packFingerprint, type InstalledPack } from './packs/installed-packs.ts';

const idleMs = 30_000;
/** Time to start, check and load the networks: 0.5 to 3 s. */
const startAllowanceMs = 30_000;
/** A chip takes 15 to 40 ms, at the lowest priority of all processes. */
const chipTimeoutMs = 1_000;
/** A photo takes 0.2 to 0.5 s on an idle machine. */
const photoTimeoutMs = 5_000;

/** A stored chip, and where on it the face is. */
export interface ChipPicture extends Pick<KeptChip, 'points'> {
  readonly jpeg: Uint8Array;
  /** The photo it was cropped from; null: there is none. */
  readonly photo: Uint8Array | null;
}

interface ChipHost extends Child {
  readonly serves: string;
}

export class KeptChips implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #log: Log;
  #host: ChipHost | null = null;
  #idle = new AbortController();
  /** The end of the queue: one pack at a time. */
  #last: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Whether the process is running. */
  get isRunning(): boolean {
    return this.#host !== null;
  }

  /**
   * Returns vectors in the order of the chips; null where there is no face, neither on the chip nor on its photo.
   * Throws Problem `unavailable`.
   */
  embed(pack: InstalledPack, chips: readonly ChipPicture[]): Promise<(Float32Array | null)[]> {
    const mine = this.#last.then(() => this.#embed(pack, chips));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    await this.#end();
    await this.#last;
    this.#idle.abort();
  }

  async #embed(
    pack: InstalledPack,
    chips: readonly ChipPicture[],
  ): Promise<(Float32Array | null)[]> {
    this.#idle.abort();
    const host = await this.#hostOf(pack);
    const request: EmbedKeptRequest = {
      kind: 'embed',
      chips: chips.map(({ jpeg, points, photo }) => {
        return { bytes: jpeg.length, points, photoBytes: photo?.length ?? 0 };
      }),
    };
    const photos = chips.filter(({ photo }) => photo !== null).length;
    const timeoutMs = startAllowanceMs + chips.length * chipTimeoutMs + photos * photoTimeoutMs;
    const body = Buffer.concat(
      chips.flatMap(({ jpeg, photo }) => (photo ? [jpeg, photo] : [jpeg])),
    );
    try {
      const answer = await host.peer.request<EmbedKeptReply>(request, timeoutMs, body);
      return vectorsOf(answer.head, answer.body, pack.embedder.dimensions);
    } catch (error) {
      if (!(error instanceof PeerFailure)) throw error;
      this.#log.warn({ err: error, pid: host.process.pid }, 'chip host ended over a chip');
      await this.#end();
      throw new Problem('unavailable', {}, error);
    } finally {
      this.#idle = new AbortController();
      void this.#endWhenIdle(this.#idle.signal);
    }
  }

  async #hostOf(pack: InstalledPack): Promise<ChipHost> {
    const serves = packFingerprint(pack);
    if (this.#host?.serves === serves) return this.#host;
    await this.#end();
    if (this.#stopped) throw new Problem('unavailable');
    const child = startChild({
      name: 'chip host',
      words: [join(import.meta.dirname, '../chip-host.ts'), '--pack', pack.folder],
      closed: () => {
        if (this.#host === host) this.#host = null;
      },
      log: this.#log,
    });
    const host: ChipHost = { ...child, serves };
    return (this.#host = host);
  }

  async #endWhenIdle(signal: AbortSignal): Promise<void> {
    await this.#clock.wait(idleMs, signal).catch(() => undefined);
    if (!signal.aborted) await this.#end();
  }

  async #end(): Promise<void> {
    this.#idle.abort();
    const host = this.#host;
    this.#host = null;
    if (host) await endChild(host);
  }
}

function vectorsOf(
  { found }: EmbedKeptReply,
  body: Buffer,
  dimensions: number,
): (Float32Array | null)[] {
  let end = 0;
  return found.map((isFound) => {
    if (!isFound) return null;
    const start = end;
    end += dimensions * 4;
    return vectorOf(body.subarray(start, end));
  });
}
