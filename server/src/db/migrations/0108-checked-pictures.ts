import { sql, type Kysely } from 'kysely';

/**
 * Owners: activity and alerts. Administrators are warned of a camera whose picture is frozen, or that is covered; a rule
 * about that is on from now.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table security_warning
      drop constraint security_warning_kind_check,
      add constraint security_warning_kind_check check (kind in ('record_broken', 'session_stolen',
        'many_denials', 'key_new_address', 'disk_low', 'disk_full', 'folder_away', 'folder_hung',
        'storage_short', 'camera_down', 'camera_frozen', 'camera_covered', 'person_matched',
        'models_changed', 'models_waiting'))`.execute(db);
  await sql`
    create or replace view activity_v_warning as
      select warning.id, warning.kind, warning.subject, warning.details, warning.count, warning.last_at,
        warning.ended_at, warning.acknowledged_at, warning.acknowledged_by, camera.id as camera_id
      from security_warning warning
      left join cameras_v_camera camera on warning.kind in ('camera_down', 'camera_frozen', 'camera_covered')
        and camera.id::text = warning.subject and camera.deleted_at is null`.execute(db);
  await sql`
    alter table alert_rule
      drop constraint alert_rule_kind_check,
      add constraint alert_rule_kind_check check (kind in ('unknown_person', 'returning_stranger', 'watched_person',
        'known_person', 'camera_down', 'camera_picture', 'storage_low', 'recorder_failed', 'system_warning'))`.execute(
    db,
  );
  await sql`
    alter table alert
      drop constraint alert_kind_check,
      add constraint alert_kind_check check (kind in ('unknown_person', 'returning_stranger', 'watched_person',
        'known_person', 'camera_down', 'camera_picture', 'storage_low', 'recorder_failed', 'system_warning'))`.execute(
    db,
  );
  await sql`
    insert into alert_rule (id, kind, level, is_enabled, quiet_minutes, created_at) values
      (gen_random_uuid(), 'camera_picture', 'warning', true, 10, now())`.execute(db);
}
