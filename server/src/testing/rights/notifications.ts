/** One’s own notifications and devices, the settings of both, and webhooks. */
import type { MatrixRow } from './row.ts';

export const notificationRights: readonly MatrixRow[] = [
  {
    resource: 'one’s own notifications: read',
    cells: '- own own own own own',
    key: 'notifications:read',
    routes: {
      'GET /secure-api/notifications/': { of: 'notification' },
      'GET /secure-api/notifications/unread_count/': {},
      'GET /secure-api/notifications/stream/': {},
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
    // Nothing waits to be confirmed; the rest: notifications/settings/other-address.db.test.ts.
    resource: 'one’s own other email address: confirm, have a code sent',
    cells: '- all all all all all',
    routes: {
      'POST /secure-api/notifications/settings/confirm_address/': {
        body: { code: '12345678' },
        ok: 409,
      },
      'POST /secure-api/notifications/settings/send_code/': { ok: 409 },
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
    // This installation has no public address: what needs one is refused after the rights were asked.
    resource: 'one’s own devices for push messages',
    cells: '- own own own own own',
    routes: {
      'GET /secure-api/notifications/push/': {},
      'DELETE /secure-api/notifications/push/devices/:id/': { of: 'push device' },
      'POST /secure-api/notifications/push/devices/:id/test/': {
        of: 'push device',
        ok: 'push_unavailable',
      },
    },
  },
  {
    resource: 'one’s own devices for push messages: add',
    cells: '- all all all all all',
    routes: {
      'POST /secure-api/notifications/push/devices/': {
        body: {
          endpoint: 'https://push.example.org/one',
          p256dh: 'B'.repeat(87),
          auth: 'a'.repeat(22),
          name: 'Phone',
        },
        ok: 'push_unavailable',
      },
    },
  },
  {
    // No caller is asked who they are: the ticket of a message says it, and this is none.
    resource: 'what the ticket of a push message opens',
    cells: 'all all all all all all',
    routes: {
      'POST /secure-api/notifications/push/action/': {
        body: { ticket: 'a'.repeat(43), action: 'take' },
        ok: 'push_ticket_used',
      },
      'POST /secure-api/notifications/push/picture/': {
        body: { ticket: 'a'.repeat(43) },
        ok: 'push_ticket_used',
      },
    },
  },
  {
    resource: 'what push messages say',
    cells: '- - - - all all',
    routes: {
      'GET /secure-api/notifications/push/settings/': {},
      'PATCH /secure-api/notifications/push/settings/': { body: { content: 'names' } },
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
