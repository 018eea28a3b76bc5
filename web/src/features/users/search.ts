/** What the address of the list of users says: its filters, its order, its page, and who is open. */
import { isId } from '#lib/is-id.ts';
import { roles, type Role } from '@nazar/contract/accounts.ts';

/** The orders that are offered, as the server names them. */
export const offeredOrders = ['name', 'email', '-role', '-created', '-last_login'] as const;
export type OfferedOrder = (typeof offeredOrders)[number];
export const usualOrder: OfferedOrder = 'name';

export const details = ['account', 'sessions'] as const;
export type Detail = (typeof details)[number];

export interface UsersSearch {
  search?: string;
  role?: Role;
  status?: 'active' | 'disabled';
  /** Whether a second factor is asked of them. */
  twoFactor?: 'on' | 'off';
  order?: OfferedOrder;
  page?: number;
  /** The user whose dialog is open, and which of its tabs. */
  user?: string;
  tab?: Detail;
  /** The form for a new user is open. */
  add?: true;
}

const known = <T extends string>(list: readonly T[], value: unknown): T | undefined =>
  list.find((one) => one === value);

/** From the query string as the router reads it: digits are numbers, `true` is a flag. */
export function usersSearch(given: Record<string, unknown>): UsersSearch {
  const { search, page, user, add } = given;
  const role = known(roles, given['role']);
  const status = known(['active', 'disabled'], given['status']);
  const twoFactor = known(['on', 'off'], given['twoFactor']);
  const order = known(offeredOrders, given['order']);
  const tab = known(details, given['tab']);
  const isText = (typeof search === 'string' && search !== '') || typeof search === 'number';
  return {
    ...(isText && { search: String(search) }),
    ...(role && { role }),
    ...(status && { status }),
    ...(twoFactor && { twoFactor }),
    ...(order && order !== usualOrder && { order }),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 && { page }),
    ...(isId(user) && { user }),
    ...(tab && tab !== 'account' && { tab }),
    ...(add === true && { add }),
  };
}

export const isFiltered = ({ search, role, status, twoFactor }: UsersSearch): boolean =>
  [search, role, status, twoFactor].some((filter) => filter !== undefined);
