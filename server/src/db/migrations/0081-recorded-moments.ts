import { sql, type Kysely } from 'kysely';

/** Owner: recordings. What is recorded when, for modules that say whether there is something to watch of a moment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create view recordings_v_segment as
      -- ended_at null: it goes on. No two of a camera cover the same moment.
      select camera_id, started_at, ended_at from recording_segment`.execute(db);
}
