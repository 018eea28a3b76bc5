/** Push messages, to a push service on loopback that opens them: to whom, when, and what is in them. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { settleMs } from '#alerts/evaluation/visit-pass.ts';
import type { Scope } from '#http/scope.ts';
import { failing } from '#testing/failing-database.ts';
import { grant, notified, type Notified } from '#testing/notifications.ts';
import { pushService, type PushService } from '#testing/push-service.ts';
import { aPicture, aVisit, aWorld, noMail, type World } from '#testing/world.ts';

const minuteMs = 60_000;

let world: World;
let service: PushService;
let it: Notified;
let admin: Scope;
let guard: Scope;
let gate: string;
let yard: string;
let looks = 0;

const resolve = async () => ['127.0.0.1'];
const notifying = (db = world.database.db) => notified(world, db, noMail(db), resolve);

before(async () => {
  world = await aWorld();
  service = await pushService();
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await sql`truncate feed_change, alert, notification, notification_delivery, notification_settings, notification_snooze,
    security_warning, push_device, push_message cascade`.execute(world.database.db.write());
  await sql`update push_settings set content = 'event'`.execute(world.database.db.write());
  await sql`update app_user set is_active = false`.execute(world.database.db.write());
  service.received.length = 0;
  service.answers.clear();
  admin = await world.actor('admin');
  guard = await world.actor('user');
  gate = await world.camera(admin, { name: 'Gate' });
  yard = await world.camera(admin, { name: 'Yard' });
  await grant(world, admin, guard, gate, ['live']);
  it = notifying();
});
afterEach(() => it[Symbol.asyncDispose]());

async function turnOn(scope: Scope, ...names: string[]): Promise<string[]> {
  const ids = [];
  for (const name of names) {
    ids.push((await it.notifications.push.devices.add(scope, service.device(name))).id);
  }
  await it.notifications.settings.change(await it.now(scope), { push: true });
  return ids;
}
const write = async (cameraId: string): Promise<string> => {
  const visit = aVisit(cameraId, world.clock.now(), { picture: aPicture((looks += 1)) });
  await world.visits.write(visit);
  world.clock.advance(settleMs);
  return visit.id;
};
const stranger = async (cameraId: string): Promise<void> => {
  await write(cameraId);
  await it.settle();
};
const devices = () => service.received.map(({ device }) => device).toSorted();
const messages = () => service.received.map(({ message }) => message);
const listed = async (scope: Scope) =>
  (await it.notifications.push.devices.state(scope)).devices.map(({ name, fault }) => [
    name,
    fault,
  ]);

test('~NOTE-008 ~C-1011 each device of each user who wishes it receives a message that only it can open, without a name', async () => {
  await turnOn(admin, 'desk', 'phone');
  await turnOn(guard, 'tablet');
  await stranger(gate);
  assert.deepEqual(devices(), ['desk', 'phone', 'tablet']);
  for (const { message, body, headers, claims } of service.received) {
    assert.equal(message.title, 'An unknown person was seen');
    assert.doesNotMatch(JSON.stringify(message), /Gate/);
    assert.doesNotMatch(body.toString('latin1'), /unknown|person/);
    assert.equal(headers['ttl'], String(24 * 60 * 60));
    assert.equal(claims.aud, service.origin);
    assert.equal(claims.sub, 'https://nazar.example.org');
  }
  const tags = new Set(messages().map(({ tag }) => tag));
  assert.equal(tags.size, 2, 'one for the notification of each user');
  await stranger(yard);
  assert.deepEqual(devices(), ['desk', 'desk', 'phone', 'phone', 'tablet']);
});

test('~NOTE-008 names stand in a message only as far as its user may read them, and where administrators let them out', async () => {
  await it.notifications.push.settings.change(admin, { content: 'names' });
  const ali = await world.person(admin, 'Ali', 500);
  await turnOn(admin, 'desk');
  await turnOn(guard, 'tablet');
  for (const scope of [admin, guard]) {
    await it.notifications.settings.change(await it.now(scope), { notifyOnKnown: true });
  }
  const known = { identityId: ali.identityId, picture: aPicture(500) };
  await world.visits.write(aVisit(gate, world.clock.now(), known));
  world.clock.advance(settleMs);
  await it.settle();
  const titles = Object.fromEntries(
    service.received.map(({ device, message }) => [device, message.title]),
  );
  assert.match(titles['desk']!, /Ali.* at .*Gate/);
  assert.match(titles['tablet']!, /Known person.* at .*Gate/);
});

test('~C-304 what may not be seen any more, and an account that may not sign in, receive nothing', async () => {
  const other = await world.actor('user');
  const { id } = await grant(world, admin, other, gate, ['live']);
  await turnOn(other, 'gone');
  await turnOn(guard, 'tablet');
  service.answers.set('gone', 500);
  service.answers.set('tablet', 500);
  await stranger(gate);
  assert.deepEqual(devices(), ['gone', 'tablet']);
  await world.cameras.access.take(admin, id);
  await sql`update app_user set is_active = false where id = ${guard.userId}`.execute(
    world.database.db.write(),
  );
  service.answers.clear();
  world.clock.advance(minuteMs);
  await it.settle();
  assert.deepEqual(devices(), ['gone', 'tablet'], 'nothing more');
  const { rows } = await sql<{ state: string; fault: string }>`
    select state, fault from push_message order by fault`.execute(world.database.db.read());
  assert.deepEqual(
    rows.map(({ state, fault }) => [state, fault]),
    [
      ['dropped', 'account'],
      ['dropped', 'not_visible'],
    ],
  );
});

test('~NOTE-008 an all-clear follows a first message under its tag; both reach administrators too', async () => {
  await turnOn(admin, 'desk');
  await turnOn(guard, 'tablet');
  await world.warnings.raise({ kind: 'camera_down', subject: gate });
  await it.settle();
  await world.warnings.end('camera_down', gate);
  await it.settle();
  await it.settle();
  for (const device of ['desk', 'tablet']) {
    const [first, over, ...more] = service.received.filter((one) => one.device === device);
    assert.equal(more.length, 0);
    assert.equal(first!.message.title, "A camera isn't sending video");
    assert.equal(over!.message.title, "Over: A camera isn't sending video");
    assert.equal(over!.message.tag, first!.message.tag);
    assert.deepEqual([first!.message.is_over, over!.message.is_over], [false, true]);
  }
});

test('a device that its service does not know any more is removed; one that is only refused stays, and is said', async () => {
  await turnOn(admin, 'old', 'new', 'full');
  service.answers.set('old', 410);
  service.answers.set('full', 413);
  await stranger(gate);
  assert.deepEqual(await listed(admin), [
    ['Browser full', 'refused'],
    ['Browser new', null],
  ]);
  service.answers.set('new', 404);
  await stranger(yard);
  assert.deepEqual(await listed(admin), [['Browser full', 'refused']]);
  assert.equal(
    service.received.filter(({ device }) => device === 'full').length,
    2,
    'not repeated',
  );
});

test('a push service that fails is asked again later, with no message lost and none twice once it took it', async () => {
  await turnOn(admin, 'desk', 'phone');
  service.answers.set('desk', 503);
  await stranger(gate);
  service.answers.clear();
  await it.settle();
  assert.deepEqual(devices(), ['desk', 'phone'], 'not at once');
  world.clock.advance(minuteMs);
  await it.settle();
  await it.settle();
  assert.deepEqual(devices(), ['desk', 'desk', 'phone']);
  assert.deepEqual(await listed(admin), [
    ['Browser phone', null],
    ['Browser desk', null],
  ]);
});

test('~NOTE-008 what a device missed for long comes as one message that says how many', async () => {
  await turnOn(admin, 'desk');
  service.answers.set('desk', 503);
  await stranger(gate);
  await stranger(yard);
  service.received.length = 0;
  service.answers.clear();
  world.clock.advance(30 * minuteMs);
  await it.settle();
  assert.deepEqual(
    messages().map(({ title, tag }) => [title, tag]),
    [['2 notifications', 'summary']],
  );
});

test('C-304 a device ends with a session that was ended, and not with one that was idle', async () => {
  await turnOn(admin, 'desk');
  await turnOn(guard, 'tablet');
  const session = sql`insert into session (id, user_id, is_browser, is_remembered, ip, user_agent, created_at, expires_at,
    absolute_expires_at, ended_at, ended_reason, last_active_at)`;
  const at = new Date(world.clock.now());
  for (const [{ userId, sessionId }, reason] of [
    [admin, 'logout'],
    [guard, 'idle'],
  ] as const) {
    await sql`${session} values (${sessionId}, ${userId}, false, false, '127.0.0.1', '', ${at}, ${at}, ${at}, ${at},
      ${reason}, ${at})`.execute(world.database.db.write());
  }
  assert.deepEqual(await listed(admin), [], 'also before anything is sent');
  await stranger(gate);
  assert.deepEqual(devices(), ['tablet']);
  assert.deepEqual(await listed(guard), [['Browser tablet', null]]);
});

test('~NOTE-008 a server that dies at any step sends each message, under the tag of its notification', async () => {
  await turnOn(admin, 'desk');
  for (let step = 0; step < 12; step += 1) {
    service.received.length = 0;
    await write(gate);
    await it.alerts.evaluate();
    await using dying = notifying(failing(world.database.db, step));
    await dying.notifications.notify().catch(() => undefined);
    await it.settle();
    world.clock.advance(2 * minuteMs);
    await it.settle();
    assert.equal(new Set(messages().map(({ tag }) => tag)).size, 1, `step ${step}`);
    world.clock.advance(2 * 60 * minuteMs);
    await it.settle();
  }
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::integer as count from push_message group by state`.execute(
    world.database.db.read(),
  );
  assert.deepEqual(rows, [{ state: 'delivered', count: 12 }]);
});
