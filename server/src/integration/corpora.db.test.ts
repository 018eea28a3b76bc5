/** Lists of known tricks, each tried on every route there is. `NAZAR_TEST_CORPORA=whole` tries every pair. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Route } from '@nazar/contract/route.ts';
import { shapeOf } from '#testing/arbitrary.ts';
import { registeredRoutes } from '#testing/registered.ts';
import { addressOf, named, routes } from '#testing/routes.ts';
import { call, testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { openSocket } from '#testing/sockets.ts';
import { traversals } from '#testing/traversals.ts';

const whole = process.env['NAZAR_TEST_CORPORA'] === 'whole';

let world: TestServer;
let admin: SignedIn;
/** Stands in every file that no address may lead to. */
const marker = `outside-${crypto.randomUUID()}`;
const folder = mkdtempSync(join(tmpdir(), 'nazar-corpora-'));
const webDir = join(folder, 'web', 'dist');

before(async () => {
  mkdirSync(join(webDir, 'assets'), { recursive: true });
  writeFileSync(join(webDir, 'index.html'), '<!doctype html><title>Nazar</title>');
  writeFileSync(join(webDir, 'assets', 'app.js'), 'export {}');
  for (const file of ['secret.txt', 'web/secret.txt', 'web/dist-secret.txt']) {
    writeFileSync(join(folder, file), marker);
  }
  world = await testServer({ webDir });
  admin = await world.signIn('superadmin');
});
after(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Every place of an address that takes something: parts of paths, parameters of queries, the path of a file. */
function placesOf(route: Route): ((text: string) => string)[] {
  const path = addressOf(route.path);
  const inPath = [...route.path.matchAll(/:\w+/g)].map(
    ([name]) =>
      (text: string) =>
        addressOf(route.path.replace(name, text)),
  );
  const queries = route.query ? Object.keys(shapeOf(route.query).properties ?? {}) : [];
  return [...inPath, ...queries.map((name) => (text: string) => `${path}?${name}=${text}`)];
}

test('C-507 300 ways out of a folder, in every place of every address, lead nowhere', async (t) => {
  assert.ok(traversals.length >= 300 && new Set(traversals).size === traversals.length);
  const assets = ['/', '/assets/', '/secure-api/'].map((start) => ({
    method: 'GET' as const,
    at: (text: string) => start + text,
  }));
  const places = [
    ...assets,
    ...routes
      .filter(({ method }) => method === 'GET')
      .flatMap((route) => placesOf(route).map((at) => ({ method: route.method, at }))),
  ];
  let asked = 0;
  for (const [i, text] of traversals.entries()) {
    // In turn, so that a short run meets every place a dozen times.
    const mine = places.filter((_place, j) => whole || j < 3 || (i + j) % 12 === 0);
    for (const { method, at } of mine) {
      const reply = await call(world.app, method, at(text), { access: admin.access });
      asked += 1;
      assert.ok(reply.status < 500 || reply.status === 503, `${at(text)} ${reply.text}`);
      assert.ok(!reply.text.includes(marker) && !reply.text.includes('root:x:0'), at(text));
    }
  }
  t.diagnostic(`${asked} requests, ${places.length} places`);
});

test('C-507 the marker is found where a way out is left open', async () => {
  writeFileSync(join(folder, 'web', 'index.html'), 'page');
  await using open = await testServer({ webDir: join(folder, 'web') });
  assert.ok((await call(open.app, 'GET', '/secret.txt')).text.includes(marker));
});

/** What a browser says of a request that another site's page makes. */
const foreign: readonly Readonly<Record<string, string>>[] = [
  { origin: 'https://evil.example' },
  { origin: 'http://localhost.evil.example' },
  { origin: 'http://evil.example:80' },
  { origin: 'http://127.0.0.2' },
  { origin: 'http://localhost:81' },
  { origin: 'null' },
  { origin: 'file://' },
  { origin: 'chrome-extension://abc' },
  { origin: '' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none, cross-site' },
  { 'sec-fetch-site': 'cross-site', origin: 'http://127.0.0.1' },
];

test('C-705 no route that changes anything is to be had by another site’s page', async (t) => {
  const changing = routes.filter(({ method }) => method !== 'GET');
  for (const route of changing) {
    for (const headers of foreign) {
      const reply = await call(world.app, route.method, addressOf(route.path), {
        access: admin.access,
        headers,
        ...(route.body ? { body: {} } : {}),
      });
      const about = `${named(route)} ${JSON.stringify(headers)} ${reply.status}`;
      assert.equal(reply.status, 403, about);
      assert.equal(reply.json()['code'], 'foreign_origin', about);
    }
  }
  const { status } = await admin.get('/secure-api/accounts/users/me/');
  assert.equal(status, 200, 'nobody was signed out');
  t.diagnostic(`${changing.length} routes, ${foreign.length} origins`);
});

test('C-705, C-708 no route takes what a form of another site can send without asking', async () => {
  const simple = ['text/plain', 'application/x-www-form-urlencoded', 'text/plain;charset=UTF-8'];
  for (const route of routes.filter(({ body, consumes }) => body && !consumes?.includes('form'))) {
    for (const type of simple) {
      const reply = await call(world.app, route.method, addressOf(route.path), {
        access: admin.access,
        headers: { 'content-type': type },
        body: '{"a":"="}',
      });
      const isOver = reply.status === 410; // set-up, before the body is read
      assert.ok(reply.status === 415 || isOver, `${named(route)} ${type}: ${reply.status}`);
    }
  }
});

/** Names that a page of another site makes resolve to this machine (DNS rebinding), and broken ones. */
const foreignHosts =
  `evil.example localhost.evil.example 127.0.0.1.nip.example 192.168.1.20 10.0.0.1
  localhost@evil.example evil.example#localhost localhost,evil.example localhost.evil localhosts
  xlocalhost 0.0.0.0 [::1%25lo] 2130706433 0x7f.1 127.1 127.0.0.1.
  evil.example:8080 127.0.0.1:80:80 *`.split(/\s+/);

test('C-704 no route and no page answers to another host name', async (t) => {
  for (const host of foreignHosts) {
    for (const url of ['/', '/healthz', '/assets/app.js', ...routes.map(({ path }) => path)]) {
      const method = routes.find(({ path }) => path === url)?.method ?? 'GET';
      const reply = await world.app.inject({
        method,
        url: addressOf(url),
        headers: { host, authorization: `Bearer ${admin.access}` },
      });
      assert.equal(reply.statusCode, 421, `${host} ${method} ${url}: ${reply.statusCode}`);
    }
  }
  t.diagnostic(`${foreignHosts.length} names, ${routes.length + 3} addresses`);
});

test('C-704 a proxy’s header does not stand for the host', async () => {
  for (const name of ['x-forwarded-host', 'x-host', 'forwarded', 'x-original-host']) {
    const headers = { host: 'evil.example', [name]: 'localhost' };
    const reply = await world.app.inject({ url: '/healthz', headers });
    assert.equal(reply.statusCode, 421, name);
  }
});

test('C-706 no socket opens for a page of another site', async () => {
  const sockets = registeredRoutes(world.app).filter(
    ({ method, path }) => method === 'GET' && path.endsWith('/ws/'),
  );
  assert.ok(sockets.length >= 2);
  for (const { path } of sockets) {
    for (const headers of foreign) {
      const opened = openSocket(world.app, addressOf(path), headers);
      await assert.rejects(opened, /403/, `${path} ${JSON.stringify(headers)}`);
    }
    await assert.rejects(openSocket(world.app, addressOf(path), { host: 'evil.example' }), /421/);
    const { socket } = await openSocket(world.app, addressOf(path)); // a script’s, which says no origin
    socket.terminate();
  }
});

test('C-703 no answer allows another site to read it', async () => {
  for (const route of routes) {
    for (const method of ['OPTIONS', route.method] as const) {
      const reply = await world.app.inject({
        method,
        url: addressOf(route.path),
        headers: {
          host: 'localhost',
          origin: 'https://evil.example',
          'access-control-request-method': route.method,
          'access-control-request-headers': 'authorization',
        },
      });
      const allowed = Object.keys(reply.headers).filter((name) =>
        name.startsWith('access-control'),
      );
      assert.deepEqual(allowed, [], named(route));
      assert.equal(reply.headers['cross-origin-resource-policy'], 'same-origin', named(route));
    }
  }
});
