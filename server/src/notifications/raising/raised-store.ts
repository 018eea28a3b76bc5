import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { NotificationRow } from '../store.ts';
import type { RaisedAlert } from '../settings/wishes.ts';

export interface SeenAlert extends RaisedAlert {
  readonly id: string;
  readonly camera_owner: string | null;
  readonly assigned_to: string | null;
  /** Null: the rule was deleted. */
  readonly rule_id: string | null;
}

export interface KnownVisit {
  readonly id: string;
  readonly camera_id: string;
  readonly camera_owner: string | null;
  readonly person_id: string;
  /** The oldest identity of the person. */
  readonly identity_id: string;
  readonly started_at: Date;
  readonly ended_at: Date;
}

export interface FinishedExport {
  readonly id: string;
  readonly camera_id: string;
  readonly created_by: string;
  readonly status: 'done' | 'failed';
}

export type NewNotification = Omit<NotificationRow, 'read_at'>;

interface Tables {
  notification: NotificationRow;
}

/** A statement has 65,535 parameters at most. */
const rowsPerInsert = 1_000;

/** SQL of what notifications follow from, as it is now, and of writing them. */
export class RaisedStore {
  async alerts(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, SeenAlert>> {
    if (ids.length === 0) return new Map();
    const { rows } = await sql<SeenAlert>`
      select alert.id, alert.kind, alert.level, alert.camera_id, alert.assigned_to, alert.rule_id,
             camera.created_by as camera_owner,
             array(select distinct visit.person_id
                     from alerts_v_visit counted
                     join visits_v_visit visit on visit.id = counted.visit_id
                       and visit.started_at >= counted.started_at
                       and visit.started_at < counted.started_at + interval '1 millisecond'
                    where counted.alert_id = alert.id and visit.person_id is not null) as people
        from alerts_v_alert alert left join cameras_v_camera camera on camera.id = alert.camera_id
       where alert.id = any(${[...ids]}::uuid[])`.execute(tx.as<Tables>());
    return new Map(rows.map((alert) => [alert.id, alert]));
  }

  /** Visits of known people, the oldest first. */
  async knownVisits(tx: Tx, ids: readonly string[]): Promise<KnownVisit[]> {
    if (ids.length === 0) return [];
    const { rows } = await sql<KnownVisit>`
      select visit.id, visit.camera_id, camera.created_by as camera_owner, visit.person_id, visit.started_at,
             visit.ended_at, (select first.id from faces_v_identity first where first.person_id = visit.person_id
                               order by first.id limit 1) as identity_id
        from visits_v_visit visit
        join cameras_v_camera camera on camera.id = visit.camera_id and camera.deleted_at is null
       where visit.id = any(${[...ids]}::uuid[]) and visit.person_id is not null and visit.recognized_as is not null
       order by visit.started_at, visit.id`.execute(tx.as<Tables>());
    return rows;
  }

  async exports(tx: Tx, ids: readonly string[]): Promise<FinishedExport[]> {
    if (ids.length === 0) return [];
    const { rows } = await sql<FinishedExport>`
      select id, camera_id, created_by, status from recordings_v_export
       where id = any(${[...ids]}::uuid[]) and status in ('done', 'failed')`.execute(
      tx.as<Tables>(),
    );
    return rows;
  }

  /**
   * Adds a visit to the notifications of that person at that camera that go on: the last visit ended `quietMs` ago at
   * most. Returns whose they are.
   */
  async goOn(tx: Tx, visit: KnownVisit, quietMs: number): Promise<string[]> {
    const since = new Date(visit.started_at.getTime() - quietMs);
    const { rows } = await sql<{ user_id: string }>`
      update notification set visit_id = ${visit.id}, visit_started_at = ${visit.started_at},
        last_at = greatest(last_at, ${visit.ended_at})
       where kind = 'known_person' and camera_id = ${visit.camera_id} and identity_id = ${visit.identity_id}
         and (last_at >= ${since} or exists (
           select from visits_v_visit last
            where last.id = notification.visit_id and last.started_at >= notification.visit_started_at
              and last.started_at < notification.visit_started_at + interval '1 millisecond'
              and last.ended_at >= ${since}))
      returning user_id`.execute(tx.as<Tables>());
    return rows.map(({ user_id }) => user_id);
  }

  /** A user has one of an alert. */
  async add(tx: Tx, notifications: readonly NewNotification[]): Promise<void> {
    for (let from = 0; from < notifications.length; from += rowsPerInsert) {
      const rows = notifications
        .slice(from, from + rowsPerInsert)
        .map((row) => ({ ...row, read_at: null }));
      await tx
        .as<Tables>()
        .insertInto('notification')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }
}
