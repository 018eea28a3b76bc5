import { sql, type RawBuilder } from 'kysely';

/**
 * Rows that a user made, or whose id is on a list of what was granted to them: one condition for every store,
 * so that list, detail, media and counts agree. `owner` and `id` name columns of the surrounding query.
 */
export function ownOrListed(
  userId: string,
  ids: readonly string[],
  { owner, id }: { readonly owner: string; readonly id: string },
): RawBuilder<boolean> {
  // Rows whose maker is deleted belong to no user: null must not count as true.
  const own = sql<boolean>`coalesce(${sql.ref(owner)} = ${userId}, false)`;
  if (ids.length === 0) return own;
  // One parameter however many ids there are: the same statement for every user.
  return sql<boolean>`(${own} or ${sql.ref(id)} = any(${ids}::uuid[]))`;
}
