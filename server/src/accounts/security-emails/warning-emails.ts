/**
 * Sends warnings to administrators by email. It follows the activity log: the emails are queued in the
 * transaction that raises the warning. They name the kind and where to find it, never a user or a camera, whose
 * names are shown on the dashboard after signing in. Each kind is sent at most once per hour.
 */
import { warningKinds, type WarningKind } from '@nazar/contract/warnings.ts';
import type { Activity } from '#activity/activity.ts';
import type { Tx } from '#db/database.ts';
import { timeIn, type Mail, type QueuedEmail } from '#mail/mail.ts';
import { queuePaced } from './email-pace.ts';
import { reachOfAdministrators } from './store.ts';

const keepMs = 3 * 24 * 60 * 60_000;

/** Starts now; nothing is queued without mail, or without a public address for links. */
export function mailWarnings(activity: Activity, mail: Mail, publicUrl: string | null): void {
  if (!mail.isAvailable || publicUrl === null) return;
  activity.follow(async (tx, { action, details }, at) => {
    if (action !== 'warning.raised') return;
    const kind = warningKinds.find((known) => known === details?.['kind']);
    if (kind) await queueFor(tx, kind, at);
  });

  async function queueFor(tx: Tx, kind: WarningKind, at: Date): Promise<void> {
    for (const { id: userId, email: to, language, timezone } of await reachOfAdministrators(tx)) {
      const written = language ?? 'en';
      const email: QueuedEmail = {
        to,
        language: written,
        keepMs,
        template: {
          subject: `warning.kinds.${kind}`,
          before: [`warning.kinds.${kind}`],
          facts: [{ name: 'alert.time', value: timeIn(written, at, timezone) }],
          action: { label: 'warning.look', url: `${publicUrl}/` },
          after: ['warning.why'],
        },
      };
      await queuePaced(tx, mail, { userId, at, email });
    }
  }
}
