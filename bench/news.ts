/**
 * What open dashboards cost while visits come: 20 of them, as browsers hold them open, with no news, some and 100 a
 * second. Processor time of the server and of PostgreSQL, as the kernel counts it; the dashboards are another process.
 * Promise: at most 10 % of a core more than with no news, at 100 a second. The news are of visits that are there, so
 * that recording them is not counted. `--visits N` (1,000,000), `--rates 0,2,100`, `--seconds N` (20) for each.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Dashboard } from './rig/dashboard.ts';
import type { NewsServerReady } from './rig/news-server.ts';
import { tenth, whole } from './rig/numbers.ts';
import { childrenOf, cpuMsOf, Machine, share } from './rig/processes.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    visits: { type: 'string', default: '1000000' },
    rates: { type: 'string', default: '0,2,100' },
    seconds: { type: 'string', default: '20' },
  },
});
const dashboards = 20;
const measureMs = Number(values.seconds) * 1_000;
const settleMs = 6_000;

const child = fork(join(import.meta.dirname, 'rig/news-server.ts'), [values.visits]);
try {
  const [ready] = (await once(child, 'message')) as [NewsServerReady];
  const rows: string[][] = [];
  for (const [readers, tokens] of Object.entries(ready.tokens)) {
    const all = Array.from(
      { length: dashboards },
      (_, nth) => new Dashboard(ready.port, tokens[nth % tokens.length]!),
    );
    await Promise.all(all.map((one) => one.opened));
    for (const rate of values.rates.split(',').map(Number)) {
      const row = await measure(ready, all, rate);
      rows.push([readers, ...row]);
      process.stderr.write(`${rows.at(-1)!.join(' · ')}\n`);
    }
    for (const one of all) one[Symbol.dispose]();
    await wait(1_000);
  }
  const head = ['readers', 'news a second', 'server, % of a core', 'PostgreSQL, %', 'together, %'];
  console.log(table([...head, 'requests/s', 'messages/s of each', 'load', 'busy'], rows));
} finally {
  child.kill('SIGTERM');
}

async function measure(
  { postmaster }: NewsServerReady,
  all: readonly Dashboard[],
  rate: number,
): Promise<string[]> {
  child.send({ rate });
  await wait(settleMs);
  const machine = new Machine();
  const groups = { server: [child.pid!], PostgreSQL: [postmaster, ...childrenOf(postmaster)] };
  const [asked, received] = [sum(all, 'asked'), sum(all, 'received')];
  const before = cpuMsOf(groups);
  const startedAtMs = performance.now();
  await wait(measureMs);
  const forMs = performance.now() - startedAtMs;
  const cpu = share(before, cpuMsOf(groups), forMs);
  const [server, database] = [cpu['server']! / 10, cpu['PostgreSQL']! / 10];
  const perSecond = (count: number): number => count / (forMs / 1_000);
  const { load, busy } = machine.conditions();
  return [
    String(rate),
    tenth(server),
    tenth(database),
    tenth(server + database),
    tenth(perSecond(sum(all, 'asked') - asked)),
    tenth(perSecond(sum(all, 'received') - received) / all.length),
    tenth(load),
    `${whole(busy * 100)} %`,
  ];
}

function sum(all: readonly Dashboard[], what: 'asked' | 'received'): number {
  return all.reduce((total, one) => total + one[what], 0);
}
