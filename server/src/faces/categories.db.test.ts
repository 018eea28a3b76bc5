/** Categories of people by their calls. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FaceCategory } from '@nazar/contract/faces.ts';
import { testServer, type SignedIn, type TestServer } from '#testing/server.ts';

let world: TestServer;
let admin: SignedIn;
before(async () => {
  world = await testServer();
  admin = await world.signIn('admin');
});
after(() => world[Symbol.asyncDispose]());

const path = '/secure-api/faces/categories/';
const listed = async (): Promise<FaceCategory[]> =>
  (await admin.get(path)).json<{ results: FaceCategory[] }>().results;

test('APF-010, FACE-063 the categories are read as results, the three usual ones at first', async () => {
  const names = (await listed()).map(({ name }) => name);
  assert.deepEqual(names.toSorted(), ['employee', 'vip', 'visitor']);
});

test('APF-011, FACE-064 a category is created with name and color, once', async () => {
  const sent = { name: 'courier', color: '#2563eb' };
  const added = await admin.send('POST', path, sent);
  assert.equal(added.status, 201, added.text);
  const { id, ...rest } = added.json<FaceCategory>();
  assert.deepEqual(rest, sent);
  assert.deepEqual(
    (await listed()).filter((one) => one.id === id),
    [{ id, ...sent }],
  );
  const again = await admin.send('POST', path, sent);
  assert.deepEqual([again.status, (await listed()).length], [409, 4]);
  for (const color of ['blue', '#25f', '2563eb', '#2563eb00'])
    assert.equal((await admin.send('POST', path, { name: 'guest', color })).status, 400, color);
});
