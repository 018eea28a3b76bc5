/** Which days of a month a camera has recordings of, by the clocks of the reader: what a calendar marks. */
import type { RecordedDay, RecordedDaysQuery } from '@nazar/contract/recordings.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { daysOfMonth } from '#lib/local-days.ts';
import { Problem } from '#lib/problem.ts';
import type { ArchiveStore } from './archive-store.ts';
import type { DaysStore } from './days-store.ts';

export interface DaysOptions {
  readonly store: DaysStore;
  readonly archive: Pick<ArchiveStore, 'seen'>;
  readonly cameras: Pick<Cameras, 'mustSee'>;
  readonly clock: Clock;
}

export class Days {
  readonly #options: DaysOptions;

  constructor(options: DaysOptions) {
    this.#options = options;
  }

  /** Throws camera_not_found, forbidden, time_zone_unknown. */
  async of(
    scope: Scope,
    cameraId: string,
    { month, timezone }: RecordedDaysQuery,
  ): Promise<RecordedDay[]> {
    const { store, archive, cameras, clock } = this.#options;
    await cameras.mustSee(scope, cameraId);
    if ((await archive.seen(scope, [cameraId])).length === 0) throw new Problem('forbidden');
    return store.of(cameraId, daysOfMonth(month, timezone), new Date(clock.now()));
  }
}
