import { sql, type Kysely } from 'kysely';

/** Owner: recordings. Which stream is recorded: the main stream, unless somebody says otherwise. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table recording_settings
      -- The stream nearest to 480, 720, 1080 or 2160 lines.
      add column quality text not null default 'ultra'
        check (quality in ('low', 'medium', 'high', 'ultra'))`.execute(db);
}
