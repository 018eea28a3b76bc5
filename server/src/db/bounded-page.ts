/**
 * Pages of lists that may have millions of rows. These are not counted to the end: "more than 10,000" is enough, and
 * costs the same at any size. The pages end at the counted rows, so that no page reads further than that.
 */
import { sql, type Kysely, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import { Problem } from '#lib/problem.ts';
import type { Page } from './page.ts';

export const maxCounted = 10_000;

export interface Counted {
  /** At most `maxCounted`. */
  readonly count: number;
  /** There are more than `count`. */
  readonly more: boolean;
}

export interface BoundedPage<R> extends Counted {
  readonly rows: R[];
}

export async function countUpTo<DB, TB extends keyof DB, R>(
  query: SelectQueryBuilder<DB, TB, R>,
): Promise<Counted> {
  const rows = await query
    .clearSelect()
    .clearOrderBy()
    .limit(maxCounted + 1)
    .select(sql<number>`1`.as('one'))
    .execute();
  return { count: Math.min(rows.length, maxCounted), more: rows.length > maxCounted };
}

/** The same of SQL that begins with `from`. */
export async function countRowsUpTo(
  db: Kysely<unknown>,
  matching: RawBuilder<unknown>,
): Promise<Counted> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select ${matching} limit ${maxCounted + 1}) found`.execute(
    db,
  );
  const { count } = rows[0]!;
  return { count: Math.min(count, maxCounted), more: count > maxCounted };
}

/** Throws page_too_late. An empty list has one page. */
export function mustHavePage({ count }: Counted, { page, pageSize }: Page): void {
  const last = Math.max(1, Math.ceil(count / pageSize));
  if (page > last) throw new Problem('page_too_late', { field: 'page' });
}
