/** Turns a provider's claims about a user into an account and a role here. */
import { uuidv7 } from '#lib/ids.ts';
import type { Tx } from '#db/database.ts';
import type { Role } from '@nazar/contract/accounts.ts';
import type { AccountParts } from '../parts.ts';
import type { Claims } from './provider.ts';
import { aboutUser, actorOf } from '../log-entry.ts';
import type { Client } from '../sessions/sessions.ts';
import type { UserRow } from '../store.ts';
import { flagsOf, noPassword, standingOf } from '../users/users.ts';

/** An account without a password of its own; `applyRole` sets its role. */
export function newcomerRow(
  email: string,
  { firstName, lastName }: Pick<Claims, 'firstName' | 'lastName'>,
  nowMs: number,
): UserRow {
  return {
    id: uuidv7(nowMs),
    email,
    first_name: firstName || email.split('@')[0]!,
    last_name: lastName,
    role: 'user',
    ...flagsOf('user', false),
    is_active: true,
    password_hash: noPassword,
    created_at: new Date(nowMs),
    phone: '',
    department: '',
    position: '',
    address: '',
    birthdate: null,
    bio: '',
  };
}

/** Administrators connect their accounts themselves: an address is not proof enough for that. */
export function mayConnectByEmail(user: UserRow): boolean {
  return user.is_active && (user.role === 'user' || user.role === 'operator') && !user.is_staff;
}

/**
 * Gives the user the role of the provider, and records it. The last superadmin with a password of their own
 * keeps that role: one must be able to sign in when the provider does not answer.
 */
export async function applyRole(
  { users, activity }: AccountParts,
  tx: Tx,
  user: UserRow,
  role: Role | null,
  client: Client,
): Promise<UserRow> {
  if (role === null || role === user.role) return user;
  const superadmins = await users.superadminsForUpdate(tx);
  const before = await users.userForUpdate(tx, user.id);
  if (!before || (superadmins.length === 1 && superadmins[0] === user.id)) return user;
  const change = { role, ...flagsOf(role, standingOf(before) === 'staff') };
  await users.changeUser(tx, user.id, change);
  const entry = aboutUser('account.role_mapped', actorOf(client, user.id, null), user.id);
  await activity.record(tx, { ...entry, details: { from: before.role, to: role } });
  return { ...before, ...change };
}
