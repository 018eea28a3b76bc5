import { sql, type RawBuilder } from 'kysely';
import type { RecordingType } from '@nazar/contract/recording-states.ts';
import type { RecordingQuery } from '@nazar/contract/recordings.ts';
import type { Database } from '#db/database.ts';
import { hasText } from '#db/like.ts';
import { ownOrListed } from '#db/own-or-listed.ts';
import { pageOf, type Paged } from '#db/page.ts';
import { granted, type Scope } from '#http/scope.ts';
import { longestVisit, mayName } from '#visits/visits.ts';
import type { LocalDay } from '#lib/local-days.ts';
import type { IndexTables, SegmentRow } from '../index/index-store.ts';
import { isHeld } from '../retention/hold-store.ts';
import { touches } from './days-store.ts';
import type { ShownCells } from './hidden-motion.ts';
import { noCellBits, shownIn, shownRows } from './motion-store.ts';

export interface ListedRecording {
  readonly id: string;
  readonly camera_id: string;
  readonly camera_name: string;
  readonly camera_deleted: boolean;
  readonly type: RecordingType;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly duration_s: number;
  readonly bytes: number;
  readonly segments: number;
  /** Null: its pictures were not compared. */
  readonly has_motion: boolean | null;
  readonly faces: number;
  readonly held: boolean;
}

export interface Totals {
  readonly recordings: number;
  readonly duration_s: number;
  readonly bytes: number;
  readonly faces: number;
}

type Tables = Pick<IndexTables, 'recording' | 'recording_segment'> & {
  cameras_v_camera: {
    id: string;
    name: string;
    created_by: string | null;
    deleted_at: Date | null;
  };
};

/**
 * Visits of which a moment is in the recording: the last of its segments that begins no later than the visit ends
 * reaches into the visit. A person seen in a pause is not in it. It is read at request time, so that what is seen,
 * named, corrected or erased later counts at once.
 */
const shown = sql`
  visits_v_visit visit
  where visit.camera_id = recording.camera_id
    and visit.started_at >= recording.started_at - ${longestVisit}
    and visit.ended_at >= recording.started_at
    and visit.started_at <= (
      select coalesce(part.ended_at, 'infinity') from recording_segment part
       where part.recording_id = recording.id order by part.started_at desc limit 1)
    and visit.started_at <= (
      select coalesce(part.ended_at, 'infinity') from recording_segment part
       where part.recording_id = recording.id and part.started_at <= visit.ended_at
       order by part.started_at desc limit 1)`;

const hasFaces = sql<boolean>`exists (select from ${shown})`;

const hasMotion = sql<boolean>`(recording.type = 'motion' or exists (
  select from recording_segment part
   where part.recording_id = recording.id and part.motion_from <> '{}'))`;

/** Where a row of `recording` is of a camera behind whose masks the reader may not see. */
const isHidden = (cells: ShownCells) => sql<boolean>`
  recording.camera_id = any(${[...cells.keys()]}::uuid[])`;

/**
 * Whether something moved beside the masks of such a camera; null: its pictures were not compared by place. A recording
 * made because of motion does not say where the motion was.
 */
const movedBeside = (cells: ShownCells) => sql<boolean | null>`(
  select bool_or((motion.cells & shown.bits) <> ${noCellBits})
    from recording_segment part
    join recording_motion motion on motion.segment_id = part.id
    join (${shownRows(cells)}) shown on ${shownIn}
   where part.recording_id = recording.id)`;

/** Whether something moved that the reader may learn of. */
const showsMotion = (cells: ShownCells) =>
  cells.size === 0
    ? hasMotion
    : sql<boolean>`case when ${isHidden(cells)} then coalesce(${movedBeside(cells)}, false)
        else ${hasMotion} end`;

/**
 * What the segments of a recording come to. One by one along their index: with the recordings of a page joined and
 * grouped, all their segments were sorted first (list of 50 recordings of a day: 22 ms of PostgreSQL, now 10).
 */
const wholeOf = sql<{
  started_at: Date;
  ended_at: Date | null;
  duration_s: number;
  bytes: number;
  segments: number;
  has_motion: boolean | null;
}>`(
  select min(part.started_at) as started_at,
         case when bool_or(part.ended_at is null) then null else max(part.ended_at) end as ended_at,
         coalesce(sum(extract(epoch from part.ended_at - part.started_at)), 0) as duration_s,
         coalesce(sum(part.bytes), 0) as bytes, count(*) as segments,
         case when bool_or(part.motion_from <> '{}') then true
              when bool_or(part.motion_from is not null) then false end as has_motion
    from recording_segment part where part.recording_id = recording.id)`.as<'whole'>('whole');

