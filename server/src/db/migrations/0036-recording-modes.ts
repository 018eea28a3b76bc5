import { sql, type Kysely } from 'kysely';

/** Owner: recordings. Cameras are recorded by a weekly table, and when something moves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table recording_settings
      add column continuous boolean not null default false,
      add column motion     boolean not null default false,
      -- { timeZone, spans: [{ day, from, until }] }; null: by no table.
      add column schedule   jsonb`.execute(db);
  await sql`update recording_settings set continuous = (mode = 'continuous')`.execute(db);
  await sql`alter table recording_settings drop column mode`.execute(db);
  await sql`alter table recording drop constraint recording_type_check`.execute(db);
  await sql`
    alter table recording add constraint recording_type_check
      check (type in ('continuous', 'manual', 'scheduled', 'motion'))`.execute(db);
  await sql`alter table recording_gap drop constraint recording_gap_cause_check`.execute(db);
  await sql`
    alter table recording_gap add constraint recording_gap_cause_check check (cause in
      ('camera', 'network', 'password', 'disk', 'restart', 'clock', 'lost', 'switched_off', 'no_motion'))`.execute(
    db,
  );
}
