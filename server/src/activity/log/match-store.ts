/**
 * SQL of the results of a search in the log: their number, and one page of them. Results are counted only up to
 * `maxCounted`, so no arm of a search reads further, and an arm whose number is already known is not sorted.
 * Milliseconds of processor time at 2,000,000 entries: docs/design/performance-history.md.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import { maxCounted, mustHavePage, type Counted } from '#db/bounded-page.ts';
import { armsOf, inOrder, partConditions, placeOf, type Arm, type Part } from './arm-store.ts';
import { allOf, countedConditions, matchCondition } from './condition-store.ts';
import type { LogFilter, LogPage, SearchLimits } from './rows.ts';
import type { Found } from './search-store.ts';

export const usualLimits: SearchLimits = {
  counted: maxCounted,
  probed: 1_000,
  walked: 25_000,
  few: 15_000,
  sampled: 500,
  read: 50_000,
};

export interface Matches extends Counted {
  /** The ids of the page. */
  readonly ids: readonly string[];
}

interface Probe {
  /** In their order. */
  readonly ids: readonly string[];
  /** All entries of the part were read. */
  readonly isAll: boolean;
}

/** The number of matches, at most as many as were read, and the ids of the page. */
interface Taken {
  readonly total: number;
  readonly ids: readonly string[];
}

/** Which page, in the order in which it is shown. */
type Wanted = Pick<LogPage, 'sortBy' | 'direction' | 'page' | 'pageSize'>;

/** SQL of the pages of a search. */
export class MatchStore {
  readonly #db: Database;
  readonly #limits: SearchLimits;

