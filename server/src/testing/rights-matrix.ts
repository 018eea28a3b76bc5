/**
 * Who may do what: the matrix of the security plan (its section 6), written down a second time and on
 * purpose not read from the route table, so that a wrong `callers` or a store that forgets its scope shows.
 *
 * Whoever adds a route adds its line here: `METHOD /path/` under the row it belongs to, or a new row.
 *
 * Cells, in the order anonymous, user, operator, staff, admin, superadmin:
 *
 *   -     refused: 401 to who is not signed in, 403 to who is
 *   own   what one made, or is
 *   vis   what one made, or was granted
 *   all   everybody's
 *   123   this status, whomever's it is
 */
import type { ObjectKind } from './matrix-objects.ts';

/** Somebody who calls a route: what a body may need of them. */
export interface Caller {
  readonly id: string;
  readonly email: string;
  readonly refresh: string;
}

export type Made = Readonly<Record<string, string>>;

export interface Ask {
  /** What the route is about; its ids fill the parameters of the path and of `query`. */
  readonly of?: ObjectKind;
  readonly query?: string;
  readonly body?: object | ((caller: Caller, made: Made) => object);
  /** What an admitted caller is answered, where it is not the route's own status: a status or a code. */
  readonly ok?: number | string;
  /** What is answered about somebody else's; else 404, the same as about what does not exist. */
  readonly foreign?: 403;
  /** The call ends the session or the account: somebody new makes it each time. */
  readonly spends?: true;
}

export interface MatrixRow {
  readonly resource: string;
  readonly cells: string;
  readonly routes: Readonly<Record<string, Ask | readonly Ask[]>>;
}

const everything = '?page_size=1000';
const activityLogs = '/secure-api/activity-log/activity-logs/';
const proof = { password: 'correct-horse-7-staple', code: 'x' };
const aCredential = { id: 'AA', rawId: 'AA', type: 'public-key', clientExtensionResults: {} };
const anAssertion = {
  ...aCredential,
  response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' },
};
const anAttestation = {
  ...aCredential,
  response: { clientDataJSON: 'AA', attestationObject: 'AA' },
};
const newPassword = 'another-horse-8-staple';
let taken = 0;
const anEmail = (): string => `matrix-${(taken += 1)}@example.org`;
const aPerson = { first_name: 'Ayla', last_name: 'Example' };

