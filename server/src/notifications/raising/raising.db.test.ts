/** Who is notified of what: rights, settings, and that the feed is neither lost nor read twice. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { settleMs } from '#alerts/evaluation/visit-pass.ts';
import type { Scope } from '#http/scope.ts';
import { failing } from '#testing/failing-database.ts';
import { grant, kept, notified, type Notified } from '#testing/notifications.ts';
import { aPicture, aVisit, aWorld, type World } from '#testing/world.ts';

let world: World;
let it: Notified;
let admin: Scope;
/** Sees the gate and reads names there. */
let porter: Scope;
/** Sees the gate and the yard, and reads no names. */
let guard: Scope;
/** Sees no camera. */
let outsider: Scope;
let gate: string;
let yard: string;
let looks = 0;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
  porter = await world.actor('user');
  guard = await world.actor('operator');
  outsider = await world.actor('user');
  gate = await world.camera(admin, { name: 'Gate' });
  yard = await world.camera(admin, { name: 'Yard' });
  await grant(world, admin, porter, gate, ['live', 'people']);
  await grant(world, admin, guard, gate, ['live']);
  await grant(world, admin, guard, yard, ['live']);
});
after(() => world[Symbol.asyncDispose]());

beforeEach(async () => {
  await sql`truncate feed_change, alert, notification, notification_settings, security_warning cascade`.execute(
    world.database.db.write(),
  );
  it = notified(world);
});
afterEach(() => it[Symbol.asyncDispose]());

const see = async (cameraId: string, identityId: string | null = null): Promise<string> => {
  const picture = aPicture((looks += 1));
  const visit = aVisit(cameraId, world.clock.now(), { picture, identityId });
  await world.visits.write(visit);
  return visit.id;
};
const stranger = async (cameraId: string): Promise<void> => {
  await see(cameraId);
  world.clock.advance(settleMs);
  await it.settle();
};
const titlesOf = async (scope: Scope) => (await it.list(scope)).titles;

test('~NOTE-009 an alert reaches who sees its camera, and no other account', async () => {
  await stranger(gate);
  await stranger(yard);
  const at = (place: string) => `Unknown person at ${place}`;
  assert.deepEqual(await titlesOf(admin), [at('Yard'), at('Gate')]);
  assert.deepEqual(await titlesOf(guard), [at('Yard'), at('Gate')]);
  assert.deepEqual(await titlesOf(porter), [at('Gate')]);
  assert.deepEqual(await it.list(outsider), { count: 0, results: [], titles: [] });
  const [newest] = (await it.list(guard)).results;
  assert.deepEqual(
    [newest!.type, newest!.kind, newest!.level, newest!.is_read],
    ['alert', 'alert', 'warning', false],
  );
});

test('~C-304 a grant that was taken hides what was notified of before, counts included', async () => {
  const { id } = await grant(world, admin, outsider, yard, ['live']);
  await stranger(yard);
  assert.equal((await it.list(outsider)).count, 1);
  await world.cameras.access.take(admin, id);
  assert.equal((await it.list(outsider)).count, 0);
  const { lists } = it.notifications;
  const scope = await it.now(outsider);
  assert.deepEqual(await lists.unreadCount(scope), { unread_count: 0 });
  assert.equal((await it.list(guard)).count, 1);
});

test('~NOTE-009 an account that is disabled gets none, and one that is deleted leaves none', async () => {
  const [disabled, deleted] = [await world.actor('admin'), await world.actor('admin')];
  const db = world.database.db.write();
  await sql`update app_user set is_active = false where id = ${disabled.userId}`.execute(db);
  await stranger(gate);
  assert.deepEqual([(await it.list(disabled)).count, (await it.list(deleted)).count], [0, 1]);
  const before = await kept(world.database.db);
  await sql`delete from app_user where id = ${deleted.userId}`.execute(db);
  assert.equal((await kept(world.database.db)).rows, before.rows - 1);
});

