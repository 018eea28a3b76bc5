import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type RequestOptions } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { connect, type DetailedPeerCertificate } from 'node:tls';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { certificateFolder, rsaCertificate } from '#testing/certificates.ts';
import { aClock } from '#testing/clock.ts';
import { testPassword, testServer, type TestServer } from '#testing/server.ts';
import { until } from '#testing/until.ts';
import { Certificate, certificateFiles } from './certificate.ts';

const log = pino({ level: 'silent' });
const browser = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
const email = 'admin@example.org';
const folder = certificateFolder();
const clock = aClock(Date.now());
let certificate: Certificate;
let world: TestServer;
let port: number;

before(async () => {
  folder.write(await folder.make(['localhost', '127.0.0.1']));
  certificate = await Certificate.open(certificateFiles(folder.cert, folder.key), clock, log);
  world = await testServer({ certificate });
  await world.signIn('admin', email);
  await world.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = world.app.server.address() as AddressInfo);
});
after(async () => {
  await world[Symbol.asyncDispose]();
  await certificate[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

async function ask(
  method: string,
  path: string,
  { body, ...options }: RequestOptions & { body?: object } = {},
): Promise<Answer> {
  const asked = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    ca: certificate.pair.cert,
    agent: false,
    ...options,
  });
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  const [reply] = await once(asked, 'response');
  const chunks: Buffer[] = await reply.toArray();
  const text = Buffer.concat(chunks).toString();
  return {
    status: reply.statusCode,
    headers: reply.headers,
    body: text === '' ? {} : JSON.parse(text),
  };
}

test('C-707, C-202 over TLS a browser’s session is bound to a Secure __Host- cookie, and works', async () => {
  const login = await ask('POST', '/secure-api/accounts/login/', {
    headers: browser,
    body: { email, password: testPassword, remember: false },
  });
  assert.equal(login.status, 200);
  const [cookie = ''] = login.headers['set-cookie'] ?? [];
  assert.match(cookie, /^__Host-nazar-session=[\w-]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  const [pair = ''] = cookie.split(';');
  const authorization = `Bearer ${String(login.body['access'])}`;
  const me = (headers: object) =>
    ask('GET', '/secure-api/accounts/users/me/', { headers: { authorization, ...headers } });
  assert.equal((await me({ cookie: pair })).status, 200);
  assert.equal((await me({})).status, 401, 'the token alone');
  const plain = pair.replace('__Host-', '');
  assert.equal((await me({ cookie: plain })).status, 401, 'a cookie that another host could set');
});

test('C-707 browsers must insist on TLS, but not where the certificate is our own', async () => {
  const insists = async (): Promise<unknown> =>
    (await ask('GET', '/healthz')).headers['strict-transport-security'];
  assert.equal(await insists(), 'max-age=31536000');
  await using own = await testServer({
    certificate: await Certificate.open(
      { ...certificateFiles(folder.cert, folder.key), isSelfSigned: true },
      aClock(),
      log,
    ),
  });
  const reply = await own.app.inject({ url: '/healthz', headers: { host: 'localhost' } });
  assert.equal(reply.headers['strict-transport-security'], undefined);
});

test('C-707 TLS 1.2 and newer', async () => {
  const speak = async (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'): Promise<string | null> => {
    const versions = { minVersion: version, maxVersion: version } as const;
    const ca = certificate.pair.cert;
    // Without the lowered level OpenSSL would not even offer 1.1, and the test prove nothing of the server.
    const socket = connect({
      host: '127.0.0.1',
      port,
      ca,
      ciphers: 'DEFAULT@SECLEVEL=0',
      ...versions,
    });
    await once(socket, 'secureConnect');
    const spoken = socket.getProtocol();
    socket.destroy();
    return spoken;
  };
  assert.equal(await speak('TLSv1.2'), 'TLSv1.2');
  assert.equal(await speak('TLSv1.3'), 'TLSv1.3');
  await assert.rejects(speak('TLSv1.1'), { code: /PROTOCOL_VERSION/ });
});

/** What a client of TLS 1.2 that offers nothing but these gets; throws where it is refused. */
async function suiteOf(ciphers: string, at = port): Promise<string> {
  const socket = connect({
    host: '127.0.0.1',
    port: at,
    rejectUnauthorized: false,
    // Without the lowered level OpenSSL would not even offer the old ones, and the test prove nothing.
    ciphers: `${ciphers}:@SECLEVEL=0`,
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.2',
  });
  await once(socket, 'secureConnect');
  const { name } = socket.getCipher();
  socket.destroy();
  return name;
}

const authenticated = ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'];
/** By blocks (CBC), by a key that is not of this connection alone, and over finite fields. */
const outdated = [
  'ECDHE-KEY-AES128-SHA256',
  'ECDHE-KEY-AES256-SHA384',
  'ECDHE-KEY-AES128-SHA',
  'ECDHE-KEY-AES256-SHA',
  'AES128-SHA256',
  'AES256-SHA',
  'AES256-GCM-SHA384',
  'DHE-RSA-AES256-SHA256',
];

async function admitsAuthenticatedAlone(key: 'RSA' | 'ECDSA', at = port): Promise<void> {
  for (const suite of authenticated) {
    assert.equal(await suiteOf(`ECDHE-${key}-${suite}`, at), `ECDHE-${key}-${suite}`);
  }
  for (const suite of outdated) {
    const offered = suite.replace('KEY', key);
    await assert.rejects(suiteOf(offered, at), { code: /HANDSHAKE_FAILURE/ }, offered);
  }
  const both = `ECDHE-${key}-AES256-SHA:ECDHE-${key}-AES256-GCM-SHA384`;
  assert.equal(await suiteOf(both, at), `ECDHE-${key}-AES256-GCM-SHA384`);
}

test('C-707 a client of TLS 1.2 gets in by a suite with an AEAD and forward secrecy, and by no other', async () => {
  await admitsAuthenticatedAlone('ECDSA');
  const rsa = await rsaCertificate('127.0.0.1');
  const source = { name: 'rsa', isSelfSigned: false, read: async () => rsa };
  await using itsCertificate = await Certificate.open(source, aClock(Date.now()), log);
  await using other = await testServer({ certificate: itsCertificate });
  await other.app.listen({ host: '127.0.0.1', port: 0 });
  await admitsAuthenticatedAlone('RSA', (other.app.server.address() as AddressInfo).port);
});

test('C-706 live events over TLS: same origin only', async () => {
  const open = async (origin: string): Promise<number> => {
    const socket = new WebSocket(`wss://127.0.0.1:${port}/secure-api/news/ws/`, {
      ca: certificate.pair.cert,
      headers: { origin },
    });
    const opened = new Promise<number>((resolve) => {
      socket.on('open', () => resolve(101));
      socket.on('unexpected-response', (_asked, reply) => resolve(reply.statusCode ?? 0));
      socket.on('error', () => undefined);
    });
    const status = await opened;
    socket.terminate();
    return status;
  };
  assert.equal(await open(`https://127.0.0.1:${port}`), 101);
  assert.equal(await open('https://evil.example'), 403);
  assert.equal(await open(`http://127.0.0.1:${port}`), 403, 'our name, but not encrypted');
});

test('C-707 a new certificate is shown to the next connection, without a restart', async () => {
  const shown = async (): Promise<string> => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const peer: DetailedPeerCertificate = socket.getPeerCertificate(true);
    socket.destroy();
    return peer.fingerprint256;
  };
  const before = certificate.fingerprint;
  assert.equal(await shown(), before);
  folder.write(await folder.make(['localhost', '127.0.0.1']));
  clock.advance(60_000);
  await until(() => certificate.fingerprint !== before);
  assert.equal(await shown(), certificate.fingerprint);
  await admitsAuthenticatedAlone('ECDSA');
  assert.equal((await ask('GET', '/healthz')).status, 200);
});

test('C-704 a host name that is not ours is refused over TLS too', async () => {
  const headers = { host: 'evil.example' };
  // As an attacker who rebinds a name does: the connection is to us, the name is theirs.
  assert.equal((await ask('GET', '/healthz', { headers, rejectUnauthorized: false })).status, 421);
});
