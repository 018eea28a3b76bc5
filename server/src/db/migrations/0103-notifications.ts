import { sql, type Kysely } from 'kysely';

/**
 * Owners: feed, alerts, recordings and notifications. What notifications follow from waits in the feed as well; each
 * belongs to one user and names what it is about by id, never by a name.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table feed_change
      drop constraint feed_change_kind_check,
      add constraint feed_change_kind_check check (kind in ('visit', 'warning', 'alert', 'assignment', 'known_visit',
        'account', 'export'))`.execute(db);
  await sql`
    create view alerts_v_alert as
      select id, kind, level, camera_id, assigned_to from alert`.execute(db);
  await sql`
    create view alerts_v_visit as
      select alert_id, visit_id, started_at from alert_visit`.execute(db);
  await sql`
    create view recordings_v_export as
      select id, camera_id, created_by, status from recording_export`.execute(db);
  await makeNotification(db);
  await makeSettings(db);
}

async function makeNotification(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notification (
      id uuid primary key,
      user_id uuid not null references app_user (id) on delete cascade,
      kind text not null check (kind in ('alert', 'known_person', 'account', 'export_done', 'export_failed')),
      alert_id uuid,
      camera_id uuid references camera (id) on delete cascade,
      identity_id uuid,
      visit_id uuid,
      visit_started_at timestamptz,
      export_id uuid,
      event text check (event in ('signed_in_anew', 'recovery_code_used', 'password_changed', 'email_changed',
        'two_factor_on', 'two_factor_off', 'two_factor_removed', 'recovery_codes_made', 'link_issued', 'role_changed',
        'sessions_ended', 'connected', 'disconnected', 'key_created', 'key_first_used', 'session_stolen')),
      created_at timestamptz not null,
      last_at timestamptz not null,
      read_at timestamptz
    )`.execute(db);
  await sql`
    create unique index notification_of_alert on notification (alert_id, user_id)`.execute(db);
  await sql`
    create index notification_by_time on notification (user_id, created_at desc, id desc)`.execute(
    db,
  );
  await sql`
    create index notification_unread on notification (user_id) where read_at is null`.execute(db);
  await sql`
    create index notification_lasting on notification (camera_id, identity_id, user_id, last_at)`.execute(
    db,
  );
  await sql`create index notification_by_age on notification (created_at)`.execute(db);
}

async function makeSettings(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notification_settings (
      user_id uuid primary key references app_user (id) on delete cascade,
      email boolean not null default true,
      push boolean not null default false,
      sms boolean not null default false,
      notify_on_unknown boolean not null default true,
      notify_on_known boolean not null default false,
      daily_reports boolean not null default false,
      alert_levels text[] not null default '{warning,error,critical}',
      all_cameras boolean not null default true,
      quiet_from text check (quiet_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
      quiet_to text check (quiet_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
      quiet_days smallint[] not null default '{1,2,3,4,5,6,7}',
      check ((quiet_from is null) = (quiet_to is null))
    )`.execute(db);
  await sql`
    create table notification_camera (
      user_id uuid not null references notification_settings (user_id) on delete cascade,
      camera_id uuid not null references camera (id) on delete cascade,
      primary key (user_id, camera_id)
    )`.execute(db);
  await sql`create index notification_camera_of_camera on notification_camera (camera_id)`.execute(
    db,
  );
  await sql`
    create table notification_muted_person (
      user_id uuid not null references notification_settings (user_id) on delete cascade,
      person_id uuid not null references person (id) on delete cascade,
      primary key (user_id, person_id)
    )`.execute(db);
  await sql`
    create index notification_muted_person_of_person on notification_muted_person (person_id)`.execute(
    db,
  );
}