test('~NOTE-009 warnings about no camera reach administrators, and the user to whom one is assigned', async () => {
  await world.warnings.raise({ kind: 'disk_low', details: {} });
  await it.settle();
  assert.deepEqual(await titlesOf(admin), ['The disk is almost full']);
  assert.deepEqual(await titlesOf(guard), []);
  const [{ alert } = { alert: null }] = (await it.list(admin)).results;
  await it.alerts.workflow.assign(admin, alert!, guard.userId);
  await it.settle();
  assert.deepEqual(await titlesOf(guard), ['The disk is almost full']);
  assert.deepEqual(await titlesOf(porter), []);
  assert.equal((await it.list(admin)).count, 1);
});

test('~NOTE-008 settings decide: levels, unknown people, and cameras', async () => {
  const { settings } = it.notifications;
  await settings.change(await it.now(admin), { alert_levels: ['critical'] });
  await settings.change(await it.now(guard), { cameras: [yard] });
  await settings.change(await it.now(porter), { notify_on_unknown: false });
  await stranger(gate);
  await stranger(yard);
  assert.deepEqual(await titlesOf(admin), []);
  assert.deepEqual(await titlesOf(guard), ['Unknown person at Yard']);
  assert.deepEqual(await titlesOf(porter), []);
});

test('~NOTE-009 ~C-304 a known person reaches who wishes it, by the name that each may read', async () => {
  const person = await world.person(admin, 'Ayla', 500_000);
  const other = await world.person(admin, 'Orxan', 500_001);
  for (const scope of [porter, guard, outsider]) {
    await it.notifications.settings.change(await it.now(scope), { notifyOnKnown: true });
  }
  await see(gate, person.identityId);
  await see(yard, other.identityId);
  await it.settle();
  assert.deepEqual(await titlesOf(porter), ['Ayla Example at Gate']);
  assert.deepEqual((await titlesOf(guard)).toSorted(), [
    'Known person at Gate',
    'Known person at Yard',
  ]);
  assert.deepEqual(await titlesOf(outsider), []);
  assert.deepEqual(await titlesOf(admin), [], 'off as installed');
  const { rows } = await sql<{
    row: string;
  }>`select notification::text as row from notification`.execute(world.database.db.read());
  assert.equal(rows.length, 3);
  assert.ok(
    rows.every(({ row }) => !/Ayla|Orxan|Gate|Yard/.test(row)),
    'no name is copied',
  );
});

test('~NOTE-009 visits of one person at a camera are one notification while they go on', async () => {
  const person = await world.person(admin, 'Nigar', 500_002);
  const other = await world.person(admin, 'Elvin', 500_003);
  await it.notifications.settings.change(await it.now(guard), { notifyOnKnown: true });
  let last = '';
  for (let nth = 0; nth < 5; nth += 1) {
    last = await see(gate, person.identityId);
    await it.settle();
    world.clock.advance(9 * 60_000);
  }
  const { results } = await it.list(guard);
  assert.deepEqual([results.length, results[0]!.visit], [1, last]);
  await see(gate, other.identityId);
  await see(yard, person.identityId);
  await it.settle();
  assert.equal((await it.list(guard)).count, 3, 'another person, another camera');
  world.clock.advance(11 * 60_000);
  await see(gate, person.identityId);
  await see(gate, person.identityId);
  await it.settle();
  assert.equal((await it.list(guard)).count, 4, 'after a pause');
});

test('~NOTE-008 a muted person is not notified of', async () => {
  const [muted, other] = [
    await world.person(admin, 'Muted', 500_004),
    await world.person(admin, 'Other', 500_005),
  ];
  await it.notifications.settings.change(await it.now(admin), {
    notify_on_known: true,
    muted_people: [muted.id],
  });
  await see(gate, muted.identityId);
  await see(gate, other.identityId);
  await it.settle();
  assert.deepEqual(await titlesOf(admin), ['Other Example at Gate']);
});

