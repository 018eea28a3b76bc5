/** Alerts, and the rules that raise them. */
import { type Caller, type MatrixRow } from './row.ts';

export const alertRights: readonly MatrixRow[] = [
  {
    resource: 'alerts: read',
    cells: '- vis vis all all all',
    key: 'alerts:read',
    routes: {
      'GET /secure-api/alerts/': { of: 'alert' },
      'GET /secure-api/alerts/counts/': {},
      'GET /secure-api/alerts/:id/': { of: 'alert' },
    },
  },
  {
    // Who may assign one to another user: alerts/alerts.db.test.ts.
    resource: 'alerts: take, resolve, dismiss, assign to oneself',
    cells: '- vis vis all all all',
    key: 'alerts:write',
    routes: {
      'PATCH /secure-api/alerts/:id/update_status/': {
        of: 'alert',
        body: { status: 'resolved', resolution_notes: 'A courier' },
      },
      'POST /secure-api/alerts/:id/assign/': {
        of: 'alert',
        body: ({ id }: Caller) => ({ user_id: id }),
      },
    },
  },
  {
    resource: 'mode of the house: read',
    cells: '- all all all all all',
    key: 'alerts:read',
    routes: { 'GET /secure-api/alerts/mode/': {} },
  },
  {
    resource: 'mode of the house: change',
    cells: '- - all all all all',
    key: 'alerts:write',
    routes: { 'PUT /secure-api/alerts/mode/': { body: { mode: 'away' } } },
  },
  {
    resource: 'alert rules',
    cells: '- - - all all all',
    routes: {
      'GET /secure-api/alerts/rules/': {},
      'POST /secure-api/alerts/rules/': { body: { kind: 'camera_down', level: 'info' } },
      'PATCH /secure-api/alerts/rules/:id/': { of: 'alert rule', body: { level: 'info' } },
      'DELETE /secure-api/alerts/rules/:id/': { of: 'alert rule' },
    },
  },
];
