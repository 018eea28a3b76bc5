import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { runningSince, type IndexTables } from '../index/index-store.ts';

/** A complete file that can be played. */
export interface PlayedSegment {
  readonly id: string;
  readonly recording_id: string;
  readonly root_id: string;
  readonly path: string;
  readonly started_at: Date;
  readonly ended_at: Date;
  readonly bytes: number;
  readonly head_bytes: number;
  readonly pictures: number;
  readonly key_offsets: number[];
  readonly key_times: number[];
  readonly sha256: Buffer;
  readonly codec: string;
  readonly mime: string;
  readonly stream_id: string;
  /** Which of the camera's pictures it shows; null from before that was written down. */
  readonly shows: string | null;
}

const columns = [
  'id',
  'recording_id',
  'root_id',
  'path',
  'started_at',
  'ended_at',
  'bytes',
  'head_bytes',
  'pictures',
  'key_offsets',
  'key_times',
  'sha256',
  'codec',
  'mime',
  'stream_id',
  'shows',
] as const;

/**
 * SQL of what is played of a camera, for users who may see its recordings. Files that are still being written are
 * left out.
 */
export class PlaybackStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async segments(cameraId: string, from: Date, until: Date): Promise<PlayedSegment[]> {
    const db = this.#db.read<IndexTables>();
    const rows = await db
      .selectFrom('recording_segment')
      .select(columns)
      .where('camera_id', '=', cameraId)
      .where('started_at', '<', until)
      .where('started_at', '>=', await runningSince(db, [cameraId], from))
      .where('ended_at', '>', from)
      .orderBy('started_at')
      .execute();
    // A constraint of the table: a row with an end has all other columns.
    return rows as PlayedSegment[];
  }

  /** For the files at both ends it counts the share of their time, as if all their pictures were of one size. */
  async amount(
    cameraId: string,
    from: Date,
    until: Date,
  ): Promise<{ seconds: number; bytes: number }> {
    const since = await runningSince(this.#db.read<IndexTables>(), [cameraId], from);
    const { rows } = await sql<{ seconds: number; bytes: number }>`
      with part as (
        select bytes, extract(epoch from ended_at - started_at) as whole,
               extract(epoch from least(ended_at, ${until}) - greatest(started_at, ${from})) as wanted
          from recording_segment
         where camera_id = ${cameraId} and started_at < ${until} and ended_at > ${from}
           and started_at >= ${since})
      select coalesce(sum(wanted), 0)::double precision as seconds,
             coalesce(round(sum(bytes * wanted / whole)), 0)::bigint as bytes from part
    `.execute(this.#db.read());
    return rows[0]!;
  }

  /** Null when that camera has no such complete file. */
  async segment(cameraId: string, id: string): Promise<PlayedSegment | null> {
    const row = await this.#db
      .read<IndexTables>()
      .selectFrom('recording_segment')
      .select(columns)
      .where('id', '=', id)
      .where('camera_id', '=', cameraId)
      .where('ended_at', 'is not', null)
      .executeTakeFirst();
    return (row as PlayedSegment | undefined) ?? null;
  }

  /** Returns the file of that moment, or null; without a moment the newest. */
  async segmentAt(cameraId: string, at: Date | null): Promise<PlayedSegment | null> {
    let rows = this.#db
      .read<IndexTables>()
      .selectFrom('recording_segment')
      .select(columns)
      .where('camera_id', '=', cameraId)
      .where('ended_at', 'is not', null)
      .orderBy('started_at', 'desc')
      .limit(1);
    if (at) rows = rows.where('started_at', '<=', at);
    const row = await rows.executeTakeFirst();
    const segment = (row as PlayedSegment | undefined) ?? null;
    return segment && (!at || segment.ended_at > at) ? segment : null;
  }

  /** Returns the first complete file of a recording. */
  async firstOf(recordingId: string): Promise<PlayedSegment | null> {
    const row = await this.#db
      .read<IndexTables>()
      .selectFrom('recording_segment')
      .select(columns)
      .where('recording_id', '=', recordingId)
      .where('ended_at', 'is not', null)
      .orderBy('started_at')
      .limit(1)
      .executeTakeFirst();
    return (row as PlayedSegment | undefined) ?? null;
  }
}
