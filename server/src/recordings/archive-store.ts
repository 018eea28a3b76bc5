import { sql } from 'kysely';
import type { RecordingQuery, RecordingType } from '@nazar/contract/recordings.ts';
import type { Database } from '#db/database.ts';
import { ownOrListed } from '#db/own-or-listed.ts';
import { granted, type Scope } from '#http/scope.ts';
import type { GapRow, IndexTables, SegmentRow } from './index-store.ts';

export interface ListedRecording {
  readonly id: string;
  readonly camera_id: string;
  readonly camera_name: string;
  readonly type: RecordingType;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly duration_s: number;
  readonly bytes: number;
  readonly segments: number;
}

export interface Span {
  readonly type: RecordingType;
  readonly started_at: Date;
  readonly ended_at: Date;
}

export interface Period {
  readonly from: Date;
  readonly until: Date;
  /** What lies closer together is not told apart. */
  readonly resolutionMs: number;
}

type Tables = Pick<IndexTables, 'recording' | 'recording_segment' | 'recording_gap'> & {
  cameras_v_camera: { id: string; name: string; created_by: string | null };
};

/** Reads of the index on somebody's behalf: the cameras they made, and those whose recordings were granted. */
export class ArchiveStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async list(
    scope: Scope,
    query: RecordingQuery,
  ): Promise<{ count: number; rows: ListedRecording[] }> {
    const matching = this.#matching(scope, query);
    const { count } = await matching
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    const page = matching
      .select('recording.id')
      .orderBy('recording.started_at', query.ordering === 'started_at' ? 'asc' : 'desc')
      .orderBy('recording.id')
      .limit(query.page_size)
      .offset((query.page - 1) * query.page_size);
    const ids = (await page.execute()).map(({ id }) => id);
    const byId = new Map((await this.#described(scope, ids)).map((row) => [row.id, row]));
    return { count, rows: ids.flatMap((id) => byId.get(id) ?? []) };
  }

  /** Null outside the scope, as if it did not exist (C-308). */
  async find(scope: Scope, id: string): Promise<ListedRecording | null> {
    const [row] = await this.#described(scope, [id]);
    return row ?? null;
  }

  segmentsOf(scope: Scope, recordingId: string): Promise<SegmentRow[]> {
    return this.#segments(scope)
      .selectAll('recording_segment')
      .where('recording_segment.recording_id', '=', recordingId)
      .orderBy('recording_segment.started_at')
      .execute();
  }

  async segment(scope: Scope, id: string): Promise<SegmentRow | null> {
    const row = await this.#segments(scope)
      .selectAll('recording_segment')
      .where('recording_segment.id', '=', id)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Whether somebody may see the recordings of that camera. */
  async sees(scope: Scope, cameraId: string): Promise<boolean> {
    let cameras = this.#db
      .read<Tables>()
      .selectFrom('cameras_v_camera as camera')
      .select('camera.id')
      .where('camera.id', '=', cameraId);
    if (!scope.seesAll) cameras = cameras.where(mine(scope));
    return (await cameras.executeTakeFirst()) !== undefined;
  }

  /** Segments of one type that lie no further apart than the resolution are one span. */
  async spans(cameraId: string, { from, until, resolutionMs }: Period, now: Date): Promise<Span[]> {
    const apart = `${Math.max(resolutionMs, joinedMs)} milliseconds`;
    const { rows } = await sql<Span>`
      with part as (
        select recording.type, segment.started_at,
               coalesce(segment.ended_at, greatest(segment.started_at, ${now})) as ended_at
          from recording_segment segment join recording on recording.id = segment.recording_id
         where segment.camera_id = ${cameraId}
           and segment.started_at < ${until}
           and segment.started_at > ${from}::timestamptz - interval '1 hour'
           and coalesce(segment.ended_at, ${now}) > ${from}
      ), marked as (
        select *, coalesce(type <> lag(type) over ordered
                 or started_at - max(ended_at) over (order by started_at
                      rows between unbounded preceding and 1 preceding) > ${apart}::interval,
               true) as begins
          from part window ordered as (order by started_at)
      ), numbered as (
        select *, count(*) filter (where begins) over (order by started_at) as span from marked
      )
      select min(type) as type, min(started_at) as started_at, max(ended_at) as ended_at
        from numbered group by span order by span`.execute(this.#db.read());
    return rows;
  }

  /** Those longer than the resolution. */
  gaps(
    cameraId: string,
    { from, until, resolutionMs }: Period,
  ): Promise<Pick<GapRow, 'cause' | 'started_at' | 'ended_at'>[]> {
    return this.#db
      .read<Tables>()
      .selectFrom('recording_gap')
      .select(['cause', 'started_at', 'ended_at'])
      .where('camera_id', '=', cameraId)
      .where('started_at', '<', until)
      .where((is) => is.or([is('ended_at', 'is', null), is('ended_at', '>', from)]))
      .where(
        sql<boolean>`(ended_at is null or ended_at - started_at >= ${`${resolutionMs} milliseconds`}::interval)`,
      )
      .orderBy('started_at')
      .execute();
  }

  async #described(scope: Scope, ids: readonly string[]): Promise<ListedRecording[]> {
    if (ids.length === 0) return [];
    return this.#visible(scope)
      .innerJoin('recording_segment as segment', 'segment.recording_id', 'recording.id')
      .where('recording.id', 'in', [...ids])
      .groupBy(['recording.id', 'camera.name'])
      .select(({ fn }) => [
        'recording.id',
        'recording.camera_id',
        'camera.name as camera_name',
        'recording.type',
        fn.min('segment.started_at').as('started_at'),
        sql<Date | null>`case when bool_or(segment.ended_at is null) then null
          else max(segment.ended_at) end`.as('ended_at'),
        sql<number>`coalesce(sum(extract(epoch from segment.ended_at - segment.started_at)), 0)`.as(
          'duration_s',
        ),
        sql<number>`coalesce(sum(segment.bytes), 0)`.as('bytes'),
        fn.countAll<number>().as('segments'),
      ])
      .execute();
  }

  #visible(scope: Scope) {
    const all = this.#db
      .read<Tables>()
      .selectFrom('recording')
      .innerJoin('cameras_v_camera as camera', 'camera.id', 'recording.camera_id');
    return scope.seesAll ? all : all.where(mine(scope));
  }

  #segments(scope: Scope) {
    const all = this.#db
      .read<Tables>()
      .selectFrom('recording_segment')
      .innerJoin('cameras_v_camera as camera', 'camera.id', 'recording_segment.camera_id');
    return scope.seesAll ? all : all.where(mine(scope));
  }

  #matching(scope: Scope, { camera, type, from, until }: RecordingQuery) {
    let rows = this.#visible(scope);
    if (camera) rows = rows.where('recording.camera_id', '=', camera);
    if (type) rows = rows.where('recording.type', '=', type);
    if (until) rows = rows.where('recording.started_at', '<', new Date(until));
    if (from) {
      const late = new Date(from);
      rows = rows.where((is) =>
        is.exists(
          is
            .selectFrom('recording_segment as late')
            .select('late.id')
            .whereRef('late.recording_id', '=', 'recording.id')
            .where((is) =>
              is.or([is('late.ended_at', 'is', null), is('late.ended_at', '>', late)]),
            ),
        ),
      );
    }
    return rows;
  }
}

/** Segments that follow one another are one span even when nobody asks for less detail. */
const joinedMs = 250;

const mine = (scope: Scope) =>
  ownOrListed(scope.userId, granted(scope, 'recordings'), {
    owner: 'camera.created_by',
    id: 'camera.id',
  });
