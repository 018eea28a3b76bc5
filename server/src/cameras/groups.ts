/**
 * Groups of cameras (APC-010, APC-011): what they are called and which cameras are in them. Whoever was
 * granted a group sees what is in it today, so a camera that joins one is seen by more people.
 */
import type { CameraGroup, CameraGroupFields } from '@nazar/contract/access.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { entriesOf, type MembershipChange } from '#lib/membership.ts';
import { Problem } from '#lib/problem.ts';
import type { Tx } from '#db/database.ts';
import { isTaken, missingTarget } from '#db/refused.ts';
import type { Action, Activity } from '#activity/activity.ts';
import type { Scope } from '#http/scope.ts';
import type { GroupStore } from './group-store.ts';

export interface CameraGroupsOptions {
  readonly store: GroupStore;
  readonly activity: Activity;
  readonly clock: Clock;
}

export class CameraGroups {
  readonly #options: CameraGroupsOptions;

  constructor(options: CameraGroupsOptions) {
    this.#options = options;
  }

  list(scope: Scope): Promise<CameraGroup[]> {
    return this.#options.store.list(scope);
  }

  /** Throws group_not_found. */
  async read(scope: Scope, id: string): Promise<CameraGroup> {
    const [group] = await this.#options.store.list(scope, id);
    if (!group) throw new Problem('group_not_found');
    return group;
  }

  /** Throws group_exists, camera_not_found. */
  async add(scope: Scope, { name, description, cameras }: CameraGroupFields): Promise<CameraGroup> {
    const { clock, store } = this.#options;
    const nowMs = clock.now();
    const row = { id: uuidv7(nowMs), name, description, created_at: new Date(nowMs) };
    await this.#write(async (tx) => {
      await store.add(tx, row);
      const change = await store.setCameras(tx, row.id, cameras);
      await this.#record(tx, scope, 'camera.group_added', { id: row.id, name }, change);
    });
    return this.read(scope, row.id);
  }

  /** Throws group_not_found, group_exists, camera_not_found. */
  async replace(
    scope: Scope,
    id: string,
    { name, description, cameras }: CameraGroupFields,
  ): Promise<CameraGroup> {
    const { store } = this.#options;
    await this.#write(async (tx) => {
      if (!(await store.change(tx, id, { name, description })))
        throw new Problem('group_not_found');
      const change = await store.setCameras(tx, id, cameras);
      await this.#record(tx, scope, 'camera.group_changed', { id, name }, change);
    });
    return this.read(scope, id);
  }

  /** Throws group_not_found. */
  async remove(scope: Scope, id: string): Promise<void> {
    await this.#write(async (tx) => {
      const name = await this.#options.store.remove(tx, id);
      if (name === null) throw new Problem('group_not_found');
      const change = { added: [], removed: [] };
      await this.#record(tx, scope, 'camera.group_deleted', { id, name }, change);
    });
  }

  async #write(work: (tx: Tx) => Promise<void>): Promise<void> {
    try {
      await this.#options.store.transaction(work);
    } catch (error) {
      if (isTaken(error)) throw new Problem('group_exists', { field: 'name' }, error);
      if (missingTarget(error)) throw new Problem('camera_not_found', { field: 'cameras' }, error);
      throw error;
    }
  }

  async #record(
    tx: Tx,
    actor: Scope,
    action: Action,
    { id, name }: { readonly id: string; readonly name: string },
    change: MembershipChange,
  ): Promise<void> {
    const object = { type: 'camera_group', id } as const;
    for (const part of entriesOf(change)) {
      await this.#options.activity.record(tx, {
        actor,
        action,
        object,
        details: { name, ...part },
      });
    }
  }
}
