/**
 * Warns administrators of recording folders whose disks do not answer (`folder_hung`), each by its name. A disk that
 * spins up answers before that.
 */
import type { Warnings } from '#activity/activity.ts';
import type { Clock } from '#lib/clock.ts';
import type { HungFolder } from '#recordings/recordings.ts';

const patienceMs = 10_000;

export interface FolderWatchOptions {
  readonly warnings: Pick<Warnings, 'raise' | 'end' | 'subjects'>;
  readonly hungFolders: () => readonly HungFolder[];
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

interface Seen {
  readonly sinceMs: number;
  readonly isSaid: boolean;
}

export class FolderWatch {
  readonly #options: FolderWatchOptions;
  /** By ids: folders that hang, and those that an earlier run warned of. Null before the first look. */
  #seen: Map<string, Seen> | null = null;

  constructor(options: FolderWatchOptions) {
    this.#options = options;
  }

  async look(): Promise<void> {
    const { warnings, hungFolders, clock } = this.#options;
    const hung = hungFolders();
    const nowMs = clock.monotonicMs();
    this.#seen ??= await this.#warnedOf(nowMs);
    for (const { id, name } of hung) {
      const { sinceMs, isSaid } = this.#seen.get(id) ?? { sinceMs: nowMs, isSaid: false };
      const isLong = nowMs - sinceMs >= patienceMs;
      if (isLong && !isSaid) {
        await warnings.raise({ kind: 'folder_hung', subject: id, details: { folder: name } });
      }
      this.#seen.set(id, { sinceMs, isSaid: isSaid || isLong });
    }
    for (const [id, { isSaid }] of this.#seen) {
      if (hung.some((folder) => folder.id === id)) continue;
      if (isSaid) await warnings.end('folder_hung', id);
      this.#seen.delete(id);
    }
  }

  /** The folders that an earlier run of the server warned of. */
  async #warnedOf(nowMs: number): Promise<Map<string, Seen>> {
    const ids = await this.#options.warnings.subjects('folder_hung');
    return new Map(ids.map((id) => [id, { sinceMs: nowMs, isSaid: true }]));
  }
}
