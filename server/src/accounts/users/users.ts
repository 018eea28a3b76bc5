/** How a row of `app_user` becomes an answer, and how a new one is made. */
import type { Role, User } from '@nazar/contract/accounts.ts';
import type { Standing } from '@nazar/contract/route.ts';
import { uuidv7 } from '#lib/ids.ts';
import { checkPassword } from '../passwords/rules.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { UserRow } from '../store.ts';

export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: Role;
  /** False: an administrator must approve the account first. */
  readonly isActive?: boolean;
}

/** The hash of a user who signs in at a provider: no password matches it. '' is an invited user without a password. */
export const noPassword = '!';

export const hasPassword = ({ password_hash: hash }: Pick<UserRow, 'password_hash'>): boolean =>
  hash !== noPassword && hash !== '';

/** Throws the password problems. */
export async function newUserRow(
  { email, password, firstName, lastName, role, isActive = true }: NewUser,
  passwords: Passwords,
  nowMs: number,
): Promise<UserRow> {
  checkPassword(password, { role, email });
  return {
    ...blank,
    id: uuidv7(nowMs),
    email: email.toLowerCase(),
    first_name: firstName,
    last_name: lastName,
    role,
    ...flagsOf(role, false),
    is_active: isActive,
    password_hash: await passwords.hash(password),
    created_at: new Date(nowMs),
  };
}

/** A user who has not chosen a password yet: no password matches until then. */
export function invitedUserRow(
  {
    email,
    first_name,
    last_name,
    role,
  }: Pick<UserRow, 'email' | 'first_name' | 'last_name' | 'role'>,
  nowMs: number,
): UserRow {
  return {
    ...blank,
    id: uuidv7(nowMs),
    email: email.toLowerCase(),
    first_name,
    last_name,
    role,
    ...flagsOf(role, false),
    is_active: true,
    password_hash: '',
    created_at: new Date(nowMs),
  };
}

/** The profile of a user who has not filled it in. */
const blank = { phone: '', department: '', position: '', address: '', birthdate: null, bio: '' };

/** The flags that a role implies; lesser roles are staff only if `isStaff` says so. */
export function flagsOf(role: Role, isStaff: boolean): Pick<UserRow, 'is_staff' | 'is_superuser'> {
  return {
    is_staff: isStaff || role === 'admin' || role === 'superadmin',
    is_superuser: role === 'superadmin',
  };
}

/** A staff-only account sees what an administrator sees and changes no camera. */
export function standingOf(user: Pick<UserRow, 'role' | 'is_staff'>): Standing {
  if (user.role === 'admin' || user.role === 'superadmin') return user.role;
  return user.is_staff ? 'staff' : user.role;
}

export function asUser(user: UserRow): User {
  const { id, email, first_name, last_name, role, is_staff, is_superuser, created_at } = user;
  const { phone, department, position, address, birthdate, bio } = user;
  return {
    id,
    email,
    first_name,
    last_name,
    role,
    is_staff,
    is_superuser,
    joinDate: created_at.toISOString(),
    phone,
    department,
    position,
    address,
    birthdate,
    bio,
  };
}
