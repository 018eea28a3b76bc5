/**
 * Informs users by email about changes to the security of their account. It follows the activity log: code that
 * records an action need not care about emails; they are queued in the transaction of the action. The list on the
 * Security page shows the same entries, so that it works without mail, too. A user gets at most one email of a kind
 * per hour; the list has all events.
 */
import type { SecurityEvent, SecurityEventKind } from '@nazar/contract/security-events.ts';
import type { Activity, Entry, EntryAbout } from '#activity/activity.ts';
import type { Tx } from '#db/database.ts';
import { timeIn, type Mail, type MailKey, type QueuedEmail } from '#mail/mail.ts';
import { kindOf, wanted } from './event-kinds.ts';
import { queuePaced } from './email-pace.ts';
import { reachOf } from './store.ts';

const keepMs = 3 * 24 * 60 * 60_000;
const listed = 20;

/** Each of these is sent to another address: the former one, whose owner may have lost the account. */
const neverHeld: readonly SecurityEventKind[] = ['email_changed'];
/** A separate email, with the link, reports these. */
const notMailed: readonly SecurityEventKind[] = ['link_issued'];

export class SecurityEmails {
  readonly #activity: Activity;
  readonly #mail: Mail;
  readonly #publicUrl: string | null;

  constructor(activity: Activity, mail: Mail, publicUrl: string | null) {
    this.#activity = activity;
    this.#mail = mail;
    this.#publicUrl = publicUrl;
    activity.follow((tx, entry, at) => this.#consider(tx, entry, at));
  }

  /** The latest events of an account. */
  async events(userId: string): Promise<SecurityEvent[]> {
    const entries = await this.#activity.about(userId, wanted, listed);
    return entries.map((entry) => asEvent(entry, userId));
  }

  /** Runs in the transaction of the action, after it was recorded. */
  async #consider(tx: Tx, entry: Entry, at: Date): Promise<void> {
    if (!this.#mail.isAvailable || this.#publicUrl === null) return;
    const { object, actor } = entry;
    const kind = kindOf(entry);
    if (object?.type !== 'user' || kind === null || notMailed.includes(kind)) return;
    // The address is read before it changes, so that the email is sent to the former one.
    const reach = await reachOf(tx, object.id);
    if (!reach) return;
    const language = reach.language ?? 'en';
    const isFromOutside = actor.userId === null || actor.userId === object.id;
    const network = isFromOutside && actor.ip !== '' ? [actor.ip] : [];
    const email: QueuedEmail = {
      to: reach.email,
      language,
      keepMs,
      template: {
        subject: subjectOf(kind),
        before: [subjectOf(kind)],
        facts: [
          { name: 'alert.time', value: timeIn(language, at, reach.timezone) },
          ...network.map((value) => ({ name: 'alert.network', value }) as const),
        ],
        action: { label: 'alert.look', url: `${this.#publicUrl}/security` },
        after: ['alert.notYou'],
      },
    };
    if (neverHeld.includes(kind)) await this.#mail.queue(tx, email);
    else await queuePaced(tx, this.#mail, { userId: object.id, at, email });
  }
}

const subjectOf = (kind: Exclude<SecurityEventKind, 'link_issued'> | SecurityEventKind): MailKey =>
  `alert.kinds.${kind}`;

function asEvent(entry: EntryAbout, userId: string): SecurityEvent {
  const details = JSON.parse(entry.details) as Record<string, never>;
  const isAdministrator = entry.user_id !== null && entry.user_id !== userId;
  const isHidden = isAdministrator || entry.source === 'console';
  return {
    id: entry.id,
    // Every entry that the query returns has one.
    kind: kindOf({ action: entry.action as Entry['action'], details })!,
    at: entry.recorded_at.toISOString(),
    by: byWhom(entry, isAdministrator),
    ip: isHidden ? '' : entry.ip,
    user_agent: isHidden ? '' : entry.user_agent,
  };
}

function byWhom({ source, user_id }: EntryAbout, isAdministrator: boolean): SecurityEvent['by'] {
  if (source === 'console') return 'console';
  if (user_id === null) return 'somebody';
  return isAdministrator ? 'administrator' : 'oneself';
}
