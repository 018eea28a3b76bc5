/**
 * An administrator sees the pages as another user does, to check what that user's grants really show. This is
 * read-only, the activity log has its beginning and end, and it never shows more than the administrator may see of
 * that user anyway. The route table says which routes are available; `http/serve.ts` enforces that.
 */
import { Id } from '@nazar/contract/fields.ts';
import { standings, type Standing } from '@nazar/contract/route.ts';
import type { UserName } from '@nazar/contract/users.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import type { Activity } from '#activity/activity.ts';
import type { Scope } from '#http/scope.ts';
import { aboutUser } from '../log-entry.ts';
import type { SeeAsStore } from './see-as-store.ts';
import type { UserRow } from '../store.ts';
import { standingOf } from '../users/users.ts';
import type { Identity } from '../identity.ts';

/** One shift: it ends then if the administrator forgets to end it. */
const longestMs = 8 * 60 * 60_000;

export interface SeeAsOptions {
  readonly store: SeeAsStore;
  readonly activity: Activity;
  readonly clock: Clock;
}

export class SeeAs {
  readonly #options: SeeAsOptions;

  constructor(options: SeeAsOptions) {
    this.#options = options;
  }

  /** Throws user_not_found, and see_as_forbidden for oneself and for users of higher standing. */
  async begin(scope: Scope, userId: string): Promise<UserName> {
    const { store, activity, clock } = this.#options;
    const user = await store.user(userId);
    if (!user) throw new Problem('user_not_found');
    if (!mayBeSeen(user, scope)) throw new Problem('see_as_forbidden');
    await store.transaction(async (tx) => {
      await store.begin(tx, scope.sessionId, userId, new Date(clock.now()));
      await activity.record(tx, aboutUser('account.see_as_begun', scope, userId));
    });
    const full_name = `${user.first_name} ${user.last_name}`.trim();
    return { id: user.id, full_name, username: user.email, email: user.email };
  }

  /** Harmless to repeat. Throws user_not_found. */
  async end(scope: Scope, userId: string): Promise<void> {
    const { store, activity } = this.#options;
    if (!(await store.user(userId))) throw new Problem('user_not_found');
    await store.transaction(async (tx) => {
      if (!(await store.end(tx, scope.sessionId, userId))) return;
      await activity.record(tx, aboutUser('account.see_as_ended', scope, userId));
    });
  }

  /** The user who is seen as now. Every request calls this, so that it ends when a role changes meanwhile. */
  async identify(administrator: Identity, userId: string): Promise<Identity> {
    const { store, clock } = this.#options;
    const { sessionId } = administrator;
    const since = new Date(clock.now() - longestMs);
    const isSeeing =
      Id.safeParse(userId).success && (await store.isSeeing(sessionId, userId, since));
    const user = isSeeing && (await store.user(userId));
    if (!user || !mayBeSeen(user, administrator)) throw new Problem('see_as_ended');
    return { userId, email: user.email, sessionId, standing: standingOf(user) };
  }
}

const mayAsk: readonly Standing[] = ['admin', 'superadmin'];
const rank = (standing: Standing): number => standings.indexOf(standing);

function mayBeSeen(user: UserRow, who: Pick<Identity, 'userId' | 'standing'>): boolean {
  const isOther = user.id !== who.userId;
  return isOther && mayAsk.includes(who.standing) && rank(standingOf(user)) <= rank(who.standing);
}
