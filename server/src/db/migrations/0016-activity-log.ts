import { sql, type Kysely } from 'kysely';

/** Owner: activity. What clients tell of themselves, kept beside the chain, and the activity log as it is read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table activity_note (
      -- The entry whose details hold the digest of this text.
      entry_id  uuid primary key references audit_entry (id) on delete cascade,
      user_id   uuid not null,
      -- The client's own id of it: sent again, it is there once. Null: the client gave none.
      client_id text check (length(client_id) between 1 and 64),
      -- Free words may name people, and the chain cannot forget: it holds SHA-256 of salt and text only, so
      -- that a changed text is found and a deleted one leaves nothing to guess from.
      salt      bytea not null check (length(salt) = 32),
      -- JSON of activity/notes.ts, letter by letter.
      text      text not null check (length(text) <= 12000),
      unique (user_id, client_id)
    )`.execute(db);

  await sql`
    create index audit_entry_of_user on audit_entry (user_id, recorded_at desc, id desc)`.execute(
    db,
  );
  // Who an entry of a client is counted for (bound per hour).
  await sql`
    create index audit_entry_of_client on audit_entry (user_id, recorded_at)
      where source = 'client'`.execute(db);

  // The one place where ids become names: the record itself holds no name, so nothing in it has to be
  // forgotten when an account goes.
  await sql`drop view activity_log`.execute(db);
  await sql`
    create view activity_log as
      select entry.id, entry.recorded_at, entry.source, entry.is_mock, entry.user_id,
             coalesce(app_user.email, '') as user_email,
             coalesce(trim(app_user.first_name || ' ' || app_user.last_name), '') as user_name,
             entry.ip, entry.user_agent, entry.action,
             -- LOG-006: an entry about nothing in particular is about the system.
             coalesce(entry.object_type, entry.details->>'content_type', 'system') as content_type,
             entry.object_id, entry.details, note.text as note
        from audit_entry entry
        left join app_user on app_user.id = entry.user_id
        left join activity_note note on note.entry_id = entry.id
       where not exists (select from activity_tombstone where entry_id = entry.id)`.execute(db);
}