test('~NOTE-009 what happens to the security of an account reaches its owner, in the own language', async () => {
  const { activity, accounts } = world;
  await world.database.db.transaction(async (tx) => {
    const object = { type: 'user', id: guard.userId } as const;
    await activity.record(tx, { actor: admin, action: 'account.role_changed', object });
    await activity.record(tx, { actor: admin, action: 'account.profile_changed', object });
  });
  await assert.rejects(
    world.database.db.transaction(async (tx) => {
      const object = { type: 'user', id: porter.userId } as const;
      await activity.record(tx, { actor: admin, action: 'account.role_changed', object });
      throw new Error('rolled back');
    }),
  );
  await it.settle();
  const { results } = await it.list(guard, { type: 'system' }, 'az');
  assert.deepEqual(
    results.map(({ kind, title, alert }) => [kind, title, alert]),
    [['account', 'Rolunuz dəyişdirildi', null]],
  );
  assert.equal((await it.list(guard, { type: 'alert' })).count, 0);
  for (const scope of [admin, porter]) assert.equal((await it.list(scope)).count, 0);
  assert.ok((await accounts.active()).length > 3);
});

test('~NOTE-009 the past raises nothing: neither what was there before, nor what users say of it', async () => {
  const person = await world.person(admin, 'Earlier', 500_006);
  const visit = await see(gate, person.identityId);
  await it.alerts.evaluate();
  await sql`truncate feed_change`.execute(world.database.db.write());
  await it.notifications.settings.change(await it.now(admin), { notifyOnKnown: true });
  await world.visits.notThisPerson(admin, visit);
  await world.visits.thisPersonAfterAll(admin, visit);
  await it.settle();
  assert.deepEqual(await kept(world.database.db), { rows: 0, waiting: 0 });
});

test('~NOTE-009 a server that dies at any step of notifying loses nothing and repeats nothing', async () => {
  const person = await world.person(admin, 'Steady', 500_007);
  await it.notifications.settings.change(await it.now(admin), { notify_on_known: true });
  let died = 0;
  for (let step = 0; step < 12; step += 1) {
    await world.warnings.raise({ kind: 'many_denials', subject: `case ${step}` });
    await see(gate, person.identityId);
    await it.alerts.evaluate();
    await using dying = notified(world, failing(world.database.db, step));
    await dying.notifications.notify().catch(() => (died += 1));
    await it.settle();
    assert.equal((await it.list(admin)).count, (step + 1) * 2, `step ${step}`);
    assert.equal((await kept(world.database.db)).waiting, 0);
    world.clock.advance(11 * 60_000);
  }
  assert.ok(died >= 2, `${died} passes died`);
});

test('a known person who was erased leaves no notification', async () => {
  const [gone, stays] = [
    await world.person(admin, 'Gone', 500_008),
    await world.person(admin, 'Stays', 500_009),
  ];
  await it.notifications.settings.change(await it.now(admin), { notify_on_known: true });
  const visit = await see(gate, gone.identityId);
  await see(gate, stays.identityId);
  await it.settle();
  await sql`update visit set deleted_at = now() where id = ${visit}`.execute(
    world.database.db.write(),
  );
  await it.notifications.removal.removeOld();
  assert.deepEqual(await titlesOf(admin), ['Stays Example at Gate']);
});

test('~NOTE-009 two servers at once notify once', async () => {
  await using other = notified(world);
  for (let round = 1; round <= 5; round += 1) {
    await world.warnings.raise({ kind: 'many_denials', subject: `round ${round}` });
    await it.alerts.evaluate();
    await Promise.all([it, other, it].map(({ notifications }) => notifications.notify()));
    await it.settle();
    // What one found taken, the other may still be writing.
    await other.settle();
    assert.equal((await it.list(admin)).count, round);
  }
});