export interface ListedAs {
  readonly day: LocalDay | null;
  readonly now: Date;
  readonly cells: ShownCells;
}

/** Reads of the index for a user: the cameras they added, and those whose recordings were granted to them. */
export class ArchiveStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** `day`: what of it is asked for, if only a day is. `cells`: the motion that this reader may learn of. */
  async list(
    scope: Scope,
    query: RecordingQuery,
    { day, now, cells }: ListedAs,
  ): Promise<Paged<ListedRecording>> {
    let listed = this.#matching(scope, query, cells);
    if (day) {
      const one = query.camera ? sql`camera.id = ${query.camera}` : sql`true`;
      const cameras = sql`select camera.id from cameras_v_camera camera where ${one} and ${mine(scope)}`;
      listed = listed.where(touches(cameras, { ...day, now }));
    }
    const matching = listed
      .select('recording.id')
      .orderBy('recording.started_at', query.ordering === 'started_at' ? 'asc' : 'desc')
      .orderBy('recording.id');
    const page = { page: query.page, pageSize: query.page_size };
    const { count, rows } = await pageOf(matching, page);
    const ids = rows.map(({ id }) => id);
    const byId = new Map((await this.#described(scope, ids, cells)).map((row) => [row.id, row]));
    return { count, rows: ids.flatMap((id) => byId.get(id) ?? []) };
  }

  /** For an answer to a reader, who learns of the motion in these cells. Null outside the scope. */
  async read(scope: Scope, id: string, cells: ShownCells): Promise<ListedRecording | null> {
    const [row] = await this.#described(scope, [id], cells);
    return row ?? null;
  }

  /** Null outside the scope, as if it did not exist. */
  find(scope: Scope, id: string): Promise<Omit<ListedRecording, 'has_motion'> | null> {
    return this.read(scope, id, new Map());
  }

  segmentsOf(scope: Scope, recordingId: string): Promise<SegmentRow[]> {
    return this.#segments(scope)
      .where('recording.id', '=', recordingId)
      .orderBy('segment.started_at')
      .execute();
  }

  async segment(scope: Scope, id: string): Promise<SegmentRow | null> {
    const row = await this.#segments(scope).where('segment.id', '=', id).executeTakeFirst();
    return row ?? null;
  }

  /** Returns those of the cameras whose recordings the scope may see. */
  async seen(scope: Scope, cameraIds: readonly string[]): Promise<string[]> {
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('cameras_v_camera as camera')
      .select('camera.id')
      .where('camera.id', 'in', [...cameraIds])
      .where(mine(scope))
      .execute();
    return rows.map(({ id }) => id);
  }

  /** The totals of one camera, or of all. Visits are those of which a recording shows a moment. */
  async totals(scope: Scope, cameraId: string | null): Promise<Totals> {
    const camera = cameraId === null ? sql`true` : sql`camera.id = ${cameraId}`;
    const { rows } = await sql<Totals>`
      with mine as (select camera.id from cameras_v_camera camera where ${camera} and ${mine(scope)}),
      part as (
        select segment.recording_id, segment.started_at, segment.ended_at, segment.bytes
          from recording_segment segment join mine on mine.id = segment.camera_id
      )
      select count(distinct recording_id) as recordings, coalesce(sum(bytes), 0) as bytes,
             coalesce(sum(extract(epoch from ended_at - started_at)), 0) as duration_s,
             (select count(*) from visits_v_visit visit join mine on mine.id = visit.camera_id
               where visit.started_at >= (select min(started_at) from part) - ${longestVisit}
                 and visit.started_at <= (
                   select coalesce(last.ended_at, 'infinity') from recording_segment last
                    where last.camera_id = visit.camera_id and last.started_at <= visit.ended_at
                    order by last.started_at desc limit 1)) as faces
        from part`.execute(this.#db.scan());
    return rows[0]!;
  }

  /**
   * Returns where one camera is recorded to, or all of those whose recordings the scope may see; null: to the default
   * root.
   */
  async rootIds(scope: Scope, cameraId: string | null): Promise<(string | null)[]> {
    const camera = cameraId === null ? sql`true` : sql`camera.id = ${cameraId}`;
    const { rows } = await sql<{ root_id: string | null }>`
      select distinct settings.root_id
        from cameras_v_camera camera
        left join recording_settings settings on settings.camera_id = camera.id
       where ${camera} and ${mine(scope)}`.execute(this.#db.read());
    return rows.map(({ root_id }) => root_id);
  }

  async #described(
    scope: Scope,
    ids: readonly string[],
    cells: ShownCells,
  ): Promise<ListedRecording[]> {
    if (ids.length === 0) return [];
    return this.#visible(scope)
      .innerJoinLateral(wholeOf, (join) => join.onTrue())
      .where('recording.id', 'in', [...ids])
      .where('whole.segments', '>', 0)
      .select([
        'recording.id',
        'recording.camera_id',
        'camera.name as camera_name',
        sql<boolean>`camera.deleted_at is not null`.as('camera_deleted'),
        'recording.type',
        'whole.started_at',
        'whole.ended_at',
        'whole.duration_s',
        'whole.bytes',
        'whole.segments',
        shownMotion(cells).as('has_motion'),
        sql<number>`(select count(*) from ${shown})`.as('faces'),
        isHeld.as('held'),
      ])
      .execute();
  }

  #visible(scope: Scope) {
    return this.#db
      .read<Tables>()
      .selectFrom('recording')
      .innerJoin('cameras_v_camera as camera', 'camera.id', 'recording.camera_id')
      .where(mine(scope));
  }

  #segments(scope: Scope) {
    return this.#visible(scope)
      .innerJoin('recording_segment as segment', 'segment.recording_id', 'recording.id')
      .selectAll('segment');
  }

  #matching(scope: Scope, query: RecordingQuery, cells: ShownCells) {
    const { camera, type, from, until, search, person } = query;
    let rows = this.#visible(scope);
    if (camera) rows = rows.where('recording.camera_id', '=', camera);
    if (type) rows = rows.where('recording.type', '=', type);
    if (until) rows = rows.where('recording.started_at', '<', new Date(until));
    if (from) rows = rows.where(reaches(new Date(from)));
    if (query.has_motion !== undefined) rows = rows.where(is(showsMotion(cells), query.has_motion));
    if (query.has_faces !== undefined) rows = rows.where(is(hasFaces, query.has_faces));
    if (person) rows = rows.where(showsEither(scope, person));
    if (search) rows = rows.where(isCalled(scope, search));
    return rows;
  }
}

