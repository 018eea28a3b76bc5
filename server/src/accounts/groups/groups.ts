/** Groups of users. A user who leaves a group, or the installation, loses the grants of the group. */
import type { UserGroup, UserGroupFields } from '@nazar/contract/user-groups.ts';
import { Problem } from '#lib/problem.ts';
import type { Actor } from '#activity/activity.ts';
import { Groups, type GroupKind, type GroupsOptions } from '#groups/groups.ts';
import { UserGroupStore, type ListedGroup } from './store.ts';

const kind: GroupKind = {
  tables: { groups: 'user_group', members: 'user_group_member', member: 'user_id' },
  object: 'user_group',
  added: 'account.group_added',
  changed: 'account.group_changed',
  deleted: 'account.group_deleted',
  missing: { code: 'user_not_found', field: 'members' },
};

export class UserGroups {
  readonly #groups: Groups;
  readonly #store: UserGroupStore;

  constructor(options: Omit<GroupsOptions, 'kind'>) {
    this.#groups = new Groups({ ...options, kind });
    this.#store = new UserGroupStore(options.db);
  }

  async list(): Promise<UserGroup[]> {
    return (await this.#store.list()).map(asGroup);
  }

  /** Throws group_exists, user_not_found. */
  async add(actor: Actor, fields: UserGroupFields): Promise<UserGroup> {
    return this.#read(await this.#groups.add(actor, fields));
  }

  /** Throws group_not_found, group_exists, user_not_found. */
  async replace(actor: Actor, id: string, fields: UserGroupFields): Promise<UserGroup> {
    await this.#groups.replace(actor, id, fields);
    return this.#read(id);
  }

  /** Throws group_not_found. */
  remove(actor: Actor, id: string): Promise<void> {
    return this.#groups.remove(actor, id);
  }

  async #read(id: string): Promise<UserGroup> {
    const [group] = await this.#store.list(id);
    if (!group) throw new Problem('group_not_found');
    return asGroup(group);
  }
}

function asGroup({ id, name, description, members, created_at }: ListedGroup): UserGroup {
  return { id, name, description, members, created_at: created_at.toISOString() };
}
