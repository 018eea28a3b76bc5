/**
 * Hands what waits for users to the channels that they wish. Rights, wishes and language are asked when it goes out. A
 * message is queued in the transaction that notes it as sent, so that a server that dies sends it once.
 */
import type { Accounts } from '#accounts/accounts.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Log } from '#lib/log.ts';
import { knownZone } from '#mail/mail.ts';
import type { Reader, Readers } from '../raising/readers.ts';
import type { NotificationStore } from '../store.ts';
import type { Channel, Noticed } from './channel.ts';
import type { DeliveryStore, DropReason, WaitingDelivery } from './delivery-store.ts';
import { planOf } from './plan.ts';
import { quietUntil } from './quiet-hours.ts';
import { emailOf } from '../settings/wishes.ts';
import type { Tx } from '#db/database.ts';

const everyMs = 1_000;
const hourMs = 60 * 60_000;

export interface CourierOptions {
  readonly store: DeliveryStore;
  readonly notifications: Pick<NotificationStore, 'noticed'>;
  readonly readers: Readers;
  readonly accounts: { readonly preferences: Pick<Accounts['preferences'], 'of'> };
  readonly channels: readonly Channel[];
  readonly clock: Clock;
  readonly log: Log;
}

type Item = WaitingDelivery & Noticed & { atMs: number; isCritical: boolean };

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
    const { store, readers, channels, clock, log } = this.#options;
    const due = await store.due(new Date(clock.now()));
    if (due.length === 0) return;
    const users = await readers.all();
    for (const { user_id: userId, channel: name } of due) {
      const channel = channels.find((one) => one.name === name)!;
      await store
        .transaction((tx) => this.#deliver(tx, channel, { userId, reader: users.get(userId) }))
        .catch((err: unknown) => log.warn({ err }, 'messages to a user could not be sent'));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #deliver(
    tx: Tx,
    channel: Channel,
    { userId, reader }: { readonly userId: string; readonly reader: Reader | undefined },
  ): Promise<void> {
    const { store, clock } = this.#options;
    const now = new Date(clock.now());
    const waiting = await store.waiting(tx, { userId, channel: channel.name }, now);
    const drop = async (dropped: readonly WaitingDelivery[], reason: DropReason) => {
      if (dropped.length > 0)
        await store.finish(tx, channel.name, dropped, { state: 'dropped', reason, at: now });
    };
    if (!reader) return drop(waiting, 'account');
    if (!channel.isWished(reader.wishes)) return drop(waiting, 'not_wished');
    if (!channel.isAvailable()) return drop(waiting, 'unavailable');
    const items = await this.#items(reader, waiting);
    const found = new Set(items.map(({ id }) => id));
    await drop(
      waiting.filter(({ notification_id: id }) => !found.has(id)),
      'not_visible',
    );
    await this.#send(tx, channel, reader, items);
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
      return [{ ...one, ...about, id: one.notification_id, message, at, atMs, isCritical }];
    });
  }

  async #send(
    tx: Tx,
    channel: Channel,
    { scope, wishes }: Reader,
    items: readonly Item[],
  ): Promise<void> {
    const { store, clock, accounts } = this.#options;
    const { userId } = scope;
    const { name } = channel;
    const nowMs = clock.now();
    const at = new Date(nowMs);
    const { language, timezone } = await accounts.preferences.of(userId);
    const plan = planOf(items, {
      nowMs,
      quietUntilMs: quietUntil(wishes, nowMs, knownZone(timezone)),
      sentAtMs: await store.sentSince(tx, { userId, channel: name }, new Date(nowMs - hourMs)),
    });
    const email = emailOf(wishes, scope.email);
    const to = { userId, email, language: language ?? 'en', timezone };
    for (const item of plan.alone) {
      await channel.send(tx, item, to);
      const reason = item.isCritical ? 'critical' : null;
      await store.finish(tx, name, [item], { state: 'sent', reason, at });
    }
    if (plan.summed.length > 0) {
      await channel.sendSummary(tx, plan.summed, to);
      await store.finish(tx, name, plan.summed, { state: 'summed', reason: null, at });
    }
    if (plan.later.length > 0) await store.postpone(tx, name, plan.later, new Date(plan.laterAtMs));
  }
}
