import { sql, type Kysely } from 'kysely';
import type { RecordingType } from '@nazar/contract/recording-states.ts';
import type { GapCause } from '@nazar/contract/recordings.ts';
import type { Database, Tx } from '#db/database.ts';
import type { RootRow } from '../roots.ts';

export interface SegmentRow {
  readonly id: string;
  readonly camera_id: string;
  readonly recording_id: string;
  readonly root_id: string;
  readonly path: string;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly bytes: number | null;
  readonly head_bytes: number | null;
  readonly pictures: number | null;
  readonly key_offsets: number[] | null;
  readonly key_times: number[] | null;
  readonly sha256: Buffer | null;
  /** Milliseconds from the start of the segment, in pairs; null: its pictures were not compared. */
  readonly motion_from: number[] | null;
  readonly motion_until: number[] | null;
  /** The last bytes of the file, and milliseconds from the start of the segment; null: it has no still. */
  readonly still_bytes: number | null;
  readonly still_ms: number | null;
  /** Which of the camera's pictures the file shows, and its still; null from before that was written down. */
  readonly shows: string | null;
  readonly still_shows: string | null;
  readonly codec: string;
  readonly mime: string;
  readonly width: number;
  readonly height: number;
  readonly stream_id: string;
}

/** Where something moved in a segment; it goes with its segment. */
export interface MotionRow {
  readonly segment_id: string;
  readonly camera_id: string;
  readonly started_at: Date;
  /** By how much the recorded picture is turned clockwise. */
  readonly rotation: number;
  /** A bit for each cell of the grid in which something moved at some time of the segment. */
  readonly cells: string;
  /** Whether they are cells of the main picture; null from before that was written down. */
  readonly of_main: boolean | null;
  /** Which cells when (`media/protocol/motion-grid.ts`). */
  readonly grid: Buffer;
}

/** What its own table holds of a segment's motion. */
export type MotionOf = Pick<MotionRow, 'rotation' | 'cells' | 'grid' | 'of_main'>;

/** What is known of a segment once it is complete. */
export interface Completion {
  readonly columns: CompletedColumns;
  /** Null: its pictures were not compared, or it was not written down where something moved. */
  readonly moved: MotionOf | null;
}

export type CompletedColumns = {
  readonly [
    Key in 'ended_at' | 'bytes' | 'head_bytes' | 'pictures' | 'key_offsets' | 'key_times' | 'sha256'
  ]: NonNullable<SegmentRow[Key]>;
} & Pick<SegmentRow, 'motion_from' | 'motion_until' | 'still_bytes' | 'still_ms' | 'still_shows'>;

export interface RecordingRow {
  readonly id: string;
  readonly camera_id: string;
  readonly type: RecordingType;
  readonly started_at: Date;
}

export interface GapRow {
  readonly id: string;
  readonly camera_id: string;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly cause: GapCause;
}

export interface IndexTables {
  recording_root: RootRow & { readonly created_at: Date };
  recording: RecordingRow;
  recording_segment: SegmentRow;
  recording_motion: MotionRow;
  recording_gap: GapRow;
  recording_garbage: { readonly root_id: string; readonly path: string };
}

/** Later than any recording. */
export const endOfTime = new Date(Date.UTC(9999, 0));

