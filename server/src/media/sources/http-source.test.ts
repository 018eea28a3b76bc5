/** A source over HTTP opens or is refused, whatever the camera answers. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { IngestFault } from '../protocol/fault.ts';
import { openHttp } from './http-source.ts';

const heads = [
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
  'HTTP/1.1 302 Found\r\n\r\n',
  'HTTP/1.1 204 No Content\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\nmore than nothing',
];

for (const head of heads) {
  test(`R-05 a camera that answers "${head.slice(0, 24).trim()}" is refused`, async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(head);
    });
    const port = await listenOnLoopback(server);
    const policy = { allowLoopback: true, networks: [], ownPorts: [], ownAddresses: [] };
    const { signal } = new AbortController();
    const context = { dialer: { policy }, fileRoots: [], signal };
    const url = `http://127.0.0.1:${port}/`;
    const camera = { type: 'http', url, username: '', password: '', certificate: '' } as const;
    await assert.rejects(openHttp(camera, context), IngestFault);
    server.close();
  });
}
