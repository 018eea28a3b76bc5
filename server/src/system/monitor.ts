/**
 * What administrators are warned of that no request brings to light: a disk that fills up, a recording folder that
 * is not there or does not answer, days of recordings that do not fit, and cameras without a picture (C-808). Each warning ends with what it warns of.
 */
import type { Warnings } from '#activity/activity.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Log } from '#lib/log.ts';
import { DiskWatch, type DiskWatchOptions } from './disk-watch.ts';
import { FolderWatch, type FolderWatchOptions } from './folder-watch.ts';
import { StorageWatch, type StorageWatchOptions } from './storage-watch.ts';

/** Who is watched for a full disk hears of it within ten seconds. */
const everyMs = 5_000;
/** A camera that comes back within two minutes was restarted, not down. */
const patienceMs = 2 * 60_000;

export interface MonitorOptions
  extends
    DiskWatchOptions,
    Pick<FolderWatchOptions, 'unusableFolders'>,
    Pick<StorageWatchOptions, 'fit'> {
  readonly warnings: DiskWatchOptions['warnings'] & Pick<Warnings, 'subjects'>;
  /** Ids of the cameras whose picture is wanted, and of those whose picture comes. */
  readonly pictures: () => { readonly wanted: readonly string[]; readonly live: readonly string[] };
  readonly clock: Clock;
  readonly log: Log;
}

interface SeenCamera {
  /** Null while its picture comes. */
  readonly darkSinceMs: number | null;
  /** Whether a warning of it stands. */
  readonly isSaid: boolean;
}

export class Monitor implements AsyncDisposable {
  readonly #options: MonitorOptions;
  readonly #disk: DiskWatch;
  readonly #folders: FolderWatch;
  readonly #storage: StorageWatch;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  /** By their ids: wanted cameras, and those that an earlier run warned of. Null before the first check. */
  #seen: Map<string, SeenCamera> | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(options: MonitorOptions) {
    this.#options = options;
    this.#disk = new DiskWatch(options);
    this.#folders = new FolderWatch(options);
    this.#storage = new StorageWatch(options);
    this.#running = this.#keepLooking();
  }

  /** Checks now. One check at a time: of two at once, the slower would raise what the other has just ended. */
  look(): Promise<void> {
    const checked = this.#last.then(() => this.#check());
    this.#last = checked.catch(() => undefined);
    return checked;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  #keepLooking(): Promise<void> {
    const { clock, log } = this.#options;
    return every(
      { clock, everyMs, signal: this.#stop.signal },
      () => this.look(),
      (err) => log.warn({ err }, 'nothing could be looked at'),
    );
  }

  async #check(): Promise<void> {
    await this.#lookAtCameras();
    // A folder that hangs is waited for, once, and a disk that fills up meanwhile is warned of in time.
    await Promise.all([this.#folders.look(), this.#disk.look(), this.#storage.look()]);
  }

  async #lookAtCameras(): Promise<void> {
    const { warnings, pictures, clock } = this.#options;
    const { wanted, live } = pictures();
    const nowMs = clock.monotonicMs();
    this.#seen ??= await this.#warnedOf();
    for (const id of wanted) {
      const { darkSinceMs, isSaid } = this.#seen.get(id) ?? { darkSinceMs: null, isSaid: false };
      if (live.includes(id)) {
        if (isSaid) await warnings.end('camera_down', id);
        this.#seen.set(id, { darkSinceMs: null, isSaid: false });
        continue;
      }
      const sinceMs = darkSinceMs ?? nowMs;
      const isLong = nowMs - sinceMs >= patienceMs;
      if (isLong && !isSaid) await warnings.raise({ kind: 'camera_down', subject: id });
      this.#seen.set(id, { darkSinceMs: sinceMs, isSaid: isSaid || isLong });
    }
    for (const id of this.#seen.keys()) {
      if (wanted.includes(id)) continue;
      // Nobody wants its picture any more.
      await warnings.end('camera_down', id);
      this.#seen.delete(id);
    }
  }

  /** The cameras that an earlier run of the server warned of. */
  async #warnedOf(): Promise<Map<string, SeenCamera>> {
    const ids = await this.#options.warnings.subjects('camera_down');
    return new Map(ids.map((id) => [id, { darkSinceMs: null, isSaid: true }]));
  }
}
