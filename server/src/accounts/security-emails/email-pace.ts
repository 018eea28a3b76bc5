/**
 * A user gets at most one email of a kind per hour. The first is sent at once; one more at the end of the hour
 * covers what happened in it, and says that there may be more events than it lists. So a storm fills no mailbox, and
 * nothing goes unreported; the page that the email links to lists every event.
 */
import type { Tx } from '#db/database.ts';
import type { Mail, QueuedEmail } from '#mail/mail.ts';
import { lockPace, setPace } from './store.ts';

export const everyMs = 60 * 60_000;

export interface Pace {
  readonly dueAt: Date;
  /** When the next email after that one may be sent. */
  readonly nextAt: Date;
}

/** When an email about an event at `at` is sent; null: a waiting email covers it. */
export function paceOf(nextAt: Date, at: Date): Pace | null {
  const leftMs = nextAt.getTime() - at.getTime();
  // Longer than any email waits: the clock was set back, and that must not delay an email.
  const mayGo = leftMs <= 0 || leftMs > 2 * everyMs;
  if (!mayGo && leftMs > everyMs) return null;
  const dueAt = mayGo ? at : nextAt;
  return { dueAt, nextAt: new Date(dueAt.getTime() + everyMs) };
}

/** Queues in the transaction of the event that the email reports. The subject identifies the kind. */
export async function queuePaced(
  tx: Tx,
  mail: Mail,
  { userId, at, email }: { userId: string; at: Date; email: QueuedEmail },
): Promise<void> {
  const { subject, before } = email.template;
  const pace = paceOf(await lockPace(tx, userId, subject, at), at);
  if (!pace) return;
  await setPace(tx, userId, subject, pace.nextAt);
  const isLater = pace.dueAt > at;
  const template = isLater
    ? { ...email.template, before: [...before, 'gathered'] as const }
    : email.template;
  await mail.queue(tx, { ...email, template, dueAt: pace.dueAt });
}
