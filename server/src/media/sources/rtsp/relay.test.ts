/** What the relay in front of FFmpeg lets through: where a camera says that its packets come from. */
import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { test } from 'node:test';
import { listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { destinationOf } from '../dial/dial.ts';
import { policyOf } from '../../protocol/own-addresses.ts';
import { openRelay } from './relay.ts';

const limit = { timeout: 10_000 };
/** An address of documentation (RFC 5737). */
const elsewhere =
  'RTSP/1.0 200 OK\r\nCSeq: 1\r\nTransport: RTP/AVP/TCP;interleaved=0-1;source=192.0.2.9\r\n\r\n';

async function relayed(isControlOnly: boolean): Promise<{ came: string; fault: string | null }> {
  const sockets: Socket[] = [];
  const camera = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(elsewhere));
  });
  const url = new URL(`rtsp://127.0.0.1:${await listenOnLoopback(camera)}/`);
  const reach = { allowLoopback: true, networks: [], ownPorts: [], fileRoots: [] };
  const signal = new AbortController().signal;
  const to = destinationOf(url, 'rtsp')!;
  using relay = await openRelay(to, { policy: policyOf(reach) }, signal, isControlOnly);
  const ffmpeg = connect(relay.port, '127.0.0.1');
  let came = '';
  ffmpeg.on('data', (chunk) => (came += chunk.toString('latin1')));
  const answered = Promise.race([once(ffmpeg, 'data'), once(ffmpeg, 'close')]);
  ffmpeg.write('SETUP rtsp://127.0.0.1/ RTSP/1.0\r\nCSeq: 1\r\n\r\n');
  await answered;
  const fault = relay.fault?.fault ?? null;
  for (const socket of [...sockets, ffmpeg]) socket.destroy();
  camera.close();
  return { came, fault };
}

test(
  'a camera behind another address sends its packets by the connection that it has',
  limit,
  async () => {
    assert.deepEqual(await relayed(false), { came: elsewhere, fault: null });
  },
);

test(
  'C-510 packets by UDP from another address are refused before FFmpeg gets them',
  limit,
  async () => {
    assert.deepEqual(await relayed(true), { came: '', fault: 'address_refused' });
  },
);
