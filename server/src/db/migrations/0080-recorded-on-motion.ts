import { sql, type Kysely } from 'kysely';

/**
 * Owner: recordings. A camera without a row of its own is recorded when something moves (REC-033). Those of before
 * without one were not recorded, and stay so: nothing begins to be recorded because a program was updated.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into recording_settings (camera_id, motion, quality, updated_at)
    select id, false, 'ultra', now() from camera
    on conflict (camera_id) do nothing`.execute(db);
  await sql`alter table recording_settings alter column motion set default true`.execute(db);
}
