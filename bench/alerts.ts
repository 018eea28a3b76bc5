/**
 * What alerts cost: the page's list of 1,000,000 in each order and filter (50 ms are meant at the 95th percentile), and
 * the evaluation of a visit by 500 rules (1 ms of processor time). `--alerts N` (1,000,000), `--visits N` (200,000),
 * `--calls N` (20) for each list, `--rules N` (500), `--only lists|evaluation`.
 */
import { parseArgs } from 'node:util';
import { measureEvaluation } from './alerts/evaluation.ts';
import { measureLists } from './alerts/lists.ts';
import { fillAlerts } from './alerts/rows.ts';
import { Machine } from './rig/processes.ts';
import { spreadOf, tenth } from './rig/numbers.ts';
import { unevenServer } from './rig/uneven-world.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    alerts: { type: 'string', default: '1000000' },
    visits: { type: 'string', default: '200000' },
    calls: { type: 'string', default: '20' },
    rules: { type: 'string', default: '500' },
    only: { type: 'string' },
  },
});
const shown = 12;
const size = { people: 200, strangers: 2_000, cameras: 40, days: 360 };

async function lists(): Promise<void> {
  await using server = await unevenServer({ ...size, visits: Number(values.visits) });
  const { readers, shape, world } = server;
  const { cameraIds, until } = shape;
  const userIds = Object.values(readers).map(({ id }) => id);
  const wanted = { alerts: Number(values.alerts), visits: Number(values.visits), days: size.days };
  await fillAlerts(world.database.db, { ...wanted, cameraIds, userIds, until });
  const machine = new Machine();
  const week = ['2025-12-01', '2025-12-07'] as const;
  const calls = Number(values.calls);
  const figures = await measureLists({ readers, cameraIds, week, calls });
  const { load, busy } = machine.conditions();
  const slowest = figures.toSorted((one, other) => other.ms.p95 - one.ms.p95).slice(0, shown);
  const all = spreadOf(figures.map(({ ms }) => ms.p95));
  console.log(
    `${figures.length} lists of ${values.alerts} alerts, p95 of each in ms: median ${tenth(all.p50)}, ` +
      `95th ${tenth(all.p95)}, slowest ${tenth(all.max)}; load ${load.toFixed(1)}, busy ${(busy * 100).toFixed(0)} %`,
  );
  const rows = slowest.map(({ reader, filter, ordering, found, ms }) => [
    `${reader}, ${filter.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')} ${ordering}`,
    found,
    tenth(ms.p50),
    tenth(ms.p95),
  ]);
  console.log(table(['the slowest', 'found', 'median ms', '95th'], rows));
}

if (values.only !== 'evaluation') await lists();
if (values.only !== 'lists') await measureEvaluation({ rules: Number(values.rules) });
