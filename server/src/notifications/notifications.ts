/**
 * Notifications: what each user is informed of, on the page and by other channels. One belongs to one user and names what
 * it is about by id: title and message are made when they are read, with what that user may know then. Webhooks are sent
 * what happens to alerts: they are administrators', and belong to no user. This module decides nothing of alerts, visits,
 * accounts or exports: it follows their changes in the feed.
 */
import type { Accounts } from '#accounts/accounts.ts';
import type { Activity } from '#activity/activity.ts';
import type { Alerts } from '#alerts/alerts.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Database } from '#db/database.ts';
import type { Faces } from '#faces/faces.ts';
import { FeedRunner } from '#feed/feed.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { Topic } from '#lib/topic.ts';
import type { Mail } from '#mail/mail.ts';
import type { Visits } from '#visits/visits.ts';
import { emailChannel } from './deliveries/email-channel.ts';
import { Courier } from './deliveries/courier.ts';
import { DeliveryStore } from './deliveries/delivery-store.ts';
import { NotificationLists } from './lists.ts';
import type { Dialing } from './deliveries/post.ts';
import { pushOutbox, pushParts } from './push/push.ts';
import type { PushSender } from './push/push-sender.ts';
import { Raising, type ChangedNotifications } from './raising/raising.ts';
import { Readers } from './raising/readers.ts';
import { NotificationRemoval } from './removal.ts';
import { AddressStore } from './settings/address-store.ts';
import { OtherAddress } from './settings/other-address.ts';
import { NotificationSettings } from './settings/settings.ts';
import { WishesStore } from './settings/settings-store.ts';
import { SnoozeStore } from './snoozes/snooze-store.ts';
import { Snoozes } from './snoozes/snoozes.ts';
import { NotificationStore } from './store.ts';
import { webhookChannel, type WebhookChannelOptions } from './webhooks/channel.ts';
import type { WebhookDeliveries } from './webhooks/deliveries.ts';
import type { WebhookSender } from './webhooks/sender.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

export type { ChangedNotifications } from './raising/raising.ts';
export { NotificationStreams } from './streams/notification-streams.ts';

export interface NotificationsOptions {
  readonly db: Database;
  readonly activity: Pick<Activity, 'record'>;
  readonly accounts: Pick<Accounts, 'active' | 'eventChanges' | 'preferences' | 'takeAllowance'>;
  readonly cameras: Pick<Cameras, 'visibleAmong' | 'access'>;
  readonly faces: Pick<Faces, 'listNames'>;
  readonly visits: Pick<Visits, 'news' | 'picture'>;
  readonly alerts: Pick<Alerts, 'lists' | 'changed' | 'workflow'>;
  readonly mail: Pick<Mail, 'isAvailable' | 'queue'>;
  /** Seals addresses and secrets of webhooks, and subscriptions of devices; signs codes for email addresses. */
  readonly key: SecretKey;
  /** Where push services may be. */
  readonly mayBePushService: Dialing['allows'];
  readonly webhookPolicy: WebhookChannelOptions['webhookPolicy'];
  readonly resolve?: WebhookChannelOptions['resolve'];
  readonly wireClock?: Clock;
  /** The public address of this installation, for links in emails; null: none. */
  readonly publicUrl: string | null;
  readonly clock: Clock;
  readonly log: Log;
}

export class Notifications implements AsyncDisposable {
  /** Published after the commit when what a user has to read changed. */
  readonly changed: Topic<ChangedNotifications>;
  readonly lists: NotificationLists;
  readonly settings: NotificationSettings;
  readonly snoozes: Snoozes;
  readonly removal: NotificationRemoval;
  readonly push: Omit<ReturnType<typeof pushParts>, 'sender'>;
  readonly webhooks: Webhooks;
  readonly webhookDeliveries: WebhookDeliveries;
  readonly #runner: FeedRunner<ChangedNotifications>;
  readonly #courier: Courier;
  readonly #pushSender: PushSender;
  readonly #sender: WebhookSender;

  constructor(options: NotificationsOptions) {
    const { db, accounts, cameras, alerts, clock, log } = options;
    const wishes = new WishesStore(db);
    const readers = new Readers({ accounts, cameras, wishes });
    const { eventChanges } = accounts;
    const outbox = pushOutbox(options);
    const channels = [emailChannel(options), outbox.channel];
    const raising = new Raising({ readers, eventChanges, channels, clock });
    const store = new NotificationStore(db);
    const deliveries = new DeliveryStore(db);
    this.#courier = new Courier({
      ...options,
      store: deliveries,
      notifications: store,
      readers,
      channels,
    });
    this.#runner = new FeedRunner({
      db,
      reader: 'notifications.raising',
      kinds: ['alert', 'alert_over', 'assignment', 'known_visit', 'account', 'export'],
      follow: (tx, changes) => raising.follow(tx, changes),
      failed: (err) => log.warn({ err }, 'users could not be notified; it goes on later'),
      wakes: [alerts.changed],
      clock,
      log,
    });
    this.changed = this.#runner.happened;
    const changed = (userId: string) => this.changed.publish({ userId });
    this.lists = new NotificationLists({ ...options, store, changed });
    this.snoozes = new Snoozes({ ...options, store: new SnoozeStore(db) });
    const parts = {
      ...options,
      notifications: store,
      lists: this.lists,
      readers,
      snoozes: this.snoozes,
    };
    const push = pushParts({ ...parts, allows: options.mayBePushService }, outbox);
    this.push = push;
    this.#pushSender = push.sender;
    this.settings = new NotificationSettings({
      ...options,
      store: wishes,
      devices: push.devices,
      address: new OtherAddress({ ...options, store: new AddressStore(db) }),
    });
    this.removal = new NotificationRemoval({ db, clock });
    const channel = webhookChannel(options);
    this.webhooks = channel.webhooks;
    this.webhookDeliveries = channel.deliveries;
    this.#sender = channel.sender;
    this.#runner.start();
    this.#courier.start();
    this.#sender.start();
    this.#pushSender.start();
  }

  /** Notifies of what is in the feed now, and not in half a second; messages that are due go out. */
  async notify(): Promise<void> {
    await this.#runner.run();
    await this.#courier.run();
    await this.#sender.run();
    await this.#pushSender.run();
  }

  /** What is in the feed then is read by the next start. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runner[Symbol.asyncDispose]();
    await this.#courier[Symbol.asyncDispose]();
    await this.#sender[Symbol.asyncDispose]();
    await this.#pushSender[Symbol.asyncDispose]();
  }
}
