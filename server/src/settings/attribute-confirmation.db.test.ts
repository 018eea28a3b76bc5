/** Nothing is inferred of faces until an administrator has said, once, that they know what. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { testDatabase } from '#testing/database.ts';
import { aWorld } from '#testing/world.ts';
import { testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { migrate, migrationNames } from '#db/migrations.ts';

const readPath = '/secure-api/settings/system_settings/';
const updatePath = '/secure-api/settings/update_system_settings/';

let world: TestServer;
let admin: SignedIn;

before(async () => {
  world = await testServer();
  admin = await world.signIn('admin');
});
after(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  await sql`delete from setting`.execute(world.database.db.write());
  await sql`delete from attribute_confirmation`.execute(world.database.db.write());
  world.clock.advance(1);
});

const change = (who: SignedIn, enabledFeatures: readonly string[], more: object = {}) =>
  who.send('PATCH', updatePath, { recognition: { enabledFeatures }, ...more });
const confirmed = { confirm_attributes: true };
const features = async () =>
  (await world.server.settings.get('recognition')).enabledFeatures as string[];
const deeds = async (): Promise<{ details: unknown; user_id: string | null }[]> => {
  const { rows } = await sql<{ details: unknown; user_id: string | null }>`
    select details, user_id from audit_entry where action = 'settings.attributes_confirmed'
    order by recorded_at, id`.execute(world.database.db.read());
  return rows;
};

test('~SET-014 at first nothing is switched on, and no one has confirmed it', async () => {
  const settings = (await admin.get(readPath)).json();
  assert.deepEqual((settings['recognition'] as { enabledFeatures: string[] }).enabledFeatures, []);
  assert.equal(settings['attributes_confirmed_at'], null);
});

test('~SET-014 without the confirmation no attribute is switched on, and nothing else of the change', async () => {
  for (const feature of ['age', 'gender', 'emotion']) {
    const reply = await admin.send('PATCH', updatePath, {
      recognition: { enabledFeatures: ['mask', feature], threshold: 90 },
    });
    assert.deepEqual([reply.status, reply.json()['code']], [409, 'attributes_unconfirmed']);
  }
  assert.deepEqual(await features(), []);
  assert.equal((await world.server.settings.get('recognition')).threshold, 75);
  assert.equal((await change(admin, ['mask'])).status, 200, 'no model infers a mask');
});

test('~SET-014 the confirmation is recorded once, with who and when, and holds from then on', async () => {
  const before = (await deeds()).length;
  const reply = await change(admin, ['gender', 'age', 'mask'], confirmed);
  assert.equal(reply.status, 200, reply.text);
  const at = new Date(world.clock.now()).toISOString();
  assert.equal(reply.json()['attributes_confirmed_at'], at);
  assert.deepEqual(await features(), ['gender', 'age', 'mask']);
  const made = (await deeds()).slice(before);
  assert.deepEqual(made, [{ details: { features: ['age', 'gender'] }, user_id: admin.id }]);

  const log = '/secure-api/activity-log/activity-logs/?search=inferring';
  const { results } = (await admin.get(log)).json() as { results: { message?: string }[] };
  assert.match(JSON.stringify(results), /Confirmed inferring attributes of faces/);

  world.clock.advance(1000);
  assert.equal((await change(admin, [])).status, 200);
  assert.equal((await change(admin, ['emotion'])).status, 200);
  assert.equal((await change(admin, ['age'], confirmed)).status, 200);
  assert.equal((await deeds()).length, before + 1);
  assert.equal((await admin.get(readPath)).json()['attributes_confirmed_at'], at);
});

test('C-302 a user who may not change the settings confirms nothing', async () => {
  const user = await world.signIn('user', 'watcher@example.org');
  assert.equal((await change(user, ['age'], confirmed)).status, 403);
  const staff = await world.signIn('user', 'reader@example.org');
  const superadmin = await world.signIn('superadmin');
  await superadmin.send('PATCH', `/secure-api/accounts/users/${staff.id}/`, { is_staff: true });
  assert.equal((await change(staff, ['age'], confirmed)).status, 403);
  assert.equal((await admin.get(readPath)).json()['attributes_confirmed_at'], null);
});

test('~SET-014 an attribute that was switched on while it did nothing is off after the update', async () => {
  const old = await testDatabase();
  const { db, target } = old;
  await sql`drop schema public cascade`.execute(db.write());
  await sql`create schema public`.execute(db.write());
  const names = migrationNames();
  await migrate(target, undefined, names[names.indexOf('0066-attributes') - 1]);
  await sql`
    insert into setting values ('recognition', '{"enabledFeatures": ["age"], "threshold": 80}', now())`.execute(
    db.write(),
  );
  await migrate(target);
  // It closes the database, too.
  await using now = await aWorld(old);
  const { threshold, enabledFeatures } = await now.settings.get('recognition');
  assert.deepEqual([threshold, enabledFeatures], [80, []]);
});
