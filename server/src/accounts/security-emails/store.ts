import type { Language } from '@nazar/contract/accounts.ts';
import type { Tx } from '#db/database.ts';
import type { MailKey } from '#mail/mail.ts';
import type { EarlierSession } from '../sign-in/familiar.ts';
import type { UserRow } from '../store.ts';
import type { PreferenceRow } from '../users/preference-store.ts';
import type { SessionRow } from '../sessions/store.ts';

interface Tables {
  app_user: UserRow;
  user_preference: PreferenceRow;
  session: SessionRow;
  letter_pace: { user_id: string; subject: MailKey; next_at: Date };
}

/** Older sign-ins do not count: their networks may belong to other people by now. */
const rememberedSessions = 200;

/** The address for a user's emails, and how they are written. */
export interface Reach {
  readonly email: string;
  readonly language: Language | null;
  /** A name of the IANA database; null: unknown. */
  readonly timezone: string | null;
}

/** The address data of a user; undefined: there is no such account. */
export function reachOf(tx: Tx, userId: string): Promise<Reach | undefined> {
  return tx
    .as<Tables>()
    .selectFrom('app_user')
    .leftJoin('user_preference', 'user_preference.user_id', 'app_user.id')
    .select(['app_user.email', 'user_preference.language', 'user_preference.timezone'])
    .where('app_user.id', '=', userId)
    .executeTakeFirst();
}

/** The address data of the administrators, who get the warnings. */
export function reachOfAdministrators(tx: Tx): Promise<(Reach & { readonly id: string })[]> {
  return tx
    .as<Tables>()
    .selectFrom('app_user')
    .leftJoin('user_preference', 'user_preference.user_id', 'app_user.id')
    .select([
      'app_user.id',
      'app_user.email',
      'user_preference.language',
      'user_preference.timezone',
    ])
    .where('app_user.role', 'in', ['admin', 'superadmin'])
    .where('app_user.is_active', '=', true)
    .orderBy('app_user.id')
    .execute();
}

/** The networks and devices of a user's latest sign-ins. */
export function earlierSessions(tx: Tx, userId: string): Promise<EarlierSession[]> {
  return tx
    .as<Tables>()
    .selectFrom('session')
    .select(['ip', 'user_agent'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(rememberedSessions)
    .execute();
}

/** When the next email of the kind may be sent: `at` for the first. Simultaneous callers wait for each other. */
export async function lockPace(tx: Tx, userId: string, subject: MailKey, at: Date): Promise<Date> {
  const { next_at } = await tx
    .as<Tables>()
    .insertInto('letter_pace')
    .values({ user_id: userId, subject, next_at: at })
    // Changes nothing: locks the existing row.
    .onConflict((conflict) => conflict.columns(['user_id', 'subject']).doUpdateSet({ subject }))
    .returning('next_at')
    .executeTakeFirstOrThrow();
  return next_at;
}

export async function setPace(
  tx: Tx,
  userId: string,
  subject: MailKey,
  nextAt: Date,
): Promise<void> {
  await tx
    .as<Tables>()
    .updateTable('letter_pace')
    .set({ next_at: nextAt })
    .where('user_id', '=', userId)
    .where('subject', '=', subject)
    .execute();
}
