/**
 * Parts of recorded files encoded again, with privacy masks burnt in or for players that cannot play what was recorded.
 * Media workers make them on request, two at a time, because recording must not notice. They are kept in memory for a
 * while, for users who seek back or play the same; they are never on a disk.
 */
import { join } from 'node:path';
import type { Cameras } from '#cameras/cameras.ts';
import { Problem } from '#lib/problem.ts';
import { SharedWork } from '#lib/limits/shared-work.ts';
import { Turns } from '#lib/limits/turns.ts';
import { WorkerLost, type MediaWorkers } from '#media/media.ts';
import type { AskMasked, MaskedAnswer, Masks } from '#media/protocol/worker-messages.ts';
import { noMasks, placedMasks } from '../placed-masks.ts';
import type { Roots } from '../roots.ts';
import type { FilePart } from './parts.ts';
import type { PlayedSegment } from './playback-store.ts';
import { withMasks } from './present-masks.ts';

export interface MaskedPartsOptions {
  readonly roots: Pick<Roots, 'pathOf' | 'hungOf'>;
  readonly zones: Pick<Cameras['zones'], 'masksOf'>;
  readonly workers: MediaWorkers;
}

/** Who wants a part; `signal` is aborted when they do not any more. */
export interface Requester {
  readonly account: string;
  readonly signal: AbortSignal;
}

/** The initialisation segment and the pictures. */
interface MaskedBytes {
  readonly init: Buffer;
  readonly body: Buffer;
}

/** `hung`: aborted when the disk of its file does not answer. */
interface Asked {
  readonly question: AskMasked;
  readonly hung: AbortSignal;
}

/** Half a second at 1280x720; larger pictures, key frames that are far apart and a busy machine take longer. */
const timeoutMs = 30_000;
const maxAtOnce = 2;
/** Accounts share them and take turns. */
const maxWaiting = 16;
/** Four minutes of 1280x720 at 2 Mbit/s. */
const maxKeptBytes = 64 * 1024 * 1024;

export class MaskedParts {
  readonly #options: MaskedPartsOptions;
  readonly #turns = new Turns(maxAtOnce, maxWaiting);
  readonly #kept: SharedWork<MaskedBytes>;

  constructor(options: MaskedPartsOptions) {
    this.#options = options;
    this.#kept = new SharedWork(maxKeptBytes, ({ init, body }) => init.length + body.length);
  }

  /** Returns the initialisation segment of that stream. Throws as `of` does. */
  async head(segment: PlayedSegment, part: FilePart, requester: Requester): Promise<Buffer> {
    const asked = await this.#askedOf(segment, part, null);
    const { init } = await this.#made(`${segment.stream_id} head`, asked, requester);
    return init;
  }

  /**
   * Returns the part with the masks of now, whenever it was recorded. Throws recording_disk_away,
   * recording_unreadable, camera_not_aligned, unavailable, request_replaced, and what the requester's `signal` says when
   * it is aborted.
   */
  async of(
    cameraId: string,
    segment: PlayedSegment,
    part: FilePart,
    requester: Requester,
  ): Promise<Buffer> {
    return withMasks(this.#options.zones, cameraId, (masks) =>
      this.#part(segment, part, placedMasks(masks, segment), requester),
    );
  }

  /**
   * Returns the part without masks, for users who may see behind them and whose player cannot play what was recorded.
   * Throws as `of` does.
   */
  bare(segment: PlayedSegment, part: FilePart, requester: Requester): Promise<Buffer> {
    return this.#part(segment, part, noMasks, requester);
  }

  async #part(
    segment: PlayedSegment,
    part: FilePart,
    masks: Masks,
    requester: Requester,
  ): Promise<Buffer> {
    const asked = await this.#askedOf(segment, part, masks);
    const key = `${segment.id} ${part.from} ${JSON.stringify(masks)}`;
    const { body } = await this.#made(key, asked, requester);
    return body;
  }

  async #askedOf(
    segment: PlayedSegment,
    { from, until }: FilePart,
    masks: Masks | null,
  ): Promise<Asked> {
    const root = await this.#options.roots.pathOf(segment.root_id);
    if (root === null) throw new Problem('recording_disk_away');
    const file = join(root, segment.path);
    const question = { kind: 'masked', file, headBytes: segment.head_bytes, from, until, masks };
    return { question: question as AskMasked, hung: this.#options.roots.hungOf(segment.root_id) };
  }

  async #made(key: string, asked: Asked, { account, signal }: Requester): Promise<MaskedBytes> {
    for (;;) {
      let isOwn = false;
      const make = (stop: AbortSignal): Promise<MaskedBytes> => {
        isOwn = true;
        return this.#turns.take(account, () => this.#ask(account, asked, stop), stop);
      };
      try {
        return await this.#kept.get(key, signal, make);
      } catch (error) {
        // Another account asked first, and asked for too much since.
        if (isOwn || !(error instanceof Problem) || error.code !== 'request_replaced') throw error;
      }
    }
  }

  async #ask(account: string, { question, hung }: Asked, stop: AbortSignal): Promise<MaskedBytes> {
    const { workers } = this.#options;
    try {
      const asked = workers.ask<MaskedAnswer>(question, timeoutMs, { signal: stop, account, hung });
      const { head, body } = await asked;
      stop.throwIfAborted();
      if (head.fault !== null) throw new Problem('recording_unreadable');
      return { init: body.subarray(0, head.initBytes), body: body.subarray(head.initBytes) };
    } catch (error) {
      if (error instanceof WorkerLost)
        throw new Problem('unavailable', { retry_after_s: 2 }, error);
      throw error;
    }
  }
}
