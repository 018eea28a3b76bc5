import { sql, type Kysely } from 'kysely';

/**
 * Owners: activity and visits. What alerts read of warnings, and whether recognition named the person of a visit: a name
 * that a user gave raises nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create view activity_v_warning as
      select warning.id, warning.kind, warning.subject, warning.details, warning.count, warning.last_at,
        warning.ended_at, warning.acknowledged_at, warning.acknowledged_by, camera.id as camera_id
      from security_warning warning
      left join cameras_v_camera camera on warning.kind = 'camera_down' and camera.id::text = warning.subject
        and camera.deleted_at is null`.execute(db);
  await sql`
    create or replace view visits_v_visit as
      select visit.id, visit.camera_id, visit.identity_id, identity.person_id, visit.started_at,
        visit.ended_at, visit.confidence, 1 as visits, visit.recognized_as
      from visit
      join identity on identity.id = visit.identity_id
      where visit.deleted_at is null`.execute(db);
}
