/** Notifications with sensible contents, and a server that has some; a test names only what it is about. */
import {
  notificationRoutes,
  notificationSettingsRoutes,
  type Notification,
  type NotificationSettings,
} from '@nazar/contract/notifications.ts';
import { anId } from './builders.ts';
import { answer, type Seen } from './server.ts';

export const aNotification = (over: Partial<Notification> = {}): Notification => ({
  id: anId(),
  type: 'alert',
  kind: 'alert',
  level: 'warning',
  title: 'Unknown person at Lobby',
  message: 'An unknown person was seen at Lobby.',
  is_read: false,
  created_at: '2026-03-04T05:06:07.000Z',
  alert: anId(),
  visit: null,
  export: null,
  ...over,
});

export const anExportDone = (over: Partial<Notification> = {}): Notification =>
  aNotification({
    type: 'system',
    kind: 'export_done',
    level: null,
    title: 'Export of Lobby is ready',
    message: 'You can download it for a day.',
    alert: null,
    export: anId(),
    ...over,
  });

export const someSettings = (over: Partial<NotificationSettings> = {}): NotificationSettings => ({
  email: true,
  push: false,
  sms: false,
  emailAddress: null,
  notifyOnUnknown: true,
  notifyOnKnown: false,
  dailyReports: false,
  alert_levels: ['warning', 'error', 'critical'],
  cameras: null,
  muted_people: [],
  quiet_from: null,
  quiet_to: null,
  quiet_days: [1, 2, 3, 4, 5, 6, 7],
  email_confirmed: true,
  available: { email: true, push: false, sms: false },
  ...over,
});

export interface Asked {
  readonly list: Seen[];
  readonly count: Seen[];
  readonly read: Seen[];
  readonly markAsRead: Seen[];
  readonly remove: Seen[];
}

/** A server that keeps these, of any number; the list is what a test puts there. */
export function keepNotifications(all: Notification[]): Asked {
  const put = (change: (one: Notification) => Notification | null): void =>
    void all.splice(0, all.length, ...all.flatMap((one) => change(one) ?? []));
  const unread = () => ({ unread_count: all.filter((one) => !one.is_read).length });
  return {
    list: answer(notificationRoutes.list, ({ url: { searchParams: asked } }) => {
      const results = all.filter(
        (one) =>
          (asked.get('is_read') !== 'false' || !one.is_read) &&
          [null, one.type].includes(asked.get('type') as Notification['type'] | null),
      );
      const [page, size] = [Number(asked.get('page') ?? 1), Number(asked.get('page_size'))];
      return { count: results.length, results: results.slice((page - 1) * size, page * size) };
    }),
    count: answer(notificationRoutes.unreadCount, unread),
    read: answer(notificationRoutes.read, ({ params }) => {
      put((one) => (one.id === params['id'] ? { ...one, is_read: true } : one));
      return all.find((one) => one.id === params['id'])!;
    }),
    markAsRead: answer(notificationRoutes.markAsRead, () => {
      put((one) => ({ ...one, is_read: true }));
      return unread();
    }),
    remove: answer(notificationRoutes.remove, ({ params }) => {
      put((one) => (one.id === params['id'] ? null : one));
      return undefined as never;
    }),
  };
}

export const keepSettings = (settings: NotificationSettings): Seen[] => {
  answer(notificationSettingsRoutes.read, settings);
  return answer(notificationSettingsRoutes.change, ({ body }) => ({
    ...settings,
    ...(body as Partial<NotificationSettings>),
  }));
};
