/** What this feature asks the server, and what it sends. */
import type { Role, User } from '@nazar/contract/accounts.ts';
import { userRoutes, type ChangeUser, type CreateUser } from '@nazar/contract/users.ts';
import { call } from '#api/call.ts';
import { ask, useChange, useRemoval } from '#api/query.ts';
import { standing } from '#api/rights.ts';
import { usualOrder, type UsersSearch } from './search.ts';

export const PAGE_SIZE = 20;

export const usersQuery = ({
  search,
  role,
  status,
  twoFactor,
  order = usualOrder,
  page = 1,
}: UsersSearch) =>
  ask('users', userRoutes.list, {
    query: {
      ...(search !== undefined && { search }),
      ...(role !== undefined && { role }),
      ...(status !== undefined && { is_active: status === 'active' }),
      ...(twoFactor !== undefined && { two_factor: twoFactor === 'on' }),
      ordering: order,
      page,
      page_size: PAGE_SIZE,
    },
  });

export const userQuery = (id: string) => ask('users', userRoutes.read, { params: { id } });
export const sessionsQuery = (id: string) => ask('users', userRoutes.sessions, { params: { id } });

export const useAddUser = () =>
  useChange('users', (body: CreateUser) => call(userRoutes.create, { body }));
export const useChangeUser = (id: string) =>
  useChange('users', (body: ChangeUser) => call(userRoutes.change, { params: { id }, body }));
export const useRemoveUser = (id: string) =>
  useRemoval(
    'users',
    () => id,
    () => call(userRoutes.remove, { params: { id } }),
  );
export const useResetLink = (id: string) =>
  useChange('users', () => call(userRoutes.resetLink, { params: { id } }));
export const useUnlock = (id: string) =>
  useChange('users', () => call(userRoutes.unlock, { params: { id } }));
export const useRemoveFactor = (id: string) =>
  useChange('users', () => call(userRoutes.removeSecondFactor, { params: { id } }));
/** One session, or all of them. */
export const useEndSessions = (id: string) =>
  useChange('users', (session: string | null) =>
    session === null
      ? call(userRoutes.endSessions, { params: { id } })
      : call(userRoutes.endSession, { params: { id, session } }),
  );

const ordinary: readonly Role[] = ['user', 'operator'];
const all: readonly Role[] = ['user', 'operator', 'admin', 'superadmin'];

/** What one may make of others: the server refuses the rest in any case. */
export const rolesToGive = (by: User): readonly Role[] =>
  standing(by) === 'superadmin' ? all : ordinary;

export function mayAdminister(by: User, user: User): boolean {
  if (by.id === user.id) return false;
  if (standing(by) === 'superadmin') return true;
  return standing(by) === 'admin' && ordinary.includes(user.role) && !user.is_staff;
}

export const mayInvite = (by: User): boolean => ['admin', 'superadmin'].includes(standing(by));

export const fullName = ({ first_name, last_name }: Pick<User, 'first_name' | 'last_name'>) =>
  `${first_name} ${last_name}`.trim();
