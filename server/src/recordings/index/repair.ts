import type { Database } from '#db/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { SegmentIndexer } from './segment-indexer.ts';
import { IndexStore } from './index-store.ts';
import { Recovery, secondScanMs, type RecoveryReport } from './recovery.ts';
import { localFolder, Roots } from '../roots.ts';

export interface RepairOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Makes the index agree with the files, without a server: hosts that go on without one may still write. */
export async function repairIndex({
  db,
  clock,
  log,
  signal,
}: RepairOptions): Promise<RecoveryReport> {
  const store = new IndexStore(db);
  await using roots = await Roots.known(store, { open: localFolder });
  await using indexer = new SegmentIndexer({
    store,
    roots,
    isWanted: always,
    // There is no listener: no server runs.
    began: () => undefined,
    clock,
    log,
  });
  const recovery = new Recovery({ store, roots, indexer, log });
  const first = await recovery.run(signal);
  if (first.waiting === 0) return first;
  await clock.wait(secondScanMs, signal);
  const second = await recovery.run(signal);
  return { ...second, lost: first.lost + second.lost };
}

/** Without a server nothing is switched off. */
const always = (): boolean => true;
