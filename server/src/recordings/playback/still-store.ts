import { sql } from 'kysely';
import type { Database } from '#db/database.ts';

/** A complete file, and the still at its end. */
export interface StillSegment {
  readonly id: string;
  readonly root_id: string;
  readonly path: string;
  readonly started_at: Date;
  readonly ended_at: Date;
  readonly bytes: number;
  readonly head_bytes: number;
  /** Null: it has none. */
  readonly still_bytes: number | null;
  readonly still_ms: number | null;
  /** Which of the camera's pictures the still shows; null from before that was written down. */
  readonly still_shows: string | null;
}

const columns = sql.raw(
  'id, root_id, path, started_at, ended_at, bytes, head_bytes, still_bytes, still_ms, still_shows',
);

/** SQL of stills of a camera, for users who may see its recordings. */
export class StillStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns the last complete file that began by that moment, and the first one after it. */
  async around(
    cameraId: string,
    at: Date,
  ): Promise<{ readonly before: StillSegment | null; readonly after: StillSegment | null }> {
    const { rows } = await sql<StillSegment>`
      (select ${columns} from recording_segment
        where camera_id = ${cameraId} and started_at <= ${at} and ended_at is not null
        order by started_at desc limit 1)
      union all
      (select ${columns} from recording_segment
        where camera_id = ${cameraId} and started_at > ${at} and ended_at is not null
        order by started_at limit 1)`.execute(this.#db.read());
    return {
      before: rows.find(({ started_at }) => started_at <= at) ?? null,
      after: rows.find(({ started_at }) => started_at > at) ?? null,
    };
  }

  /**
   * Returns files with stills: the first that begins in each of so many equal parts of that time. The first part begins
   * with the file that was being recorded then. Each part is one index lookup, so that a month costs what a minute
   * does.
   */
  async spread(
    cameraId: string,
    { from, until, count }: { from: Date; until: Date; count: number },
  ): Promise<StillSegment[]> {
    const partMs = (until.getTime() - from.getTime()) / count;
    const { rows } = await sql<StillSegment>`
      with running as (
        select started_at, ended_at from recording_segment
         where camera_id = ${cameraId} and started_at <= ${from}
         order by started_at desc limit 1
      ), part as (
        select ${from}::timestamptz + n * ${partMs}::float8 * interval '1 millisecond' as began_at,
               ${from}::timestamptz + (n + 1) * ${partMs}::float8 * interval '1 millisecond' as ended_at,
               n = 0 as is_first
          from generate_series(0, ${count}::int - 1) n
      )
      select still.*
        from part
        cross join lateral (
          select ${columns} from recording_segment
           where camera_id = ${cameraId}
             and started_at >= case when part.is_first
               then coalesce((select started_at from running where ended_at > ${from}), part.began_at)
               else part.began_at end
             and started_at < part.ended_at
             and still_bytes is not null
           order by started_at limit 1) still
       order by still.started_at`.execute(this.#db.read());
    return rows;
  }
}
