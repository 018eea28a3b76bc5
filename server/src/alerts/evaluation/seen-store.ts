import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { SeenVisit } from './visit-rules.ts';
import type { SeenWarning } from './warning-alerts.ts';

interface Tables {
  activity_v_warning: SeenWarning;
}

/** SQL of what rules are about, as it is now. */
export class SeenStore {
  /** Visits at cameras that are there. */
  async visits(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, SeenVisit>> {
    if (ids.length === 0) return new Map();
    const { rows } = await sql<SeenVisit>`
      select visit.id, visit.camera_id, visit.identity_id, identity.stranger_id, identity.category_id,
             visit.started_at,
             case when visit.recognized_as is null and not identity.is_known then 'unknown'
                  when visit.recognized_as is not null and visit.person_id is not null then 'person'
                  else 'other' end as shows,
             (select first.id from faces_v_identity first where first.person_id = visit.person_id
               order by first.id limit 1) as person_identity_id
      from visits_v_visit visit
      join faces_v_identity identity on identity.id = visit.identity_id
      join cameras_v_camera camera on camera.id = visit.camera_id and camera.deleted_at is null
      where visit.id = any(${[...ids]}::uuid[])`.execute(tx.as<Tables>());
    return new Map(rows.map((visit) => [visit.id, visit]));
  }

  warnings(tx: Tx, ids: readonly string[]): Promise<SeenWarning[]> {
    return tx
      .as<Tables>()
      .selectFrom('activity_v_warning')
      .select([
        'id',
        'kind',
        'details',
        'count',
        'last_at',
        'ended_at',
        'acknowledged_at',
        'acknowledged_by',
        'camera_id',
      ])
      .where('id', 'in', [...ids])
      .execute();
  }
}
