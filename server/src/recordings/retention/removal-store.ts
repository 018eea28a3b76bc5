import { sql } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import type { IndexTables, SegmentRow } from '../index/index-store.ts';
import { isNotHeld } from './hold-store.ts';
import type { Kept } from './rule.ts';

export type OldSegment = Pick<SegmentRow, 'id' | 'recording_id' | 'root_id' | 'path'>;

interface Tables extends IndexTables {
  recording_settings: { readonly camera_id: string; readonly retention_days: number };
  recording_hour: { readonly only_row: boolean; readonly believed_at: Date };
}

const columns = ['id', 'recording_id', 'root_id', 'path'] as const;

/** SQL of removal: by age, and the oldest of a disk. Only complete segments. */
export class RemovalStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** Returns every camera that has recordings or bookmarks, and how many days of them are kept. */
  async retentions(usualDays: number): Promise<Kept[]> {
    const { rows } = await sql<Kept>`
      select known.camera_id as "cameraId", coalesce(settings.retention_days, ${usualDays}) as days
        from (select camera_id from recording union select camera_id from recording_bookmark) known
        left join recording_settings settings using (camera_id)`.execute(this.#db.read());
    return rows;
  }

  /** Returns the oldest segments of a camera on those disks that ended before that moment. */
  endedBefore(
    rootIds: readonly string[],
    cameraId: string,
    before: Date,
    limit: number,
  ): Promise<OldSegment[]> {
    return this.#db
      .read<Tables>()
      .selectFrom('recording_segment')
      .select(columns)
      .where('camera_id', '=', cameraId)
      .where('root_id', 'in', [...rootIds])
      .where('started_at', '<', before)
      .where('ended_at', '<=', before)
      .where(isNotHeld)
      .orderBy('started_at')
      .limit(limit)
      .execute();
  }

  oldestOf(rootId: string, limit: number): Promise<OldSegment[]> {
    return this.#db
      .read<Tables>()
      .selectFrom('recording_segment')
      .select(columns)
      .where('root_id', '=', rootId)
      .where('ended_at', 'is not', null)
      .where(isNotHeld)
      .orderBy('started_at')
      .limit(limit)
      .execute();
  }

  /** Returns the bytes written to that disk since then. */
  async bytesSince(rootId: string, since: Date): Promise<number> {
    const { bytes } = await this.#db
      .read<Tables>()
      .selectFrom('recording_segment')
      .select(({ fn }) => fn.coalesce(fn.sum<number>('bytes'), sql<number>`0`).as('bytes'))
      .where('root_id', '=', rootId)
      .where('started_at', '>=', since)
      .executeTakeFirstOrThrow();
    return bytes;
  }

  /** Returns the bytes and seconds that a camera recorded since then. */
  async recordedSince(
    cameraId: string,
    since: Date,
  ): Promise<{ readonly bytes: number; readonly seconds: number }> {
    const { rows } = await sql<{ bytes: number; seconds: number }>`
      select coalesce(sum(bytes), 0) as bytes,
             coalesce(sum(extract(epoch from ended_at - started_at)), 0) as seconds
        from recording_segment
       where camera_id = ${cameraId} and started_at >= ${since} and ended_at is not null`.execute(
      this.#db.read(),
    );
    return rows[0]!;
  }

  /** Returns the size of everything on that disk that may be removed. */
  async bytesOf(rootId: string): Promise<number> {
    const { bytes } = await this.#db
      .read<Tables>()
      .selectFrom('recording_segment')
      .select(({ fn }) => fn.coalesce(fn.sum<number>('bytes'), sql<number>`0`).as('bytes'))
      .where('root_id', '=', rootId)
      .where('ended_at', 'is not', null)
      .where(isNotHeld)
      .executeTakeFirstOrThrow();
    return bytes;
  }

  /** Returns the segments of one recording, locked against removal and completion. */
  lockedSegments(tx: Tx, recordingId: string): Promise<SegmentRow[]> {
    return tx
      .as<Tables>()
      .selectFrom('recording_segment')
      .selectAll()
      .where('recording_id', '=', recordingId)
      .orderBy('started_at')
      .forUpdate()
      .execute();
  }

  /** Whether any of it is under a hold. */
  async isHeld(tx: Tx, recordingId: string): Promise<boolean> {
    const row = await tx
      .as<Tables>()
      .selectFrom('recording_segment')
      .select('id')
      .where('recording_id', '=', recordingId)
      .where(sql<boolean>`not ${isNotHeld}`)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Moves segments from the index to the garbage: from now on they cannot be played. */
  async discard(tx: Tx, segments: readonly OldSegment[]): Promise<void> {
    const files = segments.map(({ root_id, path }) => ({ root_id, path }));
    const ids = segments.map(({ id }) => id);
    const trx = tx.as<Tables>();
    await trx
      .insertInto('recording_garbage')
      .values(files)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await trx.deleteFrom('recording_segment').where('id', 'in', ids).execute();
  }

  garbageOf(rootId: string, limit: number): Promise<{ path: string }[]> {
    return this.#db
      .read<Tables>()
      .selectFrom('recording_garbage')
      .select('path')
      .where('root_id', '=', rootId)
      .orderBy('path')
      .limit(limit)
      .execute();
  }

  async forgetGarbage(rootId: string, paths: readonly string[]): Promise<void> {
    await this.#db
      .write<Tables>()
      .deleteFrom('recording_garbage')
      .where('root_id', '=', rootId)
      .where('path', 'in', [...paths])
      .execute();
  }

  async forgetGaps(cameraId: string, before: Date): Promise<void> {
    await this.#db
      .write<Tables>()
      .deleteFrom('recording_gap')
      .where('camera_id', '=', cameraId)
      .where('ended_at', '<=', before)
      .execute();
  }

  /** Removes bookmarks of moments that are neither kept by age nor held: no recording of them is left. */
  async forgetBookmarks(cameraId: string, before: Date): Promise<void> {
    await sql`
      delete from recording_bookmark bookmark
       where bookmark.camera_id = ${cameraId} and bookmark.at < ${before}
         and not exists (
           select from recording_hold hold
            where hold.camera_id = bookmark.camera_id
              and hold.started_at <= bookmark.at and hold.ended_at >= bookmark.at)`.execute(
      this.#db.write(),
    );
  }

  async believedAt(): Promise<Date | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('recording_hour')
      .select('believed_at')
      .executeTakeFirst();
    return row?.believed_at ?? null;
  }

  async believe(at: Date): Promise<void> {
    await this.#db
      .write<Tables>()
      .insertInto('recording_hour')
      .values({ only_row: true, believed_at: at })
      .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ believed_at: at }))
      .execute();
  }
}
