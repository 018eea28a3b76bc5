/** How many strangers there are that a reader may see, up to a bound; and SQL of which these are. */
import { sql, type RawBuilder } from 'kysely';
import type { UnknownFaceQuery } from '@nazar/contract/unknown-faces.ts';
import { maxCounted, type Counted } from '#db/bounded-page.ts';
import type { Database } from '#db/database.ts';
import { ownOrListed } from '#db/own-or-listed.ts';
import { granted, type Scope } from '#http/scope.ts';
import { mayName } from './readable-names-store.ts';

export type StrangerFilter = Partial<Pick<UnknownFaceQuery, 'status' | 'camera'>> & {
  readonly ids?: readonly string[];
};

/** Days of strangers that are looked at for each one that is counted: most come once. */
const daysForOne = 3;

export class StrangerCountStore {
  readonly #db: Database;
  readonly #counted: number;

  /** `counted`: strangers that are counted. */
  constructor(db: Database, { counted = maxCounted } = {}) {
    this.#db = db;
    this.#counted = counted;
  }

  async count(scope: Scope, filter: StrangerFilter): Promise<Counted> {
    // Where there are more than are counted, some of their days show it at any size.
    const some = await this.#countOf(ofSomeDays(scope, filter, daysForOne * this.#counted));
    if (some.more) return some;
    const isEverywhere = scope.seesAll && !filter.camera;
    return this.#countOf(isEverywhere ? anywhere(scope, filter) : atCameras(scope, filter));
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

/**
 * Of those merged with others only the one that stands for them: none is counted twice, and perhaps not all. The ids are
 * looked up together: the index puts them in order and reads each of its pages once, and not for each stranger anew.
 */
function ofSomeDays(scope: Scope, filter: StrangerFilter, days: number): RawBuilder<unknown> {
  return sql`
    select from faces_v_identity stranger
    where stranger.id = any(array(
        select identity_id from sighting_day
        where not is_known and ${isSeenAt(scope, filter)} limit ${days}))
      and stranger.stranger_id = stranger.id and ${isStranger(filter)}`;
}

/**
 * One stranger after the other is looked at, until there are enough: the days of all of them are millions of rows. The
 * index of days says enough, and no day itself is read.
 */
function anywhere(scope: Scope, filter: StrangerFilter): RawBuilder<unknown> {
  return sql`
    select from faces_v_identity stranger
    where ${isStranger(filter)} and exists (
      select from faces_v_identity identity
      join sighting_day counted on counted.identity_id = identity.id
      where identity.stranger_id = stranger.id and ${isTheirs(scope)}
      -- Keeps the planner from joining all days of all strangers first.
      offset 0)`;
}

/** From the days of these cameras, which are few: most strangers were never there. */
function atCameras(scope: Scope, filter: StrangerFilter): RawBuilder<unknown> {
  return sql`
    select distinct stranger.id
    from sighting_day counted
    join faces_v_identity identity on identity.id = counted.identity_id
    join faces_v_identity stranger on stranger.id = identity.stranger_id
    join cameras_v_camera camera on camera.id = counted.camera_id
    where ${isStranger(filter)} and ${isSeenAt(scope, filter)} and ${isTheirs(scope)}`;
}

/**
 * Which visits are an unknown person's, for this reader: not those whose key was destroyed, and, where the person was
 * identified, only those whose name may be read (C-1009). The list of their visits asks the same. Where `identity` is a
 * row of faces_v_identity and `camera` one of cameras_v_camera.
 */
export const isTheirs = (scope: Scope): RawBuilder<boolean> =>
  sql`(identity.is_readable and (not identity.is_known or ${mayName(scope)}))`;

/** Where `stranger` is a row of faces_v_identity. */
export function isStranger({ status, ids }: StrangerFilter): RawBuilder<boolean> {
  const conditions = [
    sql`stranger.number is not null and stranger.is_readable`,
    status ? sql`stranger.status = ${status}` : null,
    ids ? sql`stranger.id = any(${[...ids]}::uuid[])` : null,
  ].filter((condition) => condition !== null);
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** Where `camera_id` is of a row of days. */
function isSeenAt(scope: Scope, filter: StrangerFilter): RawBuilder<boolean> {
  if (scope.seesAll && !filter.camera) return sql`true`;
  return sql`camera_id = any(array(
    select camera.id from cameras_v_camera camera where ${atCamera(scope, filter)}))`;
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
