import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { settingsSections, type SectionName } from '@nazar/contract/settings.ts';
import { Activity } from '#activity/activity.ts';
import { Database } from '#db/database.ts';
import { systemClock } from '#lib/clock.ts';
import { testPatienceMs } from '#testing/database.ts';
import { call, testPassword, testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { quietLog } from '#testing/world.ts';
import { Settings } from './settings.ts';

const readPath = '/secure-api/settings/system_settings/';
const updatePath = '/secure-api/settings/update_system_settings/';

let world: TestServer;
let superadmin: SignedIn;
let admin: SignedIn;

before(async () => {
  world = await testServer();
  superadmin = await world.signIn('superadmin');
  admin = await world.signIn('admin');
});
after(() => world[Symbol.asyncDispose]());
beforeEach(() => sql`delete from setting`.execute(world.database.db.write()));
/** Entries of one moment have no order of their own. */
beforeEach(() => world.clock.advance(1));

const change = (who: SignedIn, security: object, more: object = {}) =>
  who.send('PATCH', updatePath, { security, password: testPassword, ...more });
const entries = async (): Promise<{ details: unknown; user_id: string | null }[]> => {
  const { rows } = await sql<{ details: unknown; user_id: string | null }>`
    select details, user_id from audit_entry where action = 'settings.changed' order by recorded_at, id`.execute(
    world.database.db.read(),
  );
  return rows;
};

test('~NSH-035, SET-026 unchanged settings have the defaults of the documents', async () => {
  assert.deepEqual((await superadmin.get(readPath)).json()['security'], {
    twoFactorAuth: false,
    twoFactorFor: 'all',
    sessionTimeout: 30,
    allowedIPs: 'All',
    apiAccessEnabled: false,
  });
});

test('every section fits its own schema by default', () => {
  for (const { schema, defaults } of Object.values(settingsSections)) {
    assert.deepEqual(schema.parse(defaults), defaults);
  }
});

test('C-302 the section security is read by administrators and changed by superadmins only', async () => {
  const staff = await world.signIn('user', 'staff@example.org');
  await superadmin.send('PATCH', `/secure-api/accounts/users/${staff.id}/`, { is_staff: true });
  assert.equal('security' in (await staff.get(readPath)).json(), false);
  assert.ok('privacy' in (await staff.get(readPath)).json());
  assert.ok('security' in (await admin.get(readPath)).json());
  const refused = await change(admin, { sessionTimeout: 10 });
  assert.equal(refused.status, 403);
  assert.equal((await change(staff, { sessionTimeout: 10 })).status, 403);
  assert.equal((await world.server.settings.get('security')).sessionTimeout, 30);
});

test('C-302 a change of the section security takes fresh proof of its author', async () => {
  const unproven = await superadmin.send('PATCH', updatePath, { security: { sessionTimeout: 10 } });
  assert.deepEqual([unproven.status, unproven.json()['code']], [400, 'proof_required']);
  for (const password of ['', 'wrong-password-1', 7]) {
    const body = { security: { sessionTimeout: 10 }, password };
    const reply = await superadmin.send('PATCH', updatePath, body);
    assert.equal(reply.status, 400, String(password));
    assert.ok(reply.json()['password'], String(password));
  }
  assert.equal((await world.server.settings.get('security')).sessionTimeout, 30);
  const reply = await change(superadmin, { sessionTimeout: 10 });
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.text.includes(testPassword), false);
});

test('C-801, ~NSH-035 a change is kept field by field and recorded with what was before, by whom', async () => {
  const before = (await entries()).length;
  await change(superadmin, { sessionTimeout: 60 });
  world.clock.advance(1);
  await change(superadmin, { apiAccessEnabled: true });
  await change(superadmin, { apiAccessEnabled: true });
  const { sessionTimeout, apiAccessEnabled } = await world.server.settings.get('security');
  assert.deepEqual(
    { sessionTimeout, apiAccessEnabled },
    { sessionTimeout: 60, apiAccessEnabled: true },
  );
  const recorded = (await entries()).slice(before);
  assert.deepEqual(
    recorded.map(({ details }) => details),
    [
      { section: 'security', changes: { sessionTimeout: { from: 30, to: 60 } } },
      { section: 'security', changes: { apiAccessEnabled: { from: false, to: true } } },
    ],
    'what changes nothing is not recorded',
  );
  assert.ok(recorded.every(({ user_id }) => user_id === superadmin.id));
});

