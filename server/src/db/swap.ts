/**
 * Putting what was restored in the place of what was there, so that an interruption leaves one of both, whole:
 * each thing waits under a name of its own, a marker says that all of them are complete, and whoever comes
 * next finishes the renaming. What was there is kept.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '#lib/sync-folder.ts';

/** Parts of the data folder: the embedded database, the anchors of the record, the master key. */
const things = ['postgres', 'audit', 'master.key'] as const;
export type Thing = (typeof things)[number];

const marker = 'restored';

/** Where a thing waits for its place. */
export const waiting = (thing: Thing): string => `${thing}.restoring`;

/** Removes what an interrupted restore left; not after `swapIn`. */
export function discardWaiting(dataFolder: string): void {
  for (const thing of things) {
    rmSync(join(dataFolder, waiting(thing)), { recursive: true, force: true });
  }
}

/** What waits is complete: from now on it is the data. `suffix` names what was there before. */
export function swapIn(dataFolder: string, suffix: string): void {
  writeFileSync(join(dataFolder, marker), suffix, { mode: 0o600, flush: true });
  syncFolder(dataFolder);
  finishSwap(dataFolder);
}

/** The rest of a swap that was interrupted; nothing when there was none. Before anything is opened. */
export function finishSwap(dataFolder: string): void {
  const path = join(dataFolder, marker);
  if (!existsSync(path)) return;
  const suffix = readFileSync(path, 'utf8');
  for (const thing of things) {
    const from = join(dataFolder, waiting(thing));
    const to = join(dataFolder, thing);
    if (!existsSync(from)) continue;
    if (existsSync(to)) renameSync(to, `${to}.${suffix}`);
    renameSync(from, to);
  }
  syncFolder(dataFolder);
  rmSync(path);
}
