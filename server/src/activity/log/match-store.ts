/**
 * SQL of what a search of the log finds: how many, and one page of them. Nobody counts beyond `maxCounted`, so no arm of
 * a search is read further, and none is put in order whose number is known without. In milliseconds of processor time
 * at 2,000,000 entries: docs/design/performance.md.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import { maxCounted, mustHavePage, type Counted } from '#db/bounded-page.ts';
import { armsOf, inOrder, partConditions, type Arm, type Part } from './arm-store.ts';
import { allOf, filterConditions, matchCondition } from './condition-store.ts';
import type { LogFilter, LogPage, SearchLimits } from './rows.ts';
import type { Found } from './search-store.ts';

export const sortColumns = {
  user: 'user_name',
  action: 'action',
  ip: 'ip',
  timestamp: 'recorded_at',
} as const;

export const usualLimits: SearchLimits = {
  counted: maxCounted,
  probed: 1_000,
  walked: 25_000,
  sampled: 500,
  read: 50_000,
};

export interface Matches extends Counted {
  /** Of the page. */
  readonly ids: readonly string[];
}

interface Probe {
  /** In order. */
  readonly ids: readonly string[];
  /** All of the part were read. */
  readonly isAll: boolean;
}

/** Which of them, in the order they are shown in. */
type Wanted = Pick<LogPage, 'sortBy' | 'direction' | 'page' | 'pageSize'>;

/** SQL of the pages of a search. */
export class MatchStore {
  readonly #db: Database;
  readonly #limits: SearchLimits;

