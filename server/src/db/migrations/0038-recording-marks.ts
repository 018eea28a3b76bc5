import { sql, type Kysely } from 'kysely';

/** Owner: recordings. What moved in a segment, and indexes that a timeline of a day is read from alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table recording_segment
      -- Milliseconds from the start of the segment, in pairs. Null: nobody compared its pictures.
      add column motion_from  integer[],
      add column motion_until integer[],
      add constraint recording_segment_motion check (
        num_nulls(motion_from, motion_until) in (0, 2)
        and coalesce(cardinality(motion_from) = cardinality(motion_until), true))`.execute(db);
  await sql`drop index recording_segment_of_camera`.execute(db);
  await sql`
    create index recording_segment_of_camera on recording_segment (camera_id, started_at)
      include (ended_at, recording_id)`.execute(db);
  await sql`drop index recording_segment_of_recording`.execute(db);
  await sql`
    create index recording_segment_of_recording on recording_segment (recording_id, started_at)
      include (ended_at)`.execute(db);
  // What moves is looked for by recording (lists) and by camera and time (timelines).
  await sql`
    create index recording_segment_moving on recording_segment (recording_id)
      where motion_from <> '{}'`.execute(db);
  await sql`
    create index recording_segment_moving_at on recording_segment (camera_id, started_at)
      where motion_from <> '{}'`.execute(db);
}
