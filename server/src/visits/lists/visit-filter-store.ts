/**
 * SQL of which visits a list is filtered by, as far as a reader may know it. It stands where `visit` is a visit,
 * `identity` a row of faces_v_identity and, where a reader is asked for, `camera` one of cameras_v_camera.
 */
import { sql, type RawBuilder } from 'kysely';
import { erasedName, unknownName } from '@nazar/contract/names.ts';
import type { VisitQuery, VisitKind } from '@nazar/contract/visits.ts';
import { isText } from '#db/like.ts';
import type { Scope } from '#http/scope.ts';
import { mayName } from '../readable-names-store.ts';
import type { VisitRow } from '../store.ts';
import { isTheirs } from '../stranger-count-store.ts';

export type VisitFilter = Omit<
  VisitQuery,
  'start_date' | 'end_date' | 'timezone' | 'user' | 'page' | 'limit'
> & {
  readonly from: Date | null;
  readonly until: Date | null;
  /** Only known people whom this reader may not name. */
  readonly hidden?: boolean;
  /** Only those that a list has after this one. */
  readonly after?: Pick<VisitRow, 'id' | 'started_at'>;
};

export const fullName = sql<string>`trim(identity.first_name || ' ' || identity.last_name)`;

/** Capitals do not matter. */
export const hasName = (name: string) => isText(fullName, name);

/**
 * Selects the visits of the identities that are meant, by their `identity_id`. The identities are found before any
 * visit is read, or the database walks through all people in order and reads the visits of each. Code that reads them
 * decides whether a reader may know who they are.
 */
export const isOneOf = (isMeant: RawBuilder<boolean>) => sql<boolean>`
  identity_id = any(array(select id from faces_v_identity identity where ${isMeant}))`;

/** A person who was recognized, and erased since. */
export const isErased = sql<boolean>`(identity.is_known and identity.person_id is null)`;

/** Counts take these two names, too. */
const kindOfName: ReadonlyMap<string | undefined, VisitKind> = new Map([
  [erasedName, 'erased'],
  [unknownName, 'unknown'],
]);

/** Whose visits are listed: one person's, one stranger's, or those of all people of a name. Null: all visits. */
export function whose({
  person_id,
  person_name,
  unknown,
}: VisitFilter): RawBuilder<boolean> | null {
  const conditions = [
    person_id ? sql`identity.person_id = ${person_id}` : null,
    unknown ? sql`identity.stranger_id = ${unknown}` : null,
    person_name && !kindOfName.has(person_name) ? hasName(person_name) : null,
  ].filter((condition) => condition !== null);
  return conditions.length === 0 ? null : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

/** What is asked of each visit beside whose it is, where and when. */
export function whoConditions(scope: Scope, filter: VisitFilter): RawBuilder<boolean>[] {
  const { person_id, person_name, unknown, hidden, is_recognized, kind } = filter;
  const named = kindOfName.get(person_name);
  // Filters use only names that this reader may read: else a filter would reveal what the list hides.
  const isByName = person_id || (person_name && !named);
  return [
    isByName ? mayName(scope) : null,
    unknown ? isTheirs(scope) : null,
    hidden ? sql<boolean>`not ${mayName(scope)}` : null,
    is_recognized === undefined ? null : sql<boolean>`identity.is_known = ${is_recognized}`,
    kind ? isOfKind(scope, kind) : null,
    named ? isOfKind(scope, named) : null,
  ].filter((condition) => condition !== null);
}

export function whenConditions({ from, until, after }: VisitFilter): RawBuilder<boolean>[] {
  return [
    from ? sql<boolean>`visit.started_at >= ${from}` : null,
    until ? sql<boolean>`visit.started_at < ${until}` : null,
    after ? isAfter(after) : null,
  ].filter((condition) => condition !== null);
}

/** Its beginning is asked for again: a `Date` knows milliseconds only. It may be gone meanwhile. */
const isAfter = ({ id, started_at }: Pick<VisitRow, 'id' | 'started_at'>) => sql<boolean>`
  (visit.started_at, visit.id) < (
    coalesce((select last.started_at from visit last where last.id = ${id}), ${started_at}::timestamptz),
    ${id}::uuid)`;

/**
 * Every visit is of one kind. A reader who may not name everyone at a camera does not learn which of the people they
 * may not name were erased: these are known people to them.
 */
function isOfKind(scope: Scope, kind: VisitKind): RawBuilder<boolean> {
  if (kind === 'unknown') return sql<boolean>`not identity.is_known`;
  const erased = sql<boolean>`(${isErased} and ${mayName(scope)})`;
  return kind === 'erased' ? erased : sql<boolean>`(identity.is_known and not ${erased})`;
}
