/**
 * Warns administrators when fewer days of recordings fit on the disks than cameras are to keep, with both figures of
 * now. Between less and enough lies a twentieth, so that a rate at the border raises no warning each hour.
 */
import type { StorageFit } from '@nazar/contract/recordings.ts';
import type { Warnings } from '#activity/activity.ts';

const kind = 'storage_short';
const enough = 1;
const tooLittle = 0.95;

export interface StorageWatchOptions {
  readonly warnings: Pick<Warnings, 'raise' | 'end' | 'isLiving' | 'update'>;
  /** Null while nothing is measured: then nothing is said, and nothing ends. */
  readonly fit: () => Promise<StorageFit | null>;
}

export class StorageWatch {
  readonly #options: StorageWatchOptions;
  #said: string | null = null;

  constructor(options: StorageWatchOptions) {
    this.#options = options;
  }

  async look(): Promise<void> {
    const { warnings, fit } = this.#options;
    const found = await fit();
    const said = JSON.stringify(found);
    if (found === null || said === this.#said) return;
    const share = found.kept_days / found.wanted_days;
    const isLiving = await warnings.isLiving(kind);
    const warning = { kind, details: { ...found } } as const;
    if (isLiving && share >= enough) await warnings.end(kind);
    else if (isLiving) await warnings.update(warning);
    else if (share < tooLittle) await warnings.raise(warning);
    this.#said = said;
  }
}
