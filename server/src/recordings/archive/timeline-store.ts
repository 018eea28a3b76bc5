import { sql, type RawBuilder } from 'kysely';
import { erasedName } from '@nazar/contract/names.ts';
import type { RecordingType } from '@nazar/contract/recording-states.ts';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import { isErased, longestVisit, mayName } from '#visits/visits.ts';
import { runningSince, type GapRow, type IndexTables } from '../index/index-store.ts';
import type { ShownCells } from './hidden-motion.ts';
import { noCellBits, shownIn, shownRows } from './motion-store.ts';

export interface Period {
  readonly from: Date;
  readonly until: Date;
  /** Times that lie closer together are joined. */
  readonly resolutionMs: number;
}

interface Lasting {
  readonly camera_id: string;
  readonly started_at: Date;
  readonly ended_at: Date;
}

export type Span = Lasting & { readonly type: RecordingType };

export type Gap = Pick<GapRow, 'camera_id' | 'cause' | 'started_at' | 'ended_at'>;

/** A person in view; several visits that are joined are one. */
export type Presence = Lasting & {
  readonly is_known: boolean;
  /** Null: an unknown or erased person, or one whom this reader may not read. */
  readonly person_id: string | null;
  readonly person_name: string | null;
  readonly visits: number;
};

/** Segments that follow one another are one span even at full detail. */
const joinedMs = 250;

const milliseconds = (count: number) => sql`${`${count} milliseconds`}::interval`;

/**
 * Parts of one camera and the same `kinds` that lie no further apart than the resolution get the same `span`; parts
 * of different kinds never do. `parts` have camera_id, started_at and ended_at, and may overlap.
 */
function joined(parts: RawBuilder<unknown>, resolutionMs: number, kinds: RawBuilder<unknown>) {
  return sql`
    with part as (${parts}),
    beside as (
      select *, max(ended_at) over (partition by camera_id, ${kinds} order by started_at, ended_at
               rows between unbounded preceding and 1 preceding) as before_ended
        from part
    ), numbered as (
      select *, count(*) filter (where before_ended is null or started_at - before_ended > ${milliseconds(resolutionMs)})
             over (partition by camera_id, ${kinds} order by started_at, ended_at) as span
        from beside
    )`;
}

