import { sql, type Kysely } from 'kysely';

/** Owner: accounts. The time zone whose days a user reads. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table user_preference
      -- A name of the IANA database; null: UTC.
      add column timezone text check (length(timezone) between 1 and 64)`.execute(db);
}
