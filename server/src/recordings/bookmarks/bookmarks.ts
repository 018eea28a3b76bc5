/**
 * Moments of a camera that a user marked with a note, for all users who may see its recordings. A bookmark keeps no
 * recording: a hold does that. It goes with what was recorded then, and with the account that made it.
 */
import {
  maxBookmarks,
  type Bookmark,
  type BookmarkFields,
  type BookmarkQuery,
} from '@nazar/contract/bookmarks.ts';
import { cameraAdministrators } from '@nazar/contract/route.ts';
import type { Activity } from '#activity/activity.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import type { PlayableCameras } from '../archive/playable-cameras.ts';
import type { BookmarkRow, BookmarkStore, ListedBookmark } from './bookmark-store.ts';

export interface BookmarksOptions {
  readonly store: BookmarkStore;
  readonly playable: Pick<PlayableCameras, 'mustPlay'>;
  readonly activity: Pick<Activity, 'record'>;
  readonly clock: Clock;
}

export class Bookmarks {
  readonly #options: BookmarksOptions;

  constructor(options: BookmarksOptions) {
    this.#options = options;
  }

  /** Throws camera_not_found, forbidden. */
  async list(scope: Scope, cameraId: string, query: BookmarkQuery) {
    const { store, playable } = this.#options;
    await playable.mustPlay(scope, [cameraId]);
    const { count, rows } = await store.list(cameraId, query);
    return { count, results: rows.map((row) => asBookmark(scope, row)) };
  }

  /** Throws camera_not_found, forbidden, bookmarks_too_many. */
  async add(scope: Scope, cameraId: string, { at, note }: BookmarkFields): Promise<Bookmark> {
    const { store, playable, activity, clock } = this.#options;
    await playable.mustPlay(scope, [cameraId]);
    const nowMs = clock.now();
    const row: BookmarkRow = {
      id: uuidv7(nowMs),
      camera_id: cameraId,
      at: new Date(at),
      note,
      created_by: scope.userId,
      created_at: new Date(nowMs),
    };
    await store.transaction(async (tx) => {
      if ((await store.countOf(tx, scope.userId)) >= maxBookmarks) {
        throw new Problem('bookmarks_too_many', { max: maxBookmarks });
      }
      await store.add(tx, row);
      await activity.record(tx, {
        actor: scope,
        action: 'recording.bookmark_added',
        ...about(row),
      });
    });
    return asBookmark(scope, await store.read(row.id));
  }

  /** Throws bookmark_not_found: also for one that another account made. */
  async remove(scope: Scope, id: string): Promise<void> {
    const { store, activity } = this.#options;
    await store.transaction(async (tx) => {
      const row = await store.remove(tx, id, isAdministrator(scope) ? null : scope.userId);
      if (!row) throw new Problem('bookmark_not_found');
      const action = 'recording.bookmark_removed';
      await activity.record(tx, { actor: scope, action, ...about(row) });
    });
  }
}

const isAdministrator = ({ standing }: Scope): boolean => cameraAdministrators.includes(standing);

/** The note is not in the activity log: it may name a person, and the chain cannot forget. */
const about = ({ id, camera_id, at }: BookmarkRow) =>
  ({
    object: { type: 'camera', id: camera_id },
    details: { bookmark: id, at: at.toISOString() },
  }) as const;

function asBookmark(scope: Scope, row: ListedBookmark): Bookmark {
  return {
    id: row.id,
    camera_id: row.camera_id,
    at: row.at.toISOString(),
    note: row.note,
    created_by: { id: row.created_by, name: row.created_by_name },
    created_at: row.created_at.toISOString(),
    may_delete: row.created_by === scope.userId || isAdministrator(scope),
  };
}
