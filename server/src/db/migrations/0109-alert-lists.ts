import { sql, type Kysely } from 'kysely';

/** Owner: alerts. Lists of one kind, and of what is assigned to one user, read a page of these and not all alerts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index alert_of_kind on alert (kind, created_at desc, id desc)`.execute(db);
  await sql`
    create index alert_of_kind_by_level on alert (kind, level_rank desc, created_at desc, id desc)`.execute(
    db,
  );
  await sql`
    create index alert_of_assignee on alert (assigned_to, created_at desc, id desc)
      where assigned_to is not null`.execute(db);
}
