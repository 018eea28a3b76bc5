/** What a `Scope` may read of the face logs: which visits, and who they were. */
import { sql, type RawBuilder } from 'kysely';
import type { VisitQuery } from '@nazar/contract/visits.ts';
import type { Database } from '#db/database.ts';
import { ownOrListed } from '#db/own-or-listed.ts';
import { granted, type Scope } from '#http/scope.ts';
import type { HiddenPictures } from '../hidden-pictures.ts';
import { newestOf, someOf } from './identity-visits-store.ts';
import { listed, type ListedVisit, type ReadVisit } from './listed-visit-store.ts';
import { PagingStore } from './paging-store.ts';
import type { VisitRow } from '../store.ts';
import { whenConditions, whoConditions, whose, type VisitFilter } from './visit-filter-store.ts';

interface Tables {
  visit: VisitRow;
  cameras_v_camera: { id: string; name: string; location: string; created_by: string | null };
  faces_v_identity: Identity;
}

/** A row of faces_v_identity. */
interface Identity {
  id: string;
  stranger_id: string;
  person_id: string | null;
  /** Has a name, or had one when it was erased. */
  is_known: boolean;
  first_name: string | null;
  last_name: string | null;
  created_by: string | null;
  category_id: string | null;
  is_readable: boolean;
  number: number | null;
  counted_as: string | null;
}

/** Visits are counted no further where no kept count says how many there are. */
const maxCounted = 10_000;
/** Up to here rows are skipped, which takes milliseconds. */
const lateOffset = 1_000;

export type PageFilter = VisitFilter & Pick<VisitQuery, 'page' | 'limit'>;

export interface ListedVisits {
  readonly count: number;
  /** There are more than were counted. */
  readonly isMore: boolean;
  readonly rows: ListedVisit[];
}

/** Whether the counts kept beside the visits know how many there are. */
const isKept = (filter: VisitFilter): boolean =>
  !filter.person_id &&
  !filter.person_name &&
  !filter.unknown &&
  !filter.hidden &&
  !filter.kind &&
  !filter.after;

/** SQL of the face logs; it writes nothing. */
export class VisitListStore {
  readonly #db: Database;
  readonly #paging: PagingStore;
  readonly #hidden: HiddenPictures;

  constructor(db: Database, hidden: HiddenPictures) {
    this.#db = db;
    this.#paging = new PagingStore(db);
    this.#hidden = hidden;
  }

  /** A page of visits with how many there are, counted up to a bound where no kept count says it. */
  async list(scope: Scope, query: PageFilter): Promise<ListedVisits> {
    const counted = await this.count(scope, query);
    if (offsetOf(query) >= counted.count) return { ...counted, rows: [] };
    return { ...counted, rows: await this.#page(scope, query, { areFew: !counted.isMore }) };
  }

  /** A page of visits, the newest first. */
  page(scope: Scope, query: PageFilter): Promise<ListedVisit[]> {
    return this.#page(scope, query, { areFew: false });
  }

  async #page(
    scope: Scope,
    query: PageFilter,
    { areFew }: { readonly areFew: boolean },
  ): Promise<ListedVisit[]> {
    const isMeant = whose(query);
    if (!isMeant && (isKept(query) || !areFew)) return this.#walked(scope, query);
    const found = isMeant
      ? newestOf({ scope, filter: query, isMeant }, { ...query, offset: offsetOf(query) })
      : this.#fewOf(scope, query);
    const read = await this.#of(scope, eachOf(found))
      .select(listed(scope))
      .orderBy('visit.started_at', 'desc')
      .orderBy('visit.id', 'desc')
      .execute();
    return this.#listed(scope, read);
  }

