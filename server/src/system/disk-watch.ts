/**
 * Warns administrators while the disk of a folder fills up: `disk_low` below a share or an amount, `disk_full` when
 * PostgreSQL can't make another file. One of the two stands at a time, and says how many bytes are free now.
 */
import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Warnings } from '#activity/activity.ts';

const MiB = 1024 ** 2;
/** The free share of the disk, and the free bytes that the database needs to go on writing. */
const lowestShare = 0.05;
const lowestBytes = 1024 * MiB;
/** PostgreSQL writes its log in files of 16 MiB, made whole: with less it may refuse whatever is saved next. */
const fullBelowBytes = 16 * MiB;
/** A warning's figure is written again when it is off by this share, so that a slow leak is not a write each check. */
const noticeableShare = 0.01;

const kinds = ['disk_low', 'disk_full'] as const;
type Kind = (typeof kinds)[number];

/** In blocks, of `bsize` bytes each. */
export type Space = Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'>;

export interface DiskWatchOptions {
  readonly warnings: Pick<Warnings, 'raise' | 'end' | 'isLiving' | 'update'>;
  /** A folder on the disk that is watched. */
  readonly folder: string;
  /** Absent: of the file system that the folder is on. */
  readonly spaceOf?: (folder: string) => Promise<Space>;
}

export class DiskWatch {
  readonly #options: DiskWatchOptions;
  /** What the standing warning says; undefined before the first check. */
  #said: { readonly kind: Kind; readonly freeBytes: number } | null | undefined;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
  }

  async look(): Promise<void> {
    const { folder, spaceOf = statfs } = this.#options;
    const space = await spaceOf(folder);
    const kind = warningOf(space);
    const freeBytes = space.bavail * space.bsize;
    const said = this.#said;
    if (said === undefined || (said?.kind ?? null) !== kind) await this.#change(kind, freeBytes);
    else if (!said || !isNoticeable(said.freeBytes, freeBytes)) return;
    else
      await this.#options.warnings.update({ kind: said.kind, details: { free_bytes: freeBytes } });
    this.#said = kind && { kind, freeBytes };
  }

  /** The warning of an earlier run goes on with the figure of now. */
  async #change(kind: Kind | null, freeBytes: number): Promise<void> {
    const { warnings } = this.#options;
    for (const other of kinds) if (other !== kind) await warnings.end(other);
    if (!kind) return;
    const warning = { kind, details: { free_bytes: freeBytes } };
    await ((await warnings.isLiving(kind)) ? warnings.update(warning) : warnings.raise(warning));
  }
}

function warningOf({ bavail, blocks, bsize }: Space): Kind | null {
  const freeBytes = bavail * bsize;
  if (freeBytes < fullBelowBytes) return 'disk_full';
  return bavail / blocks < lowestShare || freeBytes < lowestBytes ? 'disk_low' : null;
}

const isNoticeable = (saidBytes: number, freeBytes: number): boolean =>
  Math.abs(freeBytes - saidBytes) > saidBytes * noticeableShare;
