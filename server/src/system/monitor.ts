/**
 * What administrators are warned of that no request brings to light: a disk that fills up, a recording folder that
 * is not there or does not answer, days of recordings that do not fit, and cameras without a picture. Each
 * warning ends with what it warns of.
 */
import type { Warnings } from '#activity/activity.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Log } from '#lib/log.ts';
import { DiskWatch, type DiskWatchOptions } from './disk-watch.ts';
import { FolderWatch, type FolderWatchOptions } from './folder-watch.ts';
import { PatientWarnings } from './patient-warnings.ts';
import { StorageWatch, type StorageWatchOptions } from './storage-watch.ts';

/** A full disk is reported within ten seconds. */
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

export class Monitor implements AsyncDisposable {
  readonly #options: MonitorOptions;
  readonly #cameras: PatientWarnings;
  readonly #disk: DiskWatch;
  readonly #folders: FolderWatch;
  readonly #storage: StorageWatch;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #last: Promise<void> = Promise.resolve();

  constructor(options: MonitorOptions) {
    const { warnings, clock } = options;
    this.#options = options;
    this.#cameras = new PatientWarnings({ kind: 'camera_down', patienceMs, warnings, clock });
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

  /** A camera whose picture is not wanted any more is none that is down. */
  async #lookAtCameras(): Promise<void> {
    const { wanted, live } = this.#options.pictures();
    const down = wanted.filter((id) => !live.includes(id));
    await this.#cameras.follow(new Map(down.map((id) => [id, {}])));
  }
}
