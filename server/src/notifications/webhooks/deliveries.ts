/** What was sent to webhooks and what became of it, without its content; and what is sent again. */
import type {
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookDeliveryQuery,
} from '@nazar/contract/webhooks.ts';
import type { Activity } from '#activity/activity.ts';
import type { Tx } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { askedEnds } from '#lib/local-days.ts';
import { Problem } from '#lib/problem.ts';
import type { ListedDelivery, WebhookDeliveryListStore } from './delivery-list-store.ts';
import { keepMs } from './sender.ts';
import type { WebhookStore } from './webhook-store.ts';

export interface WebhookDeliveriesOptions {
  readonly store: WebhookDeliveryListStore;
  readonly webhooks: WebhookStore;
  readonly activity: Pick<Activity, 'record'>;
  readonly clock: Clock;
}

export class WebhookDeliveries {
  readonly #options: WebhookDeliveriesOptions;

  constructor(options: WebhookDeliveriesOptions) {
    this.#options = options;
  }

  /** Throws time_zone_unknown, page_too_late. */
  async list(
    { start_date, end_date, ...rest }: WebhookDeliveryQuery,
    timeZone: string,
  ): Promise<WebhookDeliveryPage> {
    const { count, more, rows } = await this.#options.store.list({
      ...rest,
      ...askedEnds({ start_date, end_date }, timeZone),
    });
    if (rows.length === 0 && rest.page > 1) throw new Problem('page_too_late', { field: 'page' });
    return { count, results: rows.map(asDelivery), ...(more ? { more } : {}) };
  }

  /** With the same id. Throws webhook_delivery_not_found, webhook_delivery_not_done, webhook_disabled. */
  async sendAgain(scope: Scope, id: string): Promise<WebhookDelivery> {
    const { store } = this.#options;
    const row = await store.transaction(async (tx) => {
      const before = await store.locked(tx, id);
      // A test is made again by testing again.
      if (!before || before.event === 'webhook.test') {
        throw new Problem('webhook_delivery_not_found');
      }
      if (before.state === 'waiting') throw new Problem('webhook_delivery_not_done');
      await this.#again(tx, scope, before.webhook_id, id);
      return store.locked(tx, id);
    });
    return asDelivery(row!);
  }

  /** All that was given up. Throws webhook_not_found, webhook_disabled. Returns how many. */
  sendFailedAgain(scope: Scope, webhookId: string): Promise<number> {
    return this.#options.store.transaction((tx) => this.#again(tx, scope, webhookId));
  }

  async #again(tx: Tx, scope: Scope, webhookId: string, id?: string): Promise<number> {
    const { store, webhooks, activity, clock } = this.#options;
    const webhook = await webhooks.locked(tx, webhookId);
    if (!webhook) throw new Problem('webhook_not_found');
    if (!webhook.is_enabled) throw new Problem('webhook_disabled');
    const nowMs = clock.now();
    const of = id === undefined ? { webhookId } : { webhookId, id };
    const count = await store.sendAgain(tx, of, new Date(nowMs), new Date(nowMs + keepMs));
    const object = { type: 'webhook', id: webhookId } as const;
    if (count > 0) {
      const details = { count };
      await activity.record(tx, { actor: scope, action: 'webhook.replayed', object, details });
    }
    return count;
  }
}

const asDelivery = (row: ListedDelivery): WebhookDelivery => ({
  id: row.id,
  receiver: row.webhook_id,
  receiver_name: row.webhook_name,
  event: row.event,
  alert: row.alert_id,
  state: row.state,
  created_at: row.created_at.toISOString(),
  tries: row.tries,
  last_tried_at: row.last_tried_at?.toISOString() ?? null,
  status: row.status,
  fault: row.fault,
  took_ms: row.took_ms,
  next_try_at: row.next_try_at?.toISOString() ?? null,
});
