/**
 * Hands what waits for users to the channel that they wish. Rights, wishes and language are asked when it goes out. A
 * message is queued in the transaction that notes it as sent, so that a server that dies sends it once.
 */
import type { Accounts } from '#accounts/accounts.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Log } from '#lib/log.ts';
import { knownZone, type Mail } from '#mail/mail.ts';
import type { Reader, Readers } from '../raising/readers.ts';
import type { NotificationStore } from '../store.ts';
import type { DeliveryStore, DropReason, WaitingDelivery } from './delivery-store.ts';
import { noticeOf, summaryOf, type Noticed, type Receiver } from './notice.ts';
import { planOf } from './plan.ts';
import { quietUntil } from './quiet-hours.ts';
import type { Tx } from '#db/database.ts';

const everyMs = 1_000;
const hourMs = 60 * 60_000;

export interface CourierOptions {
  readonly store: DeliveryStore;
  readonly notifications: Pick<NotificationStore, 'noticed'>;
  readonly readers: Readers;
  readonly accounts: { readonly preferences: Pick<Accounts['preferences'], 'of'> };
  readonly mail: Pick<Mail, 'isAvailable' | 'queue'>;
  /** Null: there is no address for links. */
  readonly publicUrl: string | null;
  readonly clock: Clock;
  readonly log: Log;
}

type Item = WaitingDelivery & Noticed & { id: string; atMs: number; isCritical: boolean };

export class Courier implements AsyncDisposable {
  readonly #options: CourierOptions;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: CourierOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, log } = this.#options;
    this.#running = every(
      { clock, everyMs, signal: this.#stop.signal },
      () => this.run(),
      (err) =>
        log.warn({ err }, 'messages about notifications could not be sent; it goes on later'),
    );
  }

  /** Sends what is due now. */
  async run(): Promise<void> {
    const { store, readers, clock, log } = this.#options;
    const due = await store.due(new Date(clock.now()));
    if (due.length === 0) return;
    const users = await readers.all();
    for (const userId of due) {
      await store
        .transaction((tx) => this.#deliver(tx, userId, users.get(userId) ?? null))
        .catch((err: unknown) => log.warn({ err }, 'messages to a user could not be sent'));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #deliver(tx: Tx, userId: string, reader: Reader | null): Promise<void> {
    const { store, clock, mail, publicUrl } = this.#options;
    const now = new Date(clock.now());
    const waiting = await store.waiting(tx, userId, now);
    const drop = async (dropped: readonly WaitingDelivery[], reason: DropReason) => {
      if (dropped.length > 0)
        await store.finish(tx, dropped, { state: 'dropped', reason, at: now });
    };
    if (!reader) return drop(waiting, 'account');
    if (!reader.wishes.email) return drop(waiting, 'not_wished');
    if (!mail.isAvailable || publicUrl === null) return drop(waiting, 'unavailable');
    const items = await this.#items(reader, waiting);
    const found = new Set(items.map(({ id }) => id));
    await drop(
      waiting.filter((one) => !found.has(idOf(one))),
      'not_visible',
    );
    await this.#send(tx, reader, items, publicUrl);
  }

  /** Those that the reader may see now. */
  async #items({ scope }: Reader, waiting: readonly WaitingDelivery[]): Promise<Item[]> {
    const ids = waiting.map(({ notification_id }) => notification_id);
    const noticed = await this.#options.notifications.noticed(scope, ids);
    return waiting.flatMap((one) => {
      const about = noticed.get(one.notification_id);
      if (!about) return [];
      const atMs = one.created_at.getTime();
      const { message, created_at: at } = one;
      const isCritical = about.level === 'critical';
      return [{ ...one, ...about, message, at, id: idOf(one), atMs, isCritical }];
    });
  }

  async #send(tx: Tx, { scope, wishes }: Reader, items: Item[], publicUrl: string): Promise<void> {
    const { store, clock, accounts, mail } = this.#options;
    const nowMs = clock.now();
    const at = new Date(nowMs);
    const { language, timezone } = await accounts.preferences.of(scope.userId);
    const plan = planOf(items, {
      nowMs,
      quietUntilMs: quietUntil(wishes, nowMs, knownZone(timezone)),
      sentAtMs: await store.sentSince(tx, scope.userId, new Date(nowMs - hourMs)),
    });
    const to: Receiver = { email: scope.email, language: language ?? 'en', timezone, publicUrl };
    for (const item of plan.alone) {
      await mail.queue(tx, noticeOf(item, to));
      const reason = item.isCritical ? 'critical' : null;
      await store.finish(tx, [item], { state: 'sent', reason, at });
    }
    if (plan.summed.length > 0) {
      await mail.queue(tx, summaryOf(plan.summed, to));
      await store.finish(tx, plan.summed, { state: 'summed', reason: null, at });
    }
    if (plan.later.length > 0) await store.postpone(tx, plan.later, new Date(plan.laterAtMs));
  }
}

const idOf = ({ notification_id, message }: WaitingDelivery): string =>
  `${notification_id} ${message}`;
