/** The account that the caller is signed in to. */
import { Problem } from '#lib/problem.ts';
import type { Tx } from '#db/database.ts';
import type { Actor } from '#activity/activity.ts';
import type { AccountParts } from '../parts.ts';
import type { UserRow } from '../store.ts';
import type { EndedReason } from '../sessions/store.ts';

/** The caller, and where the request comes from. A Scope is one. */
export type Owner = Actor & { readonly userId: string; readonly sessionId: string };

/** Throws not_signed_in. */
export async function ownerRow({ store }: AccountParts, userId: string): Promise<UserRow> {
  const user = await store.userById(userId);
  if (!user) throw new Problem('not_signed_in');
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
