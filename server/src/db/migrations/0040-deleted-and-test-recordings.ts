import { sql, type Kysely } from 'kysely';

/** Owner: recordings. Cameras are recorded for a minute to try it, and somebody may delete what was recorded. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null: nobody tries it.
  await sql`alter table recording_settings add column test_until timestamptz`.execute(db);
  await sql`alter table recording drop constraint recording_type_check`.execute(db);
  await sql`
    alter table recording add constraint recording_type_check
      check (type in ('continuous', 'manual', 'scheduled', 'motion', 'test'))`.execute(db);
  await sql`alter table recording_gap drop constraint recording_gap_cause_check`.execute(db);
  await sql`
    alter table recording_gap add constraint recording_gap_cause_check check (cause in
      ('camera', 'network', 'password', 'disk', 'restart', 'clock', 'lost', 'switched_off', 'no_motion',
       'deleted'))`.execute(db);
}
