/**
 * Walks the files of a root and the rows of the index side by side, in the order of their paths, so that neither has
 * to be in memory.
 */
import { join } from 'node:path';
import type { FolderFiles } from '#lib/folder/folder-files.ts';
import { segmentName } from '#media/mp4/segment-file.ts';
import type { IndexStore, SegmentRow } from './index-store.ts';
import type { RootRow } from '../roots.ts';
import { quarantine } from './segment-repair.ts';

/** A file, its row, or both. */
export type Pair =
  | { readonly path: string; readonly row: SegmentRow | null }
  | { readonly path: null; readonly row: SegmentRow };

const batch = 2_000;

export async function* sideBySide(
  store: Pick<IndexStore, 'segmentsAfter'>,
  files: Pick<FolderFiles, 'list'>,
  root: RootRow,
): AsyncGenerator<Pair> {
  const rows = rowsOf(store, root.id);
  let { value: row } = await rows.next();
  for await (const path of segmentsIn(files, root.path, '')) {
    while (row && row.path < path) {
      yield { path: null, row };
      ({ value: row } = await rows.next());
    }
    if (row?.path === path) {
      yield { path, row };
      ({ value: row } = await rows.next());
    } else yield { path, row: null };
  }
  while (row) {
    yield { path: null, row };
    ({ value: row } = await rows.next());
  }
}

async function* rowsOf(
  store: Pick<IndexStore, 'segmentsAfter'>,
  rootId: string,
): AsyncGenerator<SegmentRow, undefined> {
  let last = '';
  for (;;) {
    const rows = await store.segmentsAfter(rootId, last, batch);
    yield* rows;
    const end = rows.at(-1);
    if (!end) return undefined;
    last = end.path;
  }
}

/** Paths of segment files below that folder, in the order of bytes of the whole path. */
async function* segmentsIn(
  files: Pick<FolderFiles, 'list'>,
  rootPath: string,
  folder: string,
): AsyncGenerator<string> {
  // A folder of an hour may be removed meanwhile.
  const entries = (await files.list(join(rootPath, folder))) ?? [];
  const names = entries
    .filter(({ kind, name }) => kind === 'folder' || (kind === 'file' && segmentName.test(name)))
    .map(({ kind, name }) => (kind === 'folder' ? `${name}/` : name))
    .filter((name) => folder !== '' || name !== `${quarantine}/`);
  for (const name of names.sort(byBytes)) {
    if (name.endsWith('/')) yield* segmentsIn(files, rootPath, `${folder}${name}`);
    else yield `${folder}${name}`;
  }
}

const byBytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
