import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import { mayName } from '../face-log-store.ts';
import { atVisibleCameras, isCounted } from '../visible-cameras-store.ts';
import { ofPerson, type CountFilter } from './counting-store.ts';
import { knownVisits } from './known-visits-store.ts';

/** Visits of one person, or (`person_id` null) of everybody whom this reader may not name. */
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

/** The same on one day, by its place among the days asked for; with `is_known` false everybody unknown. */
export type DayRow = Omit<PersonRow, 'cameras'> & {
  readonly day_index: number;
  readonly is_known: boolean;
};

/** Visits of nobody known on a day, counted elsewhere. */
export interface UnknownDay {
  readonly day: number;
  readonly visits: number;
}

export interface DayPage {
  readonly count: number;
  readonly rows: readonly DayRow[];
}

/**
 * SQL of counting visits of known people. Their days are kept as days of UTC, with the first and the last visit: a
 * row whose both ends are in one stretch of time belongs to it as a whole, and only of the others the visits are read.
 */
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
        select ${ifNamed(scope, sql`identity.person_id`)} as person_id, counted.*
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
      order by visits desc, person_name, person_id`.execute(this.#db.read());
    return rows;
  }

  /** The same without when and where. */
  async visitsByPerson(
    scope: Scope,
    filter: CountFilter,
    from: Date,
    until: Date,
  ): Promise<PersonVisits[]> {
    // Only where names depend on cameras these are told apart.
    const counted = scope.seesAll
      ? sql`select identity_id, sum(visits) as visits
            from (${knownVisits(scope, filter, from, until)}) as counted
            group by 1 having sum(visits) > 0`
      : pairsOf(scope, filter, from, until);
    const { rows } = await sql<PersonVisits>`
      with seen as (
        select ${ifNamed(scope, sql`identity.person_id`)} as person_id, sum(visits)::integer as visits
        from (${counted}) as counted ${named(scope, filter)}
        group by 1
      )
      select seen.*, person_name from seen ${nameOf(sql`seen`)}
      order by visits desc, person_name, person_id`.execute(this.#db.read());
    return rows;
  }

  /** How many known people came, whether or not this reader may name them. */
  async countPeople(scope: Scope, filter: CountFilter, from: Date, until: Date): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(distinct identity.person_id)::integer as count
      from (${pairsOf(scope, filter, from, until)}) as counted
      ${named(scope, filter)}`.execute(this.#db.read());
    return rows[0]!.count;
  }

  /**
   * One page of days and people, the newest day first and in it the most visits. `starts` holds the beginning of each
   * day, and the end of the last.
   */
  async byDay(
    scope: Scope,
    filter: CountFilter,
    starts: readonly Date[],
    unknown: readonly UnknownDay[],
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<DayPage> {
    const { rows } = await sql<DayRow & { count: number }>`
      with known as (
        select day_index, ${ifNamed(scope, sql`identity.person_id`)} as person_id, sum(visits)::integer as visits,
               min(first_at) as first_at, max(last_at) as last_at
        from (${localDaysOf(scope, filter, starts)}) as counted
        ${named(scope, filter)}
        group by 1, 2
      ), entries as (
        select *, true as is_known from known
        union all
        select day, null, visits, null, null, false
        from unnest(${unknown.map(({ day }) => day)}::integer[],
                    ${unknown.map(({ visits }) => visits)}::integer[]) as stranger (day, visits)
      ), first as (
        -- Names decide only among equals: they are read for the page and for what ties with its last row.
        select *, (select count(*) from entries)::integer as count from entries
        order by day_index desc, visits desc, is_known desc
        fetch first ${offset + limit} rows with ties
      ), page as (
        select first.*, person.person_name, person.person_added_by
        from first
        ${nameOf(sql`first`)}
        order by day_index desc, visits desc, is_known desc, person_name, person_id
        limit ${limit} offset ${offset}
      )
      select day_index, person_id, person_name, person_added_by, visits, is_known, count,
             coalesce(first_at, ${strangerAt(scope, filter, starts, sql`asc`)}) as first_at,
             coalesce(last_at, ${strangerAt(scope, filter, starts, sql`desc`)}) as last_at
      from page
      order by day_index desc, visits desc, is_known desc, person_name, person_id`.execute(
      this.#db.read(),
    );
    return { count: rows[0]?.count ?? 0, rows };
  }
}

const ifNamed = (scope: Scope, column: RawBuilder<unknown>) =>
  sql`case when ${mayName(scope)} then ${column} end`;

