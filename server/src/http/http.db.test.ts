import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { after, before, test } from 'node:test';
import { call, testServer, type SignedIn, type TestServer } from '#testing/server.ts';

let world: TestServer;
let admin: SignedIn;
const webDir = mkdtempSync(join(tmpdir(), 'nazar-web-'));
const pageText = '<!doctype html><title>Nazar</title>';
const scriptText = 'export const twice = (n) => n + n;\n'.repeat(200);

before(async () => {
  mkdirSync(join(webDir, 'assets'));
  writeFileSync(join(webDir, 'assets', 'app-1a2b3c.js'), 'export {}');
  writeFileSync(join(webDir, 'icon.svg'), '<svg/>');
  for (const [file, text] of [
    ['index.html', pageText],
    ['assets/large-4d5e6f.js', scriptText],
  ] as const) {
    writeFileSync(join(webDir, file), text);
    writeFileSync(join(webDir, `${file}.br`), brotliCompressSync(text));
    writeFileSync(join(webDir, `${file}.gz`), gzipSync(text));
  }
  world = await testServer({ webDir });
  admin = await world.signIn('admin');
});
after(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(webDir, { recursive: true, force: true });
});

const get = (url: string) => call(world.app, 'GET', url);

test('a path of the application is its page; a file that is not there and a call that is not, 404 in JSON', async () => {
  for (const url of ['/', '/cameras', '/faces/1/edit?x=1', '/secure-apix']) {
    const page = await get(url);
    assert.equal(page.status, 200, url);
    assert.match(String(page.headers['content-type']), /^text\/html/);
    assert.equal(page.headers['cache-control'], 'no-cache');
  }
  for (const url of [
    '/secure-api/x',
    '/secure-api',
    '/token/x',
    '/healthz/x',
    '/assets/gone.js',
    '/a.php',
  ]) {
    const none = await get(url);
    assert.deepEqual([none.status, none.json()['code']], [404, 'not_found'], url);
    assert.equal(none.headers['cache-control'], 'private, no-store', url);
  }
  assert.equal((await call(world.app, 'POST', '/cameras')).status, 404);
});

test('C-404 hashed files are cached for ever, pages are asked for anew, answers of the API are never cached', async () => {
  const cache = async (url: string): Promise<unknown> => (await get(url)).headers['cache-control'];
  assert.equal(await cache('/assets/app-1a2b3c.js'), 'public, max-age=31536000, immutable');
  assert.equal(await cache('/icon.svg'), 'no-cache');
  assert.equal(await cache('/healthz'), 'private, no-store');
  assert.equal(
    (await admin.get('/secure-api/cameras/')).headers['cache-control'],
    'private, no-store',
  );
});

const unpacked = {
  br: (body: Buffer) => String(brotliDecompressSync(body)),
  gzip: (body: Buffer) => String(gunzipSync(body)),
  none: String,
};

/** As a browser asks that unpacks these; what it gets, and how that was packed. */
async function getPacked(url: string, accepted: string | null, more: Record<string, string> = {}) {
  const headers = { ...more, ...(accepted === null ? {} : { 'accept-encoding': accepted }) };
  const { statusCode, headers: said, rawPayload } = await world.app.inject({ url, headers });
  const packing = (said['content-encoding'] ?? 'none') as keyof typeof unpacked;
  return { statusCode, headers: said, packing, body: rawPayload };
}

test('scripts and the page are sent as the build compressed them, to clients that can unpack them', async () => {
  const asked = [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', 'none'],
    [null, 'none'],
  ] as const;
  for (const [url, text, type] of [
    ['/assets/large-4d5e6f.js', scriptText, /^application\/javascript/],
    ['/cameras', pageText, /^text\/html/],
    ['/', pageText, /^text\/html/],
  ] as const) {
    const tags = new Set<unknown>();
    for (const [accepted, packing] of asked) {
      const reply = await getPacked(url, accepted);
      assert.deepEqual([reply.statusCode, reply.packing], [200, packing], `${url} ${accepted}`);
      assert.equal(unpacked[reply.packing](reply.body), text);
      assert.match(String(reply.headers['content-type']), type);
      assert.match(String(reply.headers['vary']), /accept-encoding/i);
      assert.equal(reply.headers['content-length'], String(reply.body.length));
      tags.add(reply.headers['etag']);
    }
    assert.equal(tags.size, 3, `${url}: bytes that differ have tags that differ`);
  }
});

