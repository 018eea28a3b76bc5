/** The webhooks as administrators add, change, test and delete them. A secret leaves in the answer that made it only. */
import {
  maxWebhooks,
  type Webhook,
  type WebhookChange,
  type WebhookFields,
  type WebhookTest,
  type WebhookWithSecret,
} from '@nazar/contract/webhooks.ts';
import type { Action, Activity, Details } from '#activity/activity.ts';
import { mustSeeAdded, type VisibleCameras } from '#cameras/cameras.ts';
import type { Tx } from '#db/database.ts';
import { RequestLimits } from '#http/request-limits.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import { webhookAddress, type WebhookPolicy } from './addresses.ts';
import type { WebhookDeliveryStore } from './delivery-store.ts';
import type { WebhookSealing } from './sealing.ts';
import type { WebhookSending } from './sending.ts';
import { newSecret } from './signing.ts';
import { asWebhook, changedFields, recordedOf } from './webhook-fields.ts';
import type { WebhookRow, WebhookStore } from './webhook-store.ts';

/** The secret of before signs as well for so long, unless it is ended. */
const oldSecretMs = 24 * 60 * 60_000;
const testsPerMinute = 10;

export interface WebhooksOptions {
  readonly store: WebhookStore;
  readonly deliveries: WebhookDeliveryStore;
  readonly sending: WebhookSending;
  readonly sealing: WebhookSealing;
  readonly policy: WebhookPolicy;
  readonly activity: Pick<Activity, 'record'>;
  readonly cameras: VisibleCameras;
  readonly clock: Clock;
}

