/**
 * The main job, end to end and by the calls alone, on every machine: a real server with real hosts plays
 * the demo film and names whom it should. Nothing from outside is needed.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { Face } from '@nazar/contract/faces.ts';
import type { SystemSettings } from '@nazar/contract/settings.ts';
import type { Visit } from '@nazar/contract/visits.ts';
import {
  emptyDataFolder,
  processesNaming,
  start,
  type Installation,
} from '#testing/installation.ts';
import { needModels } from '#testing/vision.ts';
import { makeDemo, sceneSeconds, scenes } from '#commands/make-demo.ts';

const people = [1, 2, 3].map((number) => `Demo Person ${number}`);
const loopMs = scenes.length * sceneSeconds * 1000;

interface Page<T> {
  readonly count: number;
  readonly results: T[];
}

const data = emptyDataFolder();
let nazar: Installation;
let access: string;

before(
  async () => {
    needModels();
    await makeDemo();
    nazar = await start(data.path, ['--demo']);
  },
  { timeout: 60_000 },
);
after(async () => {
  await nazar.stop();
  data[Symbol.dispose]();
});

async function ask<T>(method: string, path: string, body?: object): Promise<[number, T]> {
  const reply = await fetch(nazar.origin + path, {
    method,
    headers: {
      ...(access ? { authorization: `Bearer ${access}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await reply.text();
  return [reply.status, (text === '' ? null : JSON.parse(text)) as T];
}

async function read<T>(path: string): Promise<T> {
  const [status, reply] = await ask<T>('GET', path);
  assert.equal(status, 200, path);
  return reply;
}

test('--demo prints an administrator once, who can sign in', async () => {
  const printed = nazar.printed();
  assert.match(printed, /DEMO/);
  const email = /e-mail +(\S+)/.exec(printed)?.[1];
  const password = /password (\S+)/.exec(printed)?.[1];
  const body = { email, password };
  const [status, reply] = await ask<{ access: string }>(
    'POST',
    '/secure-api/accounts/login/',
    body,
  );
  assert.equal(status, 200);
  access = reply.access;
  // PostgreSQL, a vision host and a media host: what must be gone when it is stopped.
  assert.ok((processesNaming(data.path)?.length ?? 3) >= 3);
});

let estimatedSince = '';

test('~SET-014 an administrator confirms that attributes are inferred, with their own call', async () => {
  const path = '/secure-api/settings/update_system_settings/';
  const recognition = { enabledFeatures: ['age', 'gender', 'emotion'] };
  const [refused, problem] = await ask<{ code: string }>('PATCH', path, { recognition });
  assert.deepEqual([refused, problem.code], [409, 'attributes_unconfirmed']);
  const confirmed = { recognition, confirm_attributes: true };
  const [status, settings] = await ask<SystemSettings>('PATCH', path, confirmed);
  assert.equal(status, 200);
  // The other processes hear of it within a second.
  estimatedSince = new Date(Date.parse(settings.attributes_confirmed_at!) + 1_000).toISOString();
});

test('there is one camera and three people, all marked as a demo and usable', async () => {
  const cameras = await read<Page<Camera>>('/secure-api/cameras/');
  assert.deepEqual(
    cameras.results.map(({ name, is_demo }) => ({ name, is_demo })),
    [{ name: 'Demo camera', is_demo: true }],
  );
  const faces = await read<Page<Face>>('/secure-api/faces/?ordering=last_name');
  assert.deepEqual(
    faces.results.map(({ first_name, last_name }) => `${first_name} ${last_name}`),
    people,
  );
  for (const face of faces.results) {
    assert.deepEqual([face.is_demo, face.usable_images, face.category_name], [true, 1, 'visitor']);
  }
});

test('asked again, the route adds nothing and answers the camera that is there', async () => {
  const path = '/secure-api/setup/demo-camera/';
  const cameras = await read<Page<Camera>>('/secure-api/cameras/');
  const [status, reply] = await ask<{ camera_id: string }>('POST', path, { enrol: true });
  assert.deepEqual([status, reply.camera_id], [201, cameras.results[0]?.id]);
  assert.equal((await read<Page<Face>>('/secure-api/faces/')).count, people.length);
});

test('within one loop the three are named, in their scenes only; the others are unknown', async (t) => {
  const [camera] = (await read<Page<Camera>>('/secure-api/cameras/')).results;
  let live = camera;
  while (live?.health.state !== 'live') {
    await wait(200);
    live = await read<Camera>(`/secure-api/cameras/${camera!.id}/`);
  }
  // The whole loop and some of the next: a wrong name may come late.
  await wait(loopMs + 5_000);
  const { results } = await read<Page<Visit>>('/secure-api/activity-log/face-logs/?limit=1000');
  const named = results.filter(({ is_recognized }) => is_recognized);
  assert.deepEqual([...new Set(named.map(({ person_name }) => person_name))].toSorted(), people);
  const estimated = named.filter(({ timestamp }) => timestamp > estimatedSince);
  assert.ok(estimated.length > 0);
  for (const { attributes, person_name } of estimated) {
    assert.ok(attributes?.age && attributes.gender && attributes.emotion, person_name);
  }
  const begins = Array.from({ length: loopMs / 250 }, (_, index) => index * 250);
  assert.ok(
    begins.some((beganMs) => named.every((visit) => isInItsScene(visit, beganMs))),
    named.map(({ person_name, timestamp }) => `${person_name} ${timestamp}`).join(', '),
  );
  const unknown = results.length - named.length;
  // Two or three strangers a scene, seven scenes; were tracks to break, each piece would be a visit.
  assert.ok(unknown >= 3 && unknown <= 40, `${unknown} unknown visits`);
  t.diagnostic(`${named.length} visits of known people, ${unknown} of unknown ones`);
});

test('C-806 the live picture is there, as a JPEG, and its viewer is in the activity log', async () => {
  const [camera] = (await read<Page<Camera>>('/secure-api/cameras/')).results;
  const reply = await fetch(`${nazar.origin}/secure-api/cameras/${camera!.id}/snapshot/`, {
    headers: { authorization: `Bearer ${access}` },
  });
  assert.equal(reply.status, 200);
  const jpeg = Buffer.from(await reply.arrayBuffer());
  assert.equal(jpeg.subarray(0, 2).toString('hex'), 'ffd8');
  const log = '/secure-api/activity-log/activity-logs/';
  const views = await read<Page<{ event: string }>>(`${log}?action=view&object_id=${camera!.id}`);
  assert.deepEqual(
    views.results.map(({ event }) => event),
    ['camera.glimpsed'],
  );
});

test('the demo goes as it came: people and camera are deleted as any others', async () => {
  for (const { id } of (await read<Page<Face>>('/secure-api/faces/')).results) {
    assert.deepEqual((await ask('DELETE', `/secure-api/faces/${id}/`))[0], 204);
  }
  const [camera] = (await read<Page<Camera>>('/secure-api/cameras/')).results;
  assert.deepEqual((await ask('DELETE', `/secure-api/cameras/${camera!.id}/`))[0], 204);
  assert.equal((await read<Page<Face>>('/secure-api/faces/')).count, 0);
  assert.equal((await read<Page<Camera>>('/secure-api/cameras/')).count, 0);
});

test('--demo on an installation that is set up says so and changes nothing', async () => {
  await nazar.stop();
  nazar = await start(data.path, ['--demo']);
  assert.match(nazar.printed(), /is set up already/);
  assert.doesNotMatch(nazar.printed(), /password/);
  assert.equal((await read<Page<Camera>>('/secure-api/cameras/')).count, 0);
});

/**
 * Whether the film shows that person then, if it began at `beganMs` (modulo its length). When it began is not known,
 * and a busy machine shows what it has up to a scene late.
 */
function isInItsScene({ person_name, timestamp }: Visit, beganMs: number): boolean {
  const sceneMs = sceneSeconds * 1000;
  return [0, sceneMs].some((lateMs) => {
    const atMs = (((Date.parse(timestamp) - beganMs - lateMs) % loopMs) + loopMs) % loopMs;
    return mayShow(Math.floor(atMs / sceneMs), person_name);
  });
}

/** A scene shows who else is in its photo, too. */
function mayShow(scene: number, name: string): boolean {
  const photo = scenes[scene]?.photo;
  return scenes.some(({ person, ...it }) => it.photo === photo && name === `Demo Person ${person}`);
}
