/** One’s own notifications, the settings of both, and webhooks. */
import type { MatrixRow } from './row.ts';

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
  {
    // Who may snooze for everyone: notifications/snoozes/snoozes.db.test.ts.
    resource: 'snoozes for oneself: read, end',
    cells: '- own own own own own',
    routes: {
      'GET /secure-api/notifications/snoozes/': {},
      'DELETE /secure-api/notifications/snoozes/:id/': { of: 'snooze' },
    },
  },
  {
    // Whom it lets in, by what it answers of a rule that is not there; the rest: snoozes.db.test.ts.
    resource: 'snoozes for oneself: add',
    cells: '- all all all all all',
    routes: {
      'POST /secure-api/notifications/snoozes/': {
        body: {
          rule: '0190f7c1-0000-7000-8000-000000000001',
          until: '2026-01-15T18:00:00.000Z',
        },
        ok: 404,
      },
    },
  },
  {
    resource: 'webhooks and what was sent to them',
    cells: '- - - - all all',
    routes: {
      'GET /secure-api/webhooks/': { of: 'webhook' },
      'POST /secure-api/webhooks/': {
        body: { name: 'Home', address: 'https://nazar.example.org/hook' },
      },
      'PATCH /secure-api/webhooks/:id/': { of: 'webhook', body: { least_level: 'critical' } },
      'DELETE /secure-api/webhooks/:id/': { of: 'webhook' },
      'POST /secure-api/webhooks/:id/rotate_secret/': { of: 'webhook' },
      'POST /secure-api/webhooks/:id/end_old_secret/': { of: 'webhook' },
      'POST /secure-api/webhooks/:id/test/': { of: 'webhook' },
      'POST /secure-api/webhooks/:id/send_failed_again/': { of: 'webhook' },
      'GET /secure-api/webhooks/deliveries/': { of: 'webhook delivery' },
      'POST /secure-api/webhooks/deliveries/:id/send_again/': { of: 'webhook delivery' },
    },
  },
];
