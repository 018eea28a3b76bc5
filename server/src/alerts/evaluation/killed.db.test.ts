/** A process that is killed while it evaluates, before and after each table that a pass writes, and anywhere else. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Scope } from '#http/scope.ts';
import { systemClock } from '#lib/clock.ts';
import { heldTable } from '#testing/held-table.ts';
import { alertsIn, anEvaluation } from '#testing/alerts.ts';
import { until } from '#testing/until.ts';
import { aPicture, aVisit, aWorld, type World } from '#testing/world.ts';
import { settleMs } from './visit-pass.ts';

const moments = 20;
const program = join(import.meta.dirname, '../../testing/evaluate-process.ts');
/** A pass that comes to such a table waits there. Null: it goes on until it is killed. */
const places = ['alert', 'alert_visit', 'feed_change', null] as const;

let world: World;
let admin: Scope;
let looks = 0;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
  await sql`delete from alert_rule`.execute(world.database.db.write());
  await using evaluation = anEvaluation(world);
  await evaluation.rules({}, { level: 'info' }, { kind: 'system_warning' });
});
after(() => world[Symbol.asyncDispose]());

type Evaluator = ChildProcessByStdio<Writable, Readable, null>;

/** Loaded, and not begun. */
async function evaluator(): Promise<Evaluator> {
  const { host = '', user = '', database = '' } = world.database.target;
  const nowMs = String(world.clock.now() + 2 * settleMs);
  const words = [program, host, user, database, nowMs];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

/** Two cameras with three unknown people each, and two warnings; the ids of the visits by camera. */
async function happened(): Promise<ReadonlyMap<string, readonly string[]>> {
  const visits = new Map<string, string[]>();
  for (const camera of [await world.camera(admin), await world.camera(admin)]) {
    const ids = [];
    for (let n = 0; n < 3; n += 1) {
      const picture = aPicture((looks += 1));
      const visit = aVisit(camera, world.clock.now(), { picture, confidence: null });
      ids.push((await world.visits.write(visit)).id);
    }
    visits.set(camera, ids);
  }
  for (const who of ['one', 'other']) {
    await world.warnings.raise({ kind: 'many_denials', subject: `${who} ${looks}` });
  }
  return visits;
}

async function killed(child: Evaluator): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

const waiting = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from feed_change
    where kind in ('visit', 'warning')`.execute(world.database.db.write());
  return rows[0]!.n;
};

/** Each alert with the visits that are counted in it. */
async function counted() {
  const { rows } = await sql<{ alert_id: string; visit_id: string }>`
    select alert_id, visit_id from alert_visit order by visit_id`.execute(world.database.db.read());
  const byAlert = Map.groupBy(rows, ({ alert_id }) => alert_id);
  return (await alertsIn(world.database.db)).map(({ id, camera_id, count, people }) => ({
    camera_id,
    count,
    people,
    visits: (byAlert.get(id) ?? []).map(({ visit_id }) => visit_id),
  }));
}

test(`~ALR-012 killed at ${moments} moments, evaluation loses no visit and no warning, and raises none twice`, async () => {
  const visits = new Map<string, readonly string[]>();
  let next = evaluator();
  for (let moment = 0; moment < moments; moment += 1) {
    const child = await next;
    next = evaluator();
    for (const [camera, ids] of await happened()) visits.set(camera, ids);
    const place = places[moment % places.length]!;
    const before = [await waiting(), (await counted()).length];
    assert.ok(before[0]! > 0);
    if (place === null) {
      child.stdin.write('go');
      await systemClock.wait(moment * 3);
      await killed(child);
    } else {
      await using hold = await heldTable(world.database.target, place);
      child.stdin.write('go');
      await hold.reached();
      await killed(child);
      assert.deepEqual([await waiting(), (await counted()).length], before, `at ${place}`);
    }
  }
  await killed(await next);
  world.clock.advance(2 * settleMs);
  await using evaluation = anEvaluation(world);
  await until(async () => {
    await evaluation.runner.run();
    return (await waiting()) === 0;
  });
  const all = await counted();
  const ofCameras = all.filter(({ camera_id }) => camera_id !== null);
  assert.equal(ofCameras.length, 2 * visits.size, 'one by each of two rules');
  for (const [camera, ids] of visits) {
    const alert = { camera_id: camera, count: 3, people: 3, visits: ids.toSorted() };
    const theirs = ofCameras.filter(({ camera_id }) => camera_id === camera);
    assert.deepEqual(theirs, [alert, alert]);
  }
  const ofWarnings = all.filter(({ camera_id }) => camera_id === null);
  assert.deepEqual(
    [ofWarnings.length, new Set(ofWarnings.map(({ count }) => count))],
    [2 * moments, new Set([1])],
  );
});
