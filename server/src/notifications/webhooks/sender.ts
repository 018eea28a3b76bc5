/**
 * Sends what waits for webhooks: to each receiver one event after the other, to several at once. A server leases an event
 * while it sends it, so that no other does; one that dies is followed by another when the lease ends, with the same id.
 * So a receiver gets an event at least once. Failed tries are repeated later and later; a receiver that fails on and on
 * is left alone for a while.
 */
import { systemActor, type Activity } from '#activity/activity.ts';
import { backoffMs } from '#lib/backoff.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Log } from '#lib/log.ts';
import type { Tx } from '#db/database.ts';
import type { TakenDelivery, Tried, WebhookDeliveryStore } from './delivery-store.ts';
import type { WebhookSending } from './sending.ts';
import type { WebhookRow, WebhookStore } from './webhook-store.ts';

const everyMs = 500;
/** Longer than a try can last (`deliveries/post.ts:timeoutMs`). */
export const leaseMs = 60_000;
const retry = { firstMs: 5_000, maxMs: 60 * 60_000 };
/** So many failures in a row, and the receiver is left alone, longer each time. */
export const failuresToPause = 5;
const pause = { firstMs: 30_000, maxMs: 15 * 60_000 };
/** An event that was not delivered for so long is given up. */
export const keepMs = 24 * 60 * 60_000;

export interface SenderOptions {
  readonly store: WebhookDeliveryStore;
  readonly webhooks: WebhookStore;
  readonly sending: WebhookSending;
  readonly activity: Pick<Activity, 'record'>;
  readonly clock: Clock;
  readonly log: Log;
}

export class WebhookSender implements AsyncDisposable {
  readonly #options: SenderOptions;
  readonly #stop = new AbortController();
  /** What is being sent, by webhook. */
  readonly #busy = new Map<string, Promise<void>>();
  #running: Promise<void> = Promise.resolve();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, log } = this.#options;
    // A receiver that keeps us waiting holds up no other: looking does not wait for sending.
    this.#running = every(
      { clock, everyMs, signal: this.#stop.signal },
      () => this.#look(),
      (err) => log.warn({ err }, 'events for webhooks could not be looked for; it goes on later'),
    );
  }

  /** Sends what is due now. */
  async run(): Promise<void> {
    await this.#look();
    await Promise.all(this.#busy.values());
  }

  /** Tries that go on are ended, and repeated by the next start. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await Promise.all(this.#busy.values());
  }

  async #look(): Promise<void> {
    const { store, clock, log } = this.#options;
    const now = new Date(clock.now());
    await store.giveUp(now);
    for (const id of await store.due(now)) {
      if (this.#busy.has(id) || this.#stop.signal.aborted) continue;
      const sent = this.#sendAll(id)
        .catch((err: unknown) => log.warn({ err, webhook: id }, 'events could not be sent'))
        .finally(() => this.#busy.delete(id));
      this.#busy.set(id, sent);
    }
  }

  async #sendAll(webhookId: string): Promise<void> {
    const { store, webhooks, clock } = this.#options;
    while (!this.#stop.signal.aborted) {
      const nowMs = clock.now();
      const taken = await store.take(webhookId, new Date(nowMs), new Date(nowMs + leaseMs));
      if (!taken) return;
      const webhook = await webhooks.find(webhookId);
      if (!webhook) return;
      const tried = await this.#try(webhook, taken);
      if (tried) await store.transaction((tx) => this.#record(tx, taken, tried));
    }
  }

  /** Null: this server stops. */
  async #try(webhook: WebhookRow, taken: TakenDelivery): Promise<Tried | null> {
    const { store, sending, clock } = this.#options;
    const { id, event, alert_id: alertId, created_at: at } = taken;
    const { signal } = this.#stop;
    try {
      const answer = await sending.send(webhook, { id, event, alertId, at }, signal);
      return { ...answer, at: new Date(clock.now()) };
    } catch (error) {
      await store.release(id);
      if (signal.aborted) return null;
      throw error;
    }
  }

  async #record(tx: Tx, taken: TakenDelivery, tried: Tried): Promise<void> {
    const { store, webhooks } = this.#options;
    const webhook = await webhooks.locked(tx, taken.webhook_id);
    if (!webhook) return;
    const { fault, at } = tried;
    if (fault === null) {
      await store.finish(tx, taken.id, 'delivered', tried);
      const well = { failures: 0, paused_until: null, last_delivered_at: at };
      return webhooks.change(tx, webhook.id, well);
    }
    // Not the receiver's fault.
    if (fault === 'alert_gone') return store.finish(tx, taken.id, 'failed', tried);
    if (fault === 'gone') return this.#end(tx, webhook, taken.id, tried);
    const failures = webhook.failures + 1;
    const pausedMs = backoffMs(pause, failures - failuresToPause + 1, Math.random);
    const pausedUntil = failures < failuresToPause ? null : new Date(at.getTime() + pausedMs);
    await webhooks.change(tx, webhook.id, { failures, paused_until: pausedUntil });
    const waitMs = backoffMs(retry, taken.tries_of_round, Math.random);
    const dueAt = new Date(at.getTime() + waitMs);
    if (dueAt >= taken.give_up_at) return store.finish(tx, taken.id, 'failed', tried);
    return store.tryAgainAt(tx, taken.id, dueAt, tried);
  }

  /** The receiver asks for no more. */
  async #end(tx: Tx, webhook: WebhookRow, deliveryId: string, tried: Tried): Promise<void> {
    const { store, webhooks, activity } = this.#options;
    await store.finish(tx, deliveryId, 'failed', tried);
    await store.disable(tx, webhook.id);
    if (!webhook.is_enabled) return;
    await webhooks.change(tx, webhook.id, { is_enabled: false, is_gone: true, paused_until: null });
    await activity.record(tx, {
      actor: systemActor,
      action: 'webhook.disabled',
      object: { type: 'webhook', id: webhook.id },
      details: { origin: webhook.origin },
    });
  }
}
