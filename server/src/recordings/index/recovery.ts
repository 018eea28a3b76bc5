/**
 * Makes index and disks agree after whatever happened: a file without a row gets its row from its own header, a row
 * without a file goes and leaves a gap.
 *
 * A file that is still being written is left alone: it is added only when it has not grown from one scan to the next,
 * and no host reports that it writes it.
 */
import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Log } from '#lib/log.ts';
import { segmentName } from '#media/media.ts';
import type { SegmentIndexer } from './segment-indexer.ts';
import type { IndexStore, SegmentRow } from './index-store.ts';
import { isPresent, type RootRow } from '../roots.ts';
import { completionOf } from './segment-rows.ts';
import { repairFile } from './segment-repair.ts';
import { sideBySide } from './side-by-side.ts';

export interface RecoveryOptions {
  readonly store: IndexStore;
  readonly indexer: Pick<SegmentIndexer, 'add' | 'repair' | 'lost' | 'isOpenAtHost'>;
  readonly log: Log;
}

export interface RecoveryReport {
  readonly files: number;
  /** Rows made from files. */
  readonly added: number;
  /** Segments whose writer ended without closing them. */
  readonly repaired: number;
  /** Rows whose file is gone. */
  readonly lost: number;
  /** Files that may still grow. */
  readonly waiting: number;
}

/** From the first scan to the second: a host that ran on without a server has reported by then what it writes. */
export const secondScanMs = 30_000;

export class Recovery {
  readonly #options: RecoveryOptions;
  /** Sizes at the last scan, of files that were not added yet. */
  #sizes = new Map<string, number>();

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  async run(roots: readonly RootRow[], signal: AbortSignal): Promise<RecoveryReport> {
    const report = { files: 0, added: 0, repaired: 0, lost: 0, waiting: 0 };
    const sizes = new Map<string, number>();
    for (const root of roots) {
      if (!isPresent(root)) continue;
      for await (const { path, row } of sideBySide(this.#options.store, root)) {
        if (signal.aborted) return report;
        if (path === null) {
          // A disk that was removed just now has not lost its files.
          if (row && isPresent(root))
            report.lost += await this.#lost(row, join(root.path, row.path));
          continue;
        }
        report.files += 1;
        if (row && row.ended_at !== null) continue;
        const file = join(root.path, path);
        const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
        if (this.#sizes.get(file) !== size || this.#isBeingWritten(path)) {
          sizes.set(file, size);
          report.waiting += 1;
        } else if (row) {
          await this.#options.indexer.repair(row);
          report.repaired += 1;
        } else report.added += await this.#add(root, path);
      }
    }
    this.#sizes = sizes;
    return report;
  }

  #isBeingWritten(path: string): boolean {
    const id = segmentName.exec(basename(path))?.[1] ?? '';
    return this.#options.indexer.isOpenAtHost(id);
  }

  async #lost(row: SegmentRow, file: string): Promise<number> {
    // The file may have been begun, or the row removed, since the folder was read.
    if (existsSync(file) || !(await this.#options.store.segment(row.id))) return 0;
    await this.#options.indexer.lost(row);
    return 1;
  }

  async #add(root: RootRow, path: string): Promise<number> {
    const { indexer, store, log } = this.#options;
    if (await store.isGarbage(root.id, path)) return 0;
    const contents = await repairFile(root.path, path);
    if (!contents || !(await store.isCamera(contents.head.cameraId))) {
      log.warn({ root: root.path, path }, 'a file is no recording of ours');
      return 0;
    }
    const { head, durationMs } = contents;
    const completion = completionOf({ ...contents, endedAtMs: head.startedAtMs + durationMs });
    await indexer.add(head, { rootId: root.id, path }, completion);
    return 1;
  }
}
