/**
 * What a flood of logins costs other users: 200 made-up logins a second for 30 s while an honest user signs
 * in, others ask for cameras, and a camera is watched and analyzed. Promises: honest login p99 at most 300 ms, other
 * calls p99 at most 250 ms, no picture lost. The same minute without the flood is the baseline: on a shared machine
 * the ratio says more than the milliseconds.
 *
 * Networks are simulated: the product trusts this machine as its proxy, which says where a call comes from.
 */
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { makeFilm, RtspServer } from '../e2e/film.ts';
import { administrator, freePort } from '../e2e/installation.ts';
import { Machine } from './rig/processes.ts';
import { spreadOf, tenth, whole } from './rig/numbers.ts';
import { Product, type Watching } from './rig/product.ts';
import { table } from './table.ts';
import { withFilms } from './rig/with-films.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { seconds: { type: 'string', default: '30' }, rate: { type: 'string', default: '200' } },
});
const forMs = Number(values.seconds) * 1000;
const perSecond = Number(values.rate);
const burstMs = 50;
const home = '198.51.100.20';
const loginPath = '/secure-api/accounts/login/';
const honest = { email: 'honest@example.org', password: 'correct-horse-7-staple' };

/** The address of the n-th made-up login; null: there is no flood. */
type Flood = ((n: number) => string) | null;

interface Call {
  readonly ms: number;
  readonly status: number;
}

async function login(product: Product, body: object, from: string): Promise<Call> {
  const startedAt = performance.now();
  const reply = await fetch(product.nazar.origin + loginPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify(body),
  });
  await reply.text();
  return { ms: performance.now() - startedAt, status: reply.status };
}

async function cameras(product: Product): Promise<Call> {
  const startedAt = performance.now();
  const reply = await product.nazar.call('GET', '/secure-api/cameras/', { access: product.access });
  await reply.text();
  return { ms: performance.now() - startedAt, status: reply.status };
}

/** Calls at their times, whether or not earlier ones were answered: waiting calls do not slow the rate. */
async function atRate(everyMs: number, count: number, ask: (n: number) => Promise<Call>[]) {
  const calls: Promise<Call>[] = [];
  const startedAt = performance.now();
  for (let n = 0; performance.now() - startedAt < forMs; n += 1) {
    for (let one = 0; one < count; one += 1) calls.push(...ask(n * count + one));
    await wait(Math.max(0, startedAt + (n + 1) * everyMs - performance.now()));
  }
  return Promise.all(calls);
}

async function phase(product: Product, watching: Watching, name: string, flood: Flood) {
  const machine = new Machine();
  const [fragments, detections] = [watching.fragments, watching.detections];
  const startedAt = performance.now();
  const made = (n: number): Promise<Call>[] => [
    login(product, { email: `made-up-${n}@example.org`, password: 'x' }, flood!(n)),
  ];
  const [thrown, logins, others] = await Promise.all([
    flood ? atRate(burstMs, (perSecond * burstMs) / 1000, made) : [],
    atRate(250, 1, () => [login(product, honest, home)]),
    atRate(100, 1, () => [cameras(product)]),
  ]);
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    name,
    thrownPerS: thrown.length / (forMs / 1000),
    hashed: thrown.filter(({ status }) => status === 401).length,
    logins,
    others,
    fragmentsPerS: (watching.fragments - fragments) / seconds,
    detectionsPerS: (watching.detections - detections) / seconds,
    ...machine.conditions(),
  };
}

type Phase = Awaited<ReturnType<typeof phase>>;

const p99 = (calls: readonly Call[]): number =>
  calls.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.ceil(calls.length * 0.99) - 1] ?? NaN;
const p50 = (calls: readonly Call[]): number => spreadOf(calls.map(({ ms }) => ms)).p50;
const refused = (calls: readonly Call[]): number =>
  calls.filter(({ status }) => status !== 200).length;

function print(phases: readonly Phase[]): void {
  const head = [
    'ms',
    'thrown/s',
    'hashed',
    'login p50',
    'p99',
    'refused',
    'cameras p50',
    'p99',
    'refused',
    'pictures/s',
    'detections/s',
    'load',
    'busy',
  ];
  const rows = phases.map((one) => [
    one.name,
    whole(one.thrownPerS),
    String(one.hashed),
    whole(p50(one.logins)),
    whole(p99(one.logins)),
    String(refused(one.logins)),
    whole(p50(one.others)),
    whole(p99(one.others)),
    String(refused(one.others)),
    tenth(one.fragmentsPerS),
    tenth(one.detectionsPerS),
    tenth(one.load),
    `${whole(one.busy * 100)} %`,
  ]);
  console.log(`\n${table(head, rows)}`);
}

async function run(): Promise<void> {
  using film = makeFilm();
  const rtsp = new RtspServer(film.folder, await freePort());
  await rtsp.start();
  try {
    await using product = await Product.start({ NAZAR_TRUST_PROXY: '127.0.0.1' });
    const { first: firstName, last: lastName } = administrator;
    const words = ['create', '--email', honest.email, '--password', honest.password];
    const names = ['--first-name', firstName, '--last-name', lastName, '--role', 'operator'];
    product.nazar.admin([...words, ...names]);
    const { id } = await product.addCamera(`rtsp://127.0.0.1:${rtsp.port}/cam0`, true);
    using watching = await product.watch(id);
    await wait(3_000);
    const phases = [
      await phase(product, watching, 'no flood', null),
      await phase(product, watching, 'from one network', () => '203.0.113.7'),
      await phase(
        product,
        watching,
        'from 10,000 networks',
        (n) => `10.${(n >> 8) % 40}.${n % 256}.1`,
      ),
    ];
    print(phases);
  } finally {
    await rtsp.stop();
  }
}

await withFilms(run);
