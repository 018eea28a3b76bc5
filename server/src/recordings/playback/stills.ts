/**
 * The stills that hosts kept while recording: one for each segment, at the end of its file, for pages that show what was
 * recorded while a user drags along the timeline. A still is read and sent as it is; if the caller may not see behind
 * the camera's masks it is painted over and encoded anew in a media worker. A segment without one (its writer died, or
 * it is from before there were stills) is shown by a thumbnail, which is decoded.
 */
import { join } from 'node:path';
import type { Still, StillsQuery } from '@nazar/contract/playback.ts';
import type { Activity } from '#activity/activity.ts';
import type { CameraMasks, Cameras } from '#cameras/cameras.ts';
import { accountOf, type Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import { Turns } from '#lib/limits/turns.ts';
import { WorkerLost, type MediaWorkers } from '#media/media.ts';
import type {
  RecordedPlaces,
  StillFile,
  StillsAnswer,
  ZoneMasks,
} from '#media/protocol/worker-messages.ts';
import type { PlayableCameras } from '../archive/playable-cameras.ts';
import { recordedPlaces, shownParts } from '../placed-masks.ts';
import type { RootRow, Roots } from '../roots.ts';
import { periodOf } from '../archive/timelines.ts';
import { endOfTime } from '../index/index-store.ts';
import { KeptPictures } from './kept-pictures.ts';
import { withMasks } from './present-masks.ts';
import type { StillSegment, StillStore } from './still-store.ts';
import type { Thumbnails } from './thumbnails.ts';

export interface StillsOptions {
  readonly store: StillStore;
  readonly thumbnails: Pick<Thumbnails, 'at'>;
  readonly playable: Pick<PlayableCameras, 'mustPlay'>;
  readonly activity: Pick<Activity, 'recordRead'>;
  readonly roots: Pick<Roots, 'presentRoot' | 'filesOf' | 'hungOf'>;
  readonly cameras: { readonly zones: Pick<Cameras['zones'], 'masksOf' | 'maySeeUnmasked'> };
  readonly workers: MediaWorkers;
  readonly clock: Clock;
}

/** As with playing: one entry an hour says who watched that camera's recordings (C-806). */
const seenMs = 60 * 60_000;
/** 2 ms for each of 200 usually; a disk that wakes up takes seconds. */
const timeoutMs = 15_000;
/** Accounts share them and take turns. */
const maxWaiting = 16;

interface Placed {
  readonly segment: WithStill;
  readonly root: RootRow;
  readonly place: Omit<StillFile, keyof RecordedPlaces>;
}

interface ReadStill {
  readonly atMs: number;
  readonly jpeg: Buffer;
}

type WithStill = StillSegment & { readonly still_bytes: number; readonly still_ms: number };

export class Stills {
  readonly #options: StillsOptions;
  /** Stills with masks painted into them: the operating system keeps the others in memory. */
  readonly #kept = new KeptPictures();
  readonly #turns = new Turns(1, maxWaiting);

  constructor(options: StillsOptions) {
    this.#options = options;
  }

  /**
   * Returns the still nearest to a moment that was recorded; `at` null: the newest there is. Throws camera_not_found, forbidden, recording_not_found,
   * recording_disk_away, camera_not_aligned, unavailable.
   */
  async at(scope: Scope, cameraId: string, at: Date | null): Promise<Buffer> {
    const { playable, store, roots, thumbnails } = this.#options;
    await playable.mustPlay(scope, [cameraId]);
    const { before, after } = await store.around(cameraId, at ?? endOfTime);
    if (!before || (at && before.ended_at <= at)) throw new Problem('recording_not_found');
    if (!hasStill(before)) return await thumbnails.at(scope, cameraId, at);
    const atMs = at?.getTime() ?? Infinity;
    const apart = (one: WithStill): number => Math.abs(momentOf(one) - atMs);
    const isNext = after !== null && hasStill(after) && apart(after) < apart(before);
    const nearest = isNext ? after : before;
    if ((await roots.presentRoot(nearest.root_id)) === null)
      throw new Problem('recording_disk_away');
    // The recording itself may be of another stream, on which masks can be placed.
    if (await this.#isUnplaced(scope, cameraId, nearest)) {
      return await thumbnails.at(scope, cameraId, at);
    }
    const [still] = await this.#read(scope, cameraId, [nearest], null);
    if (!still) throw new Problem('recording_not_found');
    return still.jpeg;
  }

  /**
   * Returns stills spread evenly over that time, in its order; those on a disk that is away are left out, and
   * those on which the caller's masks cannot be placed. `gone`:
   * aborted when no caller waits for them any more. Throws camera_not_found, forbidden, period_too_long, unavailable.
   */
  async over(
    scope: Scope,
    cameraId: string,
    { from, until, count }: StillsQuery,
    gone: AbortSignal,
  ): Promise<Still[]> {
    const { playable, store, clock } = this.#options;
    await playable.mustPlay(scope, [cameraId]);
    const period = periodOf({ from, until, resolution_ms: 0 }, new Date(clock.now()));
    const segments = (await store.spread(cameraId, { ...period, count })).filter(hasStill);
    const stills = await this.#read(scope, cameraId, segments, gone);
    return stills.map(({ atMs, jpeg }) => ({
      at: new Date(atMs).toISOString(),
      jpeg: jpeg.toString('base64'),
    }));
  }

  /** Returns the stills that can be read, as this caller may see them. */
  async #read(
    scope: Scope,
    cameraId: string,
    segments: readonly WithStill[],
    gone: AbortSignal | null,
  ): Promise<ReadStill[]> {
    const { cameras, activity } = this.#options;
    if (segments.length > 0) {
      const object = { type: 'camera', id: cameraId } as const;
      const entry = { actor: scope, action: 'recording.played', object } as const;
      await activity.recordRead(entry, { withinMs: seenMs });
    }
    const placed = await this.#placed(segments);
    const jpegs = (await cameras.zones.maySeeUnmasked(scope, cameraId))
      ? await Promise.all(placed.map((each) => this.#asItIs(each)))
      : // Masks that are drawn later hide the past too.
        await withMasks(cameras.zones, cameraId, (masks) =>
          this.#masked(accountOf(scope), masks, placed, gone),
        );
    return placed.flatMap(({ segment }, index) => {
      const jpeg = jpegs[index];
      return jpeg ? [{ atMs: momentOf(segment), jpeg }] : [];
    });
  }

  /** Whether the caller may not have this still because it is not known where its masks are. */
  async #isUnplaced(scope: Scope, cameraId: string, still: WithStill): Promise<boolean> {
    const { zones } = this.#options.cameras;
    if (await zones.maySeeUnmasked(scope, cameraId)) return false;
    return shownParts(await zones.masksOf(cameraId), still.still_shows) === null;
  }

  async #masked(
    account: string,
    masks: CameraMasks,
    placed: readonly Placed[],
    gone: AbortSignal | null,
  ): Promise<(Buffer | null)[]> {
    const { polygons, rotation } = masks;
    const placesOf = ({ segment: { still_shows: shows, started_at } }: Placed) =>
      recordedPlaces(masks, { shows, started_at });
    const keyOf = (each: Placed): string =>
      `${each.segment.id} ${JSON.stringify([polygons, rotation, placesOf(each)])}`;
    const stills = placed.map((each) => this.#kept.of(keyOf(each)));
    const missing = [...placed.entries()].flatMap(([index, each]) => {
      const places = placesOf(each);
      return stills[index] === null && places !== null ? [{ index, each, places }] : [];
    });
    if (missing.length === 0) return stills;
    const files = missing.map(({ each, places }) => ({ ...each.place, ...places }));
    const roots = new Set(missing.map(({ each }) => each.root.id));
    const hung = AbortSignal.any([...roots].map((id) => this.#options.roots.hungOf(id)));
    const make = () => this.#ask(account, { polygons, rotation }, files, gone, hung);
    const made = await this.#turns.take(account, make, gone ?? undefined);
    for (const [nth, { index, each }] of missing.entries()) {
      const jpeg = made[nth] ?? null;
      stills[index] = jpeg;
      if (jpeg) this.#kept.keep(keyOf(each), jpeg);
    }
    return stills;
  }

  async #ask(
    account: string,
    masks: ZoneMasks,
    files: readonly StillFile[],
    gone: AbortSignal | null,
    hung: AbortSignal,
  ): Promise<(Buffer | null)[]> {
    try {
      const body = Buffer.from(JSON.stringify(files));
      const question = { kind: 'stills', masks } as const;
      const answer = await this.#options.workers.ask<StillsAnswer>(question, timeoutMs, {
        body,
        signal: gone ?? undefined,
        account,
        hung,
      });
      let at = 0;
      return answer.head.sizes.map((size) => {
        const jpeg = Buffer.from(answer.body.subarray(at, (at += size)));
        return size > 0 ? jpeg : null;
      });
    } catch (error) {
      if (error instanceof WorkerLost) throw new Problem('unavailable', {}, error);
      throw error;
    }
  }

  /** Where they lie; those on a disk that is away are left out. */
  async #placed(segments: readonly WithStill[]): Promise<Placed[]> {
    const ids = [...new Set(segments.map(({ root_id }) => root_id))];
    const present = ids.map(async (id) => [id, await this.#options.roots.presentRoot(id)] as const);
    const roots = new Map(await Promise.all(present));
    return segments.flatMap((segment) => {
      const root = roots.get(segment.root_id) ?? null;
      if (root === null) return [];
      const { path, bytes, head_bytes, still_bytes } = segment;
      const [file, offset] = [join(root.path, path), bytes - still_bytes];
      const place = { file, headBytes: head_bytes, offset, bytes: still_bytes };
      return [{ segment, root, place }];
    });
  }

  /** Null when the file was removed a moment ago, can't be read, or is not what the index says. */
  async #asItIs({ root, place: { file, offset, bytes } }: Placed): Promise<Buffer | null> {
    const files = this.#options.roots.filesOf(root);
    const still = await files.read(file, offset, offset + bytes).catch(() => null);
    return still?.length === bytes && isJpeg(still) ? still : null;
  }
}

const startOfJpeg = 0xffd8;

const hasStill = (segment: StillSegment): segment is WithStill => segment.still_bytes !== null;

const momentOf = ({ started_at, still_ms }: WithStill): number => started_at.getTime() + still_ms;

const isJpeg = (bytes: Buffer): boolean =>
  bytes.length > 2 && bytes.readUInt16BE(0) === startOfJpeg;
