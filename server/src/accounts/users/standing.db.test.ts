/** Who counts as an administrator, whatever of the three says so. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { standings } from '@nazar/contract/route.ts';
import { seesEverything } from '#http/scope.ts';
import { signInAs } from '#testing/matrix-callers.ts';
import { testServer, type TestServer } from '#testing/server.ts';
import { flagsOf, standingOf } from './users.ts';

let world: TestServer;
before(async () => {
  world = await testServer();
});
after(() => world[Symbol.asyncDispose]());

test('ROL-002 an administrator has the role, is staff or is superuser; no one else is', async () => {
  const administers = (role: 'user' | 'operator' | 'admin' | 'superadmin', isStaff: boolean) =>
    seesEverything(standingOf({ role, ...flagsOf(role, isStaff) }));
  for (const role of ['user', 'operator'] as const) {
    assert.equal(administers(role, false), false, role);
    assert.equal(administers(role, true), true, `${role} who is staff`);
  }
  assert.equal(administers('admin', false), true);
  // A superuser has the role superadmin: no account can be one without the other.
  assert.equal(flagsOf('superadmin', false).is_superuser, true);
  assert.equal(administers('superadmin', false), true);
  await world.signIn('superadmin', 'first@example.org');
  const user = await world.signIn('user', 'user@example.org');
  await assert.rejects(
    sql`update app_user set is_superuser = true where id = ${user.id}`.execute(
      world.database.db.write(),
    ),
    /app_user_check/,
  );
});

test('ROL-002 each of them reads what administrators read, and a user does not', async () => {
  const superadmin = await world.signIn('superadmin');
  const camera = { name: 'Gate', location: 'Yard' };
  assert.equal((await superadmin.send('POST', '/secure-api/cameras/', camera)).status, 201);
  for (const standing of standings) {
    const who = await signInAs(world, superadmin, standing, `${standing}@example.net`);
    const { count } = (await who.get('/secure-api/cameras/')).json<{ count: number }>();
    const expected = standing === 'user' || standing === 'operator' ? 0 : 1;
    assert.equal(count, expected, standing);
  }
});
