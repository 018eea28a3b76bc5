/** The ways in, for callers without a session. */
import { testPassword } from '../server.ts';
import { aCredential, aPerson, newPassword, anEmail, type Caller, type MatrixRow } from './row.ts';

const anAssertion = {
  ...aCredential,
  response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' },
};

export const entryRights: readonly MatrixRow[] = [
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
    // No caller is asked who they are: the answer is that of the password, the token, the policy.
    resource: 'login, refresh, register',
    cells: 'all all all all all all',
    routes: {
      'POST /secure-api/accounts/login/': {
        body: ({ email }: Caller) => ({ email, password: testPassword }),
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
      'POST /secure-api/accounts/proof/sign-on/': {},
    },
  },
];