/** `has_motion` of a row of `recording` and its `whole`, as the reader may learn of it. */
function shownMotion(cells: ShownCells): RawBuilder<boolean | null> {
  const all = sql`case when recording.type = 'motion' then true else whole.has_motion end`;
  if (cells.size === 0) return sql<boolean | null>`${all}`;
  return sql`case when ${isHidden(cells)} then ${movedBeside(cells)} else ${all} end`;
}

/** A condition, or its opposite. */
const is = (condition: RawBuilder<boolean>, wanted: boolean) =>
  wanted ? condition : sql<boolean>`not ${condition}`;

/** The recording goes on, or ended later: by its last segment. */
const reaches = (late: Date) => sql<boolean>`(
  select part.ended_at is null or part.ended_at > ${late} from recording_segment part
   where part.recording_id = recording.id order by part.started_at desc limit 1)`;

/** Only people whose name this reader may read: else a filter would reveal what the list hides. */
const showsPerson = (scope: Scope, whom: RawBuilder<unknown>) => sql<boolean>`exists (
  select from ${shown} and exists (
    select from faces_v_identity identity
     where identity.id = visit.identity_id and ${whom} and ${mayName(scope)}))`;

/** A person by their id, or an unknown person, who has no name to hide, by that of their identity. */
const showsEither = (scope: Scope, id: string) => sql<boolean>`(
  ${showsPerson(scope, sql`identity.person_id = ${id}`)}
  or exists (select from ${shown} and visit.identity_id = ${id} and visit.person_id is null and exists (
    select from faces_v_identity identity where identity.id = visit.identity_id and identity.is_readable)))`;

/** A part of its camera's name or description, or of the name of a person in it. */
function isCalled(scope: Scope, search: string): RawBuilder<boolean> {
  const name = sql`trim(identity.first_name || ' ' || identity.last_name)`;
  const isNamed = showsPerson(scope, hasText([name], search));
  const texts = [sql`camera.name`, sql`camera.description`];
  return sql<boolean>`(${hasText(texts, search)} or ${isNamed})`;
}

/** Whose recordings one sees: `camera` is a row of cameras_v_camera, deleted or not. */
export const mine = (scope: Scope): RawBuilder<boolean> =>
  scope.seesAll
    ? sql`true`
    : ownOrListed(scope.userId, granted(scope, 'recordings'), {
        owner: 'camera.created_by',
        id: 'camera.id',
      });
