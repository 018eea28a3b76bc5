import type { SelectQueryBuilder } from 'kysely';

/** Which page of a list a caller requests. */
export interface Page {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** A page of rows, and how many rows there are on all pages. */
export interface Paged<R> {
  readonly count: number;
  readonly rows: R[];
}

/**
 * One page of a list, and the count of its rows before they are cut into pages. The count leaves out what the query
 * selects and how it sorts, so the query must not group: a group would be counted by itself. The two statements do not
 * share a snapshot; a row that is added between them is in one answer and not yet in the other.
 */
export async function pageOf<DB, TB extends keyof DB, R>(
  query: SelectQueryBuilder<DB, TB, R>,
  { page, pageSize }: Page,
): Promise<Paged<R>> {
  const { count } = await query
    .clearSelect()
    .clearOrderBy()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .$castTo<{ count: number }>()
    .executeTakeFirstOrThrow();
  const rows = await query
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  return { count, rows };
}
