/** One’s own notifications, and the settings of both. */
import { type MatrixRow } from './row.ts';

export const notificationRights: readonly MatrixRow[] = [
  {
    resource: 'one’s own notifications: read',
    cells: '- own own own own own',
    key: 'notifications:read',
    routes: {
      'GET /secure-api/notifications/': { of: 'notification' },
      'GET /secure-api/notifications/unread_count/': {},
    },
  },
  {
    resource: 'one’s own notifications: mark as read, remove; what one wishes to be notified of',
    cells: '- own own own own own',
    routes: {
      'PATCH /secure-api/notifications/:id/read/': { of: 'notification', body: {} },
      'POST /secure-api/notifications/mark_as_read/': { body: { all: true } },
      'DELETE /secure-api/notifications/:id/': { of: 'notification' },
      'GET /secure-api/notifications/settings/my_settings/': {},
      'PATCH /secure-api/notifications/settings/update_my_settings/': {
        body: { notifyOnKnown: true },
      },
    },
  },
];
