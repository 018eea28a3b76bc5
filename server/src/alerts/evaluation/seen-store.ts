import { sql } from 'kysely';
import { mostVisits } from '@nazar/contract/alert-rules.ts';
import type { Tx } from '#db/database.ts';
import { modeAt } from '../mode-store.ts';
import type { SeenVisit } from './visit-rules.ts';
import type { SeenWarning } from './warning-alerts.ts';

/** The groups that the camera of this row is in. */
const groupsOf = (row: 'visit' | 'warning') => sql<string[]>`array(
  select member.group_id from cameras_v_group_member member where member.camera_id = ${sql.ref(`${row}.camera_id`)})`;

/** Visits that are deleted, or of cameras before they were, count no more. */
const nth = sql<number>`case when identity.is_known then 1 else greatest(1, (
  select count(*) from (
    select from faces_v_identity same
    join visits_v_visit earlier on earlier.identity_id = same.id and earlier.camera_id = visit.camera_id
      and earlier.started_at <= visit.started_at
    where same.stranger_id = identity.stranger_id
    limit ${mostVisits}) counted))::integer end`;

/** SQL of what rules are about, as it is now. */
export class SeenStore {
  /** Visits at cameras that are there. `countsReturns`: a rule asks which visit of an unknown person it is. */
  async visits(
    tx: Tx,
    ids: readonly string[],
    countsReturns: boolean,
  ): Promise<ReadonlyMap<string, SeenVisit>> {
    if (ids.length === 0) return new Map();
    const { rows } = await sql<SeenVisit>`
      select visit.id, visit.camera_id, visit.identity_id, identity.stranger_id, identity.category_id,
             visit.confidence, ${countsReturns ? nth : sql`1`} as nth, visit.started_at, ${modeAt(sql`visit.started_at`)} as mode, ${groupsOf('visit')} as camera_group_ids,
             case when visit.recognized_as is null and not identity.is_known then 'unknown'
                  when visit.recognized_as is not null and visit.person_id is not null then 'person'
                  else 'other' end as shows,
             (select first.id from faces_v_identity first where first.person_id = visit.person_id
               order by first.id limit 1) as person_identity_id
      from visits_v_visit visit
      join faces_v_identity identity on identity.id = visit.identity_id
      join cameras_v_camera camera on camera.id = visit.camera_id and camera.deleted_at is null
      where visit.id = any(${[...ids]}::uuid[])`.execute(tx.as());
    return new Map(rows.map((visit) => [visit.id, visit]));
  }

  async warnings(tx: Tx, ids: readonly string[]): Promise<SeenWarning[]> {
    const { rows } = await sql<SeenWarning>`
      select warning.id, warning.kind, warning.details, warning.count, warning.last_at, warning.ended_at,
             warning.acknowledged_at, warning.acknowledged_by, warning.camera_id,
             ${groupsOf('warning')} as camera_group_ids
      from activity_v_warning warning
      where warning.id = any(${[...ids]}::uuid[])`.execute(tx.as());
    return rows;
  }
}
