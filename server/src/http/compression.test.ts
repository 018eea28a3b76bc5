/** Which answers may be compressed, what a caller takes, and that nothing is lost on the way. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { api } from '@nazar/contract/api.ts';
import type { Route } from '@nazar/contract/route.ts';
import { compressed, compressedPaths, encodingFor, mayCompress } from './compression.ts';

const routes: Route[] = Object.values(api).flatMap((table) => Object.values<Route>(table));

test('nothing is compressed that could hold a secret beside what a user typed', () => {
  const open = routes.filter(mayCompress);
  assert.deepEqual(new Set(open.map(({ path }) => path)), compressedPaths, 'each is a route');
  for (const { method, path, callers } of open) {
    assert.equal(method, 'GET', path);
    assert.ok(typeof callers !== 'string', `${path} asks who is there`);
    assert.doesNotMatch(
      path,
      /token|login|session|key|two-factor|passkey|proof|oidc|setup|security|ticket|recover|password|csrf|live|preferences|\/me\//,
    );
  }
  const closed = new Set<string>(
    routes.filter((route) => !mayCompress(route)).map(({ path }) => path),
  );
  for (const path of ['/secure-api/accounts/login/', '/token/refresh/', '/secure-api/setup/']) {
    assert.ok(closed.has(path), path);
  }
});

test('zstd before gzip, as the caller takes it', () => {
  for (const [accepted, expected] of [
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['zstd;q=0, gzip', 'gzip'],
    ['zstd; q=0.0, gzip;q=0', null],
    ['br', null],
    ['identity', null],
    ['', null],
    [undefined, null],
  ] as const) {
    assert.equal(encodingFor(accepted), expected, accepted);
  }
});

test('short and long answers come out as they went in; a packet is left alone, and noise too', async () => {
  const unpack = { zstd: zstdDecompressSync, gzip: gunzipSync };
  for (const encoding of ['zstd', 'gzip'] as const) {
    for (const times of [100, 20_000]) {
      const text = Buffer.from('{"name":"Hall","ə":1},'.repeat(times));
      const packed = await compressed(text, encoding);
      assert.ok(packed !== null && packed.length < text.length / 5);
      assert.deepEqual(unpack[encoding](packed), text);
    }
    assert.equal(await compressed(Buffer.alloc(1023, 'a'), encoding), null);
    assert.equal(await compressed(randomBytes(4096), encoding), null);
  }
});
