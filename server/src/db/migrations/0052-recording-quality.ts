import { sql, type Kysely } from 'kysely';

/** Owner: recordings. Which stream is recorded. What was set up before goes on as it was: with the main stream. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table recording_settings
      -- The stream nearest to 480, 720, 1080 or 2160 lines.
      add column quality text not null default 'ultra'
        check (quality in ('low', 'medium', 'high', 'ultra'))`.execute(db);
  await sql`alter table recording_settings alter column quality set default 'medium'`.execute(db);
}
