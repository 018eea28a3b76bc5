/** Which days of a month a camera has recordings of, by the clocks of the reader: what a calendar marks. */
import type { RecordedDay, RecordedDaysQuery } from '@nazar/contract/recordings.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { dateAt, daysOfMonth } from '#lib/local-days.ts';
import { allCells } from '#media/protocol/motion-grid.ts';
import type { DaysStore } from './days-store.ts';
import { shownCells, type HiddenFrom } from './hidden-motion.ts';
import type { PlayableCameras } from './playable-cameras.ts';

export interface DaysOptions {
  readonly store: DaysStore;
  readonly playable: Pick<PlayableCameras, 'mustPlay'>;
  readonly cameras: HiddenFrom;
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
    const { store, playable, cameras, clock } = this.#options;
    await playable.mustPlay(scope, [cameraId]);
    const now = new Date(clock.now());
    const asked = month ?? dateAt(now.getTime(), timezone).slice(0, 7);
    const shown = await shownCells(cameras, scope, allCells, [cameraId]);
    return store.of(cameraId, daysOfMonth(asked, timezone), now, shown);
  }
}
