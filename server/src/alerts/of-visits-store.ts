import { sql } from 'kysely';
import type { AlertKind, AlertLevel } from '@nazar/contract/alerts.ts';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import { visibleTo } from './store.ts';

/** An alert as one of those who were in it may read it: who else was is not said. */
export interface AlertOfVisits {
  readonly id: string;
  readonly kind: AlertKind;
  readonly level: AlertLevel;
  readonly created_at: Date;
  readonly camera: string | null;
  readonly camera_name: string | null;
  /** How many of these visits are in it. */
  readonly visits: number;
}

/** SQL of the alerts that visits are in. */
export class AlertsOfVisits {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The newest first, as far as the scope may see them. */
  async find(scope: Scope, visitIds: readonly string[]): Promise<AlertOfVisits[]> {
    const { rows } = await sql<AlertOfVisits>`
      select alert.id, alert.kind, alert.level, alert.created_at, alert.camera_id as camera,
             camera.name as camera_name, counted.visits
        from (select alert_id, count(*)::integer as visits from alert_visit
               where visit_id = any(${[...visitIds]}::uuid[]) group by alert_id) counted
        join alert on alert.id = counted.alert_id
        left join cameras_v_camera camera on camera.id = alert.camera_id
       where ${visibleTo(scope)}
       order by alert.created_at desc, alert.id desc`.execute(this.#db.scan());
    return rows;
  }
}
