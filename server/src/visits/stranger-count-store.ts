/** How many strangers there are that a reader may see, up to a bound; and SQL of which these are. */
import { sql, type RawBuilder } from 'kysely';
import type { UnknownFaceQuery } from '@nazar/contract/unknown-faces.ts';
import { maxCounted, type Counted } from '#db/bounded-page.ts';
import type { Database } from '#db/database.ts';
import { ownOrListed } from '#db/own-or-listed.ts';
import { granted, type Scope } from '#http/scope.ts';
import { mayName } from './readable-names-store.ts';
import { isCounted } from './visible-cameras-store.ts';

export type StrangerFilter = Partial<Pick<UnknownFaceQuery, 'status' | 'camera'>> & {
  readonly ids?: readonly string[];
};

/** Rows of strangers at cameras that are read for each one that is counted: most come to few cameras. */
const rowsForOne = 3;

export class StrangerCountStore {
  readonly #db: Database;
  readonly #counted: number;

  /** `counted`: strangers that are counted. */
  constructor(db: Database, { counted = maxCounted } = {}) {
    this.#db = db;
    this.#counted = counted;
  }

  async count(scope: Scope, filter: StrangerFilter): Promise<Counted> {
    if (!isKeptInAll(scope, filter)) {
      // Where there are more than are counted, some of the kept rows show it at any size.
      const some = await this.#countOf(ofSomeRows(scope, filter, rowsForOne * this.#counted));
      if (some.more) return some;
    }
    return this.#countOf(sql`select from (${seenStrangers(scope, filter)}) as seen`);
  }

  async #countOf(strangers: RawBuilder<unknown>): Promise<Counted> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (${strangers} limit ${this.#counted + 1}) as found`.execute(
      this.#db.read(),
    );
    const { count } = rows[0]!;
    return { count: Math.min(count, this.#counted), more: count > this.#counted };
  }
}

/** Whether this reader reads what is kept of each stranger in all. */
export const isKeptInAll = (scope: Scope, { camera }: StrangerFilter): boolean =>
  scope.seesAll && !camera;

/**
 * Counts only the one that stands for all merged with it: none is counted twice, and perhaps not all are. Strangers
 * who have a name that this reader may not read are not counted.
 */
const ofSomeRows = (scope: Scope, filter: StrangerFilter, rows: number): RawBuilder<unknown> => sql`
  select from faces_v_identity stranger
  where stranger.id = any(array(
      select identity_id from visit_stranger_camera
      where ${isCounted(scope, filter.camera ?? null)} limit ${rows}))
    and stranger.stranger_id = stranger.id and not stranger.is_known and ${isStranger(filter)}`;

/**
 * Which visits are an unknown person's, for this reader: not those whose key was destroyed, and, where the person was
 * identified, only those whose name may be read. The list of their visits asks the same. Where `identity` is a
 * row of faces_v_identity and `camera` one of cameras_v_camera.
 */
export const isTheirs = (scope: Scope): RawBuilder<boolean> =>
  sql`(identity.is_readable and (not identity.is_known or ${mayName(scope)}))`;

/**
 * Strangers that this reader sees, and how often and when they came to the cameras they may see. Who sees all cameras
 * reads what is kept of each in all; others are added up by what is kept of their cameras.
 */
export function seenStrangers(scope: Scope, filter: StrangerFilter): RawBuilder<unknown> {
  const who = sql`stranger.id, stranger.number, stranger.status, stranger.person_id`;
  if (isKeptInAll(scope, filter)) {
    return sql`
      select ${who}, kept.visits, kept.first_at, kept.last_at
      from visit_stranger kept join faces_v_identity stranger on stranger.id = kept.stranger_id
      where ${isStranger(filter)}`;
  }
  return sql`
    select ${who}, sum(kept.visits)::integer as visits, min(kept.first_at) as first_at,
           max(kept.last_at) as last_at
    from visit_stranger_camera kept
    join faces_v_identity identity on identity.id = kept.identity_id
    join faces_v_identity stranger on stranger.id = identity.stranger_id
    join cameras_v_camera camera on camera.id = kept.camera_id
    where ${isStranger(filter)} and ${isCounted(scope, filter.camera ?? null)} and ${isTheirs(scope)}
    group by stranger.id, stranger.number, stranger.status, stranger.person_id`;
}

/** Where `stranger` is a row of faces_v_identity. */
export function isStranger({ status, ids }: StrangerFilter): RawBuilder<boolean> {
  const conditions = [
    sql`stranger.number is not null and stranger.is_readable`,
    status ? sql`stranger.status = ${status}` : null,
    ids ? sql`stranger.id = any(${[...ids]}::uuid[])` : null,
  ].filter((condition) => condition !== null);
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** Where `camera` is a row of cameras_v_camera. */
export function atCamera(scope: Scope, { camera }: StrangerFilter): RawBuilder<boolean> {
  return camera
    ? sql`(${visibleCamera(scope)} and camera.id = ${camera})`
    : sql`${visibleCamera(scope)}`;
}

export function visibleCamera(scope: Scope) {
  if (scope.seesAll) return sql<boolean>`true`;
  const columns = { owner: 'camera.created_by', id: 'camera.id' };
  return ownOrListed(scope.userId, granted(scope, 'live'), columns);
}
