import { sql } from 'kysely';
import type { VisitDecision } from '@nazar/contract/visits.ts';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import { mayName } from './readable-names-store.ts';

/** What recognition said of a visit; null where that is not known. */
export interface RecognizedRow {
  readonly started_at: Date;
  readonly confidence: number | null;
  readonly recognized_at: Date | null;
  readonly recognized_by: string | null;
  /** Who it was; null once they are erased, and where recognition named no one. */
  readonly name: string | null;
  readonly may_name: boolean;
}

/** What a user said of a visit, or of the unknown person whose it is. */
export interface DecidedRow {
  readonly kind: Exclude<VisitDecision['kind'], 'recognized'>;
  readonly at: Date;
  readonly decided_by: string | null;
  readonly entry_id: string | null;
  /** '' without an account. */
  readonly user_name: string;
  /** The person of whom "not this person" was said, and whether this reader may read the name. */
  readonly name: string | null;
  readonly may_name: boolean;
}

const fullName = sql<string | null>`trim(identity.first_name || ' ' || identity.last_name)`;

/** SQL of how visits got their names; it writes nothing. Rows of `faces_v_named` stand as `identity`, as `mayName` asks. */
export class DecisionsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async recognized(scope: Scope, visitId: string): Promise<RecognizedRow | null> {
    const { rows } = await sql<RecognizedRow>`
      select started_at, confidence, recognized_at, recognized_by, ${fullName} as name,
             coalesce(${mayName(scope)}, false) as may_name
      from visit
      join cameras_v_camera camera on camera.id = visit.camera_id
      left join faces_v_named identity on identity.id = visit.recognized_as
      where visit.id = ${visitId}`.execute(this.#db.read());
    return rows[0] ?? null;
  }

  /** The oldest first. */
  async decided(
    scope: Scope,
    visit: { readonly id: string; readonly identity_id: string },
  ): Promise<DecidedRow[]> {
    const { rows } = await sql<DecidedRow>`
      select said.kind, said.at, said.decided_by, said.entry_id, ${fullName} as name,
             coalesce(${mayName(scope)}, false) as may_name,
             coalesce(nullif(account.name, ''), account.email, '') as user_name
      from (
        select kind, created_at as at, decided_by, entry_id, null::uuid as person_id
        from faces_v_decision where identity_id = ${visit.identity_id}
        union all
        select 'not_this_person', created_at, decided_by, entry_id, person_id
        from faces_v_negative where visit_id = ${visit.id}
      ) as said
      join visit on visit.id = ${visit.id}
      join cameras_v_camera camera on camera.id = visit.camera_id
      left join faces_v_named identity on identity.id = said.person_id
      left join activity_user account on account.id = said.decided_by
      order by said.at, said.kind`.execute(this.#db.read());
    return rows;
  }
}