test('a compressed file is kept, asked for by its tag and in parts like any other', async () => {
  const url = '/assets/large-4d5e6f.js';
  const whole = await getPacked(url, 'br');
  assert.equal(whole.headers['cache-control'], 'public, max-age=31536000, immutable');
  const again = await getPacked(url, 'br', { 'if-none-match': String(whole.headers['etag']) });
  assert.deepEqual([again.statusCode, again.body.length], [304, 0]);
  assert.match(String(again.headers['vary']), /accept-encoding/i);
  const part = await getPacked(url, 'br', { range: 'bytes=2-9' });
  assert.equal(part.statusCode, 206);
  assert.deepEqual(part.body, whole.body.subarray(2, 10), 'of the bytes that the whole answer has');
  const page = await getPacked('/cameras', 'br');
  assert.equal(page.headers['cache-control'], 'no-cache');
});

test('a compressed file has no address of its own, and what was not compressed is sent as it is', async () => {
  for (const url of [
    '/assets/large-4d5e6f.js.br',
    '/assets/large-4d5e6f.js.gz',
    '/index.html.br',
  ]) {
    assert.equal((await getPacked(url, 'br')).statusCode, 404, url);
  }
  const small = await getPacked('/assets/app-1a2b3c.js', 'br');
  assert.deepEqual([small.packing, String(small.body)], ['none', 'export {}']);
});

