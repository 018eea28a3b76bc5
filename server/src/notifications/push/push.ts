/** The parts of push messages, as the room of notifications builds them. */
import type { Accounts } from '#accounts/accounts.ts';
import type { Activity } from '#activity/activity.ts';
import type { Alerts } from '#alerts/alerts.ts';
import type { Database } from '#db/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { Visits } from '#visits/visits.ts';
import type { Dialing } from '../deliveries/post.ts';
import type { NotificationLists } from '../lists.ts';
import type { Readers } from '../raising/readers.ts';
import type { Snoozes } from '../snoozes/snoozes.ts';
import type { NotificationStore } from '../store.ts';
import { PushActions } from './actions.ts';
import { PushDeviceStore } from './device-store.ts';
import { PushDevices } from './devices.ts';
import { PushKeys } from './keys.ts';
import { PushMessageStore } from './message-store.ts';
import { pushChannel } from './push-channel.ts';
import { PushReading } from './reading.ts';
import { PushSender } from './push-sender.ts';
import { PushSending } from './sending.ts';
import { PushSettings } from './settings.ts';
import { PushSettingsStore } from './settings-store.ts';

export interface PushOptions {
  readonly db: Database;
  readonly accounts: { readonly preferences: Pick<Accounts['preferences'], 'of'> };
  readonly activity: Pick<Activity, 'record'>;
  readonly alerts: {
    readonly lists: Pick<Alerts['lists'], 'several'>;
    readonly workflow: Pick<Alerts['workflow'], 'updateStatus'>;
  };
  readonly visits: Pick<Visits, 'picture'>;
  readonly notifications: NotificationStore;
  readonly lists: NotificationLists;
  readonly readers: Readers;
  readonly snoozes: Snoozes;
  /** Seals subscriptions, and the key of this installation. */
  readonly key: SecretKey;
  /** Where push services may be. */
  readonly allows: Dialing['allows'];
  readonly resolve?: Dialing['resolve'];
  readonly publicUrl: string | null;
  readonly clock: Clock;
  readonly wireClock?: Clock;
  readonly log: Log;
}

/** The channel is needed before the rest: it decides who is notified by it. */
export function pushOutbox(options: Pick<PushOptions, 'db' | 'key' | 'publicUrl' | 'clock'>) {
  const settings = new PushSettingsStore(options.db);
  const messages = new PushMessageStore(options.db);
  const keys = new PushKeys({ ...options, store: settings });
  return { settings, messages, keys, channel: pushChannel({ ...options, messages, keys }) };
}

export function pushParts(options: PushOptions, outbox: ReturnType<typeof pushOutbox>) {
  const devices = new PushDeviceStore(options.db);
  const sending = new PushSending(options);
  const reading = new PushReading({ ...options, ...outbox });
  const parts = { ...options, ...outbox, devices, sending, reading };
  return {
    devices: new PushDevices(parts),
    settings: new PushSettings(parts),
    actions: new PushActions({ ...parts, workflow: options.alerts.workflow }),
    sender: new PushSender(parts),
  };
}
