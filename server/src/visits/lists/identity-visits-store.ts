/**
 * SQL of lists of one person's visits, one stranger's, or those of all of a name. Their identities are found first, and
 * each one's visits are read from its index in the order of the list, no more than the page reaches to. A join knows no
 * order: it read all 54,000 visits of a popular person for a page of 100, or those of all people from the newest on.
 * That index has every column that is filtered by, so that only the rows of the page's visits are read.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Scope } from '#http/scope.ts';
import { atVisibleCameras, isCounted } from '../visible-cameras-store.ts';
import { whenConditions, whoConditions, type VisitFilter } from './visit-filter-store.ts';

/** Whose: `identity` is one of them where `isMeant`. */
export interface VisitsOf {
  readonly scope: Scope;
  readonly filter: VisitFilter;
  readonly isMeant: RawBuilder<boolean>;
}

/** Rows of `id` and `started_at`, the newest first. */
export function newestOf(
  visits: VisitsOf,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): RawBuilder<unknown> {
  // The planner must not know this limit: beside a known one it takes the average of all identities for the visits of
  // this one, and may sort all of them. An unknown one it takes for a tenth, which the index gives in order at once.
  const each = sql`
    select visit.id, visit.started_at from ${visitsOfOne(visits)}
    order by visit.started_at desc, visit.id desc limit (select ${offset + limit}::bigint)`;
  return sql`
    select visit.id, visit.started_at
    from ${identitiesOf(visits)} cross join lateral (${each}) as visit
    order by visit.started_at desc, visit.id desc limit ${limit} offset ${offset}`;
}

/** Rows of nothing, one for each visit, up to a bound. */
export const someOf = (visits: VisitsOf, limit: number): RawBuilder<unknown> => sql`
  select from ${identitiesOf(visits)}
  cross join lateral (select from ${visitsOfOne(visits)} limit ${limit}) as visit limit ${limit}`;

/** Apart from the visits of each, or people were walked through in the order of their visits. */
const identitiesOf = ({ scope, filter, isMeant }: VisitsOf) => sql`
  (select * from faces_v_identity identity
   where ${isMeant} and ${isAnywhere(scope, filter)} offset 0) as identity`;

/** For a camera that the reader may not see, or without any, no visit is asked. */
const isAnywhere = (scope: Scope, { camera_id }: VisitFilter) =>
  scope.seesAll
    ? sql`true`
    : sql`exists (select from cameras_v_camera camera where ${atVisibleCameras(scope, camera_id ?? null)})`;

/** The visits of `identity` that the reader may see and know. The camera is not read: only its id is needed. */
function visitsOfOne({ scope, filter }: VisitsOf): RawBuilder<unknown> {
  const conditions = [
    sql`visit.identity_id = identity.id and visit.deleted_at is null`,
    isCounted(scope, filter.camera_id ?? null),
    ...whenConditions(filter),
    ...whoConditions(scope, filter),
  ];
  return sql`
    visit cross join lateral (select visit.camera_id as id) as camera
    where ${sql.join(conditions, sql` and `)}`;
}
