import { sql, type Kysely } from 'kysely';

/** Owner: activity. What an account searches the activity log for again and again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table activity_saved_search (
      -- UUIDv7 of the writer.
      id           uuid primary key,
      user_id      uuid not null references app_user (id) on delete cascade,
      name         text not null check (length(name) between 1 and 100),
      -- The filters as they were typed: '' and null filter nothing.
      term         text not null check (length(term) <= 150),
      action       text,
      date_from    text check (length(date_from) <= 40),
      date_to      text check (length(date_to) <= 40),
      content_type text not null check (length(content_type) <= 40),
      target_id    text not null check (length(target_id) <= 100),
      ip           text not null check (length(ip) <= 45),
      saved_at     timestamptz not null,
      unique (user_id, name)
    )`.execute(db);
  // ANALYZE copies frequent values into the catalog, and a term may be a person's name (C-1003).
  for (const column of ['name', 'term']) {
    await sql`
      alter table activity_saved_search alter column ${sql.ref(column)} set statistics 0`.execute(
      db,
    );
  }
}
