/**
 * The mode of the house: one for all cameras, changed by users, kept with the times of its changes. Rules about people
 * count by the mode in which a visit began, so that a late answer of recognition changes nothing.
 */
import type { HouseMode, HouseModeState } from '@nazar/contract/house-mode.ts';
import type { Activity } from '#activity/activity.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import type { ModeRow, ModeStore } from './mode-store.ts';

export interface HouseOptions {
  readonly store: ModeStore;
  readonly activity: Pick<Activity, 'record'>;
  readonly clock: Clock;
}

export class House {
  readonly #options: HouseOptions;

  constructor(options: HouseOptions) {
    this.#options = options;
  }

  async mode(): Promise<HouseModeState> {
    return asState(await this.#options.store.newest());
  }

  /** Who sets the mode that holds changes nothing, and nothing is recorded. */
  change(scope: Scope, mode: HouseMode): Promise<HouseModeState> {
    const { store, activity, clock } = this.#options;
    return store.transaction(async (tx) => {
      const before = await store.locked(tx);
      const from = asState(before).mode;
      if (from === mode) return asState(before);
      // Each change has a moment of its own, whatever the clock says.
      const row = { since: new Date(Math.max(clock.now(), endOf(before))), mode };
      await store.add(tx, row);
      const details = { changes: { mode: { from, to: mode } } };
      await activity.record(tx, {
        actor: scope,
        action: 'alert.mode_changed',
        object: null,
        details,
      });
      return asState(row);
    });
  }
}

const endOf = (row: ModeRow | null): number => (row ? row.since.getTime() + 1 : 0);

const asState = (row: ModeRow | null): HouseModeState => ({
  mode: row?.mode ?? 'home',
  since: row?.since.toISOString() ?? null,
});
