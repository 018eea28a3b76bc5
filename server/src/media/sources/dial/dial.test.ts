import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { test } from 'node:test';
import { listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { certificateFolder } from '#testing/certificates.ts';
import { destinationOf, dial, type Pin } from './dial.ts';
import { IngestFault } from '../../protocol/fault.ts';

const policy = { networks: [], allowLoopback: true, ownAddresses: [], ownPorts: [] };
const { signal } = new AbortController();

/** What the product reveals to a user who probes the network through it. */
async function outcomeOf(host: string, port: number, tls = false, pin?: Pin): Promise<string> {
  const resolve = async (): Promise<string[]> => {
    throw new Error('ENOTFOUND');
  };
  try {
    const socket = await dial(
      { host, port, tls },
      { policy, resolve, ...(pin && { pin }) },
      signal,
    );
    socket.destroy();
    return 'connected';
  } catch (error) {
    assert.ok(error instanceof IngestFault);
    return error.fault;
  }
}

test('C-513 closed, unknown and forbidden addresses get two answers, neither of which reveals a port', async () => {
  const server = createServer();
  const port = await listenOnLoopback(server);
  assert.equal(await outcomeOf('127.0.0.1', port), 'connected');
  server.close();
  await once(server, 'close');
  assert.equal(await outcomeOf('127.0.0.1', port), 'unreachable');
  assert.equal(await outcomeOf('no-such-camera.example', 80), 'unreachable');
  for (const host of ['169.254.169.254', '224.0.0.1', '0.0.0.0', '8.8.8.8']) {
    assert.equal(await outcomeOf(host, 80), 'address_refused', host);
    assert.equal(await outcomeOf(host, 81), 'address_refused', host);
  }
});

test('C-514 a camera with an unverifiable certificate is refused, unless that certificate is pinned', async () => {
  using folder = certificateFolder();
  const pair = await folder.make(['127.0.0.1', 'localhost']);
  await using server = createTlsServer(pair);
  let receivedBytes = 0;
  server.on('secureConnection', (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', ({ length }) => (receivedBytes += length));
  });
  server.on('tlsClientError', () => undefined);
  const port = await listenOnLoopback(server);
  const { fingerprint256 } = new X509Certificate(pair.cert);
  const host = '127.0.0.1';
  const pin = { host, certificate: fingerprint256.replaceAll(':', '').toLowerCase() };
  const other = { host, certificate: 'ab'.repeat(32) };
  assert.equal(await outcomeOf(host, port, true), 'certificate_refused');
  assert.equal(await outcomeOf(host, port, true, other), 'certificate_refused');
  assert.equal(
    await outcomeOf(host, port, true, { ...pin, host: 'elsewhere' }),
    'certificate_refused',
  );
  assert.equal(receivedBytes, 0);
  assert.equal(await outcomeOf(host, port, true, pin), 'connected');
});

test('the destination of a URL has its own port or that of its scheme, and an IPv6 address without brackets', () => {
  const cases = [
    ['http://camera.lan/onvif', 'http', { host: 'camera.lan', port: 80, tls: false }],
    ['https://camera.lan:444', 'http', { host: 'camera.lan', port: 444, tls: true }],
    ['https://[fe80::1]/', 'http', { host: 'fe80::1', port: 443, tls: true }],
    ['rtsp://u:p@10.0.0.5/live', 'rtsp', { host: '10.0.0.5', port: 554, tls: false }],
    ['rtsps://[::1]/live', 'rtsp', { host: '::1', port: 322, tls: true }],
    ['rtsp://10.0.0.5/live', 'http', null],
    ['file:///etc/passwd', 'rtsp', null],
  ] as const;
  for (const [url, scheme, expected] of cases) {
    assert.deepEqual(destinationOf(new URL(url), scheme), expected, url);
  }
});
