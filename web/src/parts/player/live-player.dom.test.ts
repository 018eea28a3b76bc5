import type { LiveMessage } from '@nazar/contract/live.ts';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { everySentence } from '#testing/every-sentence.ts';
import { aFace, someHealth } from '#testing/cameras.ts';
import { FakeMediaSource, fakeMedia, showPicture } from '#testing/fake-media.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { LivePlayer } from './live-player.ts';

beforeAll(everySentence);

const mime = 'video/mp4; codecs="avc1.4d401f"';
const stream: LiveMessage = { kind: 'stream', mime, width: 1280, height: 720 };
const reach = globalThis.fetch;
let tickets: string[] = [];
let refuse: Response | null = null;
let video: HTMLVideoElement;
let player: LivePlayer;

const socket = (): FakeSocket => {
  const last = FakeSocket.opened.at(-1);
  if (last === undefined) throw new Error('no socket was opened');
  return last;
};
const source = (): FakeMediaSource => {
  const last = FakeMediaSource.made.at(-1);
  if (last === undefined) throw new Error('no media source was made');
  return last;
};
const tell = (message: LiveMessage): void => socket().receive(message);
const send = (...bytes: number[]): boolean =>
  socket().dispatchEvent(new MessageEvent('message', { data: new Uint8Array(bytes).buffer }));
const settle = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

async function playing(): Promise<void> {
  player.start();
  await settle();
  tell(stream);
  source().open();
  video.dispatchEvent(new Event('playing'));
}

beforeEach(() => {
  fakeMedia();
  vi.useFakeTimers();
  tickets = [];
  refuse = null;
  // Node's own fetch waits on timers, which stand still here.
  globalThis.fetch = (input) => {
    tickets.push(input as string);
    const granted = { ticket: `t${tickets.length}`, expires_at: '2026-01-02T03:04:05.000Z' };
    return Promise.resolve(refuse ?? Response.json(granted, { status: 201 }));
  };
  video = document.createElement('video');
  player = new LivePlayer({ cameraId: 'cam', stream: 'main' }, video);
});
afterEach(() => {
  player[Symbol.dispose]();
  vi.useRealTimers();
  globalThis.fetch = reach;
});

test('LIVE-005 a ticket opens the socket; media that came early waits for the source; the first picture is playing', async () => {
  player.start();
  expect(player.state.get()).toEqual({ kind: 'connecting' });
  await settle();
  expect(tickets).toEqual(['/secure-api/cameras/cam/live/ticket/']);
  expect(socket().url).toBe('ws://localhost:8080/secure-api/cameras/cam/live/ws/?ticket=t1');
  tell({ kind: 'health', health: someHealth() });
  tell(stream);
  send(1);
  send(2);
  expect(player.state.get()).toEqual({ kind: 'starting' });
  source().open();
  expect(source()).toMatchObject({ mime, duration: Infinity });
  expect(source().buffer.log).toEqual(['append 1']);
  source().buffer.finish();
  expect(source().buffer.log).toEqual(['append 1', 'append 2']);
  video.dispatchEvent(new Event('playing'));
  expect(player.state.get()).toEqual({ kind: 'playing' });
  expect(player.health.get()?.state).toBe('live');
});

test('a video that goes on with the same picture makes it no younger, another picture does', async () => {
  await playing();
  const came = player.lastPictureMs;
  await settle(20_000);
  video.dispatchEvent(new Event('playing'));
  expect(player.lastPictureMs).toBe(came);
  expect(player.lateness(Date.now(), 3_000)).toMatchObject({ ageMs: 20_000 });
  showPicture(1);
  expect(player.lateness(Date.now(), 3_000)).toBeNull();
});

test('the element is steered to the live edge as media arrives', async () => {
  await playing();
  send(1);
  source().buffer.ranges = [[0, 8]];
  source().buffer.finish();
  expect(video.currentTime).toBeCloseTo(7.9);
  source().buffer.ranges = [[0, 30]];
  video.currentTime = 29.5;
  send(2);
  source().buffer.finish();
  expect(video.playbackRate).toBe(1.2);
  expect(source().buffer.log).toContain('remove 0-15');
});

test('LIVE-021 a lost connection is tried again after five seconds, with a new ticket', async () => {
  await playing();
  socket().drop();
  expect(player.state.get()).toMatchObject({ kind: 'reconnecting', why: 'lost', sentence: null });
  // The last picture stays meanwhile.
  expect(video.hasAttribute('src')).toBe(true);
  await settle(4999);
  expect(tickets).toHaveLength(1);
  await settle(1);
  expect(player.state.get()).toEqual({ kind: 'connecting' });
  expect(socket().url).toMatch(/ticket=t2$/);
});

test('LIVE-021 a network that is back ends the pause', async () => {
  await playing();
  socket().drop();
  expect(player.state.get()).toMatchObject({ atMs: Date.now() + 5000 });
  dispatchEvent(new Event('online'));
  await settle();
  expect(tickets).toHaveLength(2);
  await settle(5000);
  expect(tickets).toHaveLength(2);
});

test('LIVE-022 a stream that shows no picture for ten seconds is begun again', async () => {
  player.start();
  await settle();
  tell(stream);
  await settle(9500);
  expect(player.state.get()).toEqual({ kind: 'starting' });
  await settle(500);
  expect(player.state.get()).toMatchObject({ kind: 'reconnecting', why: 'silent' });
  expect(socket().closed).toBe(true);
});

test('LIVE-022 a picture that stands still for ten seconds is begun again, one that moves is not', async () => {
  await playing();
  await settle(9000);
  video.dispatchEvent(new Event('timeupdate'));
  await settle(9000);
  expect(player.state.get()).toEqual({ kind: 'playing' });
  await settle(1000);
  expect(player.state.get()).toMatchObject({ kind: 'reconnecting', why: 'silent' });
});

