/**
 * Warns administrators of recording folders whose disks are not there (`folder_away`) or do not answer (`folder_hung`),
 * each by its name. A disk that spins up, or is mounted while the server starts, is there before that.
 */
import type { Warnings } from '#activity/activity.ts';
import type { Clock } from '#lib/clock.ts';
import type { UnusableFolder } from '#recordings/recordings.ts';

const patienceMs = 10_000;

const kinds = { away: 'folder_away', hung: 'folder_hung' } as const;
const states = ['away', 'hung'] as const;

export interface FolderWatchOptions {
  readonly warnings: Pick<Warnings, 'raise' | 'end' | 'subjects'>;
  readonly unusableFolders: () => Promise<readonly UnusableFolder[]>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

interface Seen extends Pick<UnusableFolder, 'id' | 'state'> {
  readonly sinceMs: number;
  readonly isSaid: boolean;
}

const keyOf = ({ id, state }: Pick<UnusableFolder, 'id' | 'state'>): string => `${state} ${id}`;

export class FolderWatch {
  readonly #options: FolderWatchOptions;
  /** By states and ids: folders that can't be used, and those that an earlier run warned of. Null before the first look. */
  #seen: Map<string, Seen> | null = null;

  constructor(options: FolderWatchOptions) {
    this.#options = options;
  }

  async look(): Promise<void> {
    const { warnings, unusableFolders, clock } = this.#options;
    const folders = await unusableFolders();
    const nowMs = clock.monotonicMs();
    this.#seen ??= await this.#warnedOf(nowMs);
    for (const { id, name, state } of folders) {
      const key = keyOf({ id, state });
      const { sinceMs, isSaid } = this.#seen.get(key) ?? { sinceMs: nowMs, isSaid: false };
      const isLong = nowMs - sinceMs >= patienceMs;
      if (isLong && !isSaid) {
        await warnings.raise({ kind: kinds[state], subject: id, details: { folder: name } });
      }
      this.#seen.set(key, { id, state, sinceMs, isSaid: isSaid || isLong });
    }
    const present = new Set(folders.map(keyOf));
    for (const [key, { id, state, isSaid }] of this.#seen) {
      if (present.has(key)) continue;
      if (isSaid) await warnings.end(kinds[state], id);
      this.#seen.delete(key);
    }
  }

  /** The folders that an earlier run of the server warned of. */
  async #warnedOf(sinceMs: number): Promise<Map<string, Seen>> {
    const said = new Map<string, Seen>();
    for (const state of states) {
      for (const id of await this.#options.warnings.subjects(kinds[state])) {
        said.set(keyOf({ id, state }), { id, state, sinceMs, isSaid: true });
      }
    }
    return said;
  }
}
