import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { Refusal } from '#lib/refusal.ts';
import { testDatabase, type TestDatabase } from '#testing/database.ts';
import { emptyDataFolder } from '#testing/installation.ts';
import { quietLog } from '#testing/world.ts';
import { EmbeddedPostgres } from './postgres.ts';
import { mustTakeWrites, servedTarget } from './served.ts';

let database: TestDatabase;

before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());

async function sentence(
  url: string,
  look: (url: string) => Promise<unknown> = servedTarget,
): Promise<string> {
  const refusal: unknown = await look(url).then(
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

test('a port where nothing listens, or something else does, is reported', async () => {
  const stranger = createServer((socket) => socket.resume().end('SSH-2.0-x\r\n'));
  const port = await listenOnLoopback(stranger);
  assert.match(await sentence(`postgresql://u:s3cret@127.0.0.1:${port}/d`), /does not answer/);
  stranger.close();
  await once(stranger, 'close');
  assert.match(await sentence(`postgresql://u:s3cret@127.0.0.1:${port}/d`), /nothing listens/);
});

test('a database that can only be read is refused: a standby, and one that is set so', async () => {
  const { db, url } = database;
  await mustTakeWrites(url);
  const name = /test_\w+/.exec(url)?.[0] ?? '';
  await sql
    .raw(`alter database ${name} set default_transaction_read_only = on`)
    .execute(db.write());
  assert.match(await sentence(url, mustTakeWrites), /only be read by this user/);
  using data = emptyDataFolder();
  const options = {
    folder: join(data.path, 'postgres'),
    logFile: join(data.path, 'postgres.log'),
    clock,
    log: quietLog,
    ballast: false,
  };
  const primary = await EmbeddedPostgres.start(options);
  await primary[Symbol.asyncDispose]();
  writeFileSync(join(options.folder, 'data/standby.signal'), '');
  await using standby = await EmbeddedPostgres.start(options);
  const { host, user } = standby.connection('postgres');
  const address = `postgresql://${user}@localhost/postgres?host=${encodeURIComponent(host)}`;
  assert.match(await sentence(address, mustTakeWrites), /postgres is a standby, .*its primary/);
  // A copy of everything only reads.
  assert.deepEqual(await servedTarget(address), { connectionString: address });
});
