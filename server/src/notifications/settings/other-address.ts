/**
 * Another email address than the account's, for notifications alone. It counts once its owner gave the user the code that
 * was mailed to it. Codes have 8 digits, of which only a keyed hash is stored; they are few, so that Nazar fills no
 * mailbox of others.
 */
import { createHash, randomInt } from 'node:crypto';
import type { NotificationSettingsChange } from '@nazar/contract/notifications.ts';
import type { Accounts } from '#accounts/accounts.ts';
import type { Activity } from '#activity/activity.ts';
import type { Tx } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { Mail, TemplateWords } from '#mail/mail.ts';
import type { AddressStore } from './address-store.ts';
import type { Wishes } from './wishes.ts';

const hourMs = 60 * 60_000;
const lifetimeMs = 24 * hourMs;
const codes = 10 ** 8;
const maxTries = 5;
/** For one user, and for one address over all users. */
const perHour = { windowMs: hourMs, times: 3 };

export interface OtherAddressOptions {
  readonly store: AddressStore;
  readonly accounts: Pick<Accounts, 'preferences' | 'takeAllowance'>;
  readonly activity: Pick<Activity, 'record'>;
  readonly mail: Pick<Mail, 'isAvailable' | 'queue'>;
  readonly key: SecretKey;
  readonly clock: Clock;
}

type Address = Pick<Wishes, 'address' | 'address_confirmed'>;
type Field = 'emailAddress' | 'email_address';

export class OtherAddress {
  readonly #options: OtherAddressOptions;

  constructor(options: OtherAddressOptions) {
    this.#options = options;
  }

  /**
   * Part of the caller's transaction. Throws, at the field of the address, notification_channel_unavailable and
   * notification_codes_too_many.
   */
  async change(
    tx: Tx,
    scope: Scope,
    { address: stored, address_confirmed: isConfirmed }: Address,
    change: NotificationSettingsChange,
  ): Promise<Address> {
    const field = change.emailAddress === undefined ? 'email_address' : 'emailAddress';
    const asked = change[field];
    const address = asked === scope.email ? null : asked;
    if (address === undefined || address === stored) {
      return { address: stored, address_confirmed: isConfirmed };
    }
    if (address === null) await this.#options.store.remove(tx, scope.userId);
    else await this.#sendCode(tx, scope, address, field);
    if (isConfirmed) await this.#record(tx, scope);
    return { address, address_confirmed: false };
  }

  /** Throws notification_address_not_pending; at its field, notification_code_wrong and notification_code_ended. */
  async confirm(scope: Scope, code: string): Promise<void> {
    // A wrong try is counted also where it is refused.
    const refusal = await this.#options.store.transaction((tx) => this.#tried(tx, scope, code));
    if (refusal) throw refusal;
  }

  /** Throws notification_address_not_pending, notification_channel_unavailable and notification_codes_too_many. */
  async sendAgain(scope: Scope): Promise<void> {
    const { store } = this.#options;
    await store.transaction(async (tx) => {
      const pending = await store.pending(tx, scope.userId);
      if (!pending) throw new Problem('notification_address_not_pending');
      await this.#sendCode(tx, scope, pending.address);
    });
  }

  /** Null: it is confirmed. */
  async #tried(tx: Tx, scope: Scope, code: string): Promise<Problem | null> {
    const { store, key, clock } = this.#options;
    const { userId } = scope;
    const pending = await store.pending(tx, userId);
    if (!pending) return new Problem('notification_address_not_pending');
    const ended = new Problem('notification_code_ended', { field: 'code' });
    const { address, tries_left: tries, code_expires_at: expiresAt } = pending;
    if (tries === 0 || expiresAt.getTime() <= clock.now()) return ended;
    const typed = code.replaceAll(/[\s-]/g, '');
    if (!key.verify(signed(userId, address, typed), pending.code_hash)) {
      await store.countWrong(tx, userId);
      if (tries === 1) return ended;
      return new Problem('notification_code_wrong', { field: 'code', tries: tries - 1 });
    }
    await store.confirm(tx, userId);
    await this.#record(tx, scope);
    return null;
  }

  async #sendCode(tx: Tx, scope: Scope, address: string, field?: Field): Promise<void> {
    const { store, mail, accounts, key, clock } = this.#options;
    const { userId } = scope;
    const at = field === undefined ? {} : { field };
    if (!mail.isAvailable) throw new Problem('notification_channel_unavailable', at);
    await this.#mayMail(userId, address, at);
    const code = String(randomInt(codes)).padStart(8, '0');
    await store.put(tx, userId, {
      address,
      code_hash: key.sign(signed(userId, address, code)),
      code_expires_at: new Date(clock.now() + lifetimeMs),
      tries_left: maxTries,
    });
    const { language } = await accounts.preferences.of(userId);
    const template = templateOf(code);
    await mail.queue(tx, { to: address, language: language ?? 'en', template, keepMs: lifetimeMs });
  }

  async #mayMail(userId: string, address: string, at: { readonly field?: Field }): Promise<void> {
    // The address is hashed, so that the table of counts lists none.
    const hashed = createHash('sha256').update(address).digest('hex');
    for (const key of [`notification-code:${userId}`, `notification-code-address:${hashed}`]) {
      const waitMs = await this.#options.accounts.takeAllowance(key, perHour);
      if (waitMs > 0) {
        const retry = { retry_after_s: Math.ceil(waitMs / 1000) };
        throw new Problem('notification_codes_too_many', { ...at, ...retry });
      }
    }
  }

  /** Without an address: the log outlives it. */
  async #record(tx: Tx, scope: Scope): Promise<void> {
    await this.#options.activity.record(tx, {
      actor: scope,
      action: 'account.notification_address_changed',
      object: { type: 'user', id: scope.userId },
    });
  }
}

/** It binds a code to one user and one address: another's code, and that of an address of before, opens nothing. */
const signed = (userId: string, address: string, code: string): string =>
  `notification_address:${userId}:${address}:${code}`;

const templateOf = (code: string): TemplateWords => ({
  subject: 'address.subject',
  before: ['address.text'],
  facts: [{ name: 'address.code', value: code }],
  after: ['address.enter', 'address.valid', 'address.ignore'],
});
