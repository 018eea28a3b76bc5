import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Camera } from '@nazar/contract/cameras.ts';
import { systemClock } from '#lib/clock.ts';
import { call, testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { demoFiles } from './demo-files.ts';

const path = '/secure-api/setup/demo-camera/';
let world: TestServer;
let admin: SignedIn;

before(async () => {
  // The film need not be there: that it is played is another test. The host that looks for it lives in real time.
  world = await testServer({ demo: demoFiles('/nonexistent'), clock: systemClock });
  admin = await world.signIn('admin');
});
after(() => world[Symbol.asyncDispose]());

async function cameras(): Promise<Camera[]> {
  return (await admin.get('/secure-api/cameras/')).json<{ results: Camera[] }>().results;
}

function add(language: string): ReturnType<typeof call> {
  return call(world.app, 'POST', path, {
    access: admin.access,
    body: { enrol: false },
    headers: { 'accept-language': language },
  });
}

test('the wizard offers the demo camera where its film could be made, and only there', async () => {
  const state = await call(world.app, 'GET', '/secure-api/setup/');
  assert.equal(state.json()['demo_available'], true);
  await using without = await testServer();
  const other = await call(without.app, 'GET', '/secure-api/setup/');
  assert.equal(other.json()['demo_available'], false);
  const stranger = await without.signIn('admin');
  const reply = await stranger.send('POST', path, { enrol: false });
  assert.equal(reply.status, 503);
  assert.equal(reply.json()['code'], 'demo_not_available');
});

test('LNG-001 the camera is named in the reader’s language; pressed twice there is one', async () => {
  const [first, second] = await Promise.all([add('ru'), add('tr')]);
  assert.deepEqual([first.status, second.status], [201, 201]);
  assert.equal(first.json()['camera_id'], second.json()['camera_id']);
  const [camera, ...others] = await cameras();
  assert.equal(camera?.id, first.json()['camera_id']);
  // Whichever of the two came first.
  assert.match(camera?.name ?? '', /^([\p{Script=Cyrillic} ]+|Örnek kamera)$/u);
  assert.equal(camera?.is_demo, true);
  assert.deepEqual(others, []);
});

test('deleted, it can be added anew: another camera', async () => {
  const [before] = await cameras();
  assert.equal((await admin.send('DELETE', `/secure-api/cameras/${before!.id}/`)).status, 204);
  const names = new Set<string>();
  for (const language of ['en', 'az', 'ru', 'tr']) {
    const id = (await add(language)).json()['camera_id'] as string;
    assert.notEqual(id, before!.id);
    names.add((await cameras())[0]!.name);
    await admin.send('DELETE', `/secure-api/cameras/${id}/`);
  }
  assert.equal(names.size, 4, 'a name in each language');
});

test('an edited demo camera goes on playing the film', async () => {
  const id = (await add('en')).json()['camera_id'] as string;
  const fields = { name: 'Entrance', location: 'Hall', type: 'http', url: 'http://192.168.1.9/a' };
  const reply = await admin.send('PUT', `/secure-api/cameras/${id}/`, fields);
  assert.equal(reply.status, 200, reply.text);
  const { name, url, is_demo } = reply.json<Camera>();
  assert.deepEqual({ name, url, is_demo }, { name: 'Entrance', url: 'demo:people', is_demo: true });
});
