/** What groups, tables and modes hold back, with a real database: each test has cameras and rules of its own. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { HouseMode } from '@nazar/contract/house-mode.ts';
import type { Scope } from '#http/scope.ts';
import { anEvaluation, type Evaluation } from '#testing/alerts.ts';
import { aPicture, aVisit, aWorld, quietLog, type World } from '#testing/world.ts';
import { House } from '../house.ts';
import { ModeStore } from '../mode-store.ts';
import { settleMs } from './visit-pass.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

let world: World;
let admin: Scope;
let gate: string;
let hall: string;
let evaluation: Evaluation;
let house: House;
let looks = 0;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
});
after(() => world[Symbol.asyncDispose]());

beforeEach(async () => {
  const { database, activity, clock } = world;
  await sql`truncate feed_change, alert, house_mode, security_warning cascade`.execute(
    database.db.write(),
  );
  [gate, hall] = [await world.camera(admin), await world.camera(admin)];
  house = new House({ store: new ModeStore(database.db), activity, clock, log: quietLog });
  evaluation = anEvaluation(world);
});
afterEach(() => evaluation[Symbol.asyncDispose]());

const see = (cameraId: string, look = (looks += 1)) =>
  world.visits.write(
    aVisit(cameraId, world.clock.now(), { picture: aPicture(look), confidence: null }),
  );
const settle = async (): Promise<void> => {
  world.clock.advance(settleMs);
  await evaluation.runner.run();
};
const found = async () =>
  (await evaluation.alerts()).map(({ camera_id, count, ended_at }) => [
    camera_id === gate ? 'gate' : 'hall',
    count,
    ended_at === null,
  ]);
const set = async (mode: HouseMode): Promise<void> => {
  world.clock.advance(1);
  await house.change(admin, mode);
};

test('~ALR-012 a camera that joins a group counts at once, one that leaves it no more', async () => {
  const fields = { name: `Outside ${looks}`, description: '' };
  const group = await world.cameras.groups.add(admin, { ...fields, cameras: [gate] });
  await evaluation.rules({ cameras: [], cameraGroups: [group.id] });
  await see(gate);
  await see(hall);
  await settle();
  assert.deepEqual(await found(), [['gate', 1, true]]);
  await world.cameras.groups.replace(admin, group.id, { ...fields, cameras: [hall] });
  await see(gate);
  await see(hall);
  await settle();
  assert.deepEqual(await found(), [
    ['gate', 1, true],
    ['hall', 1, true],
  ]);
  await world.cameras.groups.remove(admin, group.id);
  await see(hall);
  await settle();
  assert.equal((await found())[1]![1], 1, 'a group that is gone has no camera');
});

test('~ALR-012 a warning of a camera is of the rules of its groups', async () => {
  const group = { name: `Doors ${looks}`, description: '', cameras: [hall] };
  const { id } = await world.cameras.groups.add(admin, group);
  await evaluation.rules({ kind: 'camera_down', cameras: [], cameraGroups: [id] });
  for (const subject of [gate, hall]) await world.warnings.raise({ kind: 'camera_down', subject });
  await evaluation.runner.run();
  assert.deepEqual(await found(), [['hall', 1, true]]);
});

test('~ALR-012 a visit counts by the mode in which it began, whatever the mode is when it has settled', async () => {
  await evaluation.rules({ modes: ['away'] });
  await see(gate);
  await set('away');
  await settle();
  assert.deepEqual(await found(), [], 'they were at home');
  await see(gate);
  await set('home');
  await settle();
  assert.deepEqual(await found(), [['gate', 1, true]]);
  await see(gate);
  await settle();
  assert.deepEqual(await found(), [['gate', 1, true]], 'no later visit joins it');
});

test('~ALR-012 off raises nothing about people, and all else', async () => {
  await evaluation.rules({}, { kind: 'system_warning' });
  await set('off');
  await see(gate);
  await world.warnings.raise({ kind: 'many_denials', subject: 'one' });
  await settle();
  assert.deepEqual(
    (await evaluation.alerts()).map(({ kind }) => kind),
    ['system_warning'],
  );
  assert.equal(await evaluation.waiting(), 0, 'what was held back is not raised later');
});

test('~ALR-012 what a mode held back begins no quiet time: the next visit that counts raises at once', async () => {
  await evaluation.rules({ modes: ['away'], quietMinutes: 60 });
  const stranger = (looks += 1);
  await see(gate, stranger);
  await settle();
  await set('away');
  await see(gate, stranger);
  await settle();
  assert.deepEqual(await found(), [['gate', 1, true]]);
  // A visit that is held back does not keep the alert from being over.
  await set('home');
  world.clock.advance(59 * minuteMs);
  await see(gate, stranger);
  world.clock.advance(2 * minuteMs);
  await settle();
  assert.deepEqual(await found(), [['gate', 1, false]]);
});

test('~ALR-012 a week through both changes of summer time raises at the hours that people see', async () => {
  const hours = { from: '22:00', until: '23:00' };
  const spans = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, ...hours }));
  await evaluation.rules({ schedule: { timeZone: 'Europe/Berlin', spans }, quietMinutes: 1 });
  for (const monday of ['2026-03-23', '2026-10-19']) {
    const raised: string[] = [];
    const beginMs = Date.parse(`${monday}T00:15:00Z`);
    world.clock.advance(beginMs - world.clock.now());
    for (let hour = 0; hour < 9 * 24; hour += 1) {
      if (![8, 19, 20, 21, 22].includes(hour % 24)) continue;
      await sql`truncate alert cascade`.execute(world.database.db.write());
      world.clock.advance(beginMs + hour * 60 * minuteMs - world.clock.now());
      await see(gate);
      await settle();
      const [alert] = await evaluation.alerts();
      if (alert) raised.push(alert.last_at.toISOString().slice(5, 13));
    }
    const [winter, summer] = ['21', '20'];
    const [before, from] = monday === '2026-03-23' ? [winter, summer] : [summer, winter];
    const changedAtMs = beginMs + 6 * dayMs;
    assert.deepEqual(
      raised,
      Array.from({ length: 9 }, (_, day) => {
        const atMs = beginMs + day * dayMs;
        const hour = atMs < changedAtMs ? before : from;
        return `${new Date(atMs).toISOString().slice(5, 10)}T${hour}`;
      }),
    );
  }
});

test('the mode is recorded with both its values; who sets the one that holds changes nothing', async () => {
  assert.deepEqual(await house.mode(), { mode: 'home', since: null });
  assert.deepEqual(await house.change(admin, 'home'), { mode: 'home', since: null });
  const away = await house.change(admin, 'away');
  assert.deepEqual(away, { mode: 'away', since: new Date(world.clock.now()).toISOString() });
  assert.deepEqual(await house.change(admin, 'away'), away);
  const [one, other] = await Promise.all([house.change(admin, 'off'), house.change(admin, 'home')]);
  assert.notEqual(one.since, other.since, 'each has its moment');
  const { rows } = await sql<{ mode: string }>`select mode from house_mode order by since`.execute(
    world.database.db.read(),
  );
  assert.deepEqual(rows.map(({ mode }) => mode).toSorted(), ['away', 'home', 'off']);
});
