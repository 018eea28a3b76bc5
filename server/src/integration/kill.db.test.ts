/**
 * R-01 on a whole installation: launcher and server are killed while changes are acknowledged, some of which
 * are not in the chain yet. The moments are random, what must hold is not. `NAZAR_TEST_KILLS`: how many.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { LoginReply } from '@nazar/contract/accounts.ts';
import { verifyChain } from '#activity/activity.ts';
import { openRootKey } from '#db/root-key.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { testDatabase, type TestDatabase } from '#testing/database.ts';
import { command, emptyDataFolder, start, type Installation } from '#testing/installation.ts';
import { recorded } from '#testing/activity-chain.ts';
import { until } from '#testing/until.ts';
import { aCameraForm } from '#testing/world.ts';

const kills = Number(process.env['NAZAR_TEST_KILLS'] ?? 3);
const email = 'administrator@example.org';
const password = 'correct-horse-7-staple';
const data = emptyDataFolder();
let database: TestDatabase;
let nazar: Installation;
let access: string;

const begin = (): Promise<Installation> => start(data.path, [], { DATABASE_URL: database.url });

before(async () => {
  database = await testDatabase();
  const words = ['create', '--email', email, '--password', password, '--role', 'superadmin'];
  const { code, said } = await command('admin', words, data.path, { DATABASE_URL: database.url });
  assert.equal(code, 0, said);
  nazar = await begin();
  const reply = await call('POST', '/secure-api/accounts/login/', { email, password });
  ({ access } = (await reply.json()) as LoginReply);
});
after(async () => {
  await nazar.stop();
  await database[Symbol.asyncDispose]();
  data[Symbol.dispose]();
});

function call(method: string, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${access}`, 'content-type': 'application/json' };
  return fetch(nazar.origin + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Reads all pages: a hundred kills leave more cameras than one page has. */
async function cameraIds(): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const reply = await call('GET', `/secure-api/cameras/?page_size=1000&page=${page}`);
    const { count, results } = (await reply.json()) as { count: number; results: { id: string }[] };
    ids.push(...results.map(({ id }) => id));
    if (results.length === 0 || ids.length >= count) return ids.sort();
  }
}

/** Adds cameras, one after another, until the server is silent; `acknowledged`: called with each that was. */
async function addCameras(acknowledged: (id: string) => void): Promise<void> {
  for (;;) {
    const adding = call('POST', '/secure-api/cameras/', aCameraForm());
    const reply = await adding.catch(() => null);
    const text = await reply?.text().catch(() => null);
    if (!reply || !text) return; // killed before or in the middle of its answer
    assert.equal(reply.status, 201, text);
    acknowledged((JSON.parse(text) as { id: string }).id);
  }
}

async function entries() {
  const all = await recorded(database.db);
  return {
    waiting: all.filter(({ sequence }) => sequence === null).length,
    added: all.flatMap(({ action, object_id }) => (action === 'camera.added' ? object_id! : [])),
  };
}

test('a second whole server on the same DATABASE_URL is refused, as are restore and repair, and the first goes on', async () => {
  using other = emptyDataFolder();
  const served = { DATABASE_URL: database.url, NAZAR_PORT: '0' };
  const [id] = await cameraIds().then((ids) => [...ids, '']);
  const second = await start(other.path, [], served).then(
    async (running) => assert.fail(`it runs: ${await running.stop()}`),
    (error: Error) => error.message,
  );
  const who = `process ${nazar.serverPid()} on `;
  assert.match(second, new RegExp(`Another Nazar uses this database: ${who}`));
  assert.deepEqual(
    readdirSync(other.path).filter((name) => name.startsWith('master')),
    [],
    'not even a key was made',
  );
  const key = join(data.path, 'master.key');
  const restoring = ['--from', join(other.path, 'a-backup'), '--key', key];
  const restored = await command('restore', restoring, other.path, served);
  assert.deepEqual([restored.code === 0, restored.said.includes(who)], [false, true]);
  const repaired = await command('check-recordings', ['repair'], other.path, served);
  assert.match(repaired.said, new RegExp(`^Nazar is running \\(${who}`));
  assert.deepEqual((await cameraIds())[0] ?? '', id, 'the first one answers');
});

test(
  `R-01 C-801 killed ${kills} times, what was acknowledged is there once, recorded once and sealed`,
  { skip: process.platform !== 'linux' && 'processes are found in /proc' },
  async () => {
    const master = await openRootKey({
      db: database.db,
      clock,
      path: join(data.path, 'master.key'),
    });
    const chain = { db: database.db, master, folder: join(data.path, 'audit') };
    const acknowledged: string[] = [];
    let waited = 0;
    for (let round = 0; round < kills; round += 1) {
      const enough = acknowledged.length + 1 + Math.floor(Math.random() * 12);
      const killing = Promise.withResolvers<void>();
      const adding = [1, 2].map(() =>
        addCameras((id) => {
          if (acknowledged.push(id) === enough) nazar.kill().then(killing.resolve, killing.reject);
        }),
      );
      await killing.promise;
      await Promise.all(adding);
      waited += (await entries()).waiting;
      assert.equal((await verifyChain(chain)).fault, null, 'whole before the next start');
      nazar = await begin();
      await until(async () => (await entries()).waiting === 0);
      const { fault, unsealed } = await verifyChain(chain);
      assert.deepEqual([fault, unsealed], [null, 0]);
      const ids = await cameraIds();
      assert.deepEqual((await entries()).added.sort(), ids, 'what is there has one entry each');
      for (const id of acknowledged) assert.ok(ids.includes(id), `${id} was acknowledged`);
    }
    assert.ok(waited > 0, 'something was acknowledged and not in the chain when it was killed');
  },
);
