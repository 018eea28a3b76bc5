/**
 * Thumbnails of recordings: the last key frame before a moment, decoded in a media worker. Two at a time: a timeline
 * asks for dozens, and recording must not notice.
 */
import { join } from 'node:path';
import type { CameraMasks, Cameras } from '#cameras/cameras.ts';
import { accountOf, type Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { Turns } from '#lib/limits/turns.ts';
import { WorkerLost, type MediaWorkers } from '#media/media.ts';
import type { AskThumbnail, Masks } from '#media/protocol/worker-messages.ts';
import type { ArchiveStore } from '../archive/archive-store.ts';
import type { PlayableCameras } from '../archive/playable-cameras.ts';
import { noMasks, placedMasks, recordedPlaces } from '../placed-masks.ts';
import type { Roots } from '../roots.ts';
import { KeptPictures } from './kept-pictures.ts';
import type { PlaybackStore, PlayedSegment } from './playback-store.ts';
import { withMasks } from './present-masks.ts';

export interface ThumbnailsOptions {
  readonly store: PlaybackStore;
  readonly playable: Pick<PlayableCameras, 'mustPlay'>;
  readonly seen: Pick<ArchiveStore, 'find'>;
  readonly roots: Pick<Roots, 'pathOf' | 'hungOf'>;
  readonly cameras: { readonly zones: Pick<Cameras['zones'], 'masksOf' | 'maySeeUnmasked'> };
  readonly workers: MediaWorkers;
}

const width = 320;
/** 15 ms usually; a disk that wakes up takes seconds. */
const timeoutMs = 10_000;
const maxAtOnce = 2;
/** A timeline asks for dozens; accounts share them and take turns. */
const maxWaiting = 64;

export class Thumbnails {
  readonly #options: ThumbnailsOptions;
  readonly #kept = new KeptPictures();
  readonly #turns = new Turns(maxAtOnce, maxWaiting);

  constructor(options: ThumbnailsOptions) {
    this.#options = options;
  }

  /** `at` null: the newest there is. Throws camera_not_found, forbidden, recording_not_found, recording_disk_away, camera_not_aligned,
   * unavailable.
   */
  async at(scope: Scope, cameraId: string, at: Date | null): Promise<Buffer> {
    const { playable, store } = this.#options;
    await playable.mustPlay(scope, [cameraId]);
    const segment = await store.segmentAt(cameraId, at);
    if (!segment) throw new Problem('recording_not_found');
    const last = segment.ended_at;
    const atMs = (at ?? last).getTime() - segment.started_at.getTime();
    return this.#of(scope, cameraId, segment, atMs);
  }

  /** Throws recording_not_found, recording_incomplete, recording_disk_away, camera_not_aligned,
   * unavailable.
   */
  async ofRecording(scope: Scope, id: string): Promise<Buffer> {
    const { seen, store } = this.#options;
    const recording = await seen.find(scope, id);
    if (!recording) throw new Problem('recording_not_found');
    const segment = await store.firstOf(id);
    if (!segment) throw new Problem('recording_incomplete');
    return this.#of(scope, recording.camera_id, segment, 0);
  }

  async #of(scope: Scope, cameraId: string, segment: PlayedSegment, atMs: number): Promise<Buffer> {
    const offset = keyFrameAt(segment, atMs);
    // Masks that are drawn later hide the past too.
    return withMasks(this.#options.cameras.zones, cameraId, async (masks) => {
      const placed = await this.#masksFor(scope, cameraId, masks, segment);
      return this.#with(accountOf(scope), placed, segment, offset);
    });
  }

  async #with(
    account: string,
    masks: Masks,
    segment: PlayedSegment,
    offset: number,
  ): Promise<Buffer> {
    const key = `${segment.id} ${offset} ${JSON.stringify(masks)}`;
    const kept = this.#kept.of(key);
    if (kept) return kept;
    const { roots } = this.#options;
    const root = await roots.pathOf(segment.root_id);
    if (root === null) throw new Problem('recording_disk_away');
    const question: AskThumbnail = {
      kind: 'thumbnail',
      file: join(root, segment.path),
      headBytes: segment.head_bytes,
      offset,
      width,
      masks,
    };
    const hung = roots.hungOf(segment.root_id);
    const picture = await this.#turns.take(account, () => this.#ask(account, question, hung));
    this.#kept.keep(key, picture);
    return picture;
  }

  /** If masks cannot be placed, only callers who may see behind them get a picture. Throws camera_not_aligned. */
  async #masksFor(
    scope: Scope,
    cameraId: string,
    masks: CameraMasks,
    segment: PlayedSegment,
  ): Promise<Masks> {
    const { zones } = this.#options.cameras;
    const isUnplaced = recordedPlaces(masks, segment) === null;
    if (isUnplaced && (await zones.maySeeUnmasked(scope, cameraId))) return noMasks;
    return placedMasks(masks, segment);
  }

  async #ask(account: string, question: AskThumbnail, hung: AbortSignal): Promise<Buffer> {
    try {
      const { head, body } = await this.#options.workers.ask<{ isPicture: boolean }>(
        question,
        timeoutMs,
        { account, hung },
      );
      if (!head.isPicture) throw new Problem('recording_not_found');
      return Buffer.from(body);
    } catch (error) {
      if (error instanceof WorkerLost) throw new Problem('unavailable', {}, error);
      throw error;
    }
  }
}

/** Returns where the last key frame begins that is shown no later than that. */
function keyFrameAt({ key_offsets, key_times }: PlayedSegment, atMs: number): number {
  const index = key_times.findLastIndex((time) => time <= atMs);
  return key_offsets[Math.max(0, index)] ?? 0;
}
