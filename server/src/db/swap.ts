/**
 * Replaces data with restored data so that an interruption leaves one of the two, whole:
 * each thing waits under a name of its own, a marker says that all of them are complete, and the next
 * process to start finishes the renaming. The replaced data is kept.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '#lib/sync-folder.ts';

/** Parts of the data folder: the embedded database, the anchors of the activity log, the master key. */
const things = ['postgres', 'audit', 'master.key'] as const;
export type Thing = (typeof things)[number];

const marker = 'restored';

/** The name under which a thing waits to be swapped in. */
export const waiting = (thing: Thing): string => `${thing}.restoring`;

/** Removes what an interrupted restore left; not after `swapIn`. */
export function discardWaiting(dataFolder: string): void {
  for (const thing of things) {
    rmSync(join(dataFolder, waiting(thing)), { recursive: true, force: true });
  }
}

/** The waiting things are complete: from now on they are the data. `suffix` names the replaced ones. */
export function swapIn(dataFolder: string, suffix: string): void {
  writeFileSync(join(dataFolder, marker), suffix, { mode: 0o600, flush: true });
  syncFolder(dataFolder);
  finishSwap(dataFolder);
}

/** Finishes an interrupted swap; does nothing if there was none. Called before anything is opened. */
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
