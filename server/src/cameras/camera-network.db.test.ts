/** C-510: a user who saves a camera that no connection would be made to learns it at once, and what to do. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signInEach, testServer, type TestServer } from '#testing/server.ts';
import { aCameraForm } from '#testing/world.ts';

let world: TestServer;
let people: Awaited<ReturnType<typeof signInEach>>;

before(async () => {
  world = await testServer();
  people = await signInEach(world);
});
after(() => world[Symbol.asyncDispose]());

const path = '/secure-api/cameras/';
const form = (url: string, sub_url = '') =>
  aCameraForm({ status: 'inactive', url, sub_url, name: 'Gate' });

test('C-510 an address outside all networks is refused when it is saved, by its field, naming the variable', async () => {
  const outside = ['rtsp://100.64.0.2/a', 'http://93.184.216.34/a', 'rtsp://[2001:41d0::1]/a'];
  for (const url of outside) {
    const reply = await people.admin.send('POST', path, form(url));
    assert.equal(reply.status, 400, url);
    assert.match(reply.json<{ url: string[] }>().url[0]!, /NAZAR_CAMERA_NETWORKS/, url);
    const second = await people.admin.send('POST', path, form('rtsp://192.168.1.20/a', url));
    assert.match(second.json<{ sub_url: string[] }>().sub_url[0]!, /NAZAR_CAMERA_NETWORKS/, url);
  }
  for (const url of [
    'rtsp://169.254.169.254/',
    'http://100.100.100.200/',
    'http://[::ffff:6464:64c8]/',
    // Spellings of 100.100.100.200 that resolvers read, and addresses of RTSP keep.
    'rtsp://0x64.0x64.0x64.0xc8/',
    'rtsp://1684301000/',
    'rtsp://0144.0144.0144.0310/',
    'rtsp://100.100.25800/',
  ]) {
    const reply = await people.admin.send('POST', path, form(url));
    assert.equal(reply.status, 400, url);
    assert.doesNotMatch(reply.text, /NAZAR_CAMERA_NETWORKS/, `${url}: no network opens it`);
  }
  for (const url of ['rtsp://192.168.1.21/a', 'rtsp://camera.example/a', '']) {
    assert.equal((await people.admin.send('POST', path, form(url))).status, 201, url);
  }
});

test('C-510 a camera that was saved before keeps its address through other changes', async () => {
  const added = await people.admin.send('POST', path, form('rtsp://192.168.1.22/a'));
  const { id } = added.json<{ id: string }>();
  const change = (url: string, location: string) =>
    people.admin.send('PUT', `${path}${id}/`, { ...form(url), location });
  const { db } = world.database;
  await db
    .write<{ camera: { id: string; url: string } }>()
    .updateTable('camera')
    .set({ url: 'rtsp://100.64.0.3/a' })
    .where('id', '=', id)
    .execute();
  assert.equal((await change('rtsp://100.64.0.3/a', 'Roof')).status, 200);
  assert.equal((await change('rtsp://100.64.0.4/a', 'Roof')).status, 400);
});
