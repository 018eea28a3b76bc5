/**
 * What administrators are warned of that no request brings to light: a disk that fills up, a recording folder that
 * is not there or does not answer, days of recordings that do not fit, cameras without a picture, and
 * those whose picture is frozen or covered. Each warning ends with what it warns of.
 */
import type { PictureFindings } from '@nazar/contract/cameras.ts';
import type { WarningKind } from '@nazar/contract/warnings.ts';
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

/** Cameras by their ids. */
export interface WantedPictures {
  readonly wanted: readonly string[];
  readonly live: readonly string[];
  /** What was found of the pictures of those that are wanted. */
  readonly findings: ReadonlyMap<string, PictureFindings>;
}

export interface MonitorOptions
  extends
    DiskWatchOptions,
    Pick<FolderWatchOptions, 'unusableFolders'>,
    Pick<StorageWatchOptions, 'fit'> {
  readonly warnings: DiskWatchOptions['warnings'] & Pick<Warnings, 'subjects'>;
  readonly pictures: () => WantedPictures;
  readonly clock: Clock;
  readonly log: Log;
}

export class Monitor implements AsyncDisposable {
  readonly #options: MonitorOptions;
  readonly #cameras: PatientWarnings;
  readonly #findings: ReadonlyMap<keyof PictureFindings, PatientWarnings>;
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
    // The media hosts wait before they find something: nothing needs to last here.
    const found = (kind: WarningKind): PatientWarnings =>
      new PatientWarnings({ kind, patienceMs: 0, warnings, clock });
    this.#findings = new Map([
      ['frozen', found('camera_frozen')],
      ['covered', found('camera_covered')],
    ]);
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

  /** A camera whose picture is not wanted any more is none that is down, frozen or covered. */
  async #lookAtCameras(): Promise<void> {
    const { wanted, live, findings } = this.#options.pictures();
    const down = wanted.filter((id) => !live.includes(id));
    await this.#cameras.follow(new Map(down.map((id) => [id, {}])));
    for (const [name, warnings] of this.#findings) {
      const found = [...findings].map(([id, picture]) => [id, picture[name]] as const);
      const wrong = found.filter(([, is]) => is === true).map(([id]) => [id, {}] as const);
      const unsure = found.filter(([, is]) => is === null).map(([id]) => id);
      await warnings.follow(new Map(wrong), new Set(unsure));
    }
  }
}
