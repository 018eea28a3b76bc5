/**
 * Warns administrators of recording folders whose disks are not there (`folder_away`) or do not answer (`folder_hung`),
 * each by its name. A disk that spins up, or is mounted while the server starts, is there before that.
 */
import type { UnusableFolder } from '#recordings/recordings.ts';
import { PatientWarnings, type PatientWarningsOptions } from './patient-warnings.ts';

const patienceMs = 10_000;

export interface FolderWatchOptions extends Pick<PatientWarningsOptions, 'warnings' | 'clock'> {
  readonly unusableFolders: () => Promise<readonly UnusableFolder[]>;
}

export class FolderWatch {
  readonly #options: FolderWatchOptions;
  readonly #away: PatientWarnings;
  readonly #hung: PatientWarnings;

  constructor(options: FolderWatchOptions) {
    const { warnings, clock } = options;
    this.#options = options;
    this.#away = new PatientWarnings({ kind: 'folder_away', patienceMs, warnings, clock });
    this.#hung = new PatientWarnings({ kind: 'folder_hung', patienceMs, warnings, clock });
  }

  async look(): Promise<void> {
    const folders = await this.#options.unusableFolders();
    const inState = (wanted: UnusableFolder['state']) =>
      new Map(
        folders
          .filter(({ state }) => state === wanted)
          .map(({ id, name }) => [id, { folder: name }]),
      );
    await this.#away.follow(inState('away'));
    await this.#hung.follow(inState('hung'));
  }
}