export const matrix: readonly MatrixRow[] = [
  {
    resource: 'healthz, the API described, whether set-up is over',
    cells: 'all all all all all all',
    routes: { 'GET /healthz': {}, 'GET /secure-api/schema/': {}, 'GET /secure-api/setup/': {} },
  },
  {
    resource: 'set-up, once it is over',
    cells: '410 410 410 410 410 410',
    routes: {
      'POST /secure-api/setup/administrator/': {
        body: { ...aPerson, code: 'x', email: 'a@example.org', password: newPassword },
      },
    },
  },
  {
    // Nobody is asked who they are: the answer is that of the password, the token, the policy.
    resource: 'login, refresh, register',
    cells: 'all all all all all all',
    routes: {
      'POST /secure-api/accounts/login/': {
        body: ({ email }: Caller) => ({ email, password: 'correct-horse-7-staple' }),
      },
      'POST /secure-api/accounts/login/two-factor/': {
        body: ({ id }: Caller) => ({ challenge: id, code: 'x' }),
        ok: 'challenge_invalid',
      },
      // The matrix asks at an address, and passkeys need a name.
      'POST /secure-api/accounts/login/passkey/options/': { ok: 'passkeys_need_a_name' },
      'POST /secure-api/accounts/login/passkey/': {
        body: { passkey: anAssertion },
        ok: 'passkeys_need_a_name',
      },
      'POST /secure-api/accounts/login/two-factor/passkey/': {
        body: ({ id }: Caller) => ({ challenge: `${id}-2` }),
        ok: 'challenge_invalid',
      },
      'POST /token/refresh/': { body: ({ refresh }: Caller) => ({ refresh }), spends: true },
      'POST /secure-api/accounts/register/': {
        body: () => ({
          ...aPerson,
          email: anEmail(),
          password: newPassword,
          password2: newPassword,
        }),
      },
    },
  },
  {
    resource: 'the way back in: whoever asks learns nothing, who has no link gets nothing',
    cells: 'all all all all all all',
    routes: {
      'POST /secure-api/accounts/password-reset/': {
        body: ({ email }: Caller) => ({ email }),
      },
      'POST /secure-api/accounts/password-reset/confirm/': {
        body: ({ id }: Caller) => ({ uid: id, token: 'x', new_password: newPassword }),
        ok: 'link_invalid',
      },
    },
  },
  {
    // What they do with one: accounts/sign-on.db.test.ts.
    resource: 'signing in elsewhere, where there is no provider',
    cells: '404 404 404 404 404 404',
    routes: {
      'POST /secure-api/accounts/oidc/begin/': {},
      'GET /secure-api/accounts/oidc/callback/': {},
      'POST /secure-api/accounts/oidc/complete/': {},
    },
  },
  {
    resource: 'connecting one’s own account elsewhere, where there is no provider',
    cells: '- 404 404 404 404 404',
    routes: {
      'POST /secure-api/accounts/oidc/connection/': { body: { password: 'x' } },
      'DELETE /secure-api/accounts/oidc/connection/': { body: { password: 'x' } },
    },
  },
  {
    resource: 'one’s own account',
    cells: '- own own own own own',
    routes: {
      'POST /secure-api/accounts/logout/': { spends: true },
      'GET /secure-api/accounts/users/me/': {},
      'GET /secure-api/accounts/security/events/': {},
      'GET /secure-api/activity-log/auth/me/': {},
      'GET /secure-api/accounts/oidc/connection/': {},
      'PUT /secure-api/accounts/users/update_me/': { body: { phone: '1' } },
      'POST /secure-api/accounts/change-password/': {
        body: { old_password: 'correct-horse-7-staple', new_password: newPassword },
        spends: true,
      },
      'DELETE /secure-api/accounts/users/delete_account/': {
        body: { password: 'correct-horse-7-staple' },
        spends: true,
      },
      'GET /secure-api/accounts/preferences/my_preferences/': {},
      'PATCH /secure-api/accounts/preferences/update_my_preferences/': {},
    },
  },
  {
    // Nobody of these has a second factor: what is refused is the proof, not the caller.
    resource: 'one’s own second factor',
    cells: '- own own own own own',
    routes: {
      'GET /secure-api/accounts/two-factor/': {},
      'POST /secure-api/accounts/two-factor/setup/': { body: {} },
      'POST /secure-api/accounts/two-factor/verify/': { body: { code: 'x' }, ok: 400 },
      'POST /secure-api/accounts/two-factor/disable/': { body: proof, ok: 'two_factor_off' },
      'POST /secure-api/accounts/two-factor/recovery-codes/': { body: proof, ok: 'two_factor_off' },
    },
  },
  {
    resource:
      'what one demands of the use of one’s own account; API keys, while the policy allows none',
    cells: '- own own own own own',
    routes: {
      'GET /secure-api/accounts/security/my_security/': {},
      'PATCH /secure-api/accounts/security/update_my_security/': { body: { session_timeout: 60 } },
      'GET /secure-api/accounts/api-keys/': {},
      'POST /secure-api/accounts/api-keys/': {
        body: { name: 'Script', scopes: ['live'], password: 'correct-horse-7-staple' },
        ok: 'api_access_off',
      },
      'DELETE /secure-api/accounts/api-keys/': {},
    },
  },
  {
    resource: 'revoking an API key',
    cells: '- own own own all all',
    routes: { 'DELETE /secure-api/accounts/api-keys/:id/': { of: 'API key' } },
  },
  {
    resource: 'one’s own sessions: an administrator’s list is of their own, too',
    cells: '- own own own own own',
    routes: {
      'GET /secure-api/accounts/sessions/': { of: 'session', spends: true },
      'DELETE /secure-api/accounts/sessions/:id/': { of: 'session', spends: true },
    },
  },
  {
    resource: 'who there is',
    cells: '- own own all all all',
    routes: {
      'GET /secure-api/accounts/users/': { of: 'user', query: everything },
      'GET /secure-api/users/:id/': { of: 'user' },
    },
  },
  {
    resource: 'users: create ordinary ones',
    cells: '- - - - all all',
    routes: {
      'POST /secure-api/accounts/users/': {
        body: () => ({ ...aPerson, email: anEmail(), role: 'operator' }),
      },
    },
  },
  {
    resource: 'users: create privileged ones',
    cells: '- - - - 403 all',
    routes: {
      'POST /secure-api/accounts/users/': {
        body: () => ({ ...aPerson, email: anEmail(), role: 'admin' }),
      },
    },
  },
  {
    resource: 'users: one of them, as administrators see them',
    cells: '- - - all all all',
    routes: { 'GET /secure-api/accounts/users/:id/': { of: 'user' } },
  },
  {
    resource: 'users: change ordinary ones, help them, put them out',
    cells: '- - - - all all',
    routes: {
      'PATCH /secure-api/accounts/users/:id/': { of: 'other user', body: { role: 'user' } },
      'POST /secure-api/accounts/users/:id/reset-link/': { of: 'other user' },
      'POST /secure-api/accounts/users/:id/unlock/': { of: 'other user' },
      // What it does where there is one: accounts/lost-factor.db.test.ts.
      'DELETE /secure-api/accounts/users/:id/two-factor/': {
        of: 'other user',
        ok: 'two_factor_off',
      },
      'GET /secure-api/accounts/users/:id/sessions/': { of: 'other user' },
      'DELETE /secure-api/accounts/users/:id/sessions/': { of: 'other user' },
      'DELETE /secure-api/accounts/users/:id/sessions/:session/': { of: 'other user session' },
      'DELETE /secure-api/accounts/users/:id/': { of: 'new user' },
    },
  },
  {
    resource: 'users: make somebody privileged',
    cells: '- - - - 403 all',
    routes: {
      'PATCH /secure-api/accounts/users/:id/': { of: 'new user', body: { role: 'admin' } },
    },
  },
  {
    resource: 'users: change one’s own rights',
    cells: '- - - - 403 403',
    routes: { 'PATCH /secure-api/accounts/users/:id/': { of: 'oneself', body: { role: 'user' } } },
  },
  {
    resource: 'cameras, snapshots, live views',
    cells: '- vis vis all all all',
    routes: {
      'GET /secure-api/cameras/': { of: 'camera', query: everything },
      'GET /secure-api/cameras/:id/': { of: 'camera' },
      'GET /secure-api/activity-log/cameras/': { of: 'camera' },
      'GET /secure-api/cameras/snapshots/latest/': [{}, { of: 'camera', query: '?camera_id=:id' }],
      'GET /secure-api/cameras/:id/snapshot/': { of: 'camera', ok: 'camera_not_live' },
      'POST /secure-api/cameras/:id/live/ticket/': { of: 'camera' },
    },
  },
  {
    resource: 'cameras: add, change, delete',
    cells: '- - - - all all',
    routes: {
      'POST /secure-api/cameras/': { body: { name: 'Gate', location: 'Yard' } },
      'PUT /secure-api/cameras/:id/': { of: 'camera', body: { name: 'Gate', location: 'Yard' } },
      'DELETE /secure-api/cameras/:id/': { of: 'camera' },
      'PATCH /secure-api/cameras/:id/update_status/': {
        of: 'camera',
        body: { status: 'inactive' },
      },
      'POST /secure-api/setup/demo-camera/': { ok: 'demo_not_available' },
    },
  },
  {
    resource: 'groups of cameras, as far as one sees cameras in them',
    cells: '- vis vis all all all',
    routes: {
      'GET /secure-api/cameras/groups/': { of: 'camera group' },
      'GET /secure-api/cameras/groups/:id/': { of: 'camera group' },
    },
  },
  {
    resource: 'rights: read who holds what',
    cells: '- - - all all all',
    routes: {
      'GET /secure-api/accounts/groups/': { of: 'user group' },
      'GET /secure-api/cameras/grants/': { of: 'grant' },
      'GET /secure-api/cameras/:id/access/': { of: 'camera' },
    },
  },
  {
    resource: 'seeing what an ordinary user sees',
    cells: '- - - - all all',
    routes: {
      'POST /secure-api/accounts/users/:id/see-as/': { of: 'other user' },
      'DELETE /secure-api/accounts/users/:id/see-as/': { of: 'other user' },
    },
  },
  {
    resource: 'rights: groups and grants',
    cells: '- - - - all all',
    routes: {
      'POST /secure-api/accounts/groups/': { body: () => ({ name: anEmail() }) },
      'PUT /secure-api/accounts/groups/:id/': {
        of: 'user group',
        body: () => ({ name: anEmail() }),
      },
      'DELETE /secure-api/accounts/groups/:id/': { of: 'user group' },
      'POST /secure-api/cameras/groups/': { body: () => ({ name: anEmail() }) },
      'PUT /secure-api/cameras/groups/:id/': {
        of: 'camera group',
        body: () => ({ name: anEmail() }),
      },
      'DELETE /secure-api/cameras/groups/:id/': { of: 'camera group' },
      'PUT /secure-api/cameras/grants/': {
        of: 'camera',
        body: (caller: Caller, { id }: Made) => ({
          to: { type: 'user', id: caller.id },
          of: { type: 'camera', id },
          capabilities: ['live'],
        }),
      },
      'DELETE /secure-api/cameras/grants/:id/': { of: 'grant' },
    },
  },
  {
    resource: 'people, with their photos',
    cells: '- own own all all all',
    routes: {
      'GET /secure-api/faces/': { of: 'person', query: everything },
      'GET /secure-api/faces/:id/': { of: 'person' },
      'GET /secure-api/faces/:id/images/:image/': { of: 'person' },
      'GET /secure-api/faces/statistics/': {},
      'PATCH /secure-api/faces/:id/': {
        of: 'person',
        body: { notes: 'x' },
        foreign: 403,
      },
      'DELETE /secure-api/faces/:id/': { of: 'person', foreign: 403 },
      'GET /secure-api/privacy/people/:id/consent/': { of: 'person' },
      'PUT /secure-api/privacy/people/:id/consent/': {
        of: 'person',
        body: { basis: 'contract', obtained_at: null, expires_at: null },
        foreign: 403,
      },
      'POST /secure-api/privacy/people/:id/export/': {
        of: 'person',
        body: { password: 'correct-horse-7-staple' },
      },
      'POST /secure-api/privacy/people/:id/erase/': {
        of: 'person',
        body: { password: 'correct-horse-7-staple' },
        foreign: 403,
      },
      'POST /secure-api/faces/:id/add_images/': {
        of: 'person',
        ok: 400,
        foreign: 403,
      },
      'DELETE /secure-api/faces/:id/remove_image/': {
        of: 'person',
        query: '?image_id=:image',
        foreign: 403,
      },
    },
  },
  {
    resource: 'people: add somebody whom a camera saw',
    cells: '- vis vis all all all',
    routes: {
      'POST /secure-api/faces/': {
        of: 'visit',
        body: (_caller: Caller, { id, category }: Made) => ({
          ...aPerson,
          category,
          sighting: id,
        }),
      },
    },
  },
  {
    resource: 'categories of people',
    cells: '- all all all all all',
    routes: { 'GET /secure-api/faces/categories/': {} },
  },
  {
    resource: 'categories of people: add',
    cells: '- - - all all all',
    routes: { 'POST /secure-api/faces/categories/': { body: () => ({ name: anEmail() }) } },
  },
  {
    resource: 'face logs',
    cells: '- vis vis all all all',
    routes: {
      'GET /secure-api/activity-log/face-logs/': { of: 'visit', query: '?limit=1000' },
      'GET /secure-api/faces/detections/': { of: 'visit', query: '?limit=100' },
      'GET /secure-api/activity-log/face-logs/:id/image/': { of: 'visit' },
    },
  },
  {
    resource: 'faces that nobody has named',
    cells: '- vis vis all all all',
    routes: {
      'GET /secure-api/faces/unknown/': { of: 'unknown face', query: '?page_size=200' },
      'PATCH /secure-api/faces/unknown/:id/update_status/': {
        of: 'unknown face',
        body: { status: 'reviewing' },
      },
    },
  },
  {
    resource: 'analytics, computed within the scope',
    cells: '- vis vis all all all',
    routes: { 'GET /secure-api/analytics/summary/': {} },
  },
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
        body: { security: {}, password: 'correct-horse-7-staple' },
      },
    },
  },
  {
    resource: 'erasures, and accounts that ended',
    cells: '- - - all all all',
    routes: {
      'GET /secure-api/privacy/erasures/': {},
      'GET /secure-api/privacy/ended-accounts/': {},
    },
  },
  {
    resource: 'people of an account: give them to another; what is too old: remove it now',
    cells: '- - - - all all',
    routes: {
      'POST /secure-api/privacy/retention/run/': {},
      'POST /secure-api/privacy/accounts/:id/hand_over/': {
        of: 'other user',
        body: ({ id }: Caller) => ({ to: id }),
      },
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
      'GET /secure-api/activity-log/stats/log-count-by-level/': {},
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
    resource: 'activity log: mock entries, outside development',
    cells: '- 403 403 all all all',
    routes: { [`POST ${activityLogs}create-mock/`]: { body: { count: 1 } } },
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
    resource: 'health of the installation, one’s own address',
    cells: '- all all all all all',
    routes: { 'GET /secure-api/system/health/': {}, 'GET /secure-api/system/client_ip/': {} },
  },
  {
    // The last: who has a passkey signs in with it from now on.
    resource: 'one’s own passkeys',
    cells: '- own own own own own',
    routes: {
      'GET /secure-api/accounts/passkeys/': { of: 'passkey', spends: true },
      'POST /secure-api/accounts/passkeys/options/': { body: {}, ok: 'passkeys_need_a_name' },
      'POST /secure-api/accounts/passkeys/proof/': { ok: 'passkeys_need_a_name' },
      'POST /secure-api/accounts/passkeys/': {
        body: { name: 'Key', passkey: anAttestation },
        ok: 'passkeys_need_a_name',
      },
      'PATCH /secure-api/accounts/passkeys/:id/': {
        of: 'passkey',
        body: { name: 'Key' },
        spends: true,
      },
      // One's own is found; the code is wrong.
      'DELETE /secure-api/accounts/passkeys/:id/': {
        of: 'passkey',
        body: proof,
        ok: 400,
        spends: true,
      },
    },
  },
];