  constructor(db: Database, limits: SearchLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  /** A page of all entries that match the filters. */
  async pageOfAll(filter: LogFilter, page: Wanted): Promise<Matches> {
    const part = this.#part(filter, page);
    // As many as are counted, and one more to know whether there are more: one query for count and page.
    const source = sql`
      select ${placeOf(part)} from activity_entry where ${allOf(partConditions(part))}
       order by ${inOrder(part)} limit ${this.#limits.counted + 1}`;
    return this.#matches(await this.#take(this.#read, part, source, page));
  }

  /** A page of the matches. Throws page_too_late. */
  async page(filter: LogFilter, found: Found, page: Wanted): Promise<Matches> {
    const { sortBy } = page;
    const part = this.#part(filter, page);
    const probe = await this.#probe(part, found);
    if (probe.isAll && sortBy === 'timestamp') return this.#pageOf(probe.ids, page);
    if (probe.isAll)
      return this.#matches(await this.#take(this.#read, part, walk(part, found, null, null), page));
    const { counted } = this.#limits;
    const last = Math.min(page.page * page.pageSize, counted);
    const isByTime = sortBy === 'timestamp';
    if (isByTime && probe.ids.length > counted) return this.#pageOf(probe.ids, page);
    // As many as are counted are sorted anyway, and one more to know whether there are more.
    if (!isByTime || last * 2 > counted) {
      return this.#matches(await this.#first(part, found, probe, page, counted + 1));
    }
    const union = await this.#takeUnion(part, armsOf(found, part, await this.#isFew(filter)), page);
    if (!union.isOver) return this.#matches(union);
    const all = { count: counted, more: true };
    mustHavePage(all, page);
    if (probe.ids.length >= last) return { ...all, ids: slice(probe.ids, page) };
    return { ...all, ids: (await this.#first(part, found, probe, page, last)).ids };
  }

  /** The newest `limit` matches that are older than `before`. */
  async newest(
    filter: LogFilter,
    found: Found,
    before: Part['before'],
    limit: number,
  ): Promise<readonly string[]> {
    const sortBy = 'timestamp';
    const part: Part = { filter, direction: 'desc', before, sortBy, limits: this.#limits };
    const probe = await this.#probe(part, found);
    if (probe.isAll || probe.ids.length >= limit) return probe.ids.slice(0, limit);
    const page = { sortBy, direction: 'desc', page: 1, pageSize: limit } as const;
    return (await this.#first(part, found, probe, page, limit)).ids;
  }

  async countByAction(filter: LogFilter, found: Found): Promise<{ name: string; value: number }[]> {
    const part = { filter, direction: 'desc', before: null, limits: this.#limits } as const;
    const arms = armsOf(found, { ...part, sortBy: 'action' }, await this.#isFew(filter));
    if (arms.length === 0) return [];
    const lists = arms.map(({ all }) => sql`(${all})`);
    const { rows } = await sql<{ name: string; value: number }>`
      select sorted as name, count(*) as value
        from (${sql.join(lists, sql` union `)}) as found
       group by sorted`.execute(this.#scan);
    return rows;
  }

  async #probe(part: Part, found: Found): Promise<Probe> {
    const { rows } = await sql<{ ids: string[]; read: number }>`
      select coalesce(array_agg(id::text order by ${inOrder(part)})
                        filter (where ${matchCondition(found)}), '{}') as ids,
             count(*)::integer as read
        from ${firstEntries(part, this.#limits.probed)} as entry`.execute(this.#read);
    const { ids, read } = rows[0]!;
    return { ids, isAll: read < this.#limits.probed };
  }

  /** Whether one of the filters alone leaves so few entries that each can be compared. */
  async #isFew(filter: LogFilter): Promise<boolean> {
    const { few } = this.#limits;
    const counts = countedConditions(filter).map(
      (condition) => sql`
        (select count(*) from (
           select from activity_entry where ${condition} limit ${few + 1}) as matching)`,
    );
    if (counts.length === 0) return false;
    const { rows } = await sql<{ isFew: boolean }>`
      select least(${sql.join(counts)}) <= ${few}::integer as "isFew"`.execute(this.#read);
    return rows[0]!.isFew;
  }

  /** A page of the first `limit` matches, or of all if there are fewer, and their number. */
  async #first(
    part: Part,
    found: Found,
    probe: Probe,
    page: Wanted,
    limit: number,
  ): Promise<Taken> {
    const { probed, walked: maxWalked } = this.#limits;
    if (!hasDeeds(part) && probe.ids.length * maxWalked >= limit * probed) {
      const walked = await this.#take(this.#scan, part, walk(part, found, limit, maxWalked), page);
      if (walked.total >= limit) return walked;
    }
    const arms = armsOf(found, part, await this.#isFew(part.filter));
    if (arms.length === 0) return { total: 0, ids: [] };
    const firsts = arms.map((arm) => sql`(${arm.first(limit)})`);
    const source = sql`
      select * from (${sql.join(firsts, sql` union `)}) as first
       order by id ${sql.raw(part.direction)} limit ${limit}`;
    return this.#take(this.#scan, part, source, page);
  }

  /** The count of a query of ids, and a page of it. */
  async #take(
    db: Kysely<unknown>,
    part: Part,
    source: RawBuilder<unknown>,
    page: Wanted,
  ): Promise<Taken> {
    const { rows } = await sql<Taken>`
      with taken as materialized (${source})
      select (select count(*)::integer from taken) as total,
             ${pageOfTaken(part, page)} as ids`.execute(db);
    return rows[0]!;
  }

  /**
   * Counts arm by arm until one alone has more than is counted. If none has, reads all of them together and sorts them
   * once: columns that are not requested are not read.
   */
  async #takeUnion(
    part: Part,
    arms: readonly Arm[],
    page: Wanted,
  ): Promise<Taken & { isOver: boolean }> {
    if (arms.length === 0) return { isOver: false, total: 0, ids: [] };
    const names = arms.map((_, number) => sql.ref(`arm_${number}`));
    const lists = arms.map(
      ({ all }, number) =>
        sql`${names[number]} as materialized (select * from (${all}) as arm limit ${this.#limits.counted + 1})`,
    );
    const cases = names.map(
      (name) => sql`when (select count(*) from ${name}) > ${this.#limits.counted} then true`,
    );
    const complete = names.map(
      (name) => sql`select * from ${name} where not (select is_over from over_cap)`,
    );
    const { rows } = await sql<Taken & { isOver: boolean }>`
      with ${sql.join(lists)},
      over_cap as materialized (select case ${sql.join(cases, sql` `)} else false end as is_over),
      taken as materialized (${sql.join(complete, sql` union `)})
      select (select is_over from over_cap) as "isOver",
             (select count(*)::integer from taken) as total,
             ${pageOfTaken(part, page)} as ids`.execute(this.#scan);
    return rows[0]!;
  }

  #pageOf(ids: readonly string[], page: Wanted): Matches {
    return { ...this.#counted(ids.length), ids: slice(ids.slice(0, this.#limits.counted), page) };
  }

  /** In any order but time, only the newest are sorted, as many as are counted: no reader pages through millions. */
  #part(filter: LogFilter, { sortBy, direction }: Wanted): Part {
    const limits = this.#limits;
    return {
      filter,
      direction: sortBy === 'timestamp' ? direction : 'desc',
      before: null,
      sortBy,
      limits,
    };
  }

  #matches({ total, ids }: Taken): Matches {
    return { ...this.#counted(total), ids };
  }

  #counted(total: number): Counted {
    const { counted } = this.#limits;
    return { count: Math.min(total, counted), more: total > counted };
  }

  /** Queries that compare many entries with the words use connections of their own. */
  get #scan(): Kysely<unknown> {
    return this.#db.scan<unknown>();
  }

  get #read(): Kysely<unknown> {
    return this.#db.read<unknown>();
  }
}

const slice = (ids: readonly string[], { page, pageSize }: Wanted): readonly string[] =>
  ids.slice((page - 1) * pageSize, page * pageSize);

/** The first entries of a part, with the columns that are compared with words. */
const entries = (part: Part, limit: number | null): RawBuilder<unknown> => sql`(
  select ${compared} from activity_entry
   where ${allOf(partConditions(part))} order by ${inOrder(part)} limit ${limit})`;

const compared = sql`id, recorded_at, user_id, ip, action, content_type, object_id, details`;

/** The same for several actions, for which no index has a common order: reads the first of each by its index. */
function firstEntries(part: Part, limit: number): RawBuilder<unknown> {
  if (!hasDeeds(part)) return entries(part, limit);
  const { filter } = part;
  const rest = { ...part, filter: { ...filter, actions: null } };
  const matching = allOf([sql`action = wanted.action`, ...partConditions(rest)]);
  return sql`(
    select ${compared} from activity_entry where id in (
      select first.id from unnest(${[...filter.actions!]}::text[]) as wanted (action)
       cross join lateral (
         select id from activity_entry where ${matching} order by ${inOrder(part)} limit ${limit}
       ) as first order by first.id ${sql.raw(part.direction)} limit ${limit}
    ))`;
}

const hasDeeds = ({ filter: { actions } }: Part): boolean => actions !== null && actions.length > 1;

/** The first matches among the first entries; null: no limit. */
const walk = (
  part: Part,
  found: Found,
  limit: number | null,
  maxEntries: number | null,
): RawBuilder<unknown> => sql`
  select ${placeOf(part)} from ${entries(part, maxEntries)} as entry where ${matchCondition(found)}
   order by ${inOrder(part)} limit ${limit}`;

/** A list of ids from the list `taken`; no more of them are shown than are counted. */
function pageOfTaken({ direction, limits }: Part, { sortBy, page, pageSize, ...by }: Wanted) {
  const time = sql.raw(direction);
  const first = sql`(select * from taken order by id ${time} limit ${limits.counted}) as first`;
  const from =
    sortBy === 'user'
      ? sql`${first} left join activity_user on activity_user.id = first.sorted`
      : first;
  const key = sortBy === 'user' ? sql`coalesce(activity_user.name, '')` : sql`sorted`;
  const order = sortBy === 'timestamp' ? sql`` : sql`${key} ${sql.raw(by.direction)}, `;
  return sql`array(
    select first.id::text as found from ${from}
     order by ${order}first.id ${time} limit ${pageSize} offset ${(page - 1) * pageSize})`;
}
