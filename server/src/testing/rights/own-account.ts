/** One’s own account and what opens it. */
import { testPassword } from '../server.ts';
import { newPassword, proof, type MatrixRow } from './row.ts';

export const ownAccountRights: readonly MatrixRow[] = [
  {
    resource: 'one’s own account',
    cells: '- own own own own own',
    routes: {
      'POST /secure-api/accounts/logout/': { spends: true },
      'GET /secure-api/accounts/users/me/': {},
      'GET /secure-api/accounts/security/events/': {},
      'GET /secure-api/activity-log/auth/me/': {},
      'GET /secure-api/accounts/oidc/connection/': {},
      'GET /secure-api/accounts/proof/': {},
      'PUT /secure-api/accounts/users/update_me/': { body: { phone: '1' } },
      'POST /secure-api/accounts/change-password/': {
        body: { old_password: testPassword, new_password: newPassword },
        spends: true,
      },
      'DELETE /secure-api/accounts/users/delete_account/': {
        body: { password: testPassword },
        spends: true,
      },
      'GET /secure-api/accounts/preferences/my_preferences/': {},
      'PATCH /secure-api/accounts/preferences/update_my_preferences/': {},
    },
  },
  {
    // None of these callers has a second factor: what is refused is the proof, not the caller.
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
        body: { name: 'Script', scopes: ['live'], password: testPassword },
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
];