  /**
   * A page of a few among millions: they are found first and then sorted. In one step the database would search
   * for them from the newest visit on, 330,000 visits for a hundred.
   */
  #fewOf(scope: Scope, query: PageFilter): RawBuilder<unknown> {
    const found = this.#matching(scope, query).select(['visit.id', 'visit.started_at']);
    return sql`
      with found as materialized (${found})
      select id, started_at from found order by started_at desc, id desc
      limit ${query.limit} offset ${offsetOf(query)}`;
  }

  /** Walks from the newest visit on. Late pages of many visits begin at the quarter of an hour in which the page does. */
  async #walked(scope: Scope, query: PageFilter): Promise<ListedVisit[]> {
    const offset = offsetOf(query);
    const isLate = offset >= lateOffset && isKept(query);
    const start = isLate
      ? await this.#paging.startOf(scope, query, offset)
      : { until: query.until, offset };
    const read = await this.#matching(scope, { ...query, until: start.until })
      .select(listed(scope))
      .orderBy('visit.started_at', 'desc')
      .orderBy('visit.id', 'desc')
      .limit(query.limit)
      .offset(start.offset)
      .execute();
    return this.#listed(scope, read);
  }

  /** Ids of the newest visits. */
  async ids(scope: Scope, filter: VisitFilter, limit: number): Promise<string[]> {
    const isMeant = whose(filter);
    const found = isMeant
      ? newestOf({ scope, filter, isMeant }, { limit, offset: 0 })
      : this.#matching(scope, filter)
          .select(['visit.id', 'visit.started_at'])
          .orderBy('visit.started_at', 'desc')
          .orderBy('visit.id', 'desc')
          .limit(limit);
    const { rows } = await sql<{ id: string }>`select id from (${found}) as found`.execute(
      this.#db.read(),
    );
    return rows.map(({ id }) => id);
  }

  /** Returns the visits among these that the scope may see. */
  async visibleAmong(
    scope: Scope,
    ids: readonly string[],
  ): Promise<Pick<VisitRow, 'id' | 'camera_id' | 'started_at'>[]> {
    return this.#visible(scope)
      .select(['visit.id', 'visit.camera_id', 'visit.started_at'])
      .where('visit.id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute();
  }

  /** How many there are, up to a bound where no kept count says it. */
  async count(scope: Scope, filter: VisitFilter): Promise<Omit<ListedVisits, 'rows'>> {
    if (isKept(filter)) return { count: await this.#paging.count(scope, filter), isMore: false };
    const isMeant = whose(filter);
    const some = isMeant
      ? someOf({ scope, filter, isMeant }, maxCounted + 1)
      : this.#matching(scope, filter)
          .select('visit.id')
          .limit(maxCounted + 1);
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from (${some}) as found`.execute(this.#db.read());
    const count = rows[0]!.count;
    return { count: Math.min(count, maxCounted), isMore: count > maxCounted };
  }

  async find(scope: Scope, id: string): Promise<ListedVisit | null> {
    const read = await this.#visible(scope)
      .select(listed(scope))
      .where('visit.id', '=', id)
      .execute();
    return (await this.#listed(scope, read))[0] ?? null;
  }

  /** Leaves out what a mask hides from this reader. */
  async #listed(scope: Scope, rows: readonly ReadVisit[]): Promise<ListedVisit[]> {
    const isHidden = await this.#hidden.from(scope, rows);
    return rows.map(({ has_picture, place, ...row }): ListedVisit => {
      if (!has_picture) return { ...row, picture: 'none' };
      const isShown = !isHidden({ ...row, place });
      return isShown
        ? { ...row, picture: 'shown' }
        : { ...row, attributes: null, picture: 'hidden' };
    });
  }

  #visible(scope: Scope) {
    return this.#of(scope, allVisits);
  }

  /** Returns the visits among these that the scope may see. */
  #of(scope: Scope, visits: typeof allVisits) {
    const all = this.#db
      .read<Tables>()
      .selectFrom(visits)
      .innerJoin('cameras_v_camera as camera', 'camera.id', 'visit.camera_id')
      .innerJoin('faces_v_identity as identity', 'identity.id', 'visit.identity_id')
      .where('visit.deleted_at', 'is', null);
    if (scope.seesAll) return all;
    const columns = { owner: 'camera.created_by', id: 'camera.id' };
    return all.where(ownOrListed(scope.userId, granted(scope, 'live'), columns));
  }

  /** Visits of any person: for a query with `whose`, use `newestOf` and `someOf`. */
  #matching(scope: Scope, filter: VisitFilter) {
    let rows = this.#visible(scope);
    if (filter.camera_id) rows = rows.where('visit.camera_id', '=', filter.camera_id);
    for (const condition of [...whenConditions(filter), ...whoConditions(scope, filter)]) {
      rows = rows.where(condition);
    }
    return rows;
  }
}

const offsetOf = ({ page, limit }: PageFilter): number => (page - 1) * limit;

const allVisits = sql<VisitRow>`visit`.as('visit');

/** Each visit that was found by its key, before anything is joined to it: none is searched for in all months. */
const eachOf = (found: RawBuilder<unknown>): typeof allVisits =>
  sql<VisitRow>`(
    select visit.* from (${found}) as found
    cross join lateral (
      select * from visit where started_at = found.started_at and id = found.id limit 1) as visit
    offset 0)`.as('visit');
