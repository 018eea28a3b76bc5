/** Notifications as their user lists, reads and removes them. */
import {
  maxStreamedAtOnce,
  type Notification,
  type NotificationQuery,
  type UnreadCount,
} from '@nazar/contract/notifications.ts';
import type { Alert } from '@nazar/contract/alerts.ts';
import type { Language } from '@nazar/contract/accounts.ts';
import type { Detection } from '@nazar/contract/visits.ts';
import type { Alerts } from '#alerts/alerts.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import type { Visits } from '#visits/visits.ts';
import { asNotification } from './answers.ts';
import type { ListedNotification, NotificationStore, Position } from './store.ts';

export interface NotificationListsOptions {
  readonly store: NotificationStore;
  readonly alerts: { readonly lists: Pick<Alerts['lists'], 'several'> };
  readonly visits: { readonly news: Pick<Visits['news'], 'read'> };
  /** Called when what is unread, or listed, changed. */
  readonly changed: (userId: string) => void;
  readonly clock: Clock;
}

export class NotificationLists {
  readonly #options: NotificationListsOptions;

  constructor(options: NotificationListsOptions) {
    this.#options = options;
  }

  /** Throws page_too_late. */
  async list(
    scope: Scope,
    query: NotificationQuery,
    language: Language,
  ): Promise<{ count: number; results: Notification[] }> {
    const { count, rows } = await this.#options.store.list(scope, query);
    if (rows.length === 0 && query.page > 1) throw new Problem('page_too_late', { field: 'page' });
    return { count, results: await this.#answered(scope, rows, language) };
  }

  /** Null: there is none that the reader may see. */
  async find(scope: Scope, id: string, language: Language): Promise<Notification | null> {
    const row = await this.#options.store.find(scope, id);
    return row && (await this.#answered(scope, [row], language))[0]!;
  }

  async unreadCount(scope: Scope): Promise<UnreadCount> {
    return { unread_count: await this.#options.store.unreadCount(scope) };
  }

  /** Where a stream begins: behind the notification that its reader had last; without one, at now. */
  position(scope: Scope, lastId: string | null): Promise<Position> {
    return this.#options.store.position(scope, lastId);
  }

  /** What came since, the oldest first; of very many the newest. */
  async newer(scope: Scope, since: Position, language: Language): Promise<Notification[]> {
    const rows = await this.#options.store.newer(scope, since, maxStreamedAtOnce);
    return this.#answered(scope, rows, language);
  }

  /** Throws notification_not_found. */
  async read(scope: Scope, id: string, language: Language): Promise<Notification> {
    await this.#mustFind(scope, id);
    await this.#mark(scope, [id]);
    return (await this.#answered(scope, [await this.#mustFind(scope, id)], language))[0]!;
  }

  /** `ids`: null means all; what is not the reader's stays as it is. */
  async markRead(scope: Scope, ids: readonly string[] | null): Promise<UnreadCount> {
    await this.#mark(scope, ids);
    return this.unreadCount(scope);
  }

  /** Throws notification_not_found. */
  async remove(scope: Scope, id: string): Promise<void> {
    await this.#mustFind(scope, id);
    await this.#options.store.remove(scope, id);
    this.#options.changed(scope.userId);
  }

  async #mark(scope: Scope, ids: readonly string[] | null): Promise<void> {
    await this.#options.store.markRead(scope, ids, new Date(this.#options.clock.now()));
    this.#options.changed(scope.userId);
  }

  async #mustFind(scope: Scope, id: string): Promise<ListedNotification> {
    const row = await this.#options.store.find(scope, id);
    if (!row) throw new Problem('notification_not_found');
    return row;
  }

  async #answered(
    scope: Scope,
    rows: readonly ListedNotification[],
    language: Language,
  ): Promise<Notification[]> {
    const alerts = await this.#alerts(scope, rows, language);
    const visits = await this.#visits(scope, rows);
    return rows.map((row) => {
      const alert = alerts.get(row.alert_id ?? '') ?? null;
      return asNotification(
        row,
        { alert, visit: visits.get(row.visit_id ?? '') ?? null },
        language,
      );
    });
  }

  async #alerts(
    scope: Scope,
    rows: readonly ListedNotification[],
    language: Language,
  ): Promise<ReadonlyMap<string, Alert>> {
    const ids = rows.flatMap(({ alert_id }) => alert_id ?? []);
    const alerts = await this.#options.alerts.lists.several(scope, ids, language);
    return new Map(alerts.map((alert) => [alert.id, alert]));
  }

  async #visits(
    scope: Scope,
    rows: readonly ListedNotification[],
  ): Promise<ReadonlyMap<string, Detection>> {
    const asked = rows.flatMap(({ visit_id, camera_id, visit_started_at }) =>
      visit_id !== null && camera_id !== null && visit_started_at !== null
        ? { visitId: visit_id, cameraId: camera_id, startedAtMs: visit_started_at.getTime() }
        : [],
    );
    if (asked.length === 0) return new Map();
    const seenBy = await this.#options.visits.news.read(asked);
    return new Map(seenBy(scope).seen.map((visit) => [visit.id, visit]));
  }
}
