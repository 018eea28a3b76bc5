/** The parts of webhooks, as the room of notifications builds them. */
import type { Activity } from '#activity/activity.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Database } from '#db/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { WebhookPolicy } from './addresses.ts';
import { WebhookDeliveries } from './deliveries.ts';
import { WebhookDeliveryListStore } from './delivery-list-store.ts';
import { WebhookDeliveryStore } from './delivery-store.ts';
import { MessageStore } from './message-store.ts';
import type { Dialing } from '../deliveries/post.ts';
import { WebhookSealing } from './sealing.ts';
import { WebhookSender } from './sender.ts';
import { WebhookSending } from './sending.ts';
import { Webhooks } from './webhooks.ts';
import { WebhookStore } from './webhook-store.ts';

export interface WebhookChannelOptions {
  readonly db: Database;
  readonly activity: Pick<Activity, 'record'>;
  readonly cameras: Pick<Cameras, 'visibleAmong'>;
  /** Seals addresses and secrets. */
  readonly key: SecretKey;
  /** Where webhooks may be; read at each try, because a machine gets other addresses. */
  readonly webhookPolicy: WebhookPolicy;
  /** Tests replace it by a name server that gives wrong answers. */
  readonly resolve?: Dialing['resolve'];
  readonly publicUrl: string | null;
  readonly clock: Clock;
  readonly wireClock?: Clock;
  readonly log: Log;
}

export function webhookChannel(options: WebhookChannelOptions) {
  const { db, key, webhookPolicy: policy } = options;
  const store = new WebhookStore(db);
  const deliveries = new WebhookDeliveryStore(db);
  const sealing = new WebhookSealing(key);
  const sending = new WebhookSending({
    ...options,
    messages: new MessageStore(db),
    sealing,
    policy,
  });
  const parts = { store, deliveries, sending, sealing, policy };
  return {
    webhooks: new Webhooks({ ...options, ...parts }),
    deliveries: new WebhookDeliveries({
      ...options,
      store: new WebhookDeliveryListStore(db),
      webhooks: store,
    }),
    sender: new WebhookSender({ ...options, store: deliveries, webhooks: store, sending }),
  };
}
