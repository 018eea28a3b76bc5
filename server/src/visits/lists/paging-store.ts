import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import { atVisibleCameras, isCounted } from '../visible-cameras-store.ts';

/** What a list of visits is filtered by, as far as the kept counts know. */
export interface PagedVisits {
  readonly from: Date | null;
  /** Exclusive. */
  readonly until: Date | null;
  readonly camera_id?: string | undefined;
  readonly is_recognized?: boolean | undefined;
}

/** Where a page begins: so many visits before that moment, counted from it. */
export interface PageStart {
  readonly until: Date | null;
  readonly offset: number;
}

const quarterMs = 15 * 60_000;
const hourMs = 4 * quarterMs;
const dayMs = 24 * hourMs;

/**
 * SQL of page numbers of millions of visits: how many there are, and near which visit a page begins, by the counts of
 * days, where a day is cut of its hours, and where the page begins of quarters of an hour. Only hours that the list cuts
 * are counted by their visits.
 */
export class PagingStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async count(scope: Scope, visits: PagedVisits): Promise<number> {
    const { before, after, counted } = countedBy(scope, visits);
    const { rows } = await sql<{ count: number }>`
      select ((select coalesce(sum(visits), 0) from (${counted}) as counted)
              + ${ofEdge(scope, visits, before)} + ${ofEdge(scope, visits, after)})::integer as count`.execute(
      this.#db.read(),
    );
    return rows[0]!.count;
  }

  /** Beginning at `offset` from the newest visit. */
  async startOf(scope: Scope, visits: PagedVisits, offset: number): Promise<PageStart> {
    const { after, counted } = countedBy(scope, visits);
    const newest = await this.#oldest(counted, ofEdge(scope, visits, after), offset);
    if (!newest) return { until: visits.until, offset };
    const untilMs = newest.start.getTime() + (newest.is_day ? dayMs : hourMs);
    const unit = { from: newest.start, until: new Date(untilMs) };
    const left = offset - newest.newer;
    const quarter = await this.#oldest(quartersOf(scope, visits, unit), sql`0`, left);
    if (!quarter) return { until: unit.until, offset: left };
    return {
      until: new Date(quarter.start.getTime() + quarterMs),
      offset: left - quarter.newer,
    };
  }

  /** The oldest day, hour or quarter that has at most `offset` visits after it. */
  async #oldest(
    counted: RawBuilder<unknown>,
    newer: RawBuilder<number>,
    offset: number,
  ): Promise<Unit | null> {
    const { rows } = await sql<Unit>`
      with running as (
        select start, is_day, visits, sum(visits) over (order by start desc) + ${newer} as through
        from (${counted}) as counted
      )
      select start, is_day, (through - visits)::integer as newer from running
      where through - visits <= ${offset} order by start limit 1`.execute(this.#db.read());
    return rows[0] ?? null;
  }
}

interface Unit {
  readonly start: Date;
  readonly is_day: boolean;
  /** Visits after it. */
  readonly newer: number;
}

interface Stretch {
  readonly from: Date | null;
  readonly until: Date | null;
}

interface Cut {
  readonly before: Stretch | null;
  readonly whole: Stretch;
  readonly after: Stretch | null;
}

const isCut = (edge: Date | null, asked: Date | null): boolean =>
  edge !== null && edge.getTime() !== asked?.getTime();

/** Whole hours or days of UTC, and what is before and after them; null where nothing is. */
function cut(unitMs: number, { from, until }: Stretch): Cut {
  const first = from && new Date(Math.ceil(from.getTime() / unitMs) * unitMs);
  const last = until && new Date(Math.floor(until.getTime() / unitMs) * unitMs);
  if (first && last && first > last) {
    return { before: null, whole: { from: first, until: first }, after: { from, until } };
  }
  return {
    before: isCut(first, from) ? { from, until: first } : null,
    whole: { from: first, until: last },
    after: isCut(last, until) ? { from: last, until } : null,
  };
}

