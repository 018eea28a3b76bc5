import { sql, type Kysely } from 'kysely';

/** Owner: activity. What was done to one account, newest first: its owner is shown it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index audit_entry_about_user on audit_entry (object_id, recorded_at desc, id desc)
      where object_type = 'user'`.execute(db);
}
