import { sql, type RawBuilder } from 'kysely';

/**
 * Rows that a user made, or whose id is on a list of what was granted to them: one condition for every store,
 * so that list, detail, media and counts agree. `owner` and `id` name columns of the query it stands in.
 */
export function ownOrListed(
  userId: string,
  ids: readonly string[],
  { owner, id }: { readonly owner: string; readonly id: string },
): RawBuilder<boolean> {
  // Nobody made what its maker left behind: null is not a yes.
  const own = sql<boolean>`coalesce(${sql.ref(owner)} = ${userId}, false)`;
  if (ids.length === 0) return own;
  // One parameter however many there are: the same statement for everybody.
  return sql<boolean>`(${own} or ${sql.ref(id)} = any(${ids}::uuid[]))`;
}