/** Whole days, the hours around them, and what is left for the visits themselves. */
function countedBy(scope: Scope, visits: PagedVisits) {
  const { before, whole, after } = cut(hourMs, visits);
  const days = cut(dayMs, whole);
  const hours = [days.before, days.after].filter((stretch) => stretch !== null);
  const counted = [
    daysOf(scope, visits, days.whole),
    ...hours.map((stretch) => hoursOf(scope, visits, stretch)),
  ];
  return { before, after, counted: sql`${sql.join(counted, sql` union all `)}` };
}

/** `part`: that of the counts of an hour which are of one quarter. */
function countOf({ is_recognized }: PagedVisits, part = ''): RawBuilder<number> {
  const [visits, recognized] = [sql.ref(`visits${part}`), sql.ref(`recognized${part}`)];
  if (is_recognized === undefined) return sql`sum(${visits})`;
  return is_recognized ? sql`sum(${recognized})` : sql`sum(${visits} - ${recognized})`;
}

function daysOf(scope: Scope, visits: PagedVisits, stretch: Stretch): RawBuilder<unknown> {
  const start = sql`(day::timestamp at time zone 'UTC')`;
  return sql`
    select ${start} as start, true as is_day, ${countOf(visits)} as visits from visit_camera_day_now
    where ${within(sql`day`, stretch, utcDay)} and ${isCounted(scope, visits.camera_id ?? null)}
    group by day`;
}

function hoursOf(scope: Scope, visits: PagedVisits, stretch: Stretch): RawBuilder<unknown> {
  return sql`
    select hour as start, false as is_day, ${countOf(visits)} as visits from visit_hour_now
    where ${within(sql`hour`, stretch)} and ${isCounted(scope, visits.camera_id ?? null)}
    group by hour`;
}

/** Counts the quarters of whole hours: the cameras of an hour are added up before it becomes four rows. */
function quartersOf(scope: Scope, visits: PagedVisits, hours: Stretch): RawBuilder<unknown> {
  const each = [0, 1, 2, 3].map(
    (quarter) => sql`${countOf(visits, `_${quarter}`)} as ${sql.ref(`visits_${quarter}`)}`,
  );
  return sql`
    select hour + interval '15 minutes' * quarter.number as start, false as is_day, quarter.visits
    from (
      select hour, ${sql.join(each)} from visit_hour_now
      where ${within(sql`hour`, hours)} and ${isCounted(scope, visits.camera_id ?? null)}
      group by hour
    ) as counted, lateral (values
      (0, visits_0), (1, visits_1), (2, visits_2), (3, visits_3)
    ) as quarter (number, visits)`;
}

function ofEdge(scope: Scope, visits: PagedVisits, edge: Stretch | null): RawBuilder<number> {
  if (!edge) return sql`0`;
  const { camera_id = null, is_recognized } = visits;
  const isMeant =
    is_recognized === undefined ? sql`true` : sql`identity.is_known = ${is_recognized}`;
  return sql`(
    select count(*) from visit
    join cameras_v_camera camera on camera.id = camera_id
    join faces_v_identity identity on identity.id = identity_id
    where visit.deleted_at is null and ${within(sql`started_at`, edge)} and ${isMeant}
      and ${atVisibleCameras(scope, camera_id)})`;
}

const asMoment = (moment: Date) => sql`${moment}::timestamptz`;
const utcDay = (moment: Date) => sql`${moment.toISOString().slice(0, 10)}::date`;

function within(
  column: RawBuilder<unknown>,
  { from, until }: Stretch,
  as: (moment: Date) => RawBuilder<unknown> = asMoment,
): RawBuilder<boolean> {
  const bounds = [
    from ? sql`${column} >= ${as(from)}` : null,
    until ? sql`${column} < ${as(until)}` : null,
  ].filter((bound) => bound !== null);
  return bounds.length === 0 ? sql`true` : sql`(${sql.join(bounds, sql` and `)})`;
}