export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #limits: RequestLimits;

  constructor(options: WebhooksOptions) {
    this.#options = options;
    this.#limits = new RequestLimits(options.clock, testsPerMinute);
  }

  async list(): Promise<Webhook[]> {
    const { store, clock } = this.#options;
    const now = new Date(clock.now());
    return (await store.list()).map((row) => asWebhook(row, now));
  }

  /** Throws camera_not_found, webhooks_too_many, and as `webhookAddress`. */
  async add(scope: Scope, fields: WebhookFields): Promise<WebhookWithSecret> {
    const { store, sealing, policy, clock } = this.#options;
    const { address, cameras, ...rest } = fields;
    const url = webhookAddress(address, fields.allow_loopback, policy);
    await mustSeeAdded(this.#options.cameras, scope, cameras);
    const nowMs = clock.now();
    const id = uuidv7(nowMs);
    const secret = newSecret();
    const row: WebhookRow = {
      id,
      ...rest,
      camera_ids: cameras,
      sealed_address: sealing.address(id, url),
      origin: url.origin,
      sealed_secret: sealing.secret(id, secret),
      sealed_old_secret: null,
      old_secret_until: null,
      is_gone: false,
      failures: 0,
      paused_until: null,
      last_delivered_at: null,
      created_at: new Date(nowMs),
    };
    await store.transaction(async (tx) => {
      const max = maxWebhooks;
      if ((await store.count(tx)) >= max) throw new Problem('webhooks_too_many', { max });
      await store.add(tx, row);
      await this.#record(tx, scope, id, 'webhook.created', recordedOf(row));
    });
    return { ...(await this.#answer(id)), secret };
  }

  /** Throws webhook_not_found, camera_not_found, and as `webhookAddress`. */
  async change(scope: Scope, id: string, change: WebhookChange): Promise<Webhook> {
    const { store, deliveries, cameras } = this.#options;
    await store.transaction(async (tx) => {
      const before = await this.#locked(tx, id);
      await mustSeeAdded(cameras, scope, change.cameras ?? null, before.camera_ids);
      const row = {
        ...before,
        ...changedFields(before, change),
        ...this.#newAddress(before, change),
      };
      const isFresh = change.address !== undefined || (row.is_enabled && !before.is_enabled);
      const state = isFresh ? { is_gone: false, failures: 0, paused_until: null } : {};
      await store.change(tx, id, { ...row, ...state });
      if (before.is_enabled && !row.is_enabled) await deliveries.disable(tx, id);
      const details = { ...recordedOf(row), address_changed: change.address !== undefined };
      await this.#record(tx, scope, id, 'webhook.changed', details);
    });
    return this.#answer(id);
  }

  /** Throws webhook_not_found. */
  async remove(scope: Scope, id: string): Promise<void> {
    const { store } = this.#options;
    await store.transaction(async (tx) => {
      const row = await this.#locked(tx, id);
      await store.remove(tx, id);
      await this.#record(tx, scope, id, 'webhook.deleted', recordedOf(row));
    });
  }

  /** Two secrets sign then; one that was before both ends. Throws webhook_not_found. */
  async rotate(scope: Scope, id: string): Promise<WebhookWithSecret> {
    const { store, sealing, clock } = this.#options;
    const secret = newSecret();
    await store.transaction(async (tx) => {
      const { sealed_secret: old } = await this.#locked(tx, id);
      await store.change(tx, id, {
        sealed_secret: sealing.secret(id, secret),
        sealed_old_secret: old,
        old_secret_until: new Date(clock.now() + oldSecretMs),
      });
      await this.#record(tx, scope, id, 'webhook.secret_rotated');
    });
    return { ...(await this.#answer(id)), secret };
  }

  /** Throws webhook_not_found. */
  async endOldSecret(scope: Scope, id: string): Promise<Webhook> {
    const { store } = this.#options;
    await store.transaction(async (tx) => {
      const row = await this.#locked(tx, id);
      if (row.sealed_old_secret === null) return;
      await store.change(tx, id, { sealed_old_secret: null, old_secret_until: null });
      await this.#record(tx, scope, id, 'webhook.old_secret_ended');
    });
    return this.#answer(id);
  }

  /** Sends a test now, also while it is off or left alone. Throws webhook_not_found, too_many_requests. */
  async test(scope: Scope, id: string): Promise<WebhookTest> {
    const { store, deliveries, sending, clock } = this.#options;
    const webhook = await store.find(id);
    if (!webhook) throw new Problem('webhook_not_found');
    this.#limits.ofAccount(scope.userId, scope.ip, false);
    const at = new Date(clock.now());
    const event = { id: uuidv7(at.getTime()), event: 'webhook.test', alertId: null, at } as const;
    const answer = await sending.send(webhook, event, new AbortController().signal);
    const { status, fault, tookMs } = answer;
    await deliveries.addTest(event.id, id, { at, ...answer });
    await store.transaction((tx) =>
      this.#record(tx, scope, id, 'webhook.tested', { status, fault }),
    );
    return { is_delivered: fault === null, status, fault, took_ms: tookMs };
  }

  #newAddress(before: WebhookRow, change: WebhookChange): Partial<WebhookRow> {
    const { sealing, policy } = this.#options;
    const { address, allow_loopback: allowed = before.allow_loopback } = change;
    if (address === undefined && change.allow_loopback === undefined) return {};
    const url = webhookAddress(address ?? sealing.addressOf(before).href, allowed, policy);
    return { sealed_address: sealing.address(before.id, url), origin: url.origin };
  }

  async #locked(tx: Tx, id: string): Promise<WebhookRow> {
    const row = await this.#options.store.locked(tx, id);
    if (!row) throw new Problem('webhook_not_found');
    return row;
  }

  async #answer(id: string): Promise<Webhook> {
    const { store, clock } = this.#options;
    const row = await store.counted(id);
    if (!row) throw new Problem('webhook_not_found');
    return asWebhook(row, new Date(clock.now()));
  }

  async #record(
    tx: Tx,
    scope: Scope,
    id: string,
    action: Action,
    details: Details = {},
  ): Promise<void> {
    const object = { type: 'webhook', id } as const;
    await this.#options.activity.record(tx, { actor: scope, action, object, details });
  }
}
