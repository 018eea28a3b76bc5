import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { Refusal } from '#lib/refusal.ts';
import { testDatabase, type TestDatabase } from '#testing/database.ts';
import { servedTarget } from './served.ts';

let database: TestDatabase;

before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());

async function sentence(url: string): Promise<string> {
  const refusal: unknown = await servedTarget(url).then(
    () => null,
    (error: unknown) => error,
  );
  assert.ok(refusal instanceof Refusal, `no refusal for ${url}`);
  assert.ok(!refusal.message.includes('s3cret'), refusal.message);
  return refusal.message;
}

test('a DATABASE_URL that works is taken', async () => {
  assert.deepEqual(await servedTarget(database.url), { connectionString: database.url });
});

test('a wrong DATABASE_URL is refused with one sentence that holds no password', async () => {
  assert.match(await sentence('s3cret'), /not an address/);
  assert.match(await sentence('mysql://u:s3cret@h/d'), /mysql/);
  assert.match(
    await sentence('postgresql://u:s3cret@no-such-host.invalid/d'),
    /no-such-host\.invalid\/d .*host name/,
  );
  assert.match(await sentence(database.url.replace(/test_\w+/, 'absent')), /no such database/);
});

test('a port where nothing listens, or something else does, is said', async () => {
  const stranger = createServer((socket) => socket.resume().end('SSH-2.0-x\r\n'));
  const port = await listenOnLoopback(stranger);
  assert.match(await sentence(`postgresql://u:s3cret@127.0.0.1:${port}/d`), /does not answer/);
  stranger.close();
  await once(stranger, 'close');
  assert.match(await sentence(`postgresql://u:s3cret@127.0.0.1:${port}/d`), /nothing listens/);
});
