/**
 * Where recordings of a camera lie, as users write it: `/recordings/gate/` is the folder `gate` of the first root,
 * `/recordings-2/gate/` of the second. Users never learn what is above a root on the machine.
 */
import { Problem } from '#lib/problem.ts';
import type { RootRow, Roots } from './roots.ts';
import type { SettingsRow } from './policies/settings-store.ts';

/** As users write it. */
export const rootName = (roots: readonly RootRow[], root: RootRow): string =>
  `/${nameOf(roots.indexOf(root))}/`;

const nameOf = (index: number): string => (index === 0 ? 'recordings' : `recordings-${index + 1}`);

/** Throws storage_path_refused, recording_disk_away. */
export async function folderOf(
  roots: Pick<Roots, 'named' | 'isInside'>,
  path: string,
): Promise<{ readonly root: RootRow; readonly folder: string }> {
  const [, name, folder] = /^\/([a-z0-9-]+)\/(.+?)\/?$/.exec(path) ?? [];
  const root = roots.named.find((_, index) => nameOf(index) === name);
  if (!root || folder === undefined || !(await roots.isInside(root, folder))) {
    throw new Problem('storage_path_refused', { field: 'storagePath' });
  }
  return { root, folder };
}

/** A root that is no longer named is replaced by the first one. */
export function rootOf(roots: readonly RootRow[], rootId: string | null): RootRow {
  const root = roots.find(({ id }) => id === rootId) ?? roots[0];
  if (!root) throw new Error('there is no folder for recordings');
  return root;
}

export function placeOf(
  roots: readonly RootRow[],
  { camera_id, root_id, folder }: Pick<SettingsRow, 'camera_id' | 'root_id' | 'folder'>,
): { readonly root: RootRow; readonly folder: string } {
  return { root: rootOf(roots, root_id), folder: folder ?? camera_id };
}

export function shownPath(
  roots: readonly RootRow[],
  row: Pick<SettingsRow, 'camera_id' | 'root_id' | 'folder'>,
): string {
  const { root, folder } = placeOf(roots, row);
  return `${rootName(roots, root)}${folder}/`;
}
