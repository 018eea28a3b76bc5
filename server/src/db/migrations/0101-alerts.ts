import { sql, type Kysely } from 'kysely';

/**
 * Owners: feed and alerts. Changes that later modules react to wait in the feed until they were taken (decision 0031);
 * rules make alerts of them. The rules that every installation begins with are on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table feed_change (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('visit', 'warning')),
      subject uuid not null,
      at timestamptz not null
    )`.execute(db);
  await sql`
    create table alert_rule (
      id uuid primary key,
      kind text not null check (kind in ('unknown_person', 'watched_person', 'camera_down', 'storage_low',
        'recorder_failed', 'system_warning')),
      level text not null check (level in ('info', 'warning', 'error', 'critical')),
      is_enabled boolean not null,
      camera_ids uuid[],
      category_ids uuid[] not null default '{}',
      quiet_minutes integer not null check (quiet_minutes between 1 and 1440),
      created_at timestamptz not null
    )`.execute(db);
  await sql`
    insert into alert_rule (id, kind, level, is_enabled, quiet_minutes, created_at) values
      (gen_random_uuid(), 'unknown_person', 'warning', true, 10, now()),
      (gen_random_uuid(), 'watched_person', 'critical', true, 10, now()),
      (gen_random_uuid(), 'camera_down', 'error', true, 10, now()),
      (gen_random_uuid(), 'storage_low', 'warning', true, 10, now()),
      (gen_random_uuid(), 'recorder_failed', 'error', true, 10, now()),
      (gen_random_uuid(), 'system_warning', 'warning', true, 10, now())`.execute(db);
  await makeAlert(db);
}

async function makeAlert(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table alert (
      id uuid primary key,
      rule_id uuid references alert_rule (id) on delete set null,
      kind text not null check (kind in ('unknown_person', 'watched_person', 'camera_down', 'storage_low',
        'recorder_failed', 'system_warning')),
      level text not null check (level in ('info', 'warning', 'error', 'critical')),
      level_rank smallint not null generated always as (
        array_position(array['info', 'warning', 'error', 'critical'], level)) stored,
      status text not null default 'new' check (status in ('new', 'in_progress', 'resolved', 'dismissed')),
      subject text not null,
      camera_id uuid references camera (id) on delete cascade,
      warning_id uuid,
      warning_kind text,
      details jsonb not null default '{}',
      count integer not null default 0 check (count >= 0),
      people integer check (people >= 0),
      created_at timestamptz not null,
      last_at timestamptz not null,
      ended_at timestamptz,
      assigned_to uuid,
      resolved_by uuid,
      resolved_at timestamptz,
      resolution_notes text not null default '',
      check ((status in ('resolved', 'dismissed')) = (resolved_at is not null))
    )`.execute(db);
  await sql`
    create unique index alert_living on alert (rule_id, subject) where ended_at is null`.execute(
    db,
  );
  await sql`create unique index alert_of_warning on alert (warning_id)`.execute(db);
  await sql`create index alert_by_time on alert (created_at desc, id desc)`.execute(db);
  await sql`create index alert_by_level on alert (level_rank desc, created_at desc, id desc)`.execute(
    db,
  );
  await sql`create index alert_by_last on alert (last_at desc, id desc)`.execute(db);
  await sql`create index alert_of_camera on alert (camera_id, created_at desc, id desc)`.execute(
    db,
  );
  await sql`
    create index alert_open on alert (created_at desc, id desc)
      where status in ('new', 'in_progress')`.execute(db);
  await sql`
    create table alert_visit (
      alert_id uuid not null references alert (id) on delete cascade,
      visit_id uuid not null,
      identity_id uuid not null,
      started_at timestamptz not null,
      primary key (alert_id, visit_id)
    )`.execute(db);
  await sql`create index alert_visit_of_visit on alert_visit (visit_id)`.execute(db);
  await sql`
    create index alert_visit_of_identity on alert_visit (alert_id, identity_id)`.execute(db);
  await sql`
    create table alert_assignment (
      alert_id uuid not null references alert (id) on delete cascade,
      at timestamptz not null,
      assigned_to uuid not null,
      assigned_by uuid not null,
      primary key (alert_id, at)
    )`.execute(db);
}
