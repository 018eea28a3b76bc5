/**
 * Files whose writer is gone: repaired where they can be, put aside where they cannot. Nothing is ever deleted here.
 */
import { basename, join } from 'node:path';
import { piecesOf, type FolderFiles } from '#lib/folder/folder-files.ts';
import { contentsIn, type SegmentContents } from '#media/mp4/segment-contents.ts';
import type { RootRow } from '../roots.ts';

/** The folder of each root for files that look like segments and hold nothing that can be shown. */
export const quarantine = 'quarantine';

/** Cuts off a torn end and syncs the rest to the disk. Null: there is no such file, or it is in quarantine now. */
export async function repairFile(
  files: FolderFiles,
  root: RootRow,
  path: string,
): Promise<SegmentContents | null> {
  const file = join(root.path, path);
  const size = await files.size(file);
  if (size === null) return null;
  const contents = await contentsIn(piecesOf(files, file, 0, size));
  if (!contents) {
    await files.makeFolder(join(root.path, quarantine));
    await files.rename(file, join(root.path, quarantine, basename(path)));
    return null;
  }
  await files.cut(file, contents.bytes);
  return contents;
}
