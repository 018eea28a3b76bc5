/** What is open when a session ends, on the whole server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newsSocketPath } from '@nazar/contract/sockets.ts';
import { openSocket, type TestSocket } from '#testing/sockets.ts';
import { testPassword, testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { until } from '#testing/until.ts';
import { aCameraForm } from '#testing/world.ts';

let world: TestServer;
let superadmin: SignedIn;

before(async () => {
  world = await testServer();
  superadmin = await world.signIn('superadmin');
});
after(() => world[Symbol.asyncDispose]());

/** A page's socket of live events; its user is identified when this resolves. */
async function openEvents({ access }: SignedIn): Promise<TestSocket> {
  const reader = await openSocket(world.app, newsSocketPath);
  reader.socket.send(JSON.stringify({ access }));
  await until(async () => {
    const added = await superadmin.send('POST', '/secure-api/cameras/', aCameraForm());
    assert.equal(added.status, 201, added.text);
    return reader.received.length > 0;
  });
  return reader;
}

let users = 0;
const newUser = (): Promise<SignedIn> => world.signIn('user', `user-${(users += 1)}@example.org`);
const refused = 1008;

test('C-205 a logout closes what was open at once', async () => {
  const who = await newUser();
  const reader = await openEvents(who);
  await who.send('POST', '/secure-api/accounts/logout/');
  assert.equal(await reader.closed, refused);
});

test('C-111 a change of password closes what the other sessions have open, at once', async () => {
  const who = await newUser();
  const reader = await openEvents(who);
  const body = { email: who.email, password: testPassword };
  const login = await who.send('POST', '/secure-api/accounts/login/', body);
  const { access } = login.json<{ access: string }>();
  const change = await world.app.inject({
    method: 'POST',
    url: '/secure-api/accounts/change-password/',
    headers: { host: 'localhost', authorization: `Bearer ${access}` },
    payload: { old_password: testPassword, new_password: 'another-horse-8-staple' },
  });
  assert.equal(change.statusCode, 204);
  assert.equal(await reader.closed, refused);
});

test('C-117 a disabled user is out at once', async () => {
  const who = await newUser();
  const reader = await openEvents(who);
  await superadmin.send('PATCH', `/secure-api/accounts/users/${who.id}/`, { is_active: false });
  assert.equal(await reader.closed, refused);
});

test('C-207, SEC-012 a change without an event is found by asking, within 2 s', async () => {
  const changes: Record<string, (who: SignedIn) => Promise<unknown>> = {
    'ended on another node': ({ id }) =>
      sql`update session set ended_at = now(), ended_reason = 'revoked' where user_id = ${id}`.execute(
        world.database.db.write(),
      ),
    'allowed from elsewhere only': ({ id }) =>
      sql`insert into account_security (user_id, allowed_ips) values (${id}, '192.0.2.1')`.execute(
        world.database.db.write(),
      ),
    'idle for too long': ({ id }) =>
      sql`update session set last_active_at = last_active_at - interval '30 minutes'
        where user_id = ${id}`.execute(world.database.db.write()),
  };
  for (const [what, change] of Object.entries(changes)) {
    const who = await newUser();
    const reader = await openEvents(who);
    await change(who);
    world.clock.advance(2_000);
    assert.equal(await reader.closed, refused, what);
  }
});
