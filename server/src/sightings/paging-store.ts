import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import { ownOrListed } from '#db/own-or-listed.ts';
import { granted, type Scope } from '#http/scope.ts';

/** What a list of visits is filtered by, as far as the counts by the hour know. */
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

const hourMs = 60 * 60_000;

/**
 * SQL of page numbers of millions of visits: how many there are, and near which visit a page begins, by the counts of
 * hours. Only hours that the list cuts are counted by their visits.
 */
export class PagingStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async count(scope: Scope, visits: PagedVisits): Promise<number> {
    const { before, hours, after } = cut(visits);
    const { rows } = await sql<{ count: number }>`
      select ((select coalesce(sum(${countOf(visits)}), 0) from ${hoursOf(scope, visits, hours)})
              + ${ofEdge(scope, visits, before)} + ${ofEdge(scope, visits, after)})::integer as count`.execute(
      this.#db.read(),
    );
    return rows[0]!.count;
  }

  /** Beginning at `offset` from the newest visit. */
  async startOf(scope: Scope, visits: PagedVisits, offset: number): Promise<PageStart> {
    const { hours, after } = cut(visits);
    const { rows } = await sql<{ hour: Date; newer: number }>`
      with counted as (
        select hour, sum(${countOf(visits)}) as visits
        from ${hoursOf(scope, visits, hours)} group by hour
      ), running as (
        select hour, visits, sum(visits) over (order by hour desc) + ${ofEdge(scope, visits, after)} as through
        from counted
      )
      select hour, (through - visits)::integer as newer from running
      where through - visits <= ${offset} order by hour limit 1`.execute(this.#db.read());
    const [start] = rows;
    if (!start) return { until: visits.until, offset };
    return { until: new Date(start.hour.getTime() + hourMs), offset: offset - start.newer };
  }
}

interface Stretch {
  readonly from: Date | null;
  readonly until: Date | null;
}

const isCut = (edge: Date | null, asked: Date | null): boolean =>
  edge !== null && edge.getTime() !== asked?.getTime();

/** Whole hours, and what is before and after them; null where nothing is. */
function cut({ from, until }: PagedVisits): {
  readonly before: Stretch | null;
  readonly hours: Stretch;
  readonly after: Stretch | null;
} {
  const first = from && new Date(Math.ceil(from.getTime() / hourMs) * hourMs);
  const last = until && new Date(Math.floor(until.getTime() / hourMs) * hourMs);
  if (first && last && first > last) {
    return { before: null, hours: { from: first, until: first }, after: { from, until } };
  }
  return {
    before: isCut(first, from) ? { from, until: first } : null,
    hours: { from: first, until: last },
    after: isCut(last, until) ? { from: last, until } : null,
  };
}

function countOf({ is_recognized }: PagedVisits): RawBuilder<number> {
  if (is_recognized === undefined) return sql`visits`;
  return is_recognized ? sql`recognized` : sql`(visits - recognized)`;
}

function hoursOf(
  scope: Scope,
  { camera_id }: PagedVisits,
  { from, until }: Stretch,
): RawBuilder<unknown> {
  return sql`
    (select hour, visits, recognized
     from sighting_hour join cameras_v_camera camera on camera.id = camera_id
     where ${within(sql`hour`, { from, until })} and ${isVisible(scope, camera_id)}) as kept`;
}

function ofEdge(scope: Scope, visits: PagedVisits, edge: Stretch | null): RawBuilder<number> {
  if (!edge) return sql`0`;
  const { camera_id, is_recognized } = visits;
  const isMeant =
    is_recognized === undefined
      ? sql`true`
      : sql`(identity.person_id is not null) = ${is_recognized}`;
  return sql`(
    select count(*) from sighting
    join cameras_v_camera camera on camera.id = camera_id
    join faces_v_identity identity on identity.id = identity_id
    where sighting.deleted_at is null and ${within(sql`started_at`, edge)} and ${isMeant}
      and ${isVisible(scope, camera_id)})`;
}

function within(column: RawBuilder<unknown>, { from, until }: Stretch): RawBuilder<boolean> {
  const bounds = [
    from ? sql`${column} >= ${from}` : null,
    until ? sql`${column} < ${until}` : null,
  ].filter((bound) => bound !== null);
  return bounds.length === 0 ? sql`true` : sql`(${sql.join(bounds, sql` and `)})`;
}

/** Where `camera` is a row of cameras_v_camera. */
function isVisible(scope: Scope, cameraId: string | undefined): RawBuilder<boolean> {
  const isIt = cameraId ? sql<boolean>`camera.id = ${cameraId}` : sql<boolean>`true`;
  if (scope.seesAll) return isIt;
  const columns = { owner: 'camera.created_by', id: 'camera.id' };
  return sql`(${isIt} and ${ownOrListed(scope.userId, granted(scope, 'live'), columns)})`;
}
