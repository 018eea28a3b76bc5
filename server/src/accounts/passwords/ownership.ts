/** Proving that one holds the account one is signed in to, before what opens it is changed (C-111, C-114). */
import { Problem } from '#lib/problem.ts';
import type { Tx } from '#db/database.ts';
import type { Actor } from '#activity/activity.ts';
import type { AccountParts } from '../parts.ts';
import type { EndedReason, UserRow } from '../store.ts';

/** The one who asks, and from where. A Scope is one. */
export type Owner = Actor & { readonly userId: string; readonly sessionId: string };

/** Within this time after signing in, nobody is asked for the password again. */
const recentMs = 15 * 60_000;

/** Throws not_signed_in. */
export async function ownerRow({ store }: AccountParts, userId: string): Promise<UserRow> {
  const user = await store.userById(userId);
  if (!user) throw new Problem('not_signed_in');
  return user;
}

/** Counted together with the guesses at the login (C-105): a stolen session buys no more of them. */
export async function provePassword(
  { throttle, passwords }: AccountParts,
  user: UserRow,
  password: string,
  ip: string,
  field = 'password',
): Promise<void> {
  const proven = await throttle.attempt(user.email, ip, async (guesser) =>
    (await passwords.verify(password, user.password_hash, guesser)) ? true : null,
  );
  if (!proven) throw new Problem('password_wrong', { field });
}

/** A session that began a moment ago is proof enough; an older one needs the password. Throws password_required. */
export async function proveRecent(
  parts: AccountParts,
  owner: Owner,
  password: string | undefined,
): Promise<UserRow> {
  const user = await ownerRow(parts, owner.userId);
  if (password !== undefined) {
    await provePassword(parts, user, password, owner.ip);
    return user;
  }
  const now = new Date(parts.clock.now());
  const session = await parts.store.sessionById(owner.sessionId, now);
  const ageMs = now.getTime() - (session?.created_at.getTime() ?? 0);
  if (ageMs > recentMs) throw new Problem('password_required', { field: 'password' });
  return user;
}

/** All sessions of the account but this one. */
export async function endOthers(
  { users, sessions }: AccountParts,
  tx: Tx,
  owner: Pick<Owner, 'userId' | 'sessionId'>,
  reason: EndedReason,
): Promise<string[]> {
  const living = await users.livingSessionIds(tx, owner.userId);
  const others = living.filter((id) => id !== owner.sessionId);
  for (const id of others) await sessions.end(tx, id, reason);
  return others;
}
