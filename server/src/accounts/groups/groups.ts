/**
 * Groups of users: what they are called and who is in them. What is granted to a group is for the modules
 * that grant it to say; whoever leaves a group, or the installation, holds nothing of it any more.
 */
import type { UserGroup, UserGroupFields } from '@nazar/contract/user-groups.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { entriesOf, type MembershipChange } from '#lib/membership.ts';
import { Problem } from '#lib/problem.ts';
import type { Tx } from '#db/database.ts';
import { isTaken, missingTarget } from '#db/refused.ts';
import type { Action, Activity, Actor } from '#activity/activity.ts';
import type { GroupStore, ListedGroup } from './store.ts';

export interface UserGroupsOptions {
  readonly store: GroupStore;
  readonly activity: Activity;
  readonly clock: Clock;
}

export class UserGroups {
  readonly #options: UserGroupsOptions;

  constructor(options: UserGroupsOptions) {
    this.#options = options;
  }

  async list(): Promise<UserGroup[]> {
    return (await this.#options.store.list()).map(asGroup);
  }

  /** Throws group_exists, user_not_found. */
  async add(actor: Actor, { name, description, members }: UserGroupFields): Promise<UserGroup> {
    const { clock, store } = this.#options;
    const nowMs = clock.now();
    const row = { id: uuidv7(nowMs), name, description, created_at: new Date(nowMs) };
    return this.#write(row.id, async (tx) => {
      await store.add(tx, row);
      const change = await store.setMembers(tx, row.id, members);
      await this.#record(tx, actor, 'account.group_added', { id: row.id, name }, change);
    });
  }

  /** Throws group_not_found, group_exists, user_not_found. */
  async replace(
    actor: Actor,
    id: string,
    { name, description, members }: UserGroupFields,
  ): Promise<UserGroup> {
    const { store } = this.#options;
    return this.#write(id, async (tx) => {
      if (!(await store.change(tx, id, { name, description })))
        throw new Problem('group_not_found');
      const change = await store.setMembers(tx, id, members);
      await this.#record(tx, actor, 'account.group_changed', { id, name }, change);
    });
  }

  /** Throws group_not_found. What was granted to it goes with it. */
  async remove(actor: Actor, id: string): Promise<void> {
    const { store } = this.#options;
    await store.transaction(async (tx) => {
      const name = await store.remove(tx, id);
      if (name === null) throw new Problem('group_not_found');
      const change = { added: [], removed: [] };
      await this.#record(tx, actor, 'account.group_deleted', { id, name }, change);
    });
  }

  async #write(id: string, work: (tx: Tx) => Promise<void>): Promise<UserGroup> {
    const { store } = this.#options;
    try {
      return await store.transaction(async (tx) => {
        await work(tx);
        const [group] = await store.list(id, tx);
        return asGroup(group!);
      });
    } catch (error) {
      if (isTaken(error)) throw new Problem('group_exists', { field: 'name' }, error);
      if (missingTarget(error)) throw new Problem('user_not_found', { field: 'members' }, error);
      throw error;
    }
  }

  async #record(
    tx: Tx,
    actor: Actor,
    action: Action,
    { id, name }: { readonly id: string; readonly name: string },
    change: MembershipChange,
  ): Promise<void> {
    const object = { type: 'user_group', id } as const;
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

function asGroup({ id, name, description, members, created_at }: ListedGroup): UserGroup {
  return { id, name, description, members, created_at: created_at.toISOString() };
}
