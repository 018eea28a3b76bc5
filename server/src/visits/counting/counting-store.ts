import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import { folded } from '#db/like.ts';
import type { Scope } from '#http/scope.ts';
import { hasName, isErased, isOneOf } from '../lists/visit-filter-store.ts';
import { mayName } from '../readable-names-store.ts';
import { atVisibleCameras, isCounted } from '../visible-cameras-store.ts';

export interface CountRow {
  readonly visits: number;
  readonly recognized: number;
}
export type TimeRow = CountRow & { readonly at_ms: number };
export type CameraRow = CountRow & { readonly camera_id: string };

/** Which visits are counted, beside those the scope may see. */
export interface CountFilter {
  readonly cameraId: string | null;
  readonly person: PersonFilter | null;
}
/** By id, by a name as this reader reads it, or all who were erased. */
export type PersonFilter =
  { readonly id: string } | { readonly name: string } | { readonly isErased: true };

/** Parts of a stretch of time and the coarsest counts that are exact there, in milliseconds. */
export interface Part {
  readonly grain: 'day' | 'hour' | 'quarter' | 'visit';
  readonly fromMs: number;
  readonly untilMs: number;
}

type Key = 'at_ms' | 'camera_id';

/** SQL of counting visits: by the counts kept beside them, and by themselves where those are too coarse. */
export class CountingStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** `hourStart`: the quarter with which hours begin, of those that are counted as a whole. */
  byTime(
    scope: Scope,
    filter: CountFilter,
    parts: readonly Part[],
    hourStart: number,
  ): Promise<TimeRow[]> {
    return this.#by('at_ms', scope, filter, parts, hourStart) as Promise<TimeRow[]>;
  }

  byCamera(scope: Scope, filter: CountFilter, parts: readonly Part[]): Promise<CameraRow[]> {
    return this.#by('camera_id', scope, filter, parts) as Promise<CameraRow[]>;
  }

  /** Cameras whose visits this reader may see. */
  async cameras(
    scope: Scope,
    cameraId: string | null,
  ): Promise<{ readonly id: string; readonly name: string }[]> {
    const { rows } = await sql<{ id: string; name: string }>`
      select camera.id, camera.name from cameras_v_camera camera
      where ${atVisibleCameras(scope, cameraId)} order by ${folded(sql`camera.name`)}, camera.id`.execute(
      this.#db.read(),
    );
    return rows;
  }

  /** The first and the last visit of a stretch of time at a camera. */
  async span(
    scope: Scope,
    cameraId: string,
    from: Date,
    until: Date,
  ): Promise<{ readonly first_at: Date | null; readonly last_at: Date | null }> {
    const edge = (direction: RawBuilder<unknown>) => sql`
      (select started_at from visit
       join cameras_v_camera camera on camera.id = visit.camera_id
       where visit.deleted_at is null and started_at >= ${from} and started_at < ${until}
         and ${atVisibleCameras(scope, cameraId)}
       order by started_at ${direction} limit 1)`;
    const { rows } = await sql<{ first_at: Date | null; last_at: Date | null }>`
      select ${edge(sql`asc`)} as first_at, ${edge(sql`desc`)} as last_at`.execute(this.#db.read());
    return rows[0]!;
  }

  async #by(
    key: Key,
    scope: Scope,
    filter: CountFilter,
    parts: readonly Part[],
    hourStart = 0,
  ): Promise<CountRow[]> {
    if (parts.length === 0) return [];
    const counted = parts.map((part) => sql`(${ofPart({ key, scope, filter, hourStart }, part)})`);
    const { rows } = await sql<CountRow>`
      select ${answered[key]} as ${sql.ref(key)}, sum(visits)::integer as visits,
             sum(recognized)::integer as recognized
      from (${sql.join(counted, sql` union all `)}) as counted (key, visits, recognized)
      group by key order by key`.execute(this.#db.scan());
    return rows;
  }
}

/** Moments become milliseconds once they are added up: arithmetic by the row took longer than the reading. */
const answered: Readonly<Record<Key, RawBuilder<unknown>>> = {
  at_ms: sql`(extract(epoch from key) * 1000)::bigint`,
  camera_id: sql`key`,
};

interface Counting {
  readonly key: Key;
  readonly scope: Scope;
  readonly filter: CountFilter;
  readonly hourStart: number;
}

function ofPart(counting: Counting, { grain, fromMs, untilMs }: Part): RawBuilder<CountRow> {
  const [from, until] = [new Date(fromMs), new Date(untilMs)];
  if (grain === 'visit') return ofVisits(counting, from, until);
  if (grain === 'quarter') return ofQuarters(counting, from, until);
  if (grain === 'day') return ofKept(days, counting, asDay(from), asDay(until));
  const isCut = counting.key === 'at_ms' && counting.hourStart > 0;
  return isCut
    ? ofCutHours(counting, from, until)
    : ofKept(hoursOf(counting), counting, from, until);
}

