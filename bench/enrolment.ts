/**
 * `npm run bench -- enrolment`: whether people are still named while a user who registered by themselves enrols
 * photos of all of them: a camera plays the film of six enrolled people, first without that account's entries, then
 * with them, then with the camera granted to it. `--minutes 20` of each phase with entries.
 */
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import type { FaceCategory } from '@nazar/contract/faces.ts';
import type { Visit } from '@nazar/contract/visits.ts';
import type { Warning } from '@nazar/contract/warnings.ts';
import { makeFilm, RtspServer, type Film } from '../e2e/film.ts';
import { freePort } from '../e2e/installation.ts';
import { tenth } from './rig/numbers.ts';
import { Machine } from './rig/processes.ts';
import { Product } from './rig/product.ts';
import { table } from './table.ts';
import { withFilms } from './rig/with-films.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { minutes: { type: 'string', default: '5' } },
});
const minutes = Number(values.minutes);
const guest = { email: 'guest@example.org', password: 'correct-horse-7-staple' };
const fakeName = 'Fake';

interface Phase {
  readonly name: string;
  readonly minutes: number;
  /** Visits that began in the phase, by name. */
  readonly visits: ReadonlyMap<string, number>;
  readonly meanConfidence: ReadonlyMap<string, number>;
  readonly load: number;
}

const meanOf = (visits: readonly Visit[]): number =>
  visits.reduce((sum, { confidence }) => sum + (confidence ?? 0), 0) / visits.length;

/** The log of the time from now on. */
async function phase(product: Product, name: string, forMinutes: number): Promise<Phase> {
  const machine = new Machine();
  const from = Date.now();
  await wait(forMinutes * 60_000);
  const until = Date.now();
  // Visits of people in view at the end are written when they leave.
  await wait(10_000);
  const path = '/secure-api/activity-log/face-logs/?limit=1000';
  const { results } = await product.nazar.get<{ results: Visit[] }>(
    path,
    // A phase lasts longer than an access token.
    await product.nazar.signIn(),
  );
  const began = results.filter(({ timestamp }) => {
    const at = Date.parse(timestamp);
    return at >= from && at < until;
  });
  const byName = Map.groupBy(began, ({ person_name }) => person_name);
  return {
    name,
    minutes: forMinutes,
    visits: new Map([...byName].map(([who, visits]) => [who, visits.length])),
    meanConfidence: new Map([...byName].map(([who, visits]) => [who, meanOf(visits)])),
    load: machine.conditions().load,
  };
}

/** Registers an account as the page does, which then adds each person by the very photo they were enrolled with. */
async function attack({ nazar }: Product, { photos }: Film): Promise<string> {
  const names = { first_name: 'Plain', last_name: 'User' };
  await nazar.post('/secure-api/accounts/register/', '', {
    ...guest,
    ...names,
    password2: guest.password,
  });
  const { access, user } = await nazar.post<{ access: string; user: { id: string } }>(
    '/secure-api/accounts/login/',
    '',
    guest,
  );
  const path = '/secure-api/faces/';
  const { results } = await nazar.get<{ results: FaceCategory[] }>(`${path}categories/`, access);
  for (const [identity, photo] of photos) {
    const form = new FormData();
    form.set('first_name', fakeName);
    form.set('last_name', identity);
    form.set('category', results[0]!.id);
    form.append('uploaded_images', new Blob([Uint8Array.from(photo)]), 'photo.jpg');
    await nazar.post(path, access, form);
  }
  return user.id;
}

async function grant({ nazar }: Product, userId: string, cameraId: string): Promise<void> {
  const access = await nazar.signIn();
  const body = {
    to: { type: 'user', id: userId },
    of: { type: 'camera', id: cameraId },
    capabilities: ['live'],
    categories: [],
  };
  const reply = await nazar.call('PUT', '/secure-api/cameras/grants/', { access, body });
  if (!reply.ok) throw new Error(`the camera was not granted: ${reply.status}`);
}

function print(phases: readonly Phase[], warned: number): void {
  const people = [...new Set(phases.flatMap(({ visits }) => [...visits.keys()]))].toSorted();
  const cell = ({ visits, meanConfidence, minutes: of }: Phase, who: string): string =>
    visits.has(who)
      ? `${tenth(visits.get(who)! / of)}/min ${tenth(meanConfidence.get(who)! * 100)} %`
      : '-';
  const rows = people.map((who) => [who, ...phases.map((one) => cell(one, who))]);
  const loads = ['load', ...phases.map(({ load }) => tenth(load))];
  console.log(`\n${table(['visits', ...phases.map(({ name }) => name)], [...rows, loads])}`);
  const fakes = people.filter((who) => who.startsWith(fakeName));
  console.log(`names of the account's entries in the log: ${fakes.length}; warnings: ${warned}`);
}

async function run(): Promise<void> {
  using film = makeFilm();
  const rtsp = new RtspServer(film.folder, await freePort());
  await rtsp.start();
  try {
    await using product = await Product.start();
    await product.enrol(film);
    const { id } = await product.addCamera(`rtsp://127.0.0.1:${rtsp.port}/cam0`, true);
    await wait(5_000);
    const alone = await phase(product, 'without', Math.min(minutes, 5));
    const userId = await attack(product, film);
    const beset = await phase(product, 'with its entries', minutes);
    await grant(product, userId, id);
    await wait(3_000);
    const granted = await phase(product, 'and the camera granted', minutes);
    const { results } = await product.nazar.get<{ results: Warning[] }>(
      '/secure-api/system/warnings/',
      await product.nazar.signIn(),
    );
    print([alone, beset, granted], results.filter(({ kind }) => kind === 'person_matched').length);
  } finally {
    await rtsp.stop();
  }
}

await withFilms(run);
