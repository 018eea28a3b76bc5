import { sql, type Kysely } from 'kysely';

/** Owners: notifications, and alerts for their views. For a while users are not notified of a camera or a rule. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace view alerts_v_alert as
      select id, kind, level, camera_id, assigned_to, rule_id
        from alert`.execute(db);
  await sql`create view alerts_v_rule as select id, kind from alert_rule`.execute(db);
  await sql`
    create table notification_snooze (
      id uuid primary key,
      user_id uuid references app_user (id) on delete cascade,
      camera_id uuid references camera (id) on delete cascade,
      rule_id uuid,
      until timestamptz not null,
      created_by uuid not null,
      constraint notification_snooze_check check ((camera_id is null) <> (rule_id is null)),
      constraint notification_snooze_user_id_camera_id_rule_id_key
        unique nulls not distinct (user_id, camera_id, rule_id)
    )`.execute(db);
}
