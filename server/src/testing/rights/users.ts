/** Accounts of others, and who holds which rights. */
import { aPerson, everything, anEmail, type Caller, type Made, type MatrixRow } from './row.ts';

export const userRights: readonly MatrixRow[] = [
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
    resource: 'seeing what an ordinary user sees',
    cells: '- - - - all all',
    routes: {
      'POST /secure-api/accounts/users/:id/see-as/': { of: 'other user' },
      'DELETE /secure-api/accounts/users/:id/see-as/': { of: 'other user' },
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
];
