import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import { hasText } from '#db/like.ts';
import type { Scope } from '#http/scope.ts';
import { mayName } from '../readable-names-store.ts';
import { ofPerson, type CountFilter } from './counting-store.ts';
import { knownVisits } from './known-visits-store.ts';
import type { Period } from './period.ts';

/** Visits of one person, of all who were erased (`erasedId`), or (null) of all whom this reader may not name. */
export interface PersonRow {
  readonly person_id: string | null;
  readonly person_name: string | null;
  readonly person_added_by: string | null;
  readonly visits: number;
  readonly first_at: Date;
  readonly last_at: Date;
  readonly cameras: number;
}

export type PersonVisits = Pick<PersonRow, 'person_id' | 'person_name' | 'visits'>;

export interface PeoplePage {
  /** A part of a name; null: all of them. */
  readonly search: string | null;
  readonly limit: number;
  readonly offset: number;
}

export interface SeenPage {
  readonly count: number;
  /** The visits of who came most, searched for or not. */
  readonly most: number;
  readonly people: readonly PersonVisits[];
}

/** SQL of counting visits of known people, each in all. */
export class PeopleCountingStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Most visits first. */
  async byPerson(scope: Scope, filter: CountFilter, from: Date, until: Date): Promise<PersonRow[]> {
    const first = sql`case when first_at >= ${from} then first_at else ${edgeOf(sql`asc`, from, until)} end`;
    const last = sql`case when last_at < ${until} then last_at else ${edgeOf(sql`desc`, from, until)} end`;
    const { rows } = await sql<PersonRow>`
      with known as materialized (
        select ${ifNamed(scope)} as person_id, counted.*
        from (${pairsOf(scope, filter, from, until)}) as counted ${named(scope, filter)}
      ), came as (
        select person_id, identity_id, sum(visits) as visits, min(first_at) as first_at,
               max(last_at) as last_at, array_agg(camera_id) as cameras
        from known group by 1, 2
      ), seen as (
        select person_id, sum(visits)::integer as visits, min(first_at) as first_at,
               max(last_at) as last_at, sum(cameras)::integer as cameras
        from (
          select person_id, visits, ${first} as first_at, ${last} as last_at, 0 as cameras from came
          union all
          select person_id, 0, null, null, 1 from known group by person_id, camera_id
        ) as part group by 1
      )
      select seen.*, person_name, person_added_by from seen ${nameOf(sql`seen`)}
      order by ${mostFirst}`.execute(this.#db.scan());
    return rows;
  }

  /** The same without when and where. */
  async visitsByPerson(
    scope: Scope,
    filter: CountFilter,
    from: Date,
    until: Date,
  ): Promise<PersonVisits[]> {
    const { rows } = await sql<PersonVisits>`
      with seen as (${visitsOfEach(scope, filter, from, until)})
      select seen.*, person_name from seen ${nameOf(sql`seen`)}
      order by ${mostFirst}`.execute(this.#db.scan());
    return rows;
  }

  /** A page of them, of those with a part of a name where one is searched for. */
  async page(
    scope: Scope,
    filter: CountFilter,
    { from, until }: Pick<Period, 'from' | 'until'>,
    { search, limit, offset }: PeoplePage,
  ): Promise<SeenPage> {
    const isFound = search === null ? sql`true` : hasText([sql`person_name`], search);
    const { rows } = await sql<SeenPage>`
      with seen as materialized (${visitsOfEach(scope, filter, from, until)}),
      found as materialized (
        select seen.*, person_name from seen ${nameOf(sql`seen`)} where ${isFound}
      ), page as (
        select * from found order by ${mostFirst} limit ${limit} offset ${offset}
      )
      select (select count(*)::integer from found) as count,
             (select coalesce(max(visits), 0) from seen) as most,
             (select coalesce(json_agg(page order by ${mostFirst}), '[]') from page) as people`.execute(
      this.#db.scan(),
    );
    return rows[0]!;
  }

  /** Counts the known people who came, erased ones too: for readers who may name everyone there. */
  async countPeople(scope: Scope, filter: CountFilter, from: Date, until: Date): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(distinct identity.counted_as)::integer as count
      from (${pairsOf(scope, filter, from, until)}) as counted
      ${named(scope, filter)}`.execute(this.#db.scan());
    return rows[0]!.count;
  }
}

/** Stands for all erased people in place of a person's id. */
export const erasedId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Where `identity` is a row of faces_v_identity, and known. */
export const ifNamed = (scope: Scope) =>
  sql`case when ${mayName(scope)} then coalesce(identity.person_id, ${erasedId}::uuid) end`;

/** Joins the names of people that the reader may know: `person_id` of these rows is null for all others. */
export const nameOf = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  left join lateral (
    select trim(first_name || ' ' || last_name) as person_name, created_by as person_added_by
    from faces_v_identity named where named.person_id = ${rows}.person_id limit 1
  ) as person on true`;

/** Joins the people who are counted: without reading cameras if the reader sees all, and never with strangers. */
export function named(scope: Scope, { person }: CountFilter): RawBuilder<unknown> {
  const isCountedToo = person ? sql`where ${ofPerson(scope, person)}` : sql``;
  if (scope.seesAll) {
    return sql`
      join faces_v_identity identity on identity.id = identity_id and identity.is_known
      ${isCountedToo}`;
  }
  // Known people are read once, not once for each day and camera of theirs.
  return sql`
    join (select * from faces_v_identity where is_known offset 0) as identity
      on identity.id = identity_id
    join cameras_v_camera camera on camera.id = camera_id ${isCountedToo}`;
}

const mostFirst = sql`visits desc, person_name, person_id`;

/** Rows of a person, or of all who are not distinguished, and their visits. */
function visitsOfEach(
  scope: Scope,
  filter: CountFilter,
  from: Date,
  until: Date,
): RawBuilder<unknown> {
  // Cameras are kept apart only where names depend on them.
  const counted = scope.seesAll
    ? sql`select identity_id, sum(visits) as visits
          from (${knownVisits(scope, filter, from, until, { isByCamera: false })}) as counted
          group by 1 having sum(visits) > 0`
    : pairsOf(scope, filter, from, until);
  return sql`
    select ${ifNamed(scope)} as person_id, sum(visits)::integer as visits
    from (${counted}) as counted ${named(scope, filter)}
    group by 1`;
}

/** By identity and camera, once each. */
const pairsOf = (scope: Scope, filter: CountFilter, from: Date, until: Date) => sql`
  select identity_id, camera_id, sum(visits) as visits, min(first_at) as first_at,
         max(last_at) as last_at
  from (${knownVisits(scope, filter, from, until)}) as counted
  group by 1, 2 having sum(visits) > 0`;

/** The first or the last visit of a row of `came`: its identity at its cameras. */
const edgeOf = (direction: RawBuilder<unknown>, from: Date, until: Date): RawBuilder<Date> => sql`(
  select started_at from visit
  where identity_id = came.identity_id and camera_id = any(came.cameras) and deleted_at is null
    and started_at >= ${from} and started_at < ${until}
  order by started_at ${direction} limit 1)`;