/** SQL of timelines: many cameras at once, for a user who may see the recordings of all of them. */
export class TimelineStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Segments of one type that lie no further apart than the resolution are one span. Each segment is compared with
   * the one before it, in one pass over an index; only those that begin something are read again.
   */
  async spans(cameraIds: readonly string[], period: Period, now: Date): Promise<Span[]> {
    const { from, until, resolutionMs } = period;
    const since = await this.#since(cameraIds, from);
    const apart = milliseconds(Math.max(resolutionMs, joinedMs));
    const { rows } = await sql<Span>`
      with part as (
        select camera_id, recording_id, started_at,
               coalesce(ended_at, greatest(started_at, ${now})) as ended_at
          from recording_segment
         where camera_id = any(${cameraIds}::uuid[])
           and started_at < ${until}
           and started_at >= ${since}
           and coalesce(ended_at, ${now}) > ${from}
      ), beside as (
        select *, lag(ended_at) over ordered as before_ended,
               lag(recording_id) over ordered as before_recording
          from part window ordered as (partition by camera_id order by started_at)
      ), typed as (
        select beside.camera_id, beside.started_at, before_ended, recording.type,
               lag(recording.type) over (partition by beside.camera_id order by beside.started_at) as before_type
          from beside join recording on recording.id = beside.recording_id
         where before_recording is distinct from recording_id
            or beside.started_at - before_ended > ${apart}
      ), begun as (
        select * from typed
         where before_type is distinct from type or started_at - before_ended > ${apart}
      )
      select begun.camera_id, type, started_at,
             coalesce(lead(before_ended) over (partition by begun.camera_id order by started_at), last.ended_at)
               as ended_at
        from begun
        join (select camera_id, max(ended_at) as ended_at from part group by camera_id) last
          on last.camera_id = begun.camera_id
       order by camera_id, started_at`.execute(this.#db.read());
    return rows;
  }

  /** Returns gaps that are longer than the resolution. */
  async gaps(cameraIds: readonly string[], { from, until, resolutionMs }: Period): Promise<Gap[]> {
    const { rows } = await sql<Gap>`
      select camera_id, cause, started_at, ended_at from recording_gap
       where camera_id = any(${cameraIds}::uuid[])
         and started_at < ${until}
         and (ended_at is null or ended_at > ${from})
         and (ended_at is null or ended_at - started_at >= ${milliseconds(resolutionMs)})
       order by camera_id, started_at`.execute(this.#db.read());
    return rows;
  }

  /** `shown`: the cameras behind whose masks this reader may not see; of their motion only what shows beside these. */
  async motion(
    cameraIds: readonly string[],
    period: Period,
    shown: ShownCells,
  ): Promise<Lasting[]> {
    const { from, until, resolutionMs } = period;
    const since = await this.#since(cameraIds, from);
    const whole = cameraIds.filter((id) => !shown.has(id));
    const moved = sql`
      select camera_id, began_at + from_ms * interval '1 millisecond' as started_at,
             began_at + until_ms * interval '1 millisecond' as ended_at
        from (
          select camera_id, started_at as began_at,
                 unnest(motion_from) as from_ms, unnest(motion_until) as until_ms
            from recording_segment
           where camera_id = any(${whole}::uuid[])
             and started_at < ${until}
             and started_at >= ${since}
             and ended_at > ${from}
             and motion_from <> '{}') motion
       where began_at + from_ms * interval '1 millisecond' < ${until}
         and began_at + until_ms * interval '1 millisecond' > ${from}`;
    const { rows } = await sql<Lasting>`
      ${joined(shown.size > 0 ? sql`${moved} union all ${besideMasks({ ...period, since }, shown)}` : moved, Math.max(resolutionMs, motionJoinedMs), sql`true`)}
      select camera_id, min(started_at) as started_at, max(ended_at) as ended_at
        from numbered group by camera_id, span order by camera_id, started_at`.execute(
      this.#db.read(),
    );
    return rows;
  }

  #since(cameraIds: readonly string[], from: Date): Promise<Date> {
    return runningSince(this.#db.read<IndexTables>(), cameraIds, from);
  }

  /** Returns who was in view, by name where this reader may read it. */
  async presences(
    scope: Scope,
    cameraIds: readonly string[],
    { from, until, resolutionMs }: Period,
  ): Promise<Presence[]> {
    const seen = sql`
      select visit.camera_id, visit.started_at, visit.ended_at, identity.is_known,
             case when ${mayName(scope)} then visit.person_id end as person_id,
             case when ${mayName(scope)} then case when ${isErased} then ${erasedName}
               else trim(identity.first_name || ' ' || identity.last_name) end end as person_name
        from visits_v_visit visit
        join faces_v_identity identity on identity.id = visit.identity_id
        join cameras_v_camera camera on camera.id = visit.camera_id
       where visit.camera_id = any(${cameraIds}::uuid[])
         and visit.started_at < ${until}
         and visit.started_at >= ${from}::timestamptz - ${longestVisit}
         and visit.ended_at >= ${from}`;
    const { rows } = await sql<Presence>`
      ${joined(seen, resolutionMs, sql`is_known, person_id, person_name`)}
      select camera_id, is_known, person_id, person_name,
             min(started_at) as started_at, max(ended_at) as ended_at, count(*) as visits
        from numbered group by camera_id, is_known, person_id, person_name, span
       order by camera_id, started_at, person_id`.execute(this.#db.read());
    return rows;
  }
}

/** Motion in the cells that show, time by time: `media/protocol/motion-grid.ts` says what a grid holds. */
const besideMasks = (
  { from, until, since }: Period & { readonly since: Date },
  shown: ShownCells,
) => sql`
  select motion.camera_id, motion.started_at + tenths * interval '100 milliseconds' as started_at,
         motion.started_at + (tenths + lasted) * interval '100 milliseconds' as ended_at
    from recording_motion motion
    join (${shownRows(shown)}) shown on ${shownIn}
   cross join lateral generate_series(1, octet_length(grid) - 21, 21) as at
   cross join lateral (
     select (get_byte(grid, at) * 256 + get_byte(grid, at + 1)) << (get_byte(grid, 0) >> 4) as tenths,
            get_byte(grid, at + 2) << (get_byte(grid, 0) >> 4) as lasted,
            ('x' || encode(substring(grid from at + 4 for 18), 'hex'))::bit(144) as moved_cells) entry
   where motion.started_at < ${until}
     and motion.started_at >= ${since}
     and motion.started_at + (tenths + lasted) * interval '100 milliseconds' > ${from}
     and motion.started_at + tenths * interval '100 milliseconds' < ${until}
     and (cells & bits) <> ${noCellBits} and (moved_cells & bits) <> ${noCellBits}`;

/** A segment may end in the middle of motion; pictures are compared up to five times a second. */
const motionJoinedMs = 1_500;
