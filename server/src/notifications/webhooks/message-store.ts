import { sql } from 'kysely';
import type { AlertKind, AlertLevel } from '@nazar/contract/alerts.ts';
import type { Database } from '#db/database.ts';

/** An alert as it is when its message is composed. */
export interface AlertFacts {
  readonly id: string;
  readonly kind: AlertKind;
  readonly level: AlertLevel;
  readonly warning_kind: string | null;
  readonly camera_id: string | null;
  readonly camera_name: string | null;
  readonly count: number;
  readonly people: number | null;
  readonly created_at: Date;
  readonly last_at: Date;
  readonly ended_at: Date | null;
}

export interface PersonFacts {
  readonly id: string;
  readonly name: string;
}

const maxPeople = 20;

/** SQL of what messages say. */
export class MessageStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Null: it was deleted. */
  async alert(id: string): Promise<AlertFacts | null> {
    const { rows } = await sql<AlertFacts>`
      select alert.id, alert.kind, alert.level, alert.warning_kind, alert.camera_id, camera.name as camera_name,
             alert.count, alert.people, alert.created_at, alert.last_at, alert.ended_at
        from alerts_v_alert alert left join cameras_v_camera camera on camera.id = alert.camera_id
       where alert.id = ${id}`.execute(this.#db.read());
    return rows[0] ?? null;
  }

  /** The people whom its visits show, as they are named now. */
  async people(alertId: string): Promise<PersonFacts[]> {
    const { rows } = await sql<PersonFacts>`
      select distinct person.id, trim(person.first_name || ' ' || person.last_name) as name
        from alerts_v_visit counted
        join visits_v_visit visit on visit.id = counted.visit_id
          and visit.started_at >= counted.started_at
          and visit.started_at < counted.started_at + interval '1 millisecond'
        join faces_v_named person on person.id = visit.person_id
       where counted.alert_id = ${alertId}
       order by name, person.id limit ${maxPeople}`.execute(this.#db.read());
    return rows;
  }
}
