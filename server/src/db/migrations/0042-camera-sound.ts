import { sql, type Kysely } from 'kysely';

/** Owner: cameras. What people say is recorded only where somebody decided it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table camera add column enable_audio boolean not null default false`.execute(db);
}
