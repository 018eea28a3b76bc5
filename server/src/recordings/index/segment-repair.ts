/**
 * Files whose writer is gone: repaired where they can be, put aside where they cannot. Nothing is ever deleted here.
 */
import { existsSync } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readSegment, type SegmentContents } from '#media/media.ts';

/** The folder of each root for files that look like segments and hold nothing that can be shown. */
export const quarantine = 'quarantine';

/** Cuts off a torn end and syncs the rest to the disk. Null: there is no such file, or it is in quarantine now. */
export async function repairFile(rootPath: string, path: string): Promise<SegmentContents | null> {
  const file = join(rootPath, path);
  if (!existsSync(file)) return null;
  const contents = await readSegment(file);
  if (!contents) {
    await mkdir(join(rootPath, quarantine), { recursive: true, mode: 0o700 });
    await rename(file, join(rootPath, quarantine, basename(path)));
    return null;
  }
  const handle = await open(file, 'r+');
  try {
    const { size } = await handle.stat();
    if (size > contents.bytes) await handle.truncate(contents.bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return contents;
}
