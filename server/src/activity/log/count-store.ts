/** SQL of the number of entries per action, without a search: stored counts for whole days, the rest one by one. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { dayColumns } from '../day-store.ts';
import { allOf, filterConditions } from './condition-store.ts';
import type { LogFilter } from './rows.ts';

export interface DeedCount {
  readonly name: string;
  readonly value: number;
}

const dayMs = 24 * 60 * 60_000;

export async function countByAction(
  db: Kysely<unknown>,
  filter: LogFilter,
): Promise<readonly DeedCount[]> {
  const parts = partsOf(filter);
  const { rows } = await sql<DeedCount>`
    select action as name, sum(entries)::integer as value
      from (${sql.join(parts, sql` union all `)}) as part
     group by action having sum(entries) > 0`.execute(db);
  return rows;
}

/** In one statement, so that an entry that is sealed meanwhile is counted once. */
function partsOf(filter: LogFilter): RawBuilder<unknown>[] {
  const { from, until } = filter;
  const first = from && new Date(Math.ceil(from.getTime() / dayMs) * dayMs);
  const end = until && new Date(Math.floor(until.getTime() / dayMs) * dayMs);
  // The counts of days have neither addresses nor objects.
  const isOfDays = filter.ip === null && filter.objectId === null && filter.not.ip === null;
  if (!isOfDays || (first && end && first >= end)) return [oneByOne(filter)];
  const parts = [kept(filter, first, end), unsealed({ ...filter, from: first, until: end })];
  if (from && first && from < first) parts.push(oneByOne({ ...filter, until: first }));
  if (until && end && end < until) parts.push(oneByOne({ ...filter, from: end }));
  return parts;
}

/** The counts of whole days, without `end`. */
function kept(filter: LogFilter, first: Date | null, end: Date | null): RawBuilder<unknown> {
  const all = filterConditions({ ...filter, from: null, until: null });
  if (first) all.push(sql`day >= ${dateOf(first)}::date`);
  if (end) all.push(sql`day < ${dateOf(end)}::date`);
  return sql`
    select action, sum(entries - buried) as entries from activity_day where ${allOf(all)} group by action`;
}

/** Includes removed ones: the days count them as buried. */
const unsealed = (filter: LogFilter): RawBuilder<unknown> => sql`
  select action, count(*) as entries
    from (select ${dayColumns} from audit_entry where sequence is null) as entry
   where ${allOf(filterConditions(filter))} group by action`;

const oneByOne = (filter: LogFilter): RawBuilder<unknown> => sql`
  select action, count(*) as entries from activity_entry where ${allOf(filterConditions(filter))} group by action`;

const dateOf = (day: Date): string => day.toISOString().slice(0, 10);
