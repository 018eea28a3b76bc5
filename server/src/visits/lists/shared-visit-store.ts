import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import type { VisitRow } from '../store.ts';
import { listedForEach, type SharedVisit } from './listed-visit-store.ts';

interface Tables {
  visit: VisitRow;
  cameras_v_camera: { id: string; name: string; created_by: string | null };
  faces_v_identity: {
    id: string;
    person_id: string | null;
    is_known: boolean;
    created_by: string | null;
    category_id: string | null;
  };
}

/** SQL of visits that are read once for many readers. Nothing of a row may leave this module undecided. */
export class SharedVisitStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns those of these visits that lists have, for any reader. Their start times give their months. */
  async read(
    visits: readonly Pick<VisitRow, 'id' | 'started_at'>[],
  ): Promise<readonly SharedVisit[]> {
    if (visits.length === 0) return [];
    const startsMs = visits.map(({ started_at }) => started_at.getTime());
    return (
      this.#db
        .read<Tables>()
        .selectFrom('visit')
        .innerJoin('cameras_v_camera as camera', 'camera.id', 'visit.camera_id')
        .innerJoin('faces_v_identity as identity', 'identity.id', 'visit.identity_id')
        .select(listedForEach)
        .where('visit.deleted_at', 'is', null)
        .where('visit.id', '=', sql<string>`any(${visits.map(({ id }) => id)}::uuid[])`)
        .where('visit.started_at', '>=', new Date(Math.min(...startsMs)))
        // A `Date` knows milliseconds only.
        .where('visit.started_at', '<', new Date(Math.max(...startsMs) + 1))
        .execute()
    );
  }
}
