/**
 * The mode of the house: one for all cameras, changed by users, kept with the times of its changes. Rules about people
 * count by the mode in which a visit began, so that a late answer of recognition changes nothing.
 */
import type { HouseMode, HouseModeState } from '@nazar/contract/house-mode.ts';
import type { Activity, Actor, Details } from '#activity/activity.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Topic } from '#lib/topic.ts';
import type { ModeRow, ModeStore } from './mode-store.ts';

export interface HouseOptions {
  readonly store: ModeStore;
  readonly activity: Pick<Activity, 'record'>;
  readonly clock: Clock;
  readonly log: Log;
}

export class House {
  /** Published after the commit. */
  readonly changed: Topic<HouseModeState>;
  readonly #options: HouseOptions;

  constructor(options: HouseOptions) {
    this.#options = options;
    this.changed = new Topic((err) => options.log.error({ err }, 'reader of house.changed failed'));
  }

  async mode(): Promise<HouseModeState> {
    return asState(await this.#options.store.newest());
  }

  /** Who sets the mode that holds changes nothing, and nothing is recorded. `how`: further details of the entry. */
  async change(actor: Actor, mode: HouseMode, how: Details = {}): Promise<HouseModeState> {
    const { store, activity, clock } = this.#options;
    const { state, isNew } = await store.transaction(async (tx) => {
      const before = await store.locked(tx);
      const from = asState(before).mode;
      if (from === mode) return { state: asState(before), isNew: false };
      // Each change has a moment of its own, whatever the clock says.
      const row = { since: new Date(Math.max(clock.now(), endOf(before))), mode };
      await store.add(tx, row);
      const details = { ...how, changes: { mode: { from, to: mode } } };
      await activity.record(tx, { actor, action: 'alert.mode_changed', object: null, details });
      return { state: asState(row), isNew: true };
    });
    if (isNew) this.changed.publish(state);
    return state;
  }
}

const endOf = (row: ModeRow | null): number => (row ? row.since.getTime() + 1 : 0);

const asState = (row: ModeRow | null): HouseModeState => ({
  mode: row?.mode ?? 'home',
  since: row?.since.toISOString() ?? null,
});
