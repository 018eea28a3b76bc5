/**
 * Emails about notifications. They say that something happened: its kind, level and time, and where to read of it. No
 * name of a person or a camera is in one, and nothing else that a user typed.
 */
import type { AlertKind, AlertLevel } from '@nazar/contract/alerts.ts';
import type { Language } from '@nazar/contract/accounts.ts';
import type { NotificationKind } from '@nazar/contract/notifications.ts';
import { mailSentence, timeIn, type MailKey, type QueuedEmail } from '#mail/mail.ts';
import type { Message } from './delivery-store.ts';

export interface Noticed {
  readonly kind: Exclude<NotificationKind, 'account'>;
  readonly alert_kind: AlertKind | null;
  readonly level: AlertLevel | null;
  readonly message: Message;
  readonly at: Date;
}

export interface Receiver {
  readonly email: string;
  readonly language: Language;
  readonly timezone: string | null;
  /** The public address of this installation. */
  readonly publicUrl: string;
}

/** After a day the page is the place to read of it. */
const keepMs = 24 * 60 * 60_000;

export function noticeOf(
  { kind, alert_kind, level, message, at }: Noticed,
  to: Receiver,
): QueuedEmail {
  const subject: MailKey =
    message === 'over'
      ? 'notice.over'
      : `notice.kinds.${alert_kind ?? (kind === 'alert' ? 'system_warning' : kind)}`;
  const { language } = to;
  const what: MailKey[] =
    message === 'over' ? [`notice.kinds.${alert_kind ?? 'system_warning'}`] : [];
  const ofLevel = level
    ? [{ name: 'notice.level', value: mailSentence(language, `notice.levels.${level}`) } as const]
    : [];
  return {
    to: to.email,
    language,
    keepMs,
    template: {
      subject,
      before: [subject, ...what],
      facts: [...ofLevel, { name: 'alert.time', value: timeIn(language, at, to.timezone) }],
      ...around(to),
    },
  };
}

/** One for several that are late, or beyond the limit. */
export function summaryOf(noticed: readonly Noticed[], to: Receiver): QueuedEmail {
  const { language, timezone } = to;
  const [first, last] = [noticed[0]!.at, noticed.at(-1)!.at];
  return {
    to: to.email,
    language,
    keepMs,
    template: {
      subject: 'notice.summary',
      before: ['notice.summary'],
      facts: [
        { name: 'notice.count', value: String(noticed.length) },
        { name: 'notice.from', value: timeIn(language, first, timezone) },
        { name: 'notice.until', value: timeIn(language, last, timezone) },
      ],
      ...around(to),
    },
  };
}

const around = ({ publicUrl }: Receiver) =>
  ({
    action: { label: 'notice.look', url: `${publicUrl}/notifications` },
    after: ['notice.why'],
  }) as const;