const asDay = (moment: Date) => sql`${moment.toISOString().slice(0, 10)}::date`;
const days = {
  table: sql`visit_camera_day_now`,
  column: sql`day`,
  at: sql`day::timestamp at time zone 'UTC'`,
};
const hours = { table: sql`visit_hour_now`, column: sql`hour`, at: sql`hour` };
/** Counts of all cameras together, without their ids: for a reader who sees all and does not count by camera. */
const totals = { ...hours, table: sql`visit_hour_total_now` };
const hoursOf = ({ key, scope, filter }: Counting): typeof hours =>
  key === 'at_ms' && scope.seesAll && filter.cameraId === null ? totals : hours;

/** Whole rows of a kept count. */
function ofKept(
  { table, column, at }: typeof days,
  { key, scope, filter }: Counting,
  from: unknown,
  until: unknown,
): RawBuilder<CountRow> {
  return sql`
    select ${key === 'at_ms' ? at : sql`camera_id`}, sum(visits), sum(recognized) from ${table}
    where ${column} >= ${from} and ${column} < ${until} and ${isCounted(scope, filter.cameraId)}
    group by 1`;
}

/** For zones whose hours begin within hours of UTC: splits each in two, which takes less time than in four. */
function ofCutHours(counting: Counting, from: Date, until: Date): RawBuilder<CountRow> {
  const { scope, filter, hourStart } = counting;
  const quarters = Array.from({ length: hourStart }, (_, quarter) => quarter);
  const before = (name: string) =>
    sql`sum(${sql.join(
      quarters.map((quarter) => sql.ref(`${name}_${quarter}`)),
      sql` + `,
    )})`;
  return sql`
    select part.at, part.visits, part.recognized
    from (
      select hour, sum(visits) as visits, sum(recognized) as recognized,
             ${before('visits')} as visits_before, ${before('recognized')} as recognized_before
      from ${hoursOf(counting).table}
      where hour >= ${from} and hour < ${until} and ${isCounted(scope, filter.cameraId)}
      group by hour
    ) as counted, lateral (values
      (hour, visits_before, recognized_before),
      (hour + interval '15 minutes' * ${hourStart}, visits - visits_before,
       recognized - recognized_before)
    ) as part (at, visits, recognized)
    where part.visits > 0`;
}

/** The cameras of an hour are added up before its quarters become rows: a quarter of the rows, and no row of nothing. */
function ofQuarters(counting: Counting, from: Date, until: Date): RawBuilder<CountRow> {
  const { key, scope, filter } = counting;
  const keys = { at_ms: sql`quarter.at`, camera_id: sql`camera_id` };
  const each = [0, 1, 2, 3].map((quarter) => {
    const [visits, recognized] = [`visits_${quarter}`, `recognized_${quarter}`];
    return sql`sum(${sql.ref(visits)}) as ${sql.ref(visits)},
               sum(${sql.ref(recognized)}) as ${sql.ref(recognized)}`;
  });
  return sql`
    select ${keys[key]}, quarter.visits, quarter.recognized
    from (
      select hour, ${key === 'camera_id' ? sql`camera_id,` : sql``} ${sql.join(each)}
      from ${hoursOf(counting).table}
      where hour > ${from}::timestamptz - interval '1 hour' and hour < ${until}
        and ${isCounted(scope, filter.cameraId)}
      group by hour ${key === 'camera_id' ? sql`, camera_id` : sql``}
    ) as counted, lateral (values
      (hour, visits_0, recognized_0),
      (hour + interval '15 minutes', visits_1, recognized_1),
      (hour + interval '30 minutes', visits_2, recognized_2),
      (hour + interval '45 minutes', visits_3, recognized_3)
    ) as quarter (at, visits, recognized)
    where quarter.at >= ${from} and quarter.at < ${until} and quarter.visits > 0`;
}

function ofVisits(
  { key, scope, filter: { cameraId, person } }: Counting,
  from: Date,
  until: Date,
): RawBuilder<CountRow> {
  const quarter = sql`date_bin('15 minutes', started_at, 'epoch'::timestamptz)`;
  const keys = { at_ms: quarter, camera_id: sql`camera_id` };
  return sql`
    select ${keys[key]}, count(*), count(*) filter (where identity.is_known)
    from visit
    join cameras_v_camera camera on camera.id = camera_id
    join faces_v_identity identity on identity.id = identity_id
    where visit.deleted_at is null and started_at >= ${from} and started_at < ${until}
      and ${atVisibleCameras(scope, cameraId)} ${person ? sql`and ${isSomeone(person)} and ${ofPerson(scope, person)}` : sql``}
    group by 1`;
}

/** Where `identity` is a row of faces_v_identity and `camera` one of cameras_v_camera. */
export const ofPerson = (scope: Scope, person: PersonFilter): RawBuilder<boolean> => sql`
  (${isPerson(person)} and ${mayName(scope)})`;

/** For any reader: whether a reader may know who it is, is not checked here. */
function isPerson(person: PersonFilter): RawBuilder<boolean> {
  if ('isErased' in person) return isErased;
  return 'id' in person ? sql`identity.person_id = ${person.id}` : hasName(person.name);
}

/** The same for rows of visits, by their `identity_id`; whether a reader may know who it is, is left open. */
export const isSomeone = (person: PersonFilter): RawBuilder<boolean> => isOneOf(isPerson(person));
