/**
 * Notifications as events: each reader is informed, at most once a second, of how many of their own are unread. An
 * administrator who sees as another user is not: notifications are shown to no other user.
 */
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Paced } from '#lib/limits/paced.ts';
import { tell, type EventReaders, type Reader } from './event-readers.ts';

const pauseMs = 1_000;

export interface NotificationEventsOptions {
  readonly unreadCount: (scope: Scope) => Promise<{ readonly unread_count: number }>;
  readonly readers: EventReaders;
  readonly clock: Clock;
  readonly log: Log;
}

export class NotificationEvents implements AsyncDisposable {
  readonly #options: NotificationEventsOptions;
  readonly #paced: Paced;
  #pending = new Set<string>();

  constructor(options: NotificationEventsOptions) {
    this.#options = options;
    const { clock, log } = options;
    const failed = (err: unknown) => log.error({ err }, 'notifications could not be announced');
    this.#paced = new Paced({ clock, pauseMs, failed }, () => this.#announce());
  }

  changed(userId: string): void {
    if (this.#options.readers.size === 0) return;
    this.#pending.add(userId);
    this.#paced.want();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#paced[Symbol.asyncDispose]();
  }

  /** Tabs of a user are counted for once. */
  async #announce(): Promise<void> {
    const { readers, unreadCount } = this.#options;
    const changed = this.#pending;
    this.#pending = new Set();
    const own = [...readers].filter(
      ({ scope }) => scope.seenBy === null && changed.has(scope.userId),
    );
    const byUser = Map.groupBy(own, ({ scope }: Reader) => scope.userId);
    for (const tabs of byUser.values()) {
      const { unread_count } = await unreadCount(tabs[0]!.scope);
      for (const tab of tabs) tell(tab, { kind: 'notifications', unread_count });
    }
  }
}
