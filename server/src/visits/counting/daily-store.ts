import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import { atVisibleCameras, isCounted } from '../visible-cameras-store.ts';
import { isSomeone, type CountFilter } from './counting-store.ts';
import { ifNamed, named, nameOf, type PersonRow } from './people-store.ts';

/** Visits of one person on one day, by its index among the days asked for; `is_known` false: all unknown people. */
export type DayRow = Omit<PersonRow, 'cameras'> & {
  readonly day_index: number;
  readonly is_known: boolean;
};

/** Visits of unknown people on a day, counted elsewhere. */
export interface UnknownDay {
  readonly day: number;
  readonly visits: number;
}

/**
 * SQL of who came on which day of a reader. Days of known people are kept as days of UTC, with the first and the last
 * visit: a row whose both ends are in one day of the reader belongs to it as a whole, and only of the others the visits
 * are read. `starts` holds the beginning of each day, the oldest first, and the end of the last; the first is day 1.
 */
export class DailyStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** How many known people each day has for this reader, whom one may not name as one; days without any are left out. */
  async peopleOnDays(
    scope: Scope,
    filter: CountFilter,
    starts: readonly Date[],
  ): Promise<Map<number, number>> {
    // Cameras are kept apart only where names depend on them.
    const columns = scope.seesAll ? sql`identity_id` : sql`identity_id, camera_id`;
    const { rows } = await sql<{ day_index: number; people: number }>`
      select day_index, count(*)::integer as people
      from (
        select day_index, ${ifNamed(scope)} as person_id
        from (
          select distinct day_index, ${columns} from (${overlapping(scope, filter, starts)}) as counted
          -- One of its ends is in the day, or a visit between them.
          where first_at >= from_at or last_at < until_at or exists (${visitsBetween(starts)} offset 0)
        ) as counted ${named(scope, filter)}
        group by 1, 2
      ) as seen group by 1`.execute(this.#db.scan());
    return new Map(rows.map(({ day_index, people }) => [day_index, people]));
  }

  /** Rows of these days, the newest day first and in it the most visits. */
  async page(
    scope: Scope,
    filter: CountFilter,
    starts: readonly Date[],
    unknown: readonly UnknownDay[],
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<DayRow[]> {
    const { rows } = await sql<DayRow>`
      with known as (
        select day_index, ${ifNamed(scope)} as person_id, sum(visits)::integer as visits,
               min(first_at) as first_at, max(last_at) as last_at
        from (${onDays(scope, filter, starts)}) as counted
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
        select * from entries
        order by day_index desc, visits desc, is_known desc
        fetch first ${offset + limit} rows with ties
      ), page as (
        select first.*, person.person_name, person.person_added_by
        from first ${nameOf(sql`first`)}
        order by day_index desc, visits desc, is_known desc, person_name, person_id
        limit ${limit} offset ${offset}
      )
      select day_index, person_id, person_name, person_added_by, visits, is_known,
             coalesce(first_at, ${strangerAt(scope, filter, starts, sql`asc`)}) as first_at,
             coalesce(last_at, ${strangerAt(scope, filter, starts, sql`desc`)}) as last_at
      from page
      order by day_index desc, visits desc, is_known desc, person_name, person_id`.execute(
      this.#db.scan(),
    );
    return rows;
  }
}

const dayMs = 24 * 60 * 60_000;

/** The part of a day of UTC that is of a day of the reader. */
interface Piece {
  readonly day: string;
  readonly index: number;
  readonly from: string;
  readonly until: string;
}

function piecesOf(starts: readonly Date[]): Piece[] {
  return starts.slice(1).flatMap((end, index) => {
    const pieces: Piece[] = [];
    const untilMs = end.getTime();
    for (let fromMs = starts[index]!.getTime(); fromMs < untilMs;) {
      const nextMs = Math.min(untilMs, (Math.floor(fromMs / dayMs) + 1) * dayMs);
      const [from, until] = [new Date(fromMs).toISOString(), new Date(nextMs).toISOString()];
      pieces.push({ day: from.slice(0, 10), index: index + 1, from, until });
      fromMs = nextMs;
    }
    return pieces;
  });
}

/** Kept days with the piece that is read, where they may have visits in it. */
function overlapping(
  scope: Scope,
  { cameraId, person }: CountFilter,
  starts: readonly Date[],
): RawBuilder<unknown> {
  const pieces = piecesOf(starts);
  return sql`
    select day_index, from_at, until_at, identity_id, camera_id, visits, first_at, last_at
    from (
      select * from visit_known_day_now
      where day between ${pieces[0]!.day}::date and ${pieces.at(-1)!.day}::date
        and ${isCounted(scope, cameraId)} ${person ? sql`and ${isSomeone(person)}` : sql``}
      -- Read once, not once a piece.
      offset 0
    ) as kept
    join unnest(${pieces.map(({ day }) => day)}::date[], ${pieces.map(({ index }) => index)}::integer[],
                ${pieces.map(({ from }) => from)}::timestamptz[],
                ${pieces.map(({ until }) => until)}::timestamptz[])
           as piece (day, day_index, from_at, until_at) using (day)
    where last_at >= from_at and first_at < until_at`;
}

const visitsBetween = (starts: readonly Date[]): RawBuilder<unknown> => sql`
  select started_at from visit
  where identity_id = counted.identity_id and camera_id = counted.camera_id
    and deleted_at is null and started_at >= counted.from_at and started_at < counted.until_at
    and ${isWithin(starts)}`;

/** Says it once more, in moments that are known before: of a year of months only those are planned that are meant. */
const isWithin = (starts: readonly Date[]): RawBuilder<boolean> =>
  sql`started_at >= ${starts[0]} and started_at < ${starts.at(-1)}`;

/**
 * Reads the visits of days that are cut, one person and day after the other by the index: else all kept rows would be
 * joined, and the same visits passed over once for each camera.
 */
function onDays(scope: Scope, filter: CountFilter, starts: readonly Date[]): RawBuilder<unknown> {
  const isWhole = sql`first_at >= from_at and last_at < until_at`;
  return sql`
    with kept as materialized (${overlapping(scope, filter, starts)})
    select day_index, identity_id, camera_id, visits, first_at, last_at
    from kept where ${isWhole}
    union all
    select day_index, cut.identity_id, visit.camera_id, 1, started_at, started_at
    from (
      select day_index, from_at, until_at, identity_id, array_agg(camera_id) as cameras
      from kept where not (${isWhole}) group by 1, 2, 3, 4
    ) as cut
    cross join lateral (
      select camera_id, started_at from visit
      where identity_id = cut.identity_id and camera_id = any(cut.cameras) and deleted_at is null
        and started_at >= cut.from_at and started_at < cut.until_at and ${isWithin(starts)}
      offset 0) as visit`;
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
    select visit.started_at from visit
    join faces_v_identity identity on identity.id = visit.identity_id
    join cameras_v_camera camera on camera.id = visit.camera_id
    where visit.started_at >= (${bounds})[page.day_index]
      and visit.started_at < (${bounds})[page.day_index + 1] and ${isWithin(starts)}
      and not identity.is_known and visit.deleted_at is null
      and ${atVisibleCameras(scope, cameraId)}
    order by visit.started_at ${direction} limit 1)`;
}
