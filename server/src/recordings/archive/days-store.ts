import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import type { LocalDay } from '#lib/local-days.ts';
import { longestVisit } from '#visits/visits.ts';
import type { ShownCells } from './hidden-motion.ts';
import { noCellBits, shownIn, shownRows } from './motion-store.ts';

export interface RecordedDay {
  readonly date: string;
  readonly recordings: number;
  readonly motion: number;
  readonly faces: number;
}

interface Time {
  readonly from: Date;
  readonly until: Date;
  /** What is still written reaches up to now. */
  readonly now: Date;
}

/**
 * Ids of recordings that may touch the time, of the cameras with these ids: those that begin in it, and of each camera
 * the one before it and the first in it, which may have begun long before and lost its beginning since. A camera has
 * one recording at a time, so there are no others, and none of those before is read.
 */
function near(cameraIds: RawBuilder<unknown>, { from, until }: Time): RawBuilder<unknown> {
  return sql`
    select recording.id from recording
     where recording.camera_id in (${cameraIds})
       and recording.started_at >= ${from} and recording.started_at < ${until}
    union
    select edge.recording_id from (${cameraIds}) camera cross join lateral (
      ${edge(sql`part.started_at < ${from}`, sql`desc`)}
      union all
      ${edge(sql`part.started_at >= ${from} and part.started_at < ${until}`, sql`asc`)}) edge`;
}

const edge = (side: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql`
  (select part.recording_id from recording_segment part
    where part.camera_id = camera.id and ${side}
    order by part.started_at ${order} limit 1)`;

/** When a row of `recording` begins: its oldest segments may have been removed. */
const begins = sql<Date>`(
  select part.started_at from recording_segment part
   where part.recording_id = recording.id order by part.started_at limit 1)`;

const ends = (now: Date) => sql<Date>`(
  select coalesce(part.ended_at, greatest(part.started_at, ${now})) from recording_segment part
   where part.recording_id = recording.id order by part.started_at desc limit 1)`;

/** Whether something of a row of `recording` lies in the time. */
export const touches = (cameraIds: RawBuilder<unknown>, time: Time) => sql<boolean>`(
  recording.id in (${near(cameraIds, time)})
  and ${begins} < ${time.until} and ${ends(time.now)} > ${time.from})`;

/** For a row of `lasting` and one of `day`. */
const moved = sql`(lasting.type = 'motion' or exists (
  select from recording_segment part
   where part.recording_id = lasting.id and part.motion_from <> '{}'
     and part.started_at < day.ends and part.ended_at > day.begins))`;

/** The same where masks hide something from the reader: a recording made by motion does not say where it was. */
const movedBeside = (shown: ShownCells) => sql`exists (
  select from recording_segment part
    join recording_motion motion on motion.segment_id = part.id
    join (${shownRows(shown)}) shown on ${shownIn}
   where part.recording_id = lasting.id and (motion.cells & shown.bits) <> ${noCellBits}
     and part.started_at < day.ends and part.ended_at > day.begins)`;

/**
 * SQL of calendars, for a user who may see the camera's recordings. Counts come from the few recordings of a month and
 * one index lookup for each, and for each visit; segments are not summed up.
 */
export class DaysStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns the days on which something is recorded; they follow one another. */
  async of(
    cameraId: string,
    days: readonly LocalDay[],
    now: Date,
    shown: ShownCells,
  ): Promise<RecordedDay[]> {
    const [first, last] = [days[0], days.at(-1)];
    if (!first || !last) return [];
    const month = { from: first.from, until: last.until, now };
    const camera = sql`select ${cameraId}::uuid as id`;
    const { rows } = await sql<RecordedDay>`
      with day as (
        select * from unnest(${days.map(({ date }) => date)}::text[],
          ${days.map(({ from }) => from)}::timestamptz[],
          ${days.map(({ until }) => until)}::timestamptz[]) as day (date, begins, ends)
      ), lasting as materialized (
        select recording.id, recording.type, ${begins} as begins, ${ends(now)} as ends
          from recording where recording.id in (${near(camera, month)})
      ), recorded as (
        select day.date, count(*) as recordings,
               count(*) filter (where ${shown.has(cameraId) ? movedBeside(shown) : moved}) as motion
          from day join lasting on lasting.begins < day.ends and lasting.ends > day.begins
         group by day.date
      ), seen as (
        select day.date, count(*) as faces
          from visits_v_visit visit
          join day on visit.started_at < day.ends and visit.ended_at >= day.begins
         where visit.camera_id = ${cameraId}
           and visit.started_at >= ${month.from}::timestamptz - ${longestVisit}
           and visit.started_at < ${month.until}
           and (select coalesce(part.ended_at, ${now}) from recording_segment part
                 where part.camera_id = ${cameraId}
                   and part.started_at <= visit.ended_at and part.started_at < day.ends
                 order by part.started_at desc limit 1) >= greatest(visit.started_at, day.begins)
         group by day.date
      )
      select date, recordings, motion, coalesce(faces, 0) as faces
        from recorded left join seen using (date) order by date`.execute(this.#db.scan());
    return rows;
  }
}