test('SET-026, SET-025 invalid fields are refused by field, and nothing of them is kept', async () => {
  const wrong: Record<string, object> = {
    'security.sessionTimeout': { sessionTimeout: 4, apiAccessEnabled: true },
    'security.twoFactorFor': { twoFactorFor: 'nobody', apiAccessEnabled: true },
    'security.apiAccessEnabled': { apiAccessEnabled: 'yes', sessionTimeout: 10 },
    'security.allowedIPs': { allowedIPs: 'example.org', sessionTimeout: 10 },
  };
  for (const [field, security] of Object.entries(wrong)) {
    const reply = await change(superadmin, security);
    assert.equal(reply.status, 400, field);
    assert.deepEqual(Object.keys(reply.json()), [field]);
  }
  for (const sessionTimeout of [241, 0, -1, 30.5, null, '30']) {
    assert.equal(
      (await change(superadmin, { sessionTimeout })).status,
      400,
      String(sessionTimeout),
    );
  }
  const { sessionTimeout, apiAccessEnabled } = await world.server.settings.get('security');
  assert.deepEqual(
    { sessionTimeout, apiAccessEnabled },
    { sessionTimeout: 30, apiAccessEnabled: false },
  );
  for (const kept of [5, 240, 30]) {
    assert.equal((await change(superadmin, { sessionTimeout: kept })).status, 200, String(kept));
    assert.equal((await world.server.settings.get('security')).sessionTimeout, kept);
  }
});

test('H-23 a list that keeps the caller out is refused, unless they say that they know', async () => {
  const security = { allowedIPs: '203.0.113.0/24' };
  const refused = await change(superadmin, security);
  assert.equal(refused.status, 409);
  assert.equal(refused.json()['code'], 'address_locked_out');
  assert.match(String(refused.json()['detail']), /127\.0\.0\.1/);
  assert.equal((await world.server.settings.get('security')).allowedIPs, 'All');
  assert.equal(
    (await change(superadmin, { allowedIPs: '127.0.0.0/8, 203.0.113.0/24' })).status,
    200,
  );
});

test('H-23 the console lets everyone in again', async () => {
  const { settings } = world.server;
  await change(superadmin, { allowedIPs: '127.0.0.0/8' });
  world.clock.advance(1);
  await settings.allowAllAddresses();
  assert.equal((await settings.get('security')).allowedIPs, 'All');
  const { user_id, details } = (await entries()).at(-1)!;
  assert.equal(user_id, null);
  assert.deepEqual(details, {
    section: 'security',
    changes: { allowedIPs: { from: '127.0.0.0/8', to: 'All' } },
  });
});

test('two who change different fields at once lose neither', async () => {
  await Promise.all([
    change(superadmin, { sessionTimeout: 45 }),
    change(superadmin, { apiAccessEnabled: true }),
    change(superadmin, { twoFactorFor: 'administrators' }),
  ]);
  const { sessionTimeout, apiAccessEnabled, twoFactorFor } =
    await world.server.settings.get('security');
  assert.deepEqual([sessionTimeout, apiAccessEnabled, twoFactorFor], [45, true, 'administrators']);
});

test('a change made on one node reaches every other, which then acts on it', async () => {
  await using db = new Database(world.database.target, systemClock, quietLog, testPatienceMs);
  const clock = systemClock;
  using other = new Settings({ db, activity: new Activity({ db, clock }), clock, log: quietLog });
  const sections = new Set<SectionName>();
  const isRead = Promise.withResolvers<void>();
  using _reading = other.changed.on(({ section }) => {
    sections.add(section);
    void other
      .get('security')
      .then(({ sessionTimeout }) => sessionTimeout === 15 && isRead.resolve());
  });
  await change(superadmin, { sessionTimeout: 15 });
  await isRead.promise;
  assert.ok(sections.has('security'));
});

test('fields of another version that were kept are dropped, the rest stays as it was set', async () => {
  await sql`insert into setting values ('security', '{"sessionTimeout": 20, "gone": 1}', now())`.execute(
    world.database.db.write(),
  );
  const security = await world.server.settings.get('security');
  assert.equal(security.sessionTimeout, 20);
  assert.equal('gone' in security, false);
});

test('C-301 without a session settings are neither read nor changed', async () => {
  assert.equal((await call(world.app, 'GET', readPath)).status, 401);
  assert.equal((await call(world.app, 'PATCH', updatePath, { body: {} })).status, 401);
});
