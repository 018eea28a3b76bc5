/** Settings, the activity log, warnings, health. */
import { testPassword } from '../server.ts';
import { type MatrixRow } from './row.ts';

const activityLogs = '/secure-api/activity-log/activity-logs/';
const verification = '/secure-api/activity-log/verification/';
const systemLogs = '/secure-api/activity-log/system-logs/';
const savedSearches = '/secure-api/activity-log/saved-searches/';

const mqttOff = {
  enabled: false,
  url: '',
  protocol: '5',
  username: '',
  ca: '',
  allow_local: false,
  client_id: 'nazar',
  prefix: 'nazar',
  discovery: true,
  discovery_prefix: 'homeassistant',
  categories: [],
};

export const installationRights: readonly MatrixRow[] = [
  {
    resource: 'settings: read',
    cells: '- - - all all all',
    routes: { 'GET /secure-api/settings/system_settings/': {} },
  },
  {
    resource: 'settings: change',
    cells: '- - - - all all',
    routes: {
      'PATCH /secure-api/settings/update_system_settings/': { body: { privacy: {} } },
    },
  },
  {
    resource: 'settings of security: change',
    cells: '- - - - 403 all',
    routes: {
      'PATCH /secure-api/settings/update_system_settings/': {
        body: { security: {}, password: testPassword },
      },
    },
  },
  {
    // These settings decide what leaves the house.
    resource: 'MQTT',
    cells: '- - - - all all',
    routes: {
      'GET /secure-api/mqtt/': {},
      'PUT /secure-api/mqtt/': { body: mqttOff },
      'POST /secure-api/mqtt/test/': { body: { ...mqttOff, url: 'mqtt://169.254.1.1' } },
    },
  },
  {
    resource: 'activity log: read, count, export, take out',
    cells: '- own own all all all',
    routes: {
      [`GET ${activityLogs}`]: { of: 'log entry' },
      [`GET ${activityLogs.slice(0, -1)}`]: { of: 'log entry' },
      [`POST ${activityLogs}filter/`]: { of: 'log entry' },
      [`GET ${activityLogs}export/`]: { of: 'log entry' },
      [`GET ${activityLogs}:id/`]: { of: 'log entry' },
      'GET /secure-api/activity-log/stats/log-count-by-type/': {},
      'GET /secure-api/activity-log/stats/log-count-by-action/': {},
      [`DELETE ${activityLogs}:id/`]: { of: 'log entry' },
      [`DELETE ${activityLogs}delete-by-user/:id/`]: { of: 'user with entries' },
    },
  },
  {
    // Whose entries go is the caller's right, not the route's: activity-log.db.test.ts.
    resource: 'activity log: take out many at once',
    cells: '- own own all all all',
    routes: {
      [`POST ${activityLogs}bulk-delete/`]: { body: () => ({ ids: [crypto.randomUUID()] }) },
      [`DELETE ${activityLogs}delete-all/`]: {},
    },
  },
  {
    resource: 'activity log: entries told by a client',
    cells: '- own own own own own',
    routes: {
      [`POST ${activityLogs}`]: { body: { action: 'test' } },
      [`POST ${activityLogs}sync/`]: { body: { logs: [{ id: 'a', action: 'test' }] } },
    },
  },
  {
    resource: 'activity log: saved searches',
    cells: '- own own own own own',
    routes: {
      [`GET ${savedSearches}`]: { of: 'saved search' },
      [`DELETE ${savedSearches}:id/`]: { of: 'saved search' },
    },
  },
  {
    resource: 'activity log: saved searches, to add',
    cells: '- own own own own own',
    routes: { [`POST ${savedSearches}`]: { body: { name: 'Night' } } },
  },
  {
    resource: 'activity log: mock entries, outside development',
    cells: '- 403 403 all all all',
    routes: { [`POST ${activityLogs}create-mock/`]: { body: { count: 1 } } },
  },
  {
    resource: 'activity log: verify it, read what was found',
    cells: '- - - all all all',
    routes: {
      [`GET ${verification}`]: {},
      [`POST ${verification}`]: {},
      [`POST ${verification}cancel/`]: {},
      [`GET ${verification}:id/file/`]: { of: 'verification' },
    },
  },
  {
    resource: 'system log: read, count, take out',
    cells: '- own own all all all',
    routes: {
      [`GET ${systemLogs}`]: { of: 'system log entry' },
      [`GET ${systemLogs}:id/`]: { of: 'system log entry' },
      [`GET ${systemLogs}:id/neighbours/`]: { of: 'system log entry' },
      [`GET ${systemLogs}stats/`]: {},
      'GET /secure-api/activity-log/stats/log-count-by-level/': {},
      [`DELETE ${systemLogs}:id/`]: { of: 'system log entry' },
    },
  },
  {
    resource: 'system log: levels of sources, read',
    cells: '- - - all all all',
    routes: { [`GET ${systemLogs}sources/`]: {} },
  },
  {
    resource: 'system log: levels of sources, change',
    cells: '- - - - all all',
    routes: {
      [`PATCH ${systemLogs}sources/`]: {
        body: { source: 'none', level: 'warning' },
        ok: 'log_source_not_found',
      },
    },
  },
  {
    // Whose entries go is the caller's right, not the route's: system-log.db.test.ts.
    resource: 'system log: take out many at once',
    cells: '- own own all all all',
    routes: {
      [`POST ${systemLogs}bulk-delete/`]: { body: () => ({ ids: [crypto.randomUUID()] }) },
    },
  },
  {
    resource: 'system log: errors of one’s own browser',
    cells: '- own own own own own',
    routes: {
      'POST /secure-api/system/browser-errors/': { body: { kind: 'render', message: 'x' } },
    },
  },
  {
    resource: 'support bundle',
    cells: '- - - - all all',
    routes: { 'GET /secure-api/system/support-bundle/': {} },
  },
  {
    resource: 'warnings to administrators',
    cells: '- - - all all all',
    routes: { 'GET /secure-api/system/warnings/': {} },
  },
  {
    resource: 'warnings to administrators: take note',
    cells: '- - - all all all',
    routes: { 'POST /secure-api/system/warnings/:id/acknowledge/': { of: 'warning' } },
  },
  {
    resource: 'models of recognition: read',
    cells: '- - - - all all',
    routes: { 'GET /secure-api/system/models/': {} },
  },
  {
    resource: 'models of recognition: change, cancel a change',
    cells: '- - - - all all',
    routes: {
      'POST /secure-api/system/models/use/': {
        body: { model: 'none' },
        ok: 'model_pack_not_found',
      },
      'DELETE /secure-api/system/models/job/': { ok: 'model_change_none' },
    },
  },
  {
    resource: 'health of the installation, one’s own address',
    cells: '- all all all all all',
    routes: { 'GET /secure-api/system/health/': {}, 'GET /secure-api/system/client_ip/': {} },
  },
];
