/** Reads what a message is about as its user may know it now, and composes it. */
import type { Accounts } from '#accounts/accounts.ts';
import type { Alerts } from '#alerts/alerts.ts';
import type { Language } from '@nazar/contract/accounts.ts';
import type { PushMessage } from '@nazar/contract/push.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import type { NotificationLists } from '../lists.ts';
import type { NotificationStore } from '../store.ts';
import { messageOf, summaryMessage, type Happened } from './composing.ts';
import type { TakenMessage } from './message-store.ts';
import type { PushSettingsStore } from './settings-store.ts';

export interface PushReadingOptions {
  readonly settings: Pick<PushSettingsStore, 'content'>;
  readonly notifications: Pick<NotificationStore, 'noticed'>;
  readonly lists: Pick<NotificationLists, 'find'>;
  readonly alerts: { readonly lists: Pick<Alerts['lists'], 'several'> };
  readonly accounts: { readonly preferences: Pick<Accounts['preferences'], 'of'> };
  readonly clock: Clock;
}

export class PushReading {
  readonly #options: PushReadingOptions;

  constructor(options: PushReadingOptions) {
    this.#options = options;
  }

  /** Null: the reader may not know of it any more, or it is gone. */
  async compose(scope: Scope, taken: TakenMessage, ticket: string): Promise<PushMessage | null> {
    const { settings, accounts, clock } = this.#options;
    const { language, timezone } = await accounts.preferences.of(scope.userId);
    const spoken = language ?? 'en';
    if (taken.notification_id === null) {
      const summed = {
        count: taken.summed!,
        from: taken.summed_from!,
        at: new Date(clock.now()),
      };
      return summaryMessage(summed, { language: spoken, timezone });
    }
    const happened = await this.happened(scope, taken, spoken);
    const content = await settings.content();
    return happened && messageOf(happened, { language: spoken, content, ticket });
  }

  async happened(
    scope: Scope,
    taken: Pick<TakenMessage, 'notification_id' | 'message' | 'created_at'>,
    language: Language,
  ): Promise<Happened | null> {
    const { notifications, lists, alerts } = this.#options;
    const { notification_id: id, message, created_at: at } = taken;
    if (id === null || message === 'summary') return null;
    const about = (await notifications.noticed(scope, [id])).get(id);
    const notification = await lists.find(scope, id, language);
    if (!about || !notification) return null;
    const ids = notification.alert === null ? [] : [notification.alert];
    const [alert = null] = await alerts.lists.several(scope, ids, language);
    return { noticed: { ...about, id, message, at }, notification, alert };
  }
}
