/** The live player by WebRTC: what it asks, when it gives way to the usual view, and what it leaves behind. */
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { everySentence } from '#testing/every-sentence.ts';
import { someHealth } from '#testing/cameras.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { FakePeerConnection, fakePeers, noPeers } from '#testing/fake-peer.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { LivePlayer } from './live-player.ts';

beforeAll(everySentence);
// It is loaded with the first offer: no test waits for that.
beforeAll(() => import('./peer-sink.ts'));

const reach = globalThis.fetch;
const session = '018f0000-0000-7000-8000-000000000001';
const path = '/secure-api/cameras/cam/low_latency_stream/';
let asked: { method: string; path: string; body: unknown }[] = [];
let refusal: Response | null = null;
let video: HTMLVideoElement;
let player: LivePlayer;

const peer = (): FakePeerConnection => {
  const last = FakePeerConnection.made.at(-1);
  if (last === undefined) throw new Error('no connection was made');
  return last;
};
const settle = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const offers = (): unknown[] =>
  asked.filter(({ method }) => method === 'POST').filter((one) => one.path === path);
const sockets = (): string[] => FakeSocket.opened.map(({ url }) => url.replace(/.*\?/, ''));

function reply(input: RequestInfo | URL, init: RequestInit = {}): Response {
  const { method = 'GET', body } = init;
  const to = input as string;
  asked.push({ method, path: to, body: typeof body === 'string' ? JSON.parse(body) : null });
  if (to.endsWith('/ticket/')) {
    return Response.json({ ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' }, { status: 201 });
  }
  if (method === 'DELETE') return new Response(null, { status: 204 });
  return refusal ?? Response.json({ sdp: 'answer', session_id: session }, { status: 201 });
}

async function playing(): Promise<void> {
  player.start();
  await settle(500);
  peer().gives({ kind: 'video' });
  video.dispatchEvent(new Event('playing'));
}

beforeEach(() => {
  fakeMedia();
  fakePeers();
  vi.useFakeTimers();
  asked = [];
  refusal = null;
  globalThis.fetch = (input, init) => Promise.resolve(reply(input, init));
  video = document.createElement('video');
  player = new LivePlayer({ cameraId: 'cam', stream: 'main', lowLatency: true }, video);
});
afterEach(() => {
  player[Symbol.dispose]();
  vi.useRealTimers();
  globalThis.fetch = reach;
});

test('~LIVE-010, LIVE-011, CON-004 after half a second an offer is made; it spins until the first picture', async () => {
  player.start();
  await settle(499);
  expect(player.state.get()).toEqual({ kind: 'connecting' });
  expect(asked).toEqual([]);
  await settle(1);
  expect(offers()).toEqual([{ method: 'POST', path, body: { sdp: 'offer video recvonly' } }]);
  expect(peer().answer).toBe('answer');
  expect(sockets()).toEqual(['ticket=t&pictures=0']);
  peer().gives({ kind: 'video' });
  expect(video.srcObject).toMatchObject({ tracks: [{ kind: 'video' }] });
  expect(player.state.get()).toEqual({ kind: 'connecting' });
  video.dispatchEvent(new Event('playing'));
  expect(player.state.get()).toEqual({ kind: 'playing' });
  expect(player.lowLatencyFailed.get()).toBeNull();
});

test('LIVE-012 a refusal is shown, and the usual view is opened at once', async () => {
  const detail = 'This camera sends B-frames.';
  refusal = Response.json({ detail, code: 'low_latency_reordered' }, { status: 409 });
  player.start();
  await settle(500);
  expect(player.lowLatencyFailed.get()).toBe(detail);
  expect(sockets().at(-1)).toBe('ticket=t');
  expect(peer().isClosed).toBe(true);
  expect(offers()).toHaveLength(1);
});

test('LIVE-012 a connection that shows nothing for three seconds gives way to the usual view', async () => {
  player.start();
  await settle(3499);
  expect(player.lowLatencyFailed.get()).toBeNull();
  await settle(1);
  expect(player.lowLatencyFailed.get()).toBe('No video reached this screen.');
  expect(sockets().at(-1)).toBe('ticket=t');
  expect(video.srcObject).toBeNull();
});

const refuse = (): never => {
  throw new DOMException('switched off', 'NotSupportedError');
};
const refusePeers = (): void => {
  globalThis.RTCPeerConnection = new Proxy(RTCPeerConnection, { construct: refuse });
};

test.each([
  ['has no WebRTC', noPeers],
  ['refuses a connection', refusePeers],
])('~LIVE-012 a browser that %s shows the usual view, and why', async (_what, be) => {
  be();
  player.start();
  await settle(500);
  expect(player.lowLatencyFailed.get()).toBe("This browser doesn't support WebRTC.");
  expect(sockets()).toEqual(['ticket=t']);
  expect(offers()).toEqual([]);
  expect(video.srcObject ?? null).toBeNull();
  await settle(60_000);
  expect(offers()).toEqual([]);
});

test('a connection that worked and broke is made anew at once, still by WebRTC', async () => {
  await playing();
  peer().becomes('failed');
  await settle();
  expect(offers()).toHaveLength(2);
  expect(player.lowLatencyFailed.get()).toBeNull();
});

test('a camera that sends nothing just now is no failure of low latency', async () => {
  refusal = Response.json({ detail: 'No picture.', code: 'camera_not_live' }, { status: 503 });
  player.start();
  await settle(500);
  expect(player.state.get()).toMatchObject({ kind: 'reconnecting', sentence: 'No picture.' });
  expect(player.lowLatencyFailed.get()).toBeNull();
});

test('a picture that stands still because the camera does is waited for', async () => {
  await playing();
  const [socket] = FakeSocket.opened.slice(-1);
  socket?.receive({
    kind: 'health',
    health: someHealth({ state: 'stalled', cause: 'no_packets' }),
  });
  await settle(8000);
  expect(offers()).toHaveLength(1);
});

test('a viewer who leaves says so: the server need not find out', async () => {
  await playing();
  player.stop();
  await settle();
  expect(peer().isClosed).toBe(true);
  expect(asked.at(-1)).toMatchObject({ method: 'DELETE', path: `${path}${session}/` });
  expect(video.srcObject).toBeNull();
});