  constructor(db: Database, limits: SearchLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  /** By anything but time the newest are sorted, as many as are counted. Throws page_too_late. */
  async page(filter: LogFilter, found: Found, page: Wanted): Promise<Matches> {
    const direction = page.sortBy === 'timestamp' ? page.direction : 'desc';
    const part: Part = { filter, direction, before: null, limits: this.#limits };
    const probe = await this.#probe(part, found);
    if (probe.isAll && page.sortBy === 'timestamp') return this.#pageOfAll(probe.ids, page);
    if (probe.isAll || (await this.#isSmall(filter))) {
      const { total, ids } = await this.#take(part, walk(part, found, null, null), page);
      return { ...this.#counted(total), ids };
    }
    const union = await this.#takeUnion(part, armsOf(found, part), page);
    if (!union.isOver) return { ...this.#counted(union.total), ids: union.ids };
    const all = { count: this.#limits.counted, more: true };
    mustHavePage(all, page);
    const last = Math.min(page.page * page.pageSize, this.#limits.counted);
    if (page.sortBy === 'timestamp') {
      if (probe.ids.length >= last) return { ...all, ids: slice(probe.ids, page) };
      return { ...all, ids: await this.#first(part, found, probe, page, last) };
    }
    return { ...all, ids: await this.#first(part, found, probe, page, this.#limits.counted) };
  }

  /** The newest `limit` from after `before` on. */
  async newest(
    filter: LogFilter,
    found: Found,
    before: Part['before'],
    limit: number,
  ): Promise<readonly string[]> {
    const part: Part = { filter, direction: 'desc', before, limits: this.#limits };
    const probe = await this.#probe(part, found);
    if (probe.isAll || probe.ids.length >= limit) return probe.ids.slice(0, limit);
    const page = { sortBy: 'timestamp', direction: 'desc', page: 1, pageSize: limit } as const;
    return this.#first(part, found, probe, page, limit);
  }

  async countByAction(filter: LogFilter, found: Found): Promise<{ name: string; value: number }[]> {
    const arms = armsOf(found, { filter, direction: 'desc', before: null, limits: this.#limits });
    if (arms.length === 0) return [];
    const lists = arms.map(({ all }) => sql`(${all})`);
    const { rows } = await sql<{ name: string; value: number }>`
      select action as name, count(*) as value from activity_log
       where id in (select id from (${sql.join(lists, sql` union `)}) as found)
       group by action`.execute(this.#read);
    return rows;
  }

  async #probe(part: Part, found: Found): Promise<Probe> {
    const { rows } = await sql<{ ids: string[]; read: number }>`
      select coalesce(array_agg(id::text order by ${inOrder(part)})
                        filter (where ${matchCondition(found)}), '{}') as ids,
             count(*)::integer as read
        from ${entries(part, this.#limits.probed)} as activity_log`.execute(this.#read);
    const { ids, read } = rows[0]!;
    return { ids, isAll: read < this.#limits.probed };
  }

  /** Whether the filters alone leave no more than is counted: each of those is compared with the words. */
  async #isSmall(filter: LogFilter): Promise<boolean> {
    const conditions = filterConditions(filter);
    if (conditions.length === 0) return false;
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from (
        select from activity_log where ${allOf(conditions)} limit ${this.#limits.counted + 1}
      ) as matching`.execute(this.#read);
    return rows[0]!.count <= this.#limits.counted;
  }

  /** A page of the first `limit`, of which there are as many. */
  async #first(
    part: Part,
    found: Found,
    probe: Probe,
    page: Wanted,
    limit: number,
  ): Promise<readonly string[]> {
    const { probed, walked: maxWalked } = this.#limits;
    if (probe.ids.length * maxWalked >= limit * probed) {
      const walked = await this.#take(part, walk(part, found, limit, maxWalked), page);
      if (walked.total >= limit) return walked.ids;
    }
    const arms = armsOf(found, part);
    if (arms.length === 0) return [];
    const firsts = arms.map((arm) => sql`(${arm.first(limit)})`);
    const source = sql`
      select id from (${sql.join(firsts, sql` union `)}) as first
       order by id ${sql.raw(part.direction)} limit ${limit}`;
    const { ids } = await this.#take(part, source, page);
    return ids;
  }

  /** All of a query of ids, counted, and the page of them. */
  async #take(
    part: Part,
    source: RawBuilder<unknown>,
    page: Wanted,
  ): Promise<{ total: number; ids: string[] }> {
    const { rows } = await sql<{ total: number; ids: string[] }>`
      with taken as materialized (${source})
      select (select count(*)::integer from taken) as total,
             ${pageOfTaken(part, page)} as ids`.execute(this.#read);
    return rows[0]!;
  }

  /**
   * Arm by arm until one alone has more than is counted. If none has, all of them together, put in order once: what is
   * not asked of a list is not read.
   */
  async #takeUnion(
    part: Part,
    arms: readonly Arm[],
    page: Wanted,
  ): Promise<{ isOver: boolean; total: number; ids: string[] }> {
    if (arms.length === 0) return { isOver: false, total: 0, ids: [] };
    const names = arms.map((_, number) => sql.ref(`arm_${number}`));
    const lists = arms.map(
      ({ all }, number) =>
        sql`${names[number]} as materialized (select id from (${all}) as arm limit ${this.#limits.counted + 1})`,
    );
    const cases = names.map(
      (name) => sql`when (select count(*) from ${name}) > ${this.#limits.counted} then true`,
    );
    const complete = names.map(
      (name) => sql`select id from ${name} where not (select is_over from over_cap)`,
    );
    const { rows } = await sql<{ isOver: boolean; total: number; ids: string[] }>`
      with ${sql.join(lists)},
      over_cap as materialized (select case ${sql.join(cases, sql` `)} else false end as is_over),
      taken as materialized (${sql.join(complete, sql` union `)})
      select (select is_over from over_cap) as "isOver",
             (select count(*)::integer from taken) as total,
             ${pageOfTaken(part, page)} as ids`.execute(this.#read);
    return rows[0]!;
  }

  #pageOfAll(ids: readonly string[], page: Wanted): Matches {
    return { ...this.#counted(ids.length), ids: slice(ids.slice(0, this.#limits.counted), page) };
  }

  #counted(total: number): Counted {
    const { counted } = this.#limits;
    return { count: Math.min(total, counted), more: total > counted };
  }

  get #read(): Kysely<unknown> {
    return this.#db.read<unknown>();
  }
}

const slice = (ids: readonly string[], { page, pageSize }: Wanted): readonly string[] =>
  ids.slice((page - 1) * pageSize, page * pageSize);

/** The first entries of a part, as far as words are compared with them. */
const entries = (part: Part, limit: number | null): RawBuilder<unknown> => sql`(
  select id, recorded_at, user_id, ip, action, content_type, object_id, details from activity_log
   where ${allOf(partConditions(part))} order by ${inOrder(part)} limit ${limit})`;

/** The first matches among the first entries; null: all. */
const walk = (
  part: Part,
  found: Found,
  limit: number | null,
  maxEntries: number | null,
): RawBuilder<unknown> => sql`
  select id from ${entries(part, maxEntries)} as activity_log where ${matchCondition(found)}
   order by ${inOrder(part)} limit ${limit}`;

/** A list of ids of the list `taken`, of which no more are shown than are counted. */
function pageOfTaken({ direction, limits }: Part, { sortBy, page, pageSize, ...by }: Wanted) {
  const time = sql.raw(direction);
  const first = sql`(select id from taken order by id ${time} limit ${limits.counted})`;
  const order =
    sortBy === 'timestamp'
      ? sql`id ${time}`
      : sql`${sql.ref(sortColumns[sortBy])} ${sql.raw(by.direction)}, id ${time}`;
  const from =
    sortBy === 'timestamp'
      ? sql`${first} as first`
      : sql`${first} as first join activity_log using (id)`;
  return sql`array(
    select id::text as found from ${from} order by ${order} limit ${pageSize} offset ${(page - 1) * pageSize})`;
}
