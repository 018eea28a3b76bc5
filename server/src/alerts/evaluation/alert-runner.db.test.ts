/** That nothing is lost and nothing counts twice, whatever happens to a pass; and what goes by age. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { Scope } from '#http/scope.ts';
import { alertsIn, anEvaluation, type Evaluation } from '#testing/alerts.ts';
import { failing } from '#testing/failing-database.ts';
import { until } from '#testing/until.ts';
import { aPicture, aVisit, aWorld, quietLog, type World } from '#testing/world.ts';
import { AlertRunner } from './alert-runner.ts';
import { AlertRemoval, keptDays } from './removal.ts';
import { EnabledRules } from './enabled-rules.ts';
import { settleMs } from './visit-pass.ts';

let world: World;
let admin: Scope;
let gate: string;
let evaluation: Evaluation;
let looks = 0;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
});
after(() => world[Symbol.asyncDispose]());

beforeEach(async () => {
  await sql`truncate feed_change, alert, security_warning cascade`.execute(
    world.database.db.write(),
  );
  gate = await world.camera(admin);
  evaluation = anEvaluation(world);
  await evaluation.rules({}, { kind: 'system_warning' });
});
afterEach(() => evaluation[Symbol.asyncDispose]());

const see = () => {
  const picture = aPicture((looks += 1));
  return world.visits.write(aVisit(gate, world.clock.now(), { picture, confidence: null }));
};
/** By kind. */
const figures = async () =>
  (await alertsIn(world.database.db))
    .toSorted((one, other) => one.kind.localeCompare(other.kind))
    .map(({ kind, count, people }) => [kind, count, people]);

test('~ALR-012 a pass that dies at any step loses nothing and repeats nothing', async () => {
  let died = 0;
  for (let step = 0; step < 20; step += 1) {
    await see();
    await world.warnings.raise({ kind: 'many_denials', subject: 'somebody' });
    world.clock.advance(settleMs);
    const rules = new EnabledRules({ log: quietLog });
    const db = failing(world.database.db, step);
    const parts = { db, rules, wakes: [], clock: world.clock, log: quietLog };
    await using dying = new AlertRunner(parts);
    await dying.run().catch(() => (died += 1));
    await evaluation.runner.run();
    assert.deepEqual(
      await figures(),
      [
        ['system_warning', step + 1, null],
        ['unknown_person', step + 1, step + 1],
      ],
      `step ${step}`,
    );
    assert.equal(await evaluation.waiting(), 0);
  }
  assert.ok(died >= 2, `${died} passes died`);
});

test('~ALR-012 two evaluators at once count nothing twice', async () => {
  const other = anEvaluation(world);
  for (let round = 1; round <= 5; round += 1) {
    await Promise.all([see(), see(), see()]);
    world.clock.advance(settleMs);
    await Promise.all([evaluation, other, evaluation].map(({ runner }) => runner.run()));
    await evaluation.runner.run();
    assert.deepEqual(await figures(), [['unknown_person', round * 3, round * 3]]);
  }
  await other[Symbol.asyncDispose]();
});

test('~ALR-012 more changes wait than a pass reads, and later ones do not wait for them', async () => {
  const { db } = world.database;
  const visit = await see();
  await sql`
    insert into feed_change (kind, subject, at)
    select 'visit', ${visit.id}, ${new Date(world.clock.now())} from generate_series(1, 2500)`.execute(
    db.write(),
  );
  await world.warnings.raise({ kind: 'many_denials', subject: 'somebody' });
  await evaluation.runner.run();
  assert.deepEqual(await figures(), [['system_warning', 1, null]]);
  assert.equal(await evaluation.waiting(), 2_501);
  world.clock.advance(settleMs);
  await evaluation.runner.run();
  assert.deepEqual(await figures(), [
    ['system_warning', 1, null],
    ['unknown_person', 1, 1],
  ]);
  assert.equal(await evaluation.waiting(), 0);
});

test('~ALR-012 the runner is woken, goes on by itself, and goes on after a pass that failed', async () => {
  const { clock, warnings, database } = world;
  const rules = new EnabledRules({ log: quietLog });
  let isBroken = true;
  const db = new Proxy(database.db, {
    get: (target, name) => {
      if (name === 'transaction' && isBroken) return () => Promise.reject(new Error('away'));
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const wakes = [warnings.changed];
  await using runner = new AlertRunner({ db, rules, wakes, clock, log: quietLog });
  const said: string[] = [];
  runner.changed.on(({ kind }) => said.push(kind));
  await evaluation[Symbol.asyncDispose]();
  await warnings.raise({ kind: 'many_denials', subject: 'somebody' });
  await assert.rejects(runner.run(), /away/);
  assert.deepEqual(await figures(), []);
  isBroken = false;
  await until(() => {
    clock.advance(1_000);
    return said.length > 0;
  });
  assert.deepEqual(said, ['raised']);
  assert.deepEqual(await figures(), [['system_warning', 1, null]]);
});

test('~ALR-012 C-1003 visits that are gone leave their alerts, whose counts stay', async () => {
  const removal = new AlertRemoval({ db: world.database.db, clock: world.clock });
  const [gone] = [await see(), await see()];
  world.clock.advance(settleMs);
  await evaluation.runner.run();
  await world.database.db.transaction((tx) =>
    world.visits.erasing.visit(tx, { id: gone.id, started_at: new Date(gone.startedAtMs) }),
  );
  await removal.removeOld();
  const { rows } = await sql<{ visit_id: string }>`select visit_id from alert_visit`.execute(
    world.database.db.read(),
  );
  assert.equal(rows.length, 1);
  assert.notEqual(rows[0]!.visit_id, gone.id);
  assert.deepEqual(await figures(), [['unknown_person', 2, 2]]);
});

test('~ALR-012 alerts go after a year, those that last stay', async () => {
  const { clock, database, warnings } = world;
  const removal = new AlertRemoval({ db: database.db, clock });
  await warnings.raise({ kind: 'record_broken' });
  await warnings.raise({ kind: 'many_denials', subject: 'somebody' });
  await evaluation.runner.run();
  await warnings.end('record_broken');
  await evaluation.runner.run();
  clock.advance((keptDays - 1) * 24 * 60 * 60_000);
  await warnings.raise({ kind: 'many_denials', subject: 'somebody else' });
  await warnings.end('many_denials', 'somebody else');
  await evaluation.runner.run();
  await removal.removeOld();
  assert.equal((await figures()).length, 3);
  clock.advance(25 * 60 * 60_000);
  await removal.removeOld();
  const left = await alertsIn(database.db);
  assert.deepEqual(
    left.map(({ warning_kind, ended_at }) => [warning_kind, ended_at !== null]),
    [
      ['many_denials', false],
      ['many_denials', true],
    ],
  );
});
