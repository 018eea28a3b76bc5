import { sql, type Kysely } from 'kysely';

/** Owner: activity. What administrators are warned of, the daily look at the chain, and where it begins. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table security_warning (
      id              uuid primary key,
      kind            text not null check (kind in
        ('record_broken', 'session_stolen', 'many_denials', 'key_new_address', 'disk_low', 'camera_down')),
      -- Id of the user or camera it is about; '' where it is about the installation.
      subject         text not null,
      details         jsonb not null,
      count           integer not null default 1 check (count > 0),
      first_at        timestamptz not null,
      last_at         timestamptz not null,
      -- What it warned of is over, or, of something that happened once, an administrator took note of it.
      ended_at        timestamptz,
      acknowledged_at timestamptz,
      -- No foreign key: it outlives the account.
      acknowledged_by uuid,
      check ((acknowledged_at is null) = (acknowledged_by is null))
    )`.execute(db);
  // The same again is counted, not told again.
  await sql`
    create unique index security_warning_living on security_warning (kind, subject)
      where ended_at is null`.execute(db);
  await sql`
    create view security_warning_open as
      select warning.id, warning.kind, warning.subject, warning.details, warning.count,
             warning.first_at, warning.last_at,
             coalesce(camera.name, app_user.email) as subject_name
        from security_warning warning
        left join app_user on app_user.id::text = warning.subject
        left join cameras_v_camera camera on camera.id::text = warning.subject
       where warning.ended_at is null and warning.acknowledged_at is null`.execute(db);

  await sql`
    create table audit_check (
      -- One row, ever.
      single      boolean primary key default true check (single),
      -- Of several servers one looks: whoever writes its hour here.
      claimed_at  timestamptz not null,
      finished_at timestamptz not null
    )`.execute(db);
  await sql`
    insert into audit_check (claimed_at, finished_at) values ('1970-01-01Z', '1970-01-01Z')`.execute(
    db,
  );

  await sql`
    create table audit_checkpoint (
      -- Entries up to this one were removed for their age; the chain goes on from its signature (C-804).
      sequence  bigint primary key check (sequence > 0),
      mac       bytea not null check (length(mac) = 32),
      made_at   timestamptz(3) not null,
      -- HMAC-SHA256 of the above under the chain's key.
      signature bytea not null check (length(signature) = 32)
    )`.execute(db);
  await letGoWhatIsOld(db);
}

/** Deleting stays refused, but for entries under a checkpoint that were 90 days old when it was made. */
async function letGoWhatIsOld(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function audit_is_pruned(entry_sequence bigint, entry_recorded_at timestamptz)
      returns boolean language sql stable as $$
        select exists (select from audit_checkpoint
                        where sequence >= entry_sequence
                          and made_at - interval '90 days' > entry_recorded_at) $$`.execute(db);
  await sql`
    create or replace function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and tg_table_name = 'audit_entry' then
        if audit_is_pruned(old.sequence, old.recorded_at) then return old; end if;
      end if;
      if tg_op = 'DELETE' and tg_table_name = 'activity_tombstone' then
        if exists (select from audit_entry entry where entry.id = old.entry_id
                     and audit_is_pruned(entry.sequence, entry.recorded_at)) then return old; end if;
      end if;
      raise exception 'the record of who did what is never changed (% of %)', tg_op, tg_table_name
        using errcode = 'integrity_constraint_violation';
    end $$`.execute(db);
  await sql`
    create trigger audit_checkpoint_is_final before update or delete on audit_checkpoint
      for each row execute function refuse_audit_change()`.execute(db);
  await sql`
    create trigger audit_checkpoint_is_not_emptied before truncate on audit_checkpoint
      for each statement execute function refuse_audit_change()`.execute(db);
}
