import { sql } from 'kysely';
import { ownOrListed } from '#db/own-or-listed.ts';
import { granted, namedCategories, type Scope } from '#http/scope.ts';

/**
 * Only the account that enrolled a person may read their name, unless a grant of that camera lets others read
 * all names or those of a category. The same rule as `mayReadName`. Used where `identity` is a row of
 * faces_v_identity and `camera` one of cameras_v_camera.
 */
export function mayName(scope: Scope) {
  if (scope.seesAll) return sql<boolean>`true`;
  const columns = { owner: 'identity.created_by', id: 'camera.id' };
  const mine = ownOrListed(scope.userId, granted(scope, 'people'), columns);
  const { cameraIds, categoryIds } = namedCategories(scope);
  if (cameraIds.length === 0) return mine;
  return sql<boolean>`(${mine} or coalesce((camera.id, identity.category_id) in (
    select * from unnest(${cameraIds}::uuid[], ${categoryIds}::uuid[])), false))`;
}
