/** The devices of users: added by their pages, listed, removed and tested by their user alone. */
import {
  maxPushDevices,
  type PushDevice,
  type PushDeviceFields,
  type PushState,
  type PushTest,
} from '@nazar/contract/push.ts';
import type { Accounts } from '#accounts/accounts.ts';
import { RequestLimits } from '#http/request-limits.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { Tx } from '#db/database.ts';
import type { Dialing } from '../deliveries/post.ts';
import { testMessage } from './composing.ts';
import type { DeviceRow, PushDeviceStore } from './device-store.ts';
import type { PushKeys } from './keys.ts';
import type { PushSending } from './sending.ts';
import type { PushSettingsStore } from './settings-store.ts';
import { endpointHash, endpointOf, sealedSubscription } from './subscription.ts';

const testsPerMinute = 10;

export interface PushDevicesOptions {
  readonly devices: PushDeviceStore;
  readonly settings: Pick<PushSettingsStore, 'content'>;
  readonly keys: PushKeys;
  readonly sending: PushSending;
  readonly key: SecretKey;
  readonly allows: Dialing['allows'];
  readonly accounts: { readonly preferences: Pick<Accounts['preferences'], 'of'> };
  readonly clock: Clock;
}

export class PushDevices {
  readonly #options: PushDevicesOptions;
  readonly #limits: RequestLimits;

  constructor(options: PushDevicesOptions) {
    this.#options = options;
    this.#limits = new RequestLimits(options.clock, testsPerMinute);
  }

  async state(scope: Scope): Promise<PushState> {
    const { devices, settings, keys } = this.#options;
    const vapid = await keys.vapid();
    await devices.removeOfEndedSessions();
    const own = vapid === null ? [] : await devices.ofUser(scope.userId);
    return {
      public_key: vapid?.publicKey ?? null,
      content: await settings.content(),
      devices: own.map(asDevice),
    };
  }

  /** Whether push messages can reach the user. */
  async reach(userId: string): Promise<boolean> {
    const { devices, keys } = this.#options;
    return keys.isAvailable && (await devices.ofUser(userId)).length > 0;
  }

  /**
   * Adds a device, or renews it. One of another user passes to this one, and what waited for it is gone: a browser shows
   * its messages to the user who is signed in. Throws push_unavailable, push_endpoint_refused, push_devices_too_many,
   * push_device_not_found.
   */
  async add(scope: Scope, fields: PushDeviceFields): Promise<PushDevice> {
    const { devices, keys, allows } = this.#options;
    if (!keys.isAvailable) throw new Problem('push_unavailable');
    const service = endpointOf(fields, allows).host;
    const row = await devices.transaction((tx) => this.#put(tx, scope, fields, service));
    return asDevice(row);
  }

  /** Throws push_device_not_found. */
  async remove(scope: Scope, id: string): Promise<void> {
    const { devices } = this.#options;
    await devices.transaction(async (tx) => {
      const device = await devices.locked(tx, id);
      if (device?.user_id !== scope.userId) throw new Problem('push_device_not_found');
      await devices.remove(tx, id);
    });
  }

  /** Throws push_unavailable, push_device_not_found, too_many_requests. */
  async test(scope: Scope, id: string): Promise<PushTest> {
    const { devices, keys, sending, accounts, clock } = this.#options;
    const device = await devices.find(id);
    if (device?.user_id !== scope.userId) throw new Problem('push_device_not_found');
    const vapid = await keys.vapid();
    if (!vapid) throw new Problem('push_unavailable');
    this.#limits.ofAccount(scope.userId, scope.ip, false);
    const { language } = await accounts.preferences.of(scope.userId);
    const message = testMessage(language ?? 'en', new Date(clock.now()));
    const { signal } = new AbortController();
    const posted = await sending.send(device, { message, isUrgent: true, vapid, signal });
    const { status, fault, tookMs } = posted;
    await devices.transaction((tx) => this.#record(tx, id, fault));
    return { is_delivered: fault === null, status, fault, took_ms: tookMs };
  }

  async #record(tx: Tx, id: string, fault: DeviceRow['fault']): Promise<void> {
    const { devices, clock } = this.#options;
    if (fault === null) return devices.delivered(tx, id, new Date(clock.now()));
    if (fault === 'gone') return devices.remove(tx, id);
    return devices.change(tx, id, { fault });
  }

  async #put(tx: Tx, scope: Scope, fields: PushDeviceFields, service: string): Promise<DeviceRow> {
    const { devices, key, clock } = this.#options;
    const { userId: user_id, sessionId: session_id } = scope;
    const hash = endpointHash(fields.endpoint);
    const before = await devices.byEndpoint(tx, hash);
    const isOwn = before?.user_id === user_id;
    if (fields.only_renew && !isOwn) throw new Problem('push_device_not_found');
    if (before && !isOwn) await devices.remove(tx, before.id);
    const nowMs = clock.now();
    const at = new Date(nowMs);
    const id = isOwn ? before.id : uuidv7(nowMs);
    const sealed_subscription = sealedSubscription(key, id, fields);
    const known = { session_id, sealed_subscription, name: fields.name, renewed_at: at };
    if (isOwn) {
      await devices.change(tx, id, { ...known, paused_until: null });
      return { ...before, ...known };
    }
    const never = { delivered_at: null, failures: 0, paused_until: null, fault: null };
    const row = { id, user_id, endpoint_hash: hash, service, created_at: at, ...known, ...never };
    if (!(await devices.add(tx, row))) return this.#put(tx, scope, fields, service);
    if ((await devices.count(tx, user_id)) > maxPushDevices) {
      throw new Problem('push_devices_too_many', { max: maxPushDevices });
    }
    return row;
  }
}

const asDevice = (row: DeviceRow): PushDevice => ({
  id: row.id,
  name: row.name,
  service: row.service,
  added_at: row.created_at.toISOString(),
  renewed_at: row.renewed_at.toISOString(),
  delivered_at: row.delivered_at?.toISOString() ?? null,
  fault: row.fault,
});
