/** Checks that every row has its file, every file its row, and each file the hash in its row. It only reads. */
import { join } from 'node:path';
import type { FolderFiles } from '#lib/folder/folder-files.ts';
import { hashFile } from '#lib/hash-file.ts';
import type { Database } from '#db/database.ts';
import { IndexStore, type SegmentRow } from './index-store.ts';
import { localFolder, Roots, type RootRow } from '../roots.ts';
import { sideBySide, type Pair } from './side-by-side.ts';

export type CheckFault =
  | { readonly kind: 'no_row' | 'no_file' | 'size' | 'hash'; readonly path: string }
  /** The disk is not there; none of its files were checked. */
  | { readonly kind: 'root_away'; readonly path: string };

export interface CheckReport {
  readonly files: number;
  readonly bytes: number;
  /** Still being written, or left open by a crash. */
  readonly open: number;
  readonly faults: number;
}

export async function checkRecordings(
  db: Database,
  found: (fault: CheckFault) => void,
  signal: AbortSignal,
): Promise<CheckReport> {
  const store = new IndexStore(db);
  const report = { files: 0, bytes: 0, open: 0, faults: 0 };
  const tell = (fault: CheckFault): void => {
    report.faults += 1;
    found(fault);
  };
  await using roots = await Roots.known(store, { open: localFolder });
  for (const root of roots.all) {
    if (!(await roots.isPresent(root))) {
      tell({ kind: 'root_away', path: root.path });
      continue;
    }
    for await (const pair of sideBySide(store, roots.filesOf(root), root)) {
      signal.throwIfAborted();
      const fault = await faultOf(store, roots.filesOf(root), root, pair);
      if (fault) tell(fault);
      if (pair.path === null) continue;
      report.files += 1;
      report.bytes += pair.row?.bytes ?? 0;
      if (pair.row?.ended_at === null) report.open += 1;
    }
  }
  return report;
}

async function faultOf(
  store: IndexStore,
  files: Pick<FolderFiles, 'size'>,
  root: RootRow,
  { path, row }: Pair,
): Promise<CheckFault | null> {
  if (path === null) {
    // Since its folder was read it may have been begun, or removed.
    const file = join(root.path, row.path);
    const isGone = (await files.size(file)) === null && (await store.segment(row.id)) !== null;
    return isGone ? { kind: 'no_file', path: file } : null;
  }
  const file = join(root.path, path);
  if (row === null) {
    const isLeftOut = await isKnownOtherwise(store, root, path);
    return isLeftOut ? null : { kind: 'no_row', path: file };
  }
  if (row.ended_at === null) return null;
  const kind = await differenceOf(file, row);
  return kind && { kind, path: file };
}

/** The file is about to be removed, or was begun since the rows were read. */
async function isKnownOtherwise(store: IndexStore, root: RootRow, path: string): Promise<boolean> {
  if (await store.isGarbage(root.id, path)) return true;
  return (await store.segmentAt(root.id, path)) !== null;
}

async function differenceOf(
  file: string,
  { bytes, sha256 }: SegmentRow,
): Promise<'size' | 'hash' | null> {
  const there = await hashFile(file);
  if (there.bytes !== bytes) return 'size';
  return sha256 && there.sha256.equals(sha256) ? null : 'hash';
}
