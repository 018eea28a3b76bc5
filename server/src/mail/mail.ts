/**
 * Emails to people by SMTP. An email is queued in the transaction of the event it reports, so that neither exists
 * without the other, and the outbox sender of one server hands it over. It is sent at least once: when a
 * server dies after the mail server took an email and before the row is deleted, the email is sent again,
 * with the same Message-ID. This module decides neither who gets an email nor what is in it, and keeps none
 * that was handed over. Without `SMTP_URL` nothing is queued, and no answer says that it was.
 */
import type { Language } from '@nazar/contract/accounts.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import type { Log } from '#lib/log.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { Database, Tx } from '#db/database.ts';
import { OutboxSender } from './outbox-sender.ts';
import type { Email, MailRoute } from './smtp.ts';
import { OutboxStore } from './store.ts';
import { compose, type TemplateWords } from './templates.ts';

export { readSmtpUrl, type MailRoute, type Smtp } from './smtp.ts';
export { knownZone, mailSentence, timeIn, type MailKey, type TemplateWords } from './templates.ts';

export interface MailOptions {
  readonly db: Database;
  readonly master: SecretKey;
  readonly clock: Clock;
  readonly log: Log;
  /** Null: this installation sends no mail. */
  readonly route: MailRoute | null;
}

export interface QueuedEmail {
  readonly to: string;
  readonly language: Language;
  readonly template: TemplateWords;
  /** The email is not sent before this moment; at once when absent. */
  readonly dueAt?: Date;
  /** This long after it is due, the email is no longer worth sending. */
  readonly keepMs: number;
}

export class Mail {
  readonly #options: MailOptions;
  readonly #store: OutboxStore;
  readonly #key: SecretKey;

  constructor(options: MailOptions) {
    this.#options = options;
    this.#store = new OutboxStore(options.db);
    this.#key = options.master.derive('mail');
  }

  get isAvailable(): boolean {
    return this.#options.route !== null;
  }

  /** Part of the caller's transaction. False: this installation sends no mail. */
  async queue(tx: Tx, { to, language, template, dueAt, keepMs }: QueuedEmail): Promise<boolean> {
    const { route, clock } = this.#options;
    if (!route) return false;
    const nowMs = clock.now();
    const due = dueAt ?? new Date(nowMs);
    const id = uuidv7(nowMs);
    const email: Email = { to, ...compose(language, template, route.origin) };
    await this.#store.add(tx, {
      id,
      sealed: this.#key.sealText(JSON.stringify(email), placeOf(id)),
      created_at: new Date(nowMs),
      due_at: due,
      attempts: 0,
      expires_at: new Date(due.getTime() + keepMs),
    });
    return true;
  }

  /** Hands emails over from now on; null when there is no mail server. */
  startOutboxSender(): OutboxSender | null {
    const { route, clock, log } = this.#options;
    if (!route) return null;
    const open = (id: string, sealed: Buffer): Email =>
      JSON.parse(this.#key.openText(sealed, placeOf(id))) as Email;
    return new OutboxSender({ store: this.#store, route, open, clock, log });
  }
}

const placeOf = (id: string): string => `mail_outbox.sealed:${id}`;