test("while the server says that the camera isn't sending anything, the connection is kept", async () => {
  player.start();
  await settle();
  tell({ kind: 'health', health: someHealth({ state: 'stalled', cause: 'no_packets' }) });
  await settle(59_000);
  expect(player.state.get()).toEqual({ kind: 'connecting' });
  await settle(1000);
  expect(player.state.get()).toMatchObject({ kind: 'reconnecting', why: 'silent' });
});

test.each(['rights', 'camera', 'replaced'] as const)('lost for good: %s', async (reason) => {
  await playing();
  tell({ kind: 'end', reason });
  expect(player.state.get()).toEqual({ kind: 'ended', why: reason, sentence: null });
  expect(video.hasAttribute('src')).toBe(false);
  await settle(60_000);
  expect(tickets).toHaveLength(1);
});

test.each([
  ['a server that shuts down is waited for', 'shutdown'],
  ['a camera that was given masks is asked for again', 'masked'],
] as const)('%s', async (_, reason) => {
  await playing();
  tell({ kind: 'end', reason });
  expect(player.state.get()).toMatchObject({ kind: 'reconnecting', why: 'lost' });
});

test('a refusal that stays is shown in the words of the server', async () => {
  const detail = "You don't have permission to do this.";
  refuse = Response.json({ detail, code: 'forbidden' }, { status: 403 });
  player.start();
  await settle();
  expect(player.state.get()).toEqual({ kind: 'ended', why: 'refused', sentence: detail });
});

test('too many live views: said, and tried again', async () => {
  const detail = 'Too many live views are open. Close some and try again.';
  refuse = Response.json({ detail, code: 'too_many_live_streams' }, { status: 503 });
  player.start();
  await settle();
  expect(player.state.get()).toMatchObject({
    kind: 'reconnecting',
    why: 'refused',
    sentence: detail,
  });
  refuse = null;
  await settle(5000);
  expect(FakeSocket.opened).toHaveLength(1);
});

test('a video format that the browser cannot play ends the attempt', async () => {
  player.start();
  await settle();
  tell({ ...stream, mime: 'video/mp4; codecs="hvc1.1.6.L93.B0"' });
  expect(player.state.get()).toMatchObject({ kind: 'ended', why: 'unsupported' });
  expect(FakeMediaSource.made).toHaveLength(0);
});

test('where only the managed kind of media source exists it is used', async () => {
  vi.stubGlobal('MediaSource', undefined);
  vi.stubGlobal('ManagedMediaSource', FakeMediaSource);
  try {
    await playing();
    expect(player.state.get()).toEqual({ kind: 'playing' });
    expect(video.disableRemotePlayback).toBe(true);
  } finally {
    vi.stubGlobal('ManagedMediaSource', undefined);
  }
});

test('a new stream in mid-stream starts the same buffer anew, and no old face stays', async () => {
  await playing();
  send(1);
  source().buffer.finish();
  source().buffer.ranges = [[0, 3]];
  tell({ kind: 'faces', at: 2, faces: [aFace()] });
  expect(player.faces.facesAt(2)).toHaveLength(1);
  tell({ ...stream, width: 640, height: 360 });
  send(9);
  expect(player.faces.facesAt(2)).toEqual([]);
  expect(source().buffer.log.slice(1)).toEqual(['remove 0-Infinity']);
  source().buffer.finish();
  expect(source().buffer.log.slice(2)).toEqual([`type ${mime}`, 'append 9']);
  expect(FakeMediaSource.made).toHaveLength(1);
});

test('media that cannot be played begins a new connection', async () => {
  await playing();
  source().buffer.fail();
  expect(player.state.get()).toMatchObject({ kind: 'reconnecting', why: 'damaged' });
});

test('out of sight nothing is received or kept; back in sight it begins at once', async () => {
  await playing();
  player.stop();
  expect(socket().closed).toBe(true);
  expect(video.hasAttribute('src')).toBe(false);
  expect(player.state.get()).toEqual({ kind: 'idle' });
  socket().drop();
  await settle(60_000);
  expect(tickets).toHaveLength(1);
  player.start();
  await settle();
  expect(tickets).toHaveLength(2);
});

test('stopped while the ticket is on its way: no socket is opened', async () => {
  player.start();
  player.stop();
  await settle();
  expect(FakeSocket.opened).toHaveLength(0);
});

test('a view that opens while key frames alone are shown plays from its first picture on, and decodes no other', async () => {
  player.showKeysOnly((fragment) => fragment[0] === 7);
  player.start();
  await settle();
  tell(stream);
  source().open();
  for (const byte of [1, 7, 2]) send(byte);
  expect(source().buffer.log).toEqual(['append 7']);
  expect(player.state.get()).toEqual({ kind: 'starting' });
  showPicture(1);
  expect(player.state.get()).toEqual({ kind: 'playing' });
  source().buffer.finish();
  player.showKeysOnly(null);
  for (const byte of [3, 7, 4]) {
    send(byte);
    source().buffer.finish();
  }
  expect(source().buffer.log).toEqual(['append 7', 'append 7', 'append 4']);
  expect([player.came, player.pictures]).toEqual([3, 1]);
});

test('LIVE-021 a server that does not answer has refused nothing: the connection to it was lost', async () => {
  globalThis.fetch = () => Promise.reject(new TypeError('no network'));
  player.start();
  await settle();
  expect(player.state.get()).toMatchObject({ kind: 'reconnecting', why: 'lost', sentence: null });
});
