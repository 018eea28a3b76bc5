/** What this feature asks the server. */
import { notificationRoutes, type Notification } from '@nazar/contract/notifications.ts';
import { ask } from '#api/query.ts';
import type { NotificationsSearch } from './search.ts';
import { REFRESH_MS } from './unread.ts';

export type { Notification };

export const PAGE_SIZE = 25;
/** As many as the panel of the bell lists: more are on the page. */
const PANEL_SIZE = 20;

const asked = {
  unread: { is_read: false },
  alerts: { type: 'alert' },
  system: { type: 'system' },
} as const;

export const listQuery = ({ filter, page = 1 }: NotificationsSearch) => ({
  ...ask('notifications', notificationRoutes.list, {
    query: { ...(filter !== undefined && asked[filter]), page, page_size: PAGE_SIZE },
  }),
  refetchInterval: REFRESH_MS,
});

export const newestQuery = () =>
  ask('notifications', notificationRoutes.list, { query: { page_size: PANEL_SIZE } });
