/** What is refused before any handler is asked, on real sockets where the bound is one of the socket. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { z } from 'zod/mini';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { addressOf, unknownId, routes } from '#testing/routes.ts';
import { call, testPassword, testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { openSocket } from '#testing/sockets.ts';
import { until } from '#testing/until.ts';
import { createHttp } from './http.ts';

const mePath = '/secure-api/accounts/users/me/';
const loginPath = '/secure-api/accounts/login/';
let world: TestServer;
let admin: SignedIn;
let port: number;

before(async () => {
  world = await testServer();
  admin = await world.signIn('admin');
  await world.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = world.app.server.address() as AddressInfo);
});
after(() => world[Symbol.asyncDispose]());

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  return socket;
}

/** What is answered to these bytes until the connection ends. */
async function say(bytes: string): Promise<string> {
  const socket = await open();
  socket.write(bytes);
  return text(socket);
}

const statusOf = (answer: string): number => Number(answer.split(' ')[1]);

test('C-704 no spelling of another host is ours: the rebinding corpus', async () => {
  const foreign = [
    'evil.example',
    'localhost.evil.example',
    'evil.example:80',
    'localhost@evil.example',
    'evil.example#localhost',
    '127.0.0.1.evil.example',
    '127.0.0.2',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '[::ffff:127.0.0.1]',
    '[::1',
    '0.0.0.0',
    'localhost.',
    'localhost:80:80',
    '192.168.1.20',
    '169.254.169.254',
    ' ',
    '',
  ];
  for (const host of foreign) {
    const answer = await say(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    assert.ok([400, 421].includes(statusOf(answer)), `${host}: ${answer.slice(0, 60)}`);
  }
  const none = await say('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
  assert.equal(statusOf(none), 400);
  const absolute = await say(
    'GET http://evil.example/healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
  );
  assert.equal(statusOf(absolute), 421);
  for (const host of ['localhost', 'LOCALHOST:8080', '127.0.0.1']) {
    const own = await say(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    assert.equal(statusOf(own), 200, host);
  }
});

test('C-704 no one takes over a new installation through a browser: set-up answers our names only', async () => {
  await using fresh = await testServer();
  const reply = await fresh.app.inject({
    url: '/secure-api/setup/',
    headers: { host: 'evil.example' },
  });
  assert.equal(reply.statusCode, 421);
});

test('C-705 forms and scripts of another site change nothing', async () => {
  const simple = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ];
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'http://127.0.0.1.evil.example' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const type of simple) {
    const payload = JSON.stringify({ email: admin.email, password: testPassword });
    const sent = { method: 'POST', url: loginPath, payload } as const;
    const alone = await world.app.inject({
      ...sent,
      headers: { host: '127.0.0.1', 'content-type': type },
    });
    assert.equal(alone.statusCode, 415, type);
    for (const headers of foreign) {
      const reply = await world.app.inject({
        ...sent,
        headers: { host: '127.0.0.1', 'content-type': type, ...headers },
      });
      assert.equal(reply.statusCode, 403, `${type} ${JSON.stringify(headers)}`);
      assert.equal(reply.cookies.length, 0);
    }
  }
});

test('C-703 no other site may read an answer: no CORS header for any caller', async () => {
  for (const method of ['GET', 'OPTIONS'] as const) {
    const reply = await world.app.inject({
      method,
      url: mePath,
      headers: {
        host: '127.0.0.1',
        origin: 'https://evil.example',
        'access-control-request-method': 'GET',
        authorization: `Bearer ${admin.access}`,
      },
    });
    const cors = Object.keys(reply.headers).filter((name) => name.startsWith('access-control'));
    assert.deepEqual(cors, [], method);
  }
});

test('C-112 no header says who a user is', async () => {
  const headers = {
    'remote-user': admin.email,
    'x-remote-user': admin.email,
    'x-forwarded-user': admin.email,
    'x-forwarded-email': admin.email,
    'x-auth-request-user': admin.email,
    'x-webauth-user': admin.email,
    'x-original-url': '/healthz',
    'x-rewrite-url': '/healthz',
    'x-http-method-override': 'GET',
    'x-user-id': admin.id,
    'x-role': 'superadmin',
    'x-forwarded-for': '127.0.0.1',
    cookie: `user=${admin.email}; role=superadmin; auth-token=${admin.access}`,
  };
  const urls = [mePath, '/secure-api/cameras/', `/secure-api/cameras/?token=${admin.access}`];
  for (const url of urls) {
    assert.equal((await call(world.app, 'GET', url, { headers })).status, 401, url);
  }
  const user = await world.signIn('user', 'header-user@example.org');
  const me = await call(world.app, 'GET', mePath, { access: user.access, headers });
  assert.equal(me.json()['email'], 'header-user@example.org');
});

test('C-905 the caller is the socket’s address, unless a named proxy says otherwise', async () => {
  const flood = async (server: TestServer): Promise<number[]> => {
    const statuses: number[] = [];
    for (let tried = 0; tried < 25; tried += 1) {
      const reply = await server.app.inject({
        method: 'POST',
        url: loginPath,
        remoteAddress: '203.0.113.5',
        headers: { host: '127.0.0.1', 'x-forwarded-for': `198.51.${tried}.1` },
        payload: { email: `nobody-${tried}@example.org`, password: 'wrong-horse-8' },
      });
      statuses.push(reply.statusCode);
    }
    return statuses;
  };
  const forged = await flood(world);
  assert.deepEqual(new Set(forged.slice(20)), new Set([429]), 'a made-up header buys no guesses');
  await using behind = await testServer({ trustProxy: ['203.0.113.5'] });
  await behind.signIn('admin');
  assert.deepEqual(new Set(await flood(behind)), new Set([401]));
  await using other = await testServer({ trustProxy: ['203.0.113.6'] });
  await other.signIn('admin');
  assert.ok((await flood(other)).includes(429), 'another proxy’s word is not believed');
});

test('C-905, C-707 an unnamed proxy’s words about TLS change no cookie and no header', async () => {
  const reply = await world.app.inject({
    method: 'POST',
    url: loginPath,
    headers: { host: '127.0.0.1', 'x-forwarded-proto': 'https', 'sec-fetch-site': 'same-origin' },
    payload: { email: admin.email, password: testPassword },
  });
  assert.equal(reply.cookies[0]?.name, 'nazar-session');
  assert.equal(reply.headers['strict-transport-security'], undefined);
});

test('C-712 an address of 8 KiB, heads of 16 KiB and 20 levels of JSON are the most', async () => {
  const get = (url: string): Promise<{ status: number }> => call(world.app, 'GET', url);
  assert.equal((await get(`/healthz?x=${'x'.repeat(8_000)}`)).status, 200);
  assert.equal((await get(`/healthz?x=${'x'.repeat(8_190)}`)).status, 414);
  const head = `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(16 * 1024)}\r\n\r\n`;
  assert.equal(statusOf(await say(head)), 431);
  // A field that is known everywhere and left out, so that nothing but the depth is refused.
  const nested = (depth: number): string => `${'{"_t":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const put = async (payload: string): Promise<number> =>
    (
      await world.app.inject({
        method: 'PATCH',
        url: '/secure-api/accounts/preferences/update_my_preferences/',
        headers: {
          host: 'localhost',
          authorization: `Bearer ${admin.access}`,
          'content-type': 'application/json',
        },
        payload,
      })
    ).statusCode;
  assert.equal(await put(nested(20)), 200);
  for (const depth of [21, 1_000, 149_000]) assert.equal(await put(nested(depth)), 400, `${depth}`);
  assert.equal(await put(`{"theme":${'['.repeat(500_000)}`), 400);
});

/** The names that a query gives its beginning and its end. */
const periods = [
  ['from', 'until'],
  ['start_date', 'end_date'],
] as const;

/** What some of them take no answer without. */
const needed = [
  ['cameras', unknownId],
  ['camera_id', unknownId],
  ['by', 'day'],
] as const;

test('C-712 no route answers about more than 366 days at once, and says so at the field', async () => {
  const asked = [];
  for (const { method, path, query } of routes) {
    const names = query instanceof z.ZodMiniObject ? Object.keys(query.shape) : [];
    const period = periods.find((both) => both.every((name) => names.includes(name)));
    if (method !== 'GET' || period === undefined) continue;
    const [from, until] = period;
    const answer = async (end: string) => {
      const params = new URLSearchParams({ [from]: '2024-01-01T00:00:00.000Z', [until]: end });
      for (const [name, value] of needed) if (names.includes(name)) params.set(name, value);
      return admin.get(`${addressOf(path)}?${params}`);
    };
    const [longest, longer] = [
      await answer('2025-01-01T00:00:00.000Z'),
      await answer('2025-01-01T00:00:00.001Z'),
    ];
    assert.notEqual(longest.status, 400, `${path} ${longest.text}`);
    assert.equal(longer.status, 400, path);
    assert.deepEqual(longer.json(), { [until]: ['Choose at most 366 days at once.'] }, path);
    asked.push(path);
  }
  assert.ok(asked.length >= 10, asked.join(', '));
});

test('no log answers about a time that ends before it begins, and says so at the field', async () => {
  const asked = [];
  for (const { method, path, query } of routes) {
    const names = query instanceof z.ZodMiniObject ? Object.keys(query.shape) : [];
    if (method !== 'GET' || !names.includes('start_date')) continue;
    const answer = async (start: string, end: string) => {
      const params = new URLSearchParams({ start_date: start, end_date: end });
      for (const [name, value] of needed) if (names.includes(name)) params.set(name, value);
      return admin.get(`${addressOf(path)}?${params}`);
    };
    const oneDay = await answer('2024-02-01', '2024-02-01');
    assert.notEqual(oneDay.status, 400, `${path} ${oneDay.text}`);
    for (const [start, end] of [
      ['2024-02-02', '2024-02-01'],
      ['2024-02-01T12:00:00.000Z', '2024-02-01T11:59:59.999Z'],
    ] as const) {
      const reversed = await answer(start, end);
      const said = { end_date: ['The end is before the start. Choose a later end.'] };
      assert.equal(reversed.status, 400, path);
      assert.deepEqual(reversed.json(), said, path);
    }
    asked.push(path);
  }
  assert.ok(asked.length >= 10, asked.join(', '));
});

test('C-712 nor from long ago until now, where no end is asked for', async () => {
  const reply = await admin.get(
    `/secure-api/recordings/timelines/?cameras=${unknownId}&from=2000-01-01T00:00:00.000Z`,
  );
  assert.equal(reply.status, 400);
  assert.deepEqual(reply.json(), { from: ['Choose at most 366 days at once.'] });
});

test('C-714 an account that asks too often waits, by the header and the words; others do not', async () => {
  await using small = await testServer({ requestsPerMinute: 6 });
  await small.signIn('admin');
  const busy = await small.signIn('user', 'busy@example.org');
  const other = await small.signIn('user', 'other@example.org');
  const statuses = [];
  for (let n = 0; n < 70; n += 1) statuses.push((await busy.get(mePath)).status);
  assert.deepEqual([statuses[59], statuses[69]], [200, 429]);
  const refused = await busy.get(mePath);
  assert.ok(Number(refused.headers['retry-after']) >= 1);
  assert.equal(refused.json()['code'], 'too_many_requests');
  assert.equal((await other.get(mePath)).status, 200);
  small.clock.advance(60_000);
  assert.equal((await busy.get(mePath)).status, 200);
});

test('C-715 a body that trickles ends after 30 s, and holds no handler', async () => {
  const socket = await open();
  const arrived = once(world.app.server, 'request');
  socket.write(
    `POST ${loginPath} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email":`,
  );
  const answer = text(socket);
  await arrived;
  await until(() => {
    world.clock.advance(30_000);
    return socket.readableEnded;
  });
  assert.equal(statusOf(await answer), 408);
});

test('C-715 500 connections that never finish their heads delay no other request', async () => {
  const slow = await Promise.all(Array.from({ length: 500 }, () => open()));
  for (const socket of slow) socket.write('GET / HTTP/1.1\r\nHost: local');
  for (let n = 0; n < 20; n += 1) assert.equal((await admin.get(mePath)).status, 200);
  const answer = await say('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  assert.equal(statusOf(answer), 200);
  const { headersTimeout, requestTimeout, keepAliveTimeout } = world.app.server;
  assert.deepEqual([headersTimeout, requestTimeout, keepAliveTimeout], [10_000, 120_000, 65_000]);
  for (const socket of slow) socket.destroy();
});

test(
  'C-715 a head that is not finished ends its connection within the bound',
  { timeout: 20_000 },
  async () => {
    const socket = await open();
    socket.write('GET /healthz HTTP/1.1\r\nHost: local');
    assert.equal(statusOf(await text(socket)), 408);
  },
);

test('C-205 logout asks the browser to forget what it stored', async () => {
  const user = await world.signIn('user', 'leaver@example.org');
  const reply = await user.send('POST', '/secure-api/accounts/logout/');
  assert.equal(reply.headers['clear-site-data'], '"cache"');
});

test('C-607, C-712 bytes that never become a request are answered as everything else is', async () => {
  const large = `X: ${'secret'.repeat(4 * 1024)}\r\n`;
  const broken: [string, number, string][] = [
    [`GET /healthz HTTP/1.1\r\nHost: localhost\r\n${large}\r\n`, 431, 'headers_too_large'],
    ['GET /healthz HTTP/1.1\r\nHost: localhost\r\nsecret\r\n\r\n', 400, 'bad_request'],
    ['secret\r\n\r\n', 400, 'bad_request'],
    [
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'bad_request',
    ],
    ['GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'bad_request'],
  ];
  for (const [bytes, status, code] of broken) {
    const answer = await say(bytes);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    assert.equal(statusOf(answer), status, bytes.slice(0, 40));
    const { detail, ...rest } = JSON.parse(body) as { detail: string };
    assert.deepEqual([rest, detail.length > 0], [{ code }, true]);
    assert.match(head, /^content-type: application\/json; charset=utf-8$/im);
    assert.match(head, /^content-security-policy: default-src 'none'/im);
    assert.ok(!answer.includes('secret'), 'nothing of it is repeated');
  }
  const expecting =
    'GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nConnection: close\r\n\r\n';
  assert.equal(statusOf(await say(expecting)), 200);
  const azerbaijani = await say('GET / HTTP/1.1\r\nAccept-Language: az\r\nsecret\r\n\r\n');
  assert.match(azerbaijani, /Server bu sorğunu/);
});

test('C-706, C-712 a frame that is too large closes with 1009, and is no error of ours', async () => {
  const lines: { readonly level: number; readonly msg: string }[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const app = await createHttp({ log, hosts: ['127.0.0.1'], trustProxy: [], clock: systemClock });
  await using _ = { [Symbol.asyncDispose]: () => app.close() };
  app.get('/ws/', { websocket: true }, () => undefined);
  const large = await openSocket(app, '/ws/');
  large.socket.send('x'.repeat(65 * 1024));
  assert.equal(await large.closed, 1009);
  const rubbish = await openSocket(app, '/ws/');
  // A frame with reserved bits, past the browser's own sender.
  (rubbish.socket as unknown as { _socket: Socket })._socket.write(Buffer.from([0xff, 0x00]));
  assert.equal(await rubbish.closed, 1002);
  await until(
    () => lines.filter(({ msg }) => msg === 'a browser broke its WebSocket').length === 2,
  );
  assert.deepEqual(
    lines.filter(({ level }) => level >= 40),
    [],
  );
});

test('C-604 an upgrade where no socket is gets an answer, and no line of the log holds its query', async () => {
  const lines: string[] = [];
  const log = createLog('trace', { write: (line) => void lines.push(line) });
  const app = await createHttp({ log, hosts: ['127.0.0.1'], trustProxy: [], clock: systemClock });
  await using _ = { [Symbol.asyncDispose]: () => app.close() };
  app.get('/ws/', { websocket: true }, () => undefined);
  app.get('/files/:id/', () => 'a file');
  const secret = '?ticket=canary-4711';
  for (const path of ['/files/1/', '/nowhere/', '/%']) {
    const refused = await upgrade(app, path + secret);
    assert.deepEqual([refused.status, refused.body], [404, 'not_found'], path);
  }
  const { socket, closed } = await openSocket(app, `/ws/${secret}`);
  socket.close();
  await closed;
  await until(() => lines.some((line) => line.includes('"/files/:id/"')));
  assert.deepEqual(
    lines.filter((line) => line.includes('canary')),
    [],
  );
});

/** Asks for a WebSocket, and reads the answer of a server that opens none. */
async function upgrade(
  app: FastifyInstance,
  path: string,
): Promise<{ status: number | undefined; body: string }> {
  if (app.addresses().length === 0) await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
  socket.on('error', () => undefined); // an answer is no error here
  const [, reply] = (await Promise.race([
    once(socket, 'unexpected-response'),
    once(socket, 'open').then(() => {
      throw new Error(`${path} opened a socket`);
    }),
  ])) as [unknown, IncomingMessage];
  const { code = '' } = JSON.parse(await text(reply)) as { code?: string };
  return { status: reply.statusCode, body: code };
}
