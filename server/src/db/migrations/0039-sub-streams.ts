import { sql, type Kysely } from 'kysely';

/** Owner: cameras. Many cameras send a smaller picture beside the one that is worth recording. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table camera
      -- Without user name and password: those are the camera's own.
      add column sub_url text not null default '',
      add check (deleted_at is null or sub_url = '')`.execute(db);
}
