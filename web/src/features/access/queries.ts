import {
  accessRoutes,
  cameraGroupRoutes,
  type CameraGroupFields,
  type GiveGrant,
} from '@nazar/contract/access.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { faceRoutes } from '@nazar/contract/faces.ts';
import { userGroupRoutes, type UserGroupFields } from '@nazar/contract/user-groups.ts';
import { userRoutes } from '@nazar/contract/users.ts';
import { call } from '#api/call.ts';
import { ask, useChange, useRemoval } from '#api/query.ts';

/** As many as the API answers at once. */
const all = { page_size: 1000 };

export const usersQuery = ask('users', userRoutes.list, { query: all });
export const groupsQuery = ask('access', userGroupRoutes.list, {});
export const camerasQuery = ask('cameras', cameraRoutes.list, { query: all });
export const cameraGroupsQuery = ask('access', cameraGroupRoutes.list, {});
export const categoriesQuery = ask('faces', faceRoutes.categories, {});
export const grantsQuery = ask('access', accessRoutes.grants, { query: {} });

/** `id` null: a new one. */
interface Saved<Fields> {
  readonly id: string | null;
  readonly fields: Fields;
}

export const useGive = () =>
  useChange('access', (body: GiveGrant) => call(accessRoutes.give, { body }));
export const useTake = () =>
  useChange('access', (id: string) => call(accessRoutes.take, { params: { id } }));

export const useSaveUserGroup = () =>
  useChange('access', ({ id, fields: body }: Saved<UserGroupFields>) =>
    id === null
      ? call(userGroupRoutes.add, { body })
      : call(userGroupRoutes.replace, { params: { id }, body }),
  );
export const useRemoveUserGroup = () =>
  useRemoval(
    'access',
    (id: string) => id,
    (id) => call(userGroupRoutes.remove, { params: { id } }),
  );

export const useSaveCameraGroup = () =>
  useChange('access', ({ id, fields: body }: Saved<CameraGroupFields>) =>
    id === null
      ? call(cameraGroupRoutes.add, { body })
      : call(cameraGroupRoutes.replace, { params: { id }, body }),
  );
export const useRemoveCameraGroup = () =>
  useRemoval(
    'access',
    (id: string) => id,
    (id) => call(cameraGroupRoutes.remove, { params: { id } }),
  );
