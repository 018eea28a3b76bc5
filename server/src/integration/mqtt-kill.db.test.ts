/** The last will of a whole installation: the real process is killed while it is connected to a real broker. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { LoginReply } from '@nazar/contract/accounts.ts';
import type { Mqtt } from '@nazar/contract/mqtt.ts';
import { brokerLogin, testBroker, withoutBroker, type TestBroker } from '#testing/broker.ts';
import { testDatabase, type TestDatabase } from '#testing/database.ts';
import { command, emptyDataFolder, start, type Installation } from '#testing/installation.ts';
import { until } from '#testing/until.ts';

const skip = withoutBroker || (process.platform !== 'linux' && 'processes are found in /proc');
const email = 'administrator@example.org';
const password = 'correct-horse-7-staple';
const data = emptyDataFolder();
let database: TestDatabase;
let broker: TestBroker;
let nazar: Installation;
let access: string;

const begin = (): Promise<Installation> => start(data.path, [], { DATABASE_URL: database.url });

before(async () => {
  if (skip) return;
  broker = await testBroker();
  database = await testDatabase();
  const words = ['create', '--email', email, '--password', password, '--role', 'superadmin'];
  const { code, said } = await command('admin', words, data.path, { DATABASE_URL: database.url });
  assert.equal(code, 0, said);
  nazar = await begin();
  const reply = await call('POST', '/secure-api/accounts/login/', { email, password });
  ({ access } = (await reply.json()) as LoginReply);
});
after(async () => {
  if (!skip) {
    await nazar.stop();
    await broker[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  }
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

test(
  'R-01 a server that is killed is offline at once, and online again when it is back',
  { skip },
  async () => {
    const now = (await (await call('GET', '/secure-api/mqtt/')).json()) as Mqtt;
    const wanted = { ...now.settings, enabled: true, url: broker.url, allow_local: true };
    const changed = await call('PUT', '/secure-api/mqtt/', { ...wanted, ...brokerLogin });
    assert.equal(changed.status, 200, await changed.text());
    await using listener = await broker.listen();
    await until(() => listener.last('nazar/status') === 'online');
    await nazar.kill();
    await until(() => listener.last('nazar/status') === 'offline');
    assert.equal(
      (await broker.kept()).get('nazar/house/mode'),
      'home',
      'the other states are kept',
    );
    nazar = await begin();
    await until(() => listener.last('nazar/status') === 'online');
  },
);
