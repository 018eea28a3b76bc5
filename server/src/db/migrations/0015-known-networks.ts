import { sql, type Kysely } from 'kysely';

/** Owner: accounts. From where somebody signed in before, asked at each login while many others fail (C-104). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index session_by_user on session (user_id, created_at desc)`.execute(db);
}
