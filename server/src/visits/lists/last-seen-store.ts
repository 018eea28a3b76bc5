import { sql } from 'kysely';
import type { Database } from '#db/database.ts';

/** The newest visit of a person that lists have. */
export interface LastSeenRow {
  readonly person_id: string;
  readonly visit_id: string;
  readonly camera_id: string;
  readonly camera_name: string;
  readonly ended_at: Date;
}

/** SQL of when people were last seen. Who asks decides whose names may be read. */
export class LastSeenStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Those of these people who were seen: each identity reads one visit of its index. */
  async ofPeople(personIds: readonly string[]): Promise<LastSeenRow[]> {
    if (personIds.length === 0) return [];
    const { rows } = await sql<LastSeenRow>`
      select distinct on (identity.person_id) identity.person_id, newest.visit_id, newest.camera_id, newest.ended_at,
             camera.name as camera_name
        from faces_v_identity identity
        cross join lateral (
          select visit.id as visit_id, visit.camera_id, visit.started_at, visit.ended_at from visit
           where visit.identity_id = identity.id and visit.deleted_at is null
           order by visit.started_at desc, visit.id desc limit (select 1::bigint)) newest
        join cameras_v_camera camera on camera.id = newest.camera_id
       where identity.person_id = any(${[...personIds]}::uuid[])
       order by identity.person_id, newest.started_at desc`.execute(this.#db.scan());
    return rows;
  }

  /** The people whom these visits show, deleted visits among them. */
  async peopleOf(
    visits: readonly { readonly visitId: string; readonly startedAtMs: number }[],
  ): Promise<string[]> {
    if (visits.length === 0) return [];
    const startsMs = visits.map(({ startedAtMs }) => startedAtMs);
    const { rows } = await sql<{ person_id: string }>`
      select distinct identity.person_id from visit
        join faces_v_identity identity on identity.id = visit.identity_id
       where visit.id = any(${visits.map(({ visitId }) => visitId)}::uuid[])
         and visit.started_at >= ${new Date(Math.min(...startsMs))}
         and visit.started_at < ${new Date(Math.max(...startsMs) + 1)}
         and identity.person_id is not null`.execute(this.#db.read());
    return rows.map(({ person_id }) => person_id);
  }
}