/** Of whom it may be read: `person_id` of these rows is null where not. */
const nameOf = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  left join lateral (
    select trim(first_name || ' ' || last_name) as person_name, created_by as person_added_by
    from faces_v_identity named where named.person_id = ${rows}.person_id limit 1
  ) as person on true`;

/** Who is counted: without a look at cameras where the reader may name everybody, and never at strangers. */
const named = (scope: Scope, { person }: CountFilter): RawBuilder<unknown> => sql`
  join faces_v_identity identity on identity.id = identity_id and identity.person_id is not null
  ${scope.seesAll ? sql`` : sql`join cameras_v_camera camera on camera.id = camera_id`}
  ${person ? sql`where ${ofPerson(scope, person)}` : sql``}`;

const utcDay = (moment: Date): string => moment.toISOString().slice(0, 10);
const dayStart = sql`(counted.day::timestamp at time zone 'UTC')`;

/**
 * The visits of days that are cut, one day after the other by the index: joined at once, the planner read all visits
 * that are kept.
 */
function visitsOf(
  columns: RawBuilder<unknown>,
  cutDays: RawBuilder<unknown>,
  from: Date,
  until: Date,
): RawBuilder<unknown> {
  return sql`
    select ${columns}
    from (select day, camera_id, identity_id from sighting_day where ${cutDays}) as counted
    cross join lateral (
      select identity_id, camera_id, started_at from sighting
      where identity_id = counted.identity_id and camera_id = counted.camera_id
        and deleted_at is null and started_at >= ${from} and started_at < ${until}
        and started_at >= ${dayStart} and started_at < ${dayStart} + interval '24 hours'
      offset 0
    ) as visit`;
}

/** By identity and camera, once each. */
const pairsOf = (scope: Scope, filter: CountFilter, from: Date, until: Date) => sql`
  select identity_id, camera_id, sum(visits) as visits, min(first_at) as first_at,
         max(last_at) as last_at
  from (${knownVisits(scope, filter, from, until)}) as counted
  group by 1, 2 having sum(visits) > 0`;

/** The first or the last visit of a row of `came`: its identity at its cameras. */
const edgeOf = (direction: RawBuilder<unknown>, from: Date, until: Date): RawBuilder<Date> => sql`(
  select started_at from sighting
  where identity_id = came.identity_id and camera_id = any(came.cameras) and deleted_at is null
    and started_at >= ${from} and started_at < ${until}
  order by started_at ${direction} limit 1)`;

/** Days of known people by days of a reader: `day_index` 1 begins with the first of `starts`. */
function localDaysOf(
  scope: Scope,
  { cameraId }: CountFilter,
  starts: readonly Date[],
): RawBuilder<unknown> {
  const [from, until] = [starts[0]!, starts.at(-1)!];
  const bounds = sql`${starts.map((start) => start.toISOString())}::timestamptz[]`;
  const inDays = sql`
    is_known and ${isCounted(scope, cameraId)} and day >= ${utcDay(from)}::date
    and day <= ${utcDay(new Date(until.getTime() - 1))}::date
    and last_at >= ${from} and first_at < ${until}`;
  const isWhole = sql`width_bucket(first_at, ${bounds}) = width_bucket(last_at, ${bounds})`;
  const visit = sql`
    width_bucket(visit.started_at, ${bounds}), visit.identity_id, visit.camera_id, 1,
    visit.started_at, visit.started_at`;
  return sql`
    select width_bucket(first_at, ${bounds}) as day_index, identity_id, camera_id, visits, first_at,
           last_at
    from sighting_day where ${inDays} and ${isWhole}
    union all
    ${visitsOf(visit, sql`${inDays} and not (${isWhole})`, from, until)}`;
}

/** When the first or the last unknown person came on the day of a row of `page`. */
function strangerAt(
  scope: Scope,
  { cameraId }: CountFilter,
  starts: readonly Date[],
  direction: RawBuilder<unknown>,
): RawBuilder<Date> {
  const bounds = sql`${starts.map((start) => start.toISOString())}::timestamptz[]`;
  return sql`(
    select visit.started_at from sighting visit
    join faces_v_identity identity on identity.id = visit.identity_id
    join cameras_v_camera camera on camera.id = visit.camera_id
    where visit.started_at >= (${bounds})[page.day_index]
      and visit.started_at < (${bounds})[page.day_index + 1]
      and identity.person_id is null and visit.deleted_at is null
      and ${atVisibleCameras(scope, cameraId)}
    order by visit.started_at ${direction} limit 1)`;
}
