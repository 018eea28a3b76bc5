/** What a visit costs to evaluate. */
import { sql } from 'kysely';
import { AlertRunner } from '../../server/src/alerts/evaluation/alert-runner.ts';
import { EnabledRules } from '../../server/src/alerts/evaluation/enabled-rules.ts';
import { settleMs } from '../../server/src/alerts/evaluation/visit-pass.ts';
import { uuidv7 } from '../../server/src/lib/ids.ts';
import { aPicture, aVisit, aWorld, quietLog, type World } from '../../server/src/testing/world.ts';
import { cpuMsWith } from '../rig/postmaster.ts';
import { Machine } from '../rig/processes.ts';
import { spreadOf, tenth } from '../rig/numbers.ts';
import { table } from '../table.ts';

/** A second of a hundred visits, ten times. */
const seconds = 10;
const visitsEach = 100;
const cameras = 20;

export async function measureEvaluation({ rules }: { readonly rules: number }): Promise<void> {
  await using world = await aWorld();
  const admin = await world.actor('admin');
  const cameraIds: string[] = [];
  for (let n = 0; n < cameras; n += 1) cameraIds.push(await world.camera(admin));
  await addRules(world, cameraIds, rules);
  const enabled = new EnabledRules({ log: quietLog });
  const parts = { db: world.database.db, clock: world.clock, log: quietLog };
  await using runner = new AlertRunner({ ...parts, rules: enabled, wakes: [] });
  await runner.run();
  const machine = new Machine();
  const perVisitMs: number[] = [];
  let changes = 0;
  for (let second = 0; second <= seconds; second += 1) {
    changes += await seeSome(world, cameraIds);
    world.clock.advance(settleMs);
    const before = await cpuMsWith(world.database.db);
    await runner.run();
    const spent = (await cpuMsWith(world.database.db)) - before;
    if (second > 0) perVisitMs.push(spent / visitsEach);
  }
  const { rows } = await sql<{ alerts: number; visits: number; left: number }>`
    select (select count(*)::integer from alert) as alerts, (select count(*)::integer from alert_visit) as visits,
           (select count(*)::integer from feed_change) as left`.execute(world.database.db.read());
  const { load, busy } = machine.conditions();
  const { p50, max } = spreadOf(perVisitMs);
  const { alerts, visits, left } = rows[0]!;
  console.log(
    table(
      ['evaluation', 'rules', 'visits', 'counted', 'alerts', 'left', 'processor ms each', 'worst'],
      [['', rules, changes, visits, alerts, left, tenth(p50), tenth(max)].map(String)],
    ),
  );
  console.log(`load ${load.toFixed(1)}, busy ${(busy * 100).toFixed(0)} %`);
}

/** Each is about one camera: a visit is a case of one of twenty. */
async function addRules(world: World, cameraIds: readonly string[], rules: number): Promise<void> {
  await sql`delete from alert_rule`.execute(world.database.db.write());
  for (let n = 0; n < rules; n += 1) {
    await sql`
      insert into alert_rule (id, kind, level, is_enabled, camera_ids, quiet_minutes, created_at)
      values (${uuidv7(world.clock.now())}, 'unknown_person', 'info', true, ${[cameraIds[n % cameraIds.length]!]}, 10,
              ${new Date(world.clock.now())})`.execute(world.database.db.write());
  }
}

let looks = 0;

async function seeSome(world: World, cameraIds: readonly string[]): Promise<number> {
  for (let n = 0; n < visitsEach; n += 1) {
    const picture = aPicture((looks += 1));
    const visit = aVisit(cameraIds[n % cameraIds.length]!, world.clock.now(), { picture });
    await world.visits.write({ ...visit, confidence: null });
  }
  return visitsEach;
}
