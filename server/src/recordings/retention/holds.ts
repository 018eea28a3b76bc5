/** Evidence: times of a camera of which no recording is removed, by age, by space, or by any user. */
import type { Hold, HoldFields, HoldQuery } from '@nazar/contract/recording-plans.ts';
import type { Activity } from '#activity/activity.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import type { HoldRow, HoldStore, ListedHold } from './hold-store.ts';

export interface HoldsOptions {
  readonly store: HoldStore;
  readonly activity: Activity;
  readonly cameras: Pick<Cameras, 'mustSeeEvenDeleted'>;
  readonly clock: Clock;
  /** Called once a hold is added or removed. */
  readonly changed: (cameraId: string) => void;
}

export class Holds {
  readonly #options: HoldsOptions;

  constructor(options: HoldsOptions) {
    this.#options = options;
  }

  async list(query: HoldQuery) {
    const { count, rows } = await this.#options.store.list(query);
    return { count, results: rows.map(asHold) };
  }

  /** Throws camera_not_found. */
  async add(scope: Scope, { camera, from, until, reason }: HoldFields): Promise<Hold> {
    const { cameras, store, activity, clock, changed } = this.#options;
    await cameras.mustSeeEvenDeleted(scope, camera);
    const now = clock.now();
    const row: HoldRow = {
      id: uuidv7(now),
      camera_id: camera,
      started_at: new Date(from),
      ended_at: new Date(until),
      reason,
      created_by: scope.userId,
      created_at: new Date(now),
    };
    await store.transaction(async (tx) => {
      await store.add(tx, row);
      const object = { type: 'camera', id: camera } as const;
      const details = { from, until };
      await activity.record(tx, { actor: scope, action: 'recording.hold_added', object, details });
    });
    changed(camera);
    return asHold(await store.read(row.id));
  }

  /** What was held is removed when its time is over. Throws hold_not_found. */
  async remove(scope: Scope, id: string): Promise<void> {
    const { store, activity, changed } = this.#options;
    const cameraId = await store.transaction(async (tx) => {
      const row = await store.remove(tx, id);
      if (!row) throw new Problem('hold_not_found');
      const object = { type: 'camera', id: row.camera_id } as const;
      const details = { from: row.started_at.toISOString(), until: row.ended_at.toISOString() };
      await activity.record(tx, {
        actor: scope,
        action: 'recording.hold_removed',
        object,
        details,
      });
      return row.camera_id;
    });
    changed(cameraId);
  }
}

function asHold(row: ListedHold): Hold {
  const { created_by: id, created_by_name: name } = row;
  return {
    id: row.id,
    camera_id: row.camera_id,
    camera_name: row.camera_name,
    from: row.started_at.toISOString(),
    until: row.ended_at.toISOString(),
    reason: row.reason,
    created_by: id === null ? null : { id, name: name ?? '' },
    created_at: row.created_at.toISOString(),
  };
}