test('C-607 no answer reveals paths, SQL or stacks, whatever is asked', async () => {
  const hostile = [
    '/%',
    '/%00',
    '/%E0%A4%A',
    '/../../etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/assets/..%2findex.html',
    '/assets/%2e%2e/%2e%2e/package.json',
    `/secure-api/cameras/${'x'.repeat(500)}/`,
    "/secure-api/cameras/';drop table camera;--/",
    '/secure-api/cameras/%00/',
    '/secure-api/cameras/?search=%00',
    '/secure-api/faces/?search=%00',
    '/secure-api/activity-log/face-logs/?person_name=%00',
    '/secure-api/activity-log/face-logs/?start_date=275761-01-01',
    '/secure-api/cameras/?page=999999&page_size=1000',
    '/secure-api/activity-log/face-logs/?end_date=9999-12-31',
  ];
  for (const url of hostile) {
    const reply = await call(world.app, 'GET', url, { access: admin.access });
    assert.ok(reply.status < 500, `${url} ${reply.status} ${reply.text}`);
    assert.doesNotMatch(
      reply.text,
      /node_modules|\/work|\/tmp|select |syntax|at \w+ \(|\.ts:/i,
      url,
    );
    assert.ok(!reply.text.includes('root:'), url);
  }
});

test('C-607, C-701 an address that cannot be read is answered as one that is not there, headers and all', async () => {
  for (const segment of ['%', '%ff', 'x'.repeat(201)]) {
    const reply = await get(`/secure-api/cameras/${segment}/`);
    assert.deepEqual([reply.status, reply.json()['code']], [404, 'not_found'], segment);
    assert.match(String(reply.headers['content-security-policy']), /default-src 'none'/);
    assert.ok(!reply.text.includes(segment), segment);
  }
});

test('C-712 a body beyond 1 MiB is 413, and one that is no JSON 400', async () => {
  const post = (payload: string, type = 'application/json') =>
    world.app.inject({
      method: 'POST',
      url: '/secure-api/accounts/login/',
      headers: { host: 'localhost', 'content-type': type },
      payload,
    });
  const large = await post(
    JSON.stringify({ email: 'a@example.org', password: 'x'.repeat(1024 * 1024) }),
  );
  assert.deepEqual([large.statusCode, large.json()['code']], [413, 'body_too_large']);
  for (const payload of ['', '{', 'null', '[]', '"x"', '1']) {
    assert.equal((await post(payload)).statusCode, 400, payload);
  }
  assert.equal((await post('a=b', 'application/x-www-form-urlencoded')).statusCode, 415);
});

test('~ERR-060 the fault of a field is written in the reader’s language', async () => {
  const sentences = new Set<string>();
  for (const language of ['en', 'az', 'ru', 'tr']) {
    const reply = await call(world.app, 'POST', '/secure-api/accounts/login/', {
      body: { email: 'nobody', password: '' },
      headers: { 'accept-language': language },
    });
    const { email, password } = reply.json<Record<string, string[]>>();
    sentences.add(email![0]!).add(password![0]!);
  }
  assert.equal(sentences.size, 8);
});

const boundary = 'x'.repeat(20);
function part(name: string, value: string, file?: string): string {
  const named = file === undefined ? '' : `; filename="${file}"`;
  return `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${named}\r\n\r\n${value}\r\n`;
}
const upload = (payload: string | Buffer, type = `multipart/form-data; boundary=${boundary}`) =>
  world.app.inject({
    method: 'POST',
    url: '/secure-api/faces/',
    headers: { host: 'localhost', authorization: `Bearer ${admin.access}`, 'content-type': type },
    payload,
  });
const end = `--${boundary}--\r\n`;

test('C-525 a form that is broken or hostile is 400, and changes nothing', async () => {
  const hostile: [string, string, string?][] = [
    ['__proto__', part('__proto__', 'x') + end],
    ['constructor', part('constructor', 'x') + end],
    ['a field twice', part('first_name', 'A') + part('first_name', 'B') + end],
    ['10,000 parts', Array.from({ length: 10_000 }, (_, n) => part(`f${n}`, 'x')).join('') + end],
    ['no boundary', part('first_name', 'A') + end, 'multipart/form-data'],
    ['another boundary', part('first_name', 'A') + end, 'multipart/form-data; boundary=other'],
    ['cut off', part('first_name', 'A').slice(0, 60)],
    ['nothing', ''],
    ['a value of 2 MiB', part('first_name', 'x'.repeat(2 * 1024 * 1024)) + end],
  ];
  for (const [name, payload, type] of hostile) {
    const reply = await upload(payload, type);
    assert.ok(
      [400, 413, 415].includes(reply.statusCode),
      `${name}: ${reply.statusCode} ${reply.payload}`,
    );
  }
  assert.equal(({} as Record<string, unknown>)['x'], undefined);
  assert.equal((await admin.get('/secure-api/faces/')).json()['count'], 0);
});

test('C-520 a file beyond 10 MiB, and an eleventh file, are 413', async () => {
  const [category] = (await admin.get('/secure-api/faces/categories/')).json<{
    results: { id: string }[];
  }>().results;
  const fields = part('first_name', 'A') + part('last_name', 'B') + part('category', category!.id);
  const large = await upload(
    fields + part('image', 'x'.repeat(10 * 1024 * 1024 + 1), 'a.jpg') + end,
  );
  assert.equal(large.statusCode, 413, large.payload);
  const many = Array.from({ length: 11 }, () => part('uploaded_images', 'x', 'a.jpg')).join('');
  assert.equal((await upload(fields + many + end)).statusCode, 413);
  assert.deepEqual((await upload(fields + end)).json<object>(), {
    image: ['At least one photo is required.'],
  });
});

test('R-19 an upgrade that is refused keeps no connection open', async () => {
  await using server = await testServer();
  await server.signIn('admin');
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  const headers = { connection: 'upgrade', upgrade: 'websocket', origin: 'https://evil.example' };
  const asked = request({ host: '127.0.0.1', port, path: '/secure-api/news/ws/', headers });
  const closed = Promise.withResolvers<void>();
  asked.on('response', (reply) => {
    assert.equal(reply.statusCode, 403);
    reply.resume();
    reply.socket.on('close', closed.resolve);
  });
  asked.end();
  await closed.promise;
});

test('C-607 a day in the year 0, which no calendar has, is the sender’s mistake', async () => {
  const me = '/secure-api/accounts/users/update_me/';
  const reply = await admin.send('PUT', me, { birthdate: '0000-01-01' });
  assert.deepEqual([reply.status, Object.keys(reply.json())], [400, ['birthdate']], reply.text);
  assert.equal((await admin.send('PUT', me, { birthdate: '0001-01-01' })).status, 200);
});

test('C-607, C-711 the character 0 in a text is the sender’s mistake, not a failure', async () => {
  const camera = { name: 'Ga\0te', location: 'Yard', description: '\0' };
  const reply = await admin.send('POST', '/secure-api/cameras/', camera);
  assert.equal(reply.status, 400, reply.text);
  assert.deepEqual(Object.keys(reply.json()).sort(), ['description', 'name']);
});
