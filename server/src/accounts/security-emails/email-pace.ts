/**
 * Somebody gets letters of one kind once an hour at most. The first goes at once; what happens within the hour
 * after it is told by one more at its end, which says that there may be more than it tells. So a storm fills no
 * letter box, and nothing is told by nobody; every deed stands on the page to which the letter leads.
 */
import type { Tx } from '#db/database.ts';
import type { Mail, QueuedEmail } from '#mail/mail.ts';
import { lockPace, setPace } from './store.ts';

export const everyMs = 60 * 60_000;

export interface Pace {
  readonly dueAt: Date;
  /** When the next letter after that one may go. */
  readonly nextAt: Date;
}

/** When a letter about what happened `at` goes; null: one that waits already tells of it. */
export function paceOf(nextAt: Date, at: Date): Pace | null {
  const leftMs = nextAt.getTime() - at.getTime();
  // More than ever waits: the clock was set back, which holds nothing up.
  const mayGo = leftMs <= 0 || leftMs > 2 * everyMs;
  if (!mayGo && leftMs > everyMs) return null;
  const dueAt = mayGo ? at : nextAt;
  return { dueAt, nextAt: new Date(dueAt.getTime() + everyMs) };
}

/** In the transaction of what the letter is about. Kinds are told apart by their subject. */
export async function queuePaced(
  tx: Tx,
  mail: Mail,
  { userId, at, post }: { userId: string; at: Date; post: QueuedEmail },
): Promise<void> {
  const { subject, before } = post.words;
  const pace = paceOf(await lockPace(tx, userId, subject, at), at);
  if (!pace) return;
  await setPace(tx, userId, subject, pace.nextAt);
  const isLater = pace.dueAt > at;
  const words = isLater ? { ...post.words, before: [...before, 'gathered'] as const } : post.words;
  await mail.queue(tx, { ...post, words, dueAt: pace.dueAt });
}