/** SQL of the index: segments, the recordings they make, and gaps. The only writer of its tables. */
export class IndexStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  roots(): Promise<RootRow[]> {
    return this.#db
      .read<IndexTables>()
      .selectFrom('recording_root')
      .select(['id', 'path'])
      .orderBy('created_at')
      .execute();
  }

  async addRoot(row: IndexTables['recording_root']): Promise<void> {
    await this.#db.write<IndexTables>().insertInto('recording_root').values(row).execute();
  }

  /** The disk is the same and is mounted elsewhere now. */
  async moveRoot(id: string, path: string): Promise<void> {
    await this.#db
      .write<IndexTables>()
      .updateTable('recording_root')
      .set({ path })
      .where('id', '=', id)
      .execute();
  }

  async segment(id: string): Promise<SegmentRow | null> {
    const row = await this.#db
      .read<IndexTables>()
      .selectFrom('recording_segment')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row ?? null;
  }

  async segmentAt(rootId: string, path: string): Promise<SegmentRow | null> {
    const row = await this.#db
      .read<IndexTables>()
      .selectFrom('recording_segment')
      .selectAll()
      .where('root_id', '=', rootId)
      .where('path', '=', path)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns segments without an end, of one camera or of all. */
  openSegments(cameraId: string | null = null): Promise<SegmentRow[]> {
    let rows = this.#db
      .read<IndexTables>()
      .selectFrom('recording_segment')
      .selectAll()
      .where('ended_at', 'is', null)
      .orderBy('started_at');
    if (cameraId !== null) rows = rows.where('camera_id', '=', cameraId);
    return rows.execute();
  }

  /** False when it exists already. */
  async addSegment(tx: Tx, row: SegmentRow, moved: MotionOf | null): Promise<boolean> {
    const added = await tx
      .as<IndexTables>()
      .insertInto('recording_segment')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    const isNew = (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
    if (isNew && moved) await addMotion(tx, row, moved);
    return isNew;
  }

  /** Returns from when to when it is; null when it does not exist, or is complete already. */
  async complete(
    tx: Tx,
    id: string,
    { columns, moved }: Completion,
  ): Promise<{ readonly started_at: Date; readonly ended_at: Date } | null> {
    const db = tx.as<IndexTables>();
    const open = await db
      .selectFrom('recording_segment')
      .select(['id', 'camera_id', 'started_at'])
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!open) return null;
    const ended_at = await this.endBefore(tx, open, columns.ended_at);
    await db
      .updateTable('recording_segment')
      .set({ ...columns, ended_at })
      .where('id', '=', id)
      .execute();
    if (moved) await addMotion(tx, open, moved);
    return { started_at: open.started_at, ended_at };
  }

  /** Returns that end, or when the camera's next segment begins, if that is sooner: no two cover the same moment. */
  async endBefore(
    tx: Tx,
    { camera_id, started_at }: Pick<SegmentRow, 'camera_id' | 'started_at'>,
    end: Date,
  ): Promise<Date> {
    const next = await tx
      .as<IndexTables>()
      .selectFrom('recording_segment')
      .select('started_at')
      .where('camera_id', '=', camera_id)
      .where('started_at', '>', started_at)
      .where('started_at', '<', end)
      .orderBy('started_at')
      .limit(1)
      .executeTakeFirst();
    return next?.started_at ?? end;
  }

  /** No two segments of a camera cover the same moment: those that end after this one begins, end here. */
  async endBy(tx: Tx, cameraId: string, at: Date): Promise<void> {
    await tx
      .as<IndexTables>()
      .updateTable('recording_segment')
      .set({ ended_at: at })
      .where('camera_id', '=', cameraId)
      .where('started_at', '<', at)
      .where('ended_at', '>', at)
      .execute();
  }

  async removeSegment(tx: Tx, id: string): Promise<void> {
    await tx.as<IndexTables>().deleteFrom('recording_segment').where('id', '=', id).execute();
  }

  /** Removes recordings without segments. */
  async removeEmpty(tx: Tx, recordingIds: readonly string[]): Promise<void> {
    await tx
      .as<IndexTables>()
      .deleteFrom('recording')
      .where('id', 'in', [...recordingIds])
      .where((is) =>
        is.not(
          is.exists(
            is
              .selectFrom('recording_segment')
              .select('recording_segment.id')
              .whereRef('recording_segment.recording_id', '=', 'recording.id'),
          ),
        ),
      )
      .execute();
  }

  /** Returns the newest recording of a camera that begins no later, and when its last segment before that ends. */
  async lastRecording(
    tx: Tx,
    cameraId: string,
    before: Date,
  ): Promise<(RecordingRow & { readonly ended_at: Date }) | null> {
    const recording = await tx
      .as<IndexTables>()
      .selectFrom('recording')
      .selectAll()
      .where('camera_id', '=', cameraId)
      .where('started_at', '<=', before)
      .orderBy('started_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!recording) return null;
    const ended = await this.recordedUntil(tx, cameraId, before);
    return { ...recording, ended_at: ended ?? recording.started_at };
  }

  async addRecording(tx: Tx, row: RecordingRow): Promise<void> {
    await tx.as<IndexTables>().insertInto('recording').values(row).execute();
  }

  /** Returns when the last segment that began before that moment ends; its beginning while it is open. */
  recordedUntil(tx: Tx, cameraId: string, before: Date): Promise<Date | null> {
    return lastEnd(tx.as<IndexTables>(), cameraId, before);
  }

  /** Returns up to when there are recordings of a camera; 0 when there are none. */
  async recordedUntilNow(cameraId: string): Promise<number> {
    const until = await lastEnd(this.#db.read<IndexTables>(), cameraId, endOfTime);
    return until?.getTime() ?? 0;
  }

  async openGap(tx: Tx, cameraId: string): Promise<GapRow | null> {
    const row = await tx
      .as<IndexTables>()
      .selectFrom('recording_gap')
      .selectAll()
      .where('camera_id', '=', cameraId)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    return row ?? null;
  }

  async addGap(tx: Tx, row: GapRow): Promise<void> {
    await tx.as<IndexTables>().insertInto('recording_gap').values(row).execute();
  }

  /** Returns the gap that ends there. */
  async gapUntil(tx: Tx, cameraId: string, at: Date): Promise<GapRow | null> {
    const row = await tx
      .as<IndexTables>()
      .selectFrom('recording_gap')
      .selectAll()
      .where('camera_id', '=', cameraId)
      .where('ended_at', '=', at)
      .executeTakeFirst();
    return row ?? null;
  }

  async endGap(tx: Tx, id: string, at: Date): Promise<void> {
    await tx
      .as<IndexTables>()
      .updateTable('recording_gap')
      .set({ ended_at: at })
      .where('id', '=', id)
      .execute();
  }

  /** Removes and returns the gaps that reach into that time; `until` null: for ever. */
  takeGaps(tx: Tx, cameraId: string, from: Date, until: Date | null): Promise<GapRow[]> {
    let gaps = tx
      .as<IndexTables>()
      .deleteFrom('recording_gap')
      .where('camera_id', '=', cameraId)
      .where((is) => is.or([is('ended_at', 'is', null), is('ended_at', '>', from)]));
    if (until !== null) gaps = gaps.where('started_at', '<', until);
    return gaps.returningAll().execute();
  }

  /** Returns segments after that path, in the order of bytes. */
  segmentsAfter(rootId: string, path: string, limit: number): Promise<SegmentRow[]> {
    return this.#db
      .read<IndexTables>()
      .selectFrom('recording_segment')
      .selectAll()
      .where('root_id', '=', rootId)
      .where('path', '>', path)
      .orderBy('path')
      .limit(limit)
      .execute();
  }

  async isGarbage(rootId: string, path: string): Promise<boolean> {
    const row = await this.#db
      .read<IndexTables>()
      .selectFrom('recording_garbage')
      .select('path')
      .where('root_id', '=', rootId)
      .where('path', '=', path)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Whether there is such a camera, deleted or not. */
  async isCamera(id: string): Promise<boolean> {
    const row = await this.#db
      .read<{ cameras_v_camera: { id: string } }>()
      .selectFrom('cameras_v_camera')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    return row !== undefined;
  }
}

/**
 * Returns the earliest time at which segments that lie in the period from that moment on may begin: the moment, or
 * earlier if a segment runs then. A segment ends at a key frame only, so it may be of any length: the running one is
 * looked up. No two of a camera cover the same moment, so it is the last one that began before.
 */
export async function runningSince(
  db: Kysely<IndexTables>,
  cameraIds: readonly string[],
  at: Date,
): Promise<Date> {
  const { rows } = await sql<{ since: Date | null }>`
    select min(last.started_at) as since
      from unnest(${cameraIds}::uuid[]) as camera (id)
     cross join lateral (
       select started_at, ended_at from recording_segment
        where camera_id = camera.id and started_at < ${at}
        order by started_at desc, ended_at desc nulls first limit 1) last
     where last.ended_at is null or last.ended_at > ${at}`.execute(db);
  return rows[0]?.since ?? at;
}

async function addMotion(
  tx: Tx,
  { id, camera_id, started_at }: Pick<SegmentRow, 'id' | 'camera_id' | 'started_at'>,
  moved: MotionOf,
): Promise<void> {
  const row = { segment_id: id, camera_id, started_at, ...moved };
  await tx.as<IndexTables>().insertInto('recording_motion').values(row).execute();
}

async function lastEnd(
  db: Kysely<IndexTables>,
  cameraId: string,
  before: Date,
): Promise<Date | null> {
  const row = await db
    .selectFrom('recording_segment')
    .select(['started_at', 'ended_at'])
    .where('camera_id', '=', cameraId)
    .where('started_at', '<', before)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? (row.ended_at ?? row.started_at) : null;
}
