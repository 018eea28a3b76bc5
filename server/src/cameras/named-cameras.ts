/** Cameras that rules, webhooks and settings of users name: only what is added to them must be there. */
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';

/** Those of `after` that were not there before; null stands for all, which names none. */
export const addedIds = (
  after: readonly string[] | null,
  before: readonly string[] | null = null,
): string[] => (after ?? []).filter((id) => before?.includes(id) !== true);

export interface VisibleCameras {
  visibleAmong(scope: Scope, ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** What was named before may be deleted by now, and hinders no other change. Throws camera_not_found at `cameras`. */
export async function mustSeeAdded(
  cameras: VisibleCameras,
  scope: Scope,
  after: readonly string[] | null,
  before: readonly string[] | null = null,
): Promise<void> {
  const added = addedIds(after, before);
  const visible = await cameras.visibleAmong(scope, added);
  if (added.some((id) => !visible.has(id))) {
    throw new Problem('camera_not_found', { field: 'cameras' });
  }
}
