/**
 * Sends what waits for devices: to each one message after the other, to several at once. A server leases a message while
 * it sends it; one that dies is followed by another when the lease ends. A device that its push service does not know
 * any more is removed. What is late becomes one summary.
 */
import { backoffMs } from '#lib/backoff.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Log } from '#lib/log.ts';
import type { Tx } from '#db/database.ts';
import { lateMs } from '../deliveries/plan.ts';
import type { Readers } from '../raising/readers.ts';
import { newTicket, ticketHash } from './tickets.ts';
import type { DeviceRow, PushDeviceStore } from './device-store.ts';
import type { PushKeys } from './keys.ts';
import type { PushMessageStore, TakenMessage } from './message-store.ts';
import type { PushReading } from './reading.ts';
import { keepMs, mayComeLater, type Posted, type PushSending } from './sending.ts';

const everyMs = 500;
/** Longer than a try can last (`deliveries/post.ts:timeoutMs`). */
const leaseMs = 60_000;
const retry = { firstMs: 5_000, maxMs: 15 * 60_000 };
/** So many failures in a row, and the device is left alone, longer each time. */
const failuresToPause = 5;
const pause = { firstMs: 30_000, maxMs: 15 * 60_000 };

export interface PushSenderOptions {
  readonly devices: PushDeviceStore;
  readonly messages: PushMessageStore;
  readonly keys: PushKeys;
  readonly readers: Readers;
  readonly reading: PushReading;
  readonly sending: PushSending;
  readonly clock: Clock;
  readonly log: Log;
}

type Users = Awaited<ReturnType<Readers['all']>>;

export class PushSender implements AsyncDisposable {
  readonly #options: PushSenderOptions;
  readonly #stop = new AbortController();
  /** What is being sent, by device. */
  readonly #busy = new Map<string, Promise<void>>();
  #running: Promise<void> = Promise.resolve();

  constructor(options: PushSenderOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, log } = this.#options;
    // A push service that keeps us waiting holds up no other.
    this.#running = every(
      { clock, everyMs, signal: this.#stop.signal },
      () => this.#begin(),
      (err) => log.warn({ err }, 'push messages could not be read; it goes on later'),
    );
  }

  /** Sends what is due now. */
  async run(): Promise<void> {
    await this.#begin();
    await Promise.all(this.#busy.values());
  }

  /** Tries that go on are ended, and repeated by the next start. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await Promise.all(this.#busy.values());
  }

  async #begin(): Promise<void> {
    const { devices, messages, readers, keys, clock, log } = this.#options;
    if (!keys.isAvailable) return;
    const due = await messages.due(new Date(clock.now()));
    if (due.length === 0) return;
    await devices.removeOfEndedSessions();
    const users = await readers.all();
    for (const id of due) {
      if (this.#busy.has(id) || this.#stop.signal.aborted) continue;
      const sent = this.#sendAll(id, users)
        .catch((err: unknown) => log.warn({ err, device: id }, 'push messages could not be sent'))
        .finally(() => this.#busy.delete(id));
      this.#busy.set(id, sent);
    }
  }

  async #sendAll(deviceId: string, users: Users): Promise<void> {
    const { devices, messages, clock } = this.#options;
    await messages.transaction((tx) => this.#sum(tx, deviceId));
    while (!this.#stop.signal.aborted) {
      const nowMs = clock.now();
      const taken = await messages.take(deviceId, new Date(nowMs), new Date(nowMs + leaseMs));
      if (!taken) return;
      const device = await devices.find(deviceId);
      if (!device) return;
      try {
        await this.#send(device, taken, users);
      } catch (error) {
        await messages.release(taken.id);
        if (this.#stop.signal.aborted) return;
        throw error;
      }
    }
  }

  /** Several that are late are news no more: they become one message. */
  async #sum(tx: Tx, deviceId: string): Promise<void> {
    const { devices, messages, clock } = this.#options;
    const nowMs = clock.now();
    const at = new Date(nowMs);
    const late = await messages.late(tx, deviceId, new Date(nowMs - lateMs), at);
    const device = late.length < 2 ? null : await devices.locked(tx, deviceId);
    if (!device) return;
    const ids = late.map(({ id }) => id);
    await messages.finish(tx, ids, 'dropped', 'summed');
    await messages.addFor(tx, device.id, {
      message: 'summary',
      notification_id: null,
      summed: late.reduce((count, { summed }) => count + (summed ?? 1), 0),
      summed_from: late[0]!.summed_from ?? late[0]!.created_at,
      is_critical: false,
      at,
      giveUpAt: new Date(nowMs + keepMs),
    });
  }

  async #send(device: DeviceRow, taken: TakenMessage, users: Users): Promise<void> {
    const { messages, keys, reading, sending } = this.#options;
    const reader = users.get(device.user_id);
    const ticket = newTicket();
    const message = reader ? await reading.compose(reader.scope, taken, ticket) : null;
    const vapid = await keys.vapid();
    if (!message || !vapid) {
      const reason = reader ? 'not_visible' : 'account';
      return messages.transaction((tx) => messages.finish(tx, [taken.id], 'dropped', reason));
    }
    if (message.ticket !== null) await messages.setTicket(taken.id, ticketHash(ticket));
    const isUrgent = taken.is_critical;
    const { signal } = this.#stop;
    const posted = await sending.send(device, { message, isUrgent, vapid, signal });
    await messages.transaction((tx) => this.#record(tx, taken, posted));
  }

  async #record(tx: Tx, taken: TakenMessage, posted: Posted): Promise<void> {
    const { devices, messages, clock } = this.#options;
    const device = await devices.locked(tx, taken.device_id);
    if (!device) return;
    const nowMs = clock.now();
    const { fault } = posted;
    if (fault === null) {
      await messages.finish(tx, [taken.id], 'delivered');
      return devices.delivered(tx, device.id, new Date(nowMs));
    }
    if (fault === 'gone') return devices.remove(tx, device.id);
    const failures = device.failures + 1;
    const pausedMs = backoffMs(pause, failures - failuresToPause + 1, Math.random);
    const pausedUntil = failures < failuresToPause ? null : new Date(nowMs + pausedMs);
    await devices.change(tx, device.id, { failures, paused_until: pausedUntil, fault });
    const dueAt = new Date(nowMs + backoffMs(retry, taken.tries, Math.random));
    if (!mayComeLater(posted) || dueAt >= taken.give_up_at) {
      return messages.finish(tx, [taken.id], 'failed', fault);
    }
    return messages.tryAgainAt(tx, taken.id, dueAt, fault);
  }
}
