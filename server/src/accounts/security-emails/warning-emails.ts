/**
 * Tells administrators by mail what they are warned of (C-808). Follows the record: the letters are queued in
 * the transaction that raises the warning. They say what kind it is and where to look, never of whom it is:
 * names of users and cameras are read on the dashboard, by who signed in. Of each kind once an hour at most.
 */
import { warningKinds, type WarningKind } from '@nazar/contract/warnings.ts';
import type { Activity } from '#activity/activity.ts';
import type { Tx } from '#db/database.ts';
import { timeIn, type Mail, type QueuedEmail } from '#mail/mail.ts';
import { queuePaced } from './email-pace.ts';
import { reachOfAdministrators } from './store.ts';

const keepMs = 3 * 24 * 60 * 60_000;

/** From now on; without mail, or an address that people reach us at, nothing is queued. */
export function mailWarnings(activity: Activity, mail: Mail, publicUrl: string | null): void {
  if (!mail.isAvailable || publicUrl === null) return;
  activity.follow(async (tx, { action, details }, at) => {
    if (action !== 'warning.raised') return;
    const kind = warningKinds.find((known) => known === details?.['kind']);
    if (kind) await queueFor(tx, kind, at);
  });

  async function queueFor(tx: Tx, kind: WarningKind, at: Date): Promise<void> {
    for (const { id: userId, email, language } of await reachOfAdministrators(tx)) {
      const written = language ?? 'en';
      const post: QueuedEmail = {
        to: email,
        language: written,
        keepMs,
        words: {
          subject: `warning.kinds.${kind}`,
          before: [`warning.kinds.${kind}`],
          facts: [{ name: 'alert.time', value: timeIn(written, at) }],
          action: { label: 'warning.look', url: `${publicUrl}/` },
          after: ['warning.why'],
        },
      };
      await queuePaced(tx, mail, { userId, at, post });
    }
  }
}
