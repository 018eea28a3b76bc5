/** Compressed answers over the whole of the HTTP layer: what is sent, to whom, and what caches may do. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { testPassword, testServer, type SignedIn, type TestServer } from '#testing/server.ts';

let world: TestServer;
let admin: SignedIn;

before(async () => {
  world = await testServer();
  admin = await world.signIn('admin');
  // Enough users that their list is longer than one packet.
  for (let index = 0; index < 6; index += 1)
    await world.signIn('user', `user-${index}@example.org`);
});
after(() => world[Symbol.asyncDispose]());

const get = (url: string, encoding?: string) =>
  world.app.inject({
    method: 'GET',
    url,
    headers: {
      authorization: `Bearer ${admin.access}`,
      ...(encoding !== undefined && { 'accept-encoding': encoding }),
    },
  });

test('a long list is sent as the caller takes it, says so to caches, and is the same list', async () => {
  const list = '/secure-api/accounts/users/';
  const plain = await get(list);
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.match(String(plain.headers['vary']), /accept-encoding/i);
  assert.ok(plain.rawPayload.length > 1024);
  for (const [accepted, encoding, unpack] of [
    ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
    ['gzip, deflate, br', 'gzip', gunzipSync],
  ] as const) {
    const packed = await get(list, accepted);
    assert.equal(packed.statusCode, 200);
    assert.equal(packed.headers['content-encoding'], encoding);
    assert.match(String(packed.headers['vary']), /accept-encoding/i);
    assert.match(String(packed.headers['content-type']), /^application\/json; charset=utf-8/);
    assert.equal(packed.headers['cache-control'], 'private, no-store');
    assert.equal(Number(packed.headers['content-length']), packed.rawPayload.length);
    assert.ok(packed.rawPayload.length < plain.rawPayload.length / 2);
    assert.deepEqual(unpack(packed.rawPayload), plain.rawPayload);
  }
});

test('an answer that could hold a secret is never compressed, however long; short answers neither', async () => {
  for (let index = 0; index < 8; index += 1) {
    await world.app.inject({
      method: 'POST',
      url: '/secure-api/accounts/login/',
      payload: { email: admin.email, password: testPassword },
    });
  }
  const sessions = await get('/secure-api/accounts/sessions/', 'gzip, zstd');
  assert.equal(sessions.statusCode, 200);
  assert.ok(sessions.rawPayload.length > 1024);
  assert.equal(sessions.headers['content-encoding'], undefined);
  const short = await get('/secure-api/accounts/groups/', 'gzip, zstd');
  assert.equal(short.statusCode, 200);
  assert.equal(short.headers['content-encoding'], undefined);
});

test('each form of an answer has a tag of its own, and by it a client learns that nothing changed', async () => {
  const url = '/secure-api/recordings/';
  const tagOf = async (accepted?: string) => String((await get(url, accepted)).headers['etag']);
  const tags = [await tagOf(), await tagOf('gzip'), await tagOf('gzip, zstd')];
  assert.equal(new Set(tags).size, 3);
  for (const [accepted, tag] of [
    ['gzip', tags[1]],
    ['gzip, zstd', tags[2]],
  ] as const) {
    const headers = { 'if-none-match': String(tag), 'accept-encoding': accepted };
    const again = await world.app.inject({
      method: 'GET',
      url,
      headers: { ...headers, authorization: `Bearer ${admin.access}` },
    });
    assert.equal(again.statusCode, 304);
    assert.equal(again.rawPayload.length, 0);
    assert.match(String(again.headers['vary']), /accept-encoding/i);
  }
});
