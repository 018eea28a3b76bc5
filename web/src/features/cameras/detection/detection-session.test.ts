import { beforeAll, expect, test } from 'vitest';
import { noAnswer } from '#api/problem.ts';
import { FakeClock, settled } from '#testing/fake-recordings.ts';
import { aJpegPart, streamAnswer, type FakeStream } from '#testing/fake-detection.ts';
import { refusal } from '#testing/server.ts';
import { DetectionSession } from './detection-session.ts';

// It is loaded with the first stream: no test waits for that.
beforeAll(() => import('#parts/player/live/multipart-parser.ts'));

/** Answers each question with the next of these; the last one stays. */
function begin(answers: readonly (() => Promise<Response>)[]) {
  const clock = new FakeClock(0);
  const asked: AbortSignal[] = [];
  const open = (signal: AbortSignal): Promise<Response> => {
    asked.push(signal);
    return answers[Math.min(asked.length, answers.length) - 1]!();
  };
  const session = new DetectionSession({ open, clock });
  return { session, clock, asked, state: () => session.state.get() };
}

const answering = (response: Response) => () => Promise.resolve(response.clone());
const streaming = (stream: FakeStream) => () => Promise.resolve(stream.response);
const never = () => new Promise<Response>(() => undefined);

test('~LIVE-020 a stream that sends pictures runs, and the newest one is shown', async () => {
  const stream = streamAnswer();
  const { session, state } = begin([streaming(stream)]);
  expect(state()).toEqual({ kind: 'starting' });
  stream.send(aJpegPart('one'));
  await settled();
  expect(state()).toEqual({ kind: 'running' });
  stream.send(aJpegPart('two') + aJpegPart('three'));
  await settled();
  expect(await session.frame.get()?.text()).toBe('three');
});

test('LIVE-021, ERR-012, ~CON-002 a stream that could not be loaded is tried again after 5 s', async () => {
  const stream = streamAnswer();
  const { clock, asked, state } = begin([
    () => Promise.reject(noAnswer(new TypeError('no network'))),
    streaming(stream),
  ]);
  await settled();
  expect(state()).toEqual({ kind: 'reconnecting', why: 'failed' });
  await clock.advance(4_999);
  expect(asked).toHaveLength(1);
  await clock.advance(1);
  expect(asked).toHaveLength(2);
  expect(state()).toEqual({ kind: 'reconnecting', why: 'failed' });
  stream.send(aJpegPart('one'));
  await settled();
  expect(state()).toEqual({ kind: 'running' });
});

test.each([
  ['ends', (stream: FakeStream) => stream.end()],
  ['breaks off', (stream: FakeStream) => stream.break()],
])('LIVE-021 a stream that %s while it runs is opened again after 5 s', async (_name, stop) => {
  const stream = streamAnswer();
  const { session, clock, asked, state } = begin([streaming(stream), never]);
  stream.send(aJpegPart('one'));
  await settled();
  stop(stream);
  await settled();
  expect(state()).toEqual({ kind: 'reconnecting', why: 'failed' });
  expect(session.frame.get(), 'the last picture stays').not.toBeNull();
  await clock.advance(5_000);
  expect(asked).toHaveLength(2);
});

test('LIVE-022, ERR-013, ~CON-002 a stream that has not started after 10 s is opened again', async () => {
  const { clock, asked, state } = begin([never]);
  await clock.advance(9_999);
  expect(state()).toEqual({ kind: 'starting' });
  await clock.advance(1);
  expect(state()).toEqual({ kind: 'reconnecting', why: 'timedOut' });
  expect(asked.map(({ aborted }) => aborted)).toEqual([true, false]);
  await clock.advance(10_000);
  expect(asked).toHaveLength(3);
});

test('LIVE-022 a stream that goes silent for 10 s is opened again; each picture is waited for anew', async () => {
  const stream = streamAnswer();
  const { clock, state, asked } = begin([streaming(stream), never]);
  for (const name of ['one', 'two', 'three']) {
    stream.send(aJpegPart(name));
    await settled();
    await clock.advance(9_000);
    expect(state()).toEqual({ kind: 'running' });
  }
  await clock.advance(1_000);
  expect(state()).toEqual({ kind: 'reconnecting', why: 'timedOut' });
  expect(asked).toHaveLength(2);
});

test.each([
  [401, 'not_signed_in', { kind: 'ended', why: 'signedOut' }],
  [403, 'detection_not_running', { kind: 'ended', why: 'refused', status: 403, reason: 'So.' }],
  [404, 'camera_not_found', { kind: 'ended', why: 'missing' }],
  [409, 'camera_not_active', { kind: 'ended', why: 'inactive' }],
  [409, 'conflict', { kind: 'ended', why: 'refused', status: 409, reason: 'So.' }],
  [503, 'camera_not_live', { kind: 'reconnecting', why: 'refused', status: 503, reason: 'So.' }],
  [500, '', { kind: 'reconnecting', why: 'refused', status: 500, reason: 'So.' }],
])(
  'ERR-015 %i %s: asked again only where it may pass by itself',
  async (status, code, expected) => {
    const { clock, asked, state } = begin([answering(refusal(status, code, 'So.'))]);
    await settled();
    expect(state()).toEqual(expected);
    await clock.advance(5_000);
    expect(asked).toHaveLength(expected.kind === 'ended' ? 1 : 2);
  },
);

test.each([
  ['another type', 'text/html', '<!doctype html>'],
  ['other bytes', 'multipart/x-mixed-replace; boundary=frame', '{"detail":"no"}\r\n'],
  [
    'parts that are no pictures',
    'multipart/x-mixed-replace; boundary=frame',
    '--frame\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi\r\n',
  ],
])(
  'LIVE-023, ERR-016 %s is an unexpected format, and not asked again',
  async (_name, type, body) => {
    const response = new Response(body, { headers: { 'Content-Type': type } });
    const { clock, asked, state } = begin([answering(response)]);
    await settled();
    expect(state()).toEqual({ kind: 'ended', why: 'format' });
    expect(asked[0]?.aborted, 'the rest is not read').toBe(true);
    await clock.advance(60_000);
    expect(asked).toHaveLength(1);
  },
);

test('ERR-017 whatever else goes wrong is shown as such', async () => {
  const { state } = begin([() => Promise.reject(new RangeError('unheard of'))]);
  await settled();
  expect(state()).toEqual({ kind: 'ended', why: 'other' });
});

test('NSH-021 a viewer does not restart what a user stopped', async () => {
  const stream = streamAnswer();
  const { session, clock, asked, state } = begin([streaming(stream)]);
  stream.send(aJpegPart('one'));
  await settled();
  stream.send('--frame--\r\n');
  await settled();
  expect(state()).toEqual({ kind: 'ended', why: 'stopped' });
  expect(session.frame.get()).toBeNull();
  await clock.advance(60_000);
  expect(asked).toHaveLength(1);
});

test('LIVE-018 a session that is over closes its stream and does nothing more', async () => {
  const stream = streamAnswer();
  const { session, clock, asked, state } = begin([streaming(stream)]);
  stream.send(aJpegPart('one'));
  await settled();
  session[Symbol.dispose]();
  expect([asked[0]?.aborted, session.frame.get(), clock.waiting]).toEqual([true, null, 0]);
  stream.send(aJpegPart('late'));
  await clock.advance(60_000);
  expect([session.frame.get(), asked.length, state().kind]).toEqual([null, 1, 'running']);
});
