import { sql, type Kysely } from 'kysely';

/** Owner: activity. Who did what: the append-only chain, and what was taken out of the activity log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_entry (
      -- UUIDv7 of the writer.
      id          uuid primary key,
      -- Milliseconds exactly: what the chain does not cover must not be in the row.
      recorded_at timestamptz(3) not null,
      -- How it came: on somebody's request, from the machine's console, or told by a client of itself (C-807).
      source      text not null check (source in ('request', 'console', 'client')),
      -- Made to try something out; not counted in statistics (C-807).
      is_mock     boolean not null,
      -- Null: nobody was signed in. No foreign key: the record outlives the account.
      user_id     uuid,
      session_id  uuid,
      -- '' where there was no network (console).
      ip          text not null check (length(ip) <= 45),
      user_agent  text not null check (length(user_agent) <= 300),
      -- From the closed list in activity/entry.ts.
      action      text not null check (action ~ '^[a-z]+\.[a-z_]+$'),
      object_type text,
      object_id   text check (length(object_id) <= 100),
      -- Of type json, not jsonb: kept letter by letter, because the chain covers the letters.
      details     json not null,
      -- Place in the chain, without gaps from 1, in the order in which the sealer saw the entries.
      sequence    bigint unique check (sequence > 0),
      -- HMAC-SHA256 over the entry before it and this one.
      mac         bytea check (length(mac) = 32),
      check ((sequence is null) = (mac is null)),
      check ((object_type is null) = (object_id is null))
    )`.execute(db);
  await sql`create index audit_entry_unsealed on audit_entry (id) where sequence is null`.execute(
    db,
  );
  await sql`create index audit_entry_by_time on audit_entry (recorded_at desc, id desc)`.execute(
    db,
  );

  await sql`
    create table activity_tombstone (
      -- An entry somebody took out of the activity log. The chain keeps it (H-11).
      entry_id   uuid primary key references audit_entry (id),
      deleted_at timestamptz not null,
      -- No foreign key: the tombstone outlives the account.
      deleted_by uuid not null
    )`.execute(db);

  await sql`
    create view activity_log as
      select entry.id, entry.recorded_at, entry.source, entry.is_mock, entry.user_id,
             app_user.email as user_email,
             app_user.first_name || ' ' || app_user.last_name as user_name,
             entry.ip, entry.user_agent, entry.action, entry.object_type, entry.object_id, entry.details
        from audit_entry entry
        left join app_user on app_user.id = entry.user_id
       where not exists (select from activity_tombstone where entry_id = entry.id)`.execute(db);

  await protect(db);
}

/** What is in the chain is never changed by a statement of ours, however wrong it is. */
async function protect(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the record of who did what is never changed (% of %)', tg_op, tg_table_name
        using errcode = 'integrity_constraint_violation';
    end $$`.execute(db);
  for (const table of ['audit_entry', 'activity_tombstone']) {
    await sql`
      create trigger ${sql.ref(`${table}_is_kept`)} before delete on ${sql.table(table)}
        for each row execute function refuse_audit_change()`.execute(db);
    await sql`
      create trigger ${sql.ref(`${table}_is_not_emptied`)} before truncate on ${sql.table(table)}
        for each statement execute function refuse_audit_change()`.execute(db);
  }
  await sql`
    create trigger activity_tombstone_is_final before update on activity_tombstone
      for each row execute function refuse_audit_change()`.execute(db);
  // The one change there is: the sealer gives an entry its place, once.
  await sql`
    create trigger audit_entry_is_final before update on audit_entry
      for each row when (
        old.sequence is not null or new.sequence is null
        or (old.id, old.recorded_at, old.source, old.is_mock, old.user_id, old.session_id, old.ip,
            old.user_agent, old.action, old.object_type, old.object_id, old.details::text)
           is distinct from
           (new.id, new.recorded_at, new.source, new.is_mock, new.user_id, new.session_id, new.ip,
            new.user_agent, new.action, new.object_type, new.object_id, new.details::text))
      execute function refuse_audit_change()`.execute(db);
  await sql`
    create trigger audit_entry_begins_unsealed before insert on audit_entry
      for each row when (new.sequence is not null)
      execute function refuse_audit_change()`.execute(db);
}
