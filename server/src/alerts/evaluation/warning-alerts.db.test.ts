/** Warnings as alerts, with a real database. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { Scope } from '#http/scope.ts';
import { anEvaluation, type AlertRow, type Evaluation } from '#testing/alerts.ts';
import { aWorld, type World } from '#testing/world.ts';

let world: World;
let admin: Scope;
let gate: string;
let hall: string;
let evaluation: Evaluation;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
  [gate, hall] = [await world.camera(admin), await world.camera(admin)];
});
after(() => world[Symbol.asyncDispose]());

beforeEach(async () => {
  await sql`truncate feed_change, alert, security_warning cascade`.execute(
    world.database.db.write(),
  );
  evaluation = anEvaluation(world);
  await evaluation.rules(
    { kind: 'camera_down', level: 'error', cameras: [gate] },
    { kind: 'camera_picture' },
    { kind: 'storage_low' },
    { kind: 'recorder_failed', level: 'error' },
    { kind: 'system_warning', level: 'info' },
  );
});
afterEach(() => evaluation[Symbol.asyncDispose]());

const figures = ({ kind, level, status, count, ended_at }: AlertRow) => ({
  kind,
  level,
  status,
  count,
  lasts: ended_at === null,
});
const found = async () => (await evaluation.alerts()).map(figures);
const raise = async (...raised: Parameters<World['warnings']['raise']>): Promise<void> => {
  world.clock.advance(1_000);
  await world.warnings.raise(...raised);
  await evaluation.runner.run();
};

test('~ALR-012 ~NSH-034 a warning is one alert, which counts with it and is over with it', async () => {
  await raise({ kind: 'disk_low', details: { freeBytes: 5 } });
  await raise({ kind: 'many_denials', subject: 'somebody', details: { count: 20 } });
  const low = { kind: 'storage_low', level: 'warning', status: 'new', count: 1, lasts: true };
  const denials = { kind: 'system_warning', level: 'info', status: 'new', count: 1, lasts: true };
  assert.deepEqual(await found(), [low, denials]);
  await raise({ kind: 'disk_low', details: { freeBytes: 4 } });
  await world.warnings.update({ kind: 'disk_low', details: { freeBytes: 3 } });
  await evaluation.runner.run();
  assert.deepEqual(await found(), [{ ...low, count: 2 }, denials]);
  assert.deepEqual((await evaluation.alerts())[0]!.details, { freeBytes: 3 });
  world.clock.advance(1_000);
  await world.warnings.end('disk_low');
  await evaluation.runner.run();
  assert.deepEqual(await found(), [{ ...low, count: 2, lasts: false }, denials]);
  assert.equal((await evaluation.alerts())[0]!.ended_at?.getTime(), world.clock.now());
  await raise({ kind: 'disk_low' });
  assert.deepEqual((await found()).slice(2), [low], 'another time');
  assert.deepEqual(
    evaluation.said.map(({ kind, cameraId }) => [kind, cameraId]),
    ['raised', 'raised', 'updated', 'updated', 'updated', 'raised'].map((kind) => [kind, null]),
  );
});

test('~ALR-012 a camera that is down raises an alert at the cameras of the rule only', async () => {
  for (const subject of [hall, gate]) await raise({ kind: 'camera_down', subject });
  const alerts = await evaluation.alerts();
  assert.deepEqual(
    alerts.map(({ camera_id, level }) => [camera_id, level]),
    [[gate, 'error']],
  );
  assert.equal(await evaluation.waiting(), 0);
});

test('~ALR-012 a frozen camera raises one alert, which is over with its warning', async () => {
  await raise({ kind: 'camera_frozen', subject: gate });
  await raise({ kind: 'camera_covered', subject: hall });
  await world.warnings.end('camera_frozen', gate);
  await evaluation.runner.run();
  assert.deepEqual(
    (await evaluation.alerts()).map(({ kind, camera_id, ended_at }) => [
      kind,
      camera_id,
      ended_at !== null,
    ]),
    [
      ['camera_picture', gate, true],
      ['camera_picture', hall, false],
    ],
  );
});

test('~ALR-012 recorders and what is critical have their own kinds and levels', async () => {
  await raise({ kind: 'disk_full' });
  await raise({ kind: 'folder_away', subject: 'a folder' });
  await raise({ kind: 'record_broken' });
  assert.deepEqual(
    (await evaluation.alerts()).map(({ kind, level, warning_kind }) => [kind, level, warning_kind]),
    [
      ['recorder_failed', 'error', 'disk_full'],
      ['recorder_failed', 'error', 'folder_away'],
      ['system_warning', 'critical', 'record_broken'],
    ],
  );
});

test('~ALR-012 acknowledging a warning resolves its alert, unless that is resolved already', async () => {
  await raise({ kind: 'many_denials', subject: 'one' });
  await raise({ kind: 'many_denials', subject: 'two' });
  await raise({ kind: 'disk_low' });
  const other = await world.actor('admin');
  const second = (await evaluation.alerts())[1]!;
  await sql`
    update alert set status = 'dismissed', resolved_by = ${other.userId}, resolved_at = now()
    where id = ${second.id}`.execute(world.database.db.write());
  for (const { id } of await world.warnings.list()) await world.warnings.acknowledge(admin, id);
  await evaluation.runner.run();
  const rows = await evaluation.alerts();
  assert.deepEqual(
    rows.map(({ status, resolved_by, ended_at }) => [status, resolved_by, ended_at !== null]),
    [
      ['resolved', admin.userId, true],
      ['dismissed', other.userId, true],
      ['resolved', admin.userId, false],
    ],
  );
  await raise({ kind: 'disk_low' });
  assert.deepEqual((await found())[2], { ...figures(rows[2]!), count: 2 }, 'the disk is still low');
});

test('~ALR-012 new figures and the end of a warning from before there were rules raise nothing', async () => {
  for (const kind of ['disk_low', 'folder_hung'] as const) await world.warnings.raise({ kind });
  await sql`truncate feed_change, alert cascade`.execute(world.database.db.write());
  world.clock.advance(1_000);
  await world.warnings.update({ kind: 'disk_low', details: { freeBytes: 3 } });
  await world.warnings.end('folder_hung');
  await world.warnings.end('camera_down', gate);
  assert.equal(await evaluation.waiting(), 2, 'what was not there has not ended');
  await evaluation.runner.run();
  assert.deepEqual(await found(), []);
  assert.equal(await evaluation.waiting(), 0);
});
