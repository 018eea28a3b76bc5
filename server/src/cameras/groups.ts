/**
 * Groups of cameras: their names and the cameras in them. A user with a
 * grant for a group sees the cameras in it today, so a camera that joins a group gets more viewers.
 */
import type { CameraGroup, CameraGroupFields } from '@nazar/contract/access.ts';
import { Problem } from '#lib/problem.ts';
import type { Scope } from '#http/scope.ts';
import { Groups, type GroupFields, type GroupKind, type GroupsOptions } from '#groups/groups.ts';
import { CameraGroupStore } from './group-store.ts';

const kind: GroupKind = {
  tables: { groups: 'camera_group', members: 'camera_group_member', member: 'camera_id' },
  object: 'camera_group',
  added: 'camera.group_added',
  changed: 'camera.group_changed',
  deleted: 'camera.group_deleted',
  missing: { code: 'camera_not_found', field: 'cameras' },
};

export class CameraGroups {
  readonly #groups: Groups;
  readonly #store: CameraGroupStore;

  constructor(options: Omit<GroupsOptions, 'kind'>) {
    this.#groups = new Groups({ ...options, kind });
    this.#store = new CameraGroupStore(options.db);
  }

  list(scope: Scope): Promise<CameraGroup[]> {
    return this.#store.list(scope);
  }

  /** Throws group_not_found. */
  async read(scope: Scope, id: string): Promise<CameraGroup> {
    const [group] = await this.#store.list(scope, id);
    if (!group) throw new Problem('group_not_found');
    return group;
  }

  /** Throws group_exists, camera_not_found. */
  async add(scope: Scope, fields: CameraGroupFields): Promise<CameraGroup> {
    return this.read(scope, await this.#groups.add(scope, asFields(fields)));
  }

  /** Throws group_not_found, group_exists, camera_not_found. */
  async replace(scope: Scope, id: string, fields: CameraGroupFields): Promise<CameraGroup> {
    await this.#groups.replace(scope, id, asFields(fields));
    return this.read(scope, id);
  }

  /** Throws group_not_found. */
  remove(scope: Scope, id: string): Promise<void> {
    return this.#groups.remove(scope, id);
  }
}

const asFields = ({ cameras: members, ...fields }: CameraGroupFields): GroupFields => ({
  ...fields,
  members,
});
