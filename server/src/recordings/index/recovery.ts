/**
 * Makes index and disks agree after whatever happened: a file without a row gets its row from its own header, a row
 * without a file goes and leaves a gap.
 *
 * A file that is still being written is left alone: it is added only when it has not grown from one scan to the next,
 * and no host reports that it writes it.
 */
import { basename, join } from 'node:path';
import { isOfDisk } from '#lib/folder/folder-process.ts';
import type { Log } from '#lib/log.ts';
import { segmentName } from '#media/mp4/segment-file.ts';
import type { SegmentIndexer } from './segment-indexer.ts';
import type { IndexStore, SegmentRow } from './index-store.ts';
import type { RootRow, Roots } from '../roots.ts';
import { completionOf } from './segment-rows.ts';
import { repairFile } from './segment-repair.ts';
import { sideBySide } from './side-by-side.ts';

export interface RecoveryOptions {
  readonly store: IndexStore;
  readonly roots: Pick<Roots, 'all' | 'isPresent' | 'filesOf'>;
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

type Counts = { -readonly [Key in keyof RecoveryReport]: number };

/** From the first scan to the second: a host that ran on without a server has reported by then what it writes. */
export const secondScanMs = 30_000;

export class Recovery {
  readonly #options: RecoveryOptions;
  /** Sizes at the last scan, of files that were not added yet. */
  #sizes = new Map<string, number>();

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /** A disk that fails or hangs meanwhile is left as it is until the next scan; the others are scanned. */
  async run(signal: AbortSignal): Promise<RecoveryReport> {
    const { roots, log } = this.#options;
    const report = { files: 0, added: 0, repaired: 0, lost: 0, waiting: 0 };
    const sizes = new Map<string, number>();
    for (const root of roots.all) {
      if (!(await roots.isPresent(root))) continue;
      try {
        await this.#scan(root, report, sizes, signal);
      } catch (error) {
        if (!isOfDisk(error)) throw error;
        log.warn({ err: error, root: root.path }, 'a recording folder could not be scanned');
      }
      if (signal.aborted) return report;
    }
    this.#sizes = sizes;
    return report;
  }

  async #scan(
    root: RootRow,
    report: Counts,
    sizes: Map<string, number>,
    signal: AbortSignal,
  ): Promise<void> {
    const { roots, store, indexer } = this.#options;
    const files = roots.filesOf(root);
    for await (const { path, row } of sideBySide(store, files, root)) {
      if (signal.aborted) return;
      if (path === null) {
        if (row) report.lost += await this.#lost(root, row);
        continue;
      }
      report.files += 1;
      if (row && row.ended_at !== null) continue;
      const file = join(root.path, path);
      const size = (await files.size(file)) ?? 0;
      if (this.#sizes.get(file) !== size || this.#isBeingWritten(path)) {
        sizes.set(file, size);
        report.waiting += 1;
      } else if (row) {
        await indexer.repair(row);
        report.repaired += 1;
      } else report.added += await this.#add(root, path);
    }
  }

  #isBeingWritten(path: string): boolean {
    const id = segmentName.exec(basename(path))?.[1] ?? '';
    return this.#options.indexer.isOpenAtHost(id);
  }

  async #lost(root: RootRow, row: SegmentRow): Promise<number> {
    const { roots, store, indexer } = this.#options;
    // The file may have been begun, or the row removed, since the folder was read.
    const isThere = (await roots.filesOf(root).size(join(root.path, row.path))) !== null;
    if (isThere || !(await store.segment(row.id))) return 0;
    // A disk that was removed just now has not lost its files, nor has one that ceased to answer.
    if (!(await roots.isPresent(root))) return 0;
    await indexer.lost(row);
    return 1;
  }

  async #add(root: RootRow, path: string): Promise<number> {
    const { indexer, store, roots, log } = this.#options;
    if (await store.isGarbage(root.id, path)) return 0;
    const contents = await repairFile(roots.filesOf(root), root, path);
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
