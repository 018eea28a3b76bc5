/**
 * Emails about notifications. They say that something happened: its kind, level and time, and where to read of it. No
 * name of a person or a camera is in one, and nothing else that a user typed.
 */
import { mailSentence, timeIn, type MailKey, type QueuedEmail } from '#mail/mail.ts';
import type { Noticed, Receiver } from './channel.ts';

interface LinkedReceiver extends Receiver {
  /** The public address of this installation. */
  readonly publicUrl: string;
}

/** After a day the page is the place to read of it. */
const keepMs = 24 * 60 * 60_000;

/** The sentence that says what happened, without any name. */
export function happenedKey({ kind, event, alert_kind }: Noticed): MailKey {
  if (kind === 'account') return event ? `alert.kinds.${event}` : 'notice.kinds.system_warning';
  return `notice.kinds.${alert_kind ?? (kind === 'alert' ? 'system_warning' : kind)}`;
}

export function noticeOf(noticed: Noticed, to: LinkedReceiver): QueuedEmail {
  const { level, message, at } = noticed;
  const happened = happenedKey(noticed);
  const isOver = message === 'over';
  const subject = isOver ? 'notice.over' : happened;
  const { language } = to;
  const ofLevel = level
    ? [{ name: 'notice.level', value: mailSentence(language, `notice.levels.${level}`) } as const]
    : [];
  return {
    to: to.email,
    language,
    keepMs,
    template: {
      subject,
      before: isOver ? [subject, happened] : [subject],
      facts: [...ofLevel, { name: 'alert.time', value: timeIn(language, at, to.timezone) }],
      ...around(to),
    },
  };
}

/** One for several that are late, or beyond the limit. */
export function summaryOf(noticed: readonly Noticed[], to: LinkedReceiver): QueuedEmail {
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

const around = ({ publicUrl }: LinkedReceiver) =>
  ({
    action: { label: 'notice.look', url: `${publicUrl}/notifications` },
    after: ['notice.why'],
  }) as const;
