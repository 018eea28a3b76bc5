import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Peer } from '#lib/ipc.ts';
import { aClock } from '#testing/clock.ts';
import { until } from '#testing/until.ts';
import type { FromHost, MediaCamera, ToHost } from '../protocol/messages.ts';
import { MediaHost } from './media-host.ts';
import { StageMeter } from './stage-meter.ts';

const nothingAnalyzed = { movingMs: 0, offered: 0, analyzed: 0, failed: 0 };

test('each stage has the time that its work took, also of what failed, until it is taken', async () => {
  const clock = aClock();
  const meter = new StageMeter(clock);
  const work = (ms: number) => async () => {
    clock.advance(ms);
    return ms;
  };
  assert.equal(await meter.time('decode', work(30)), 30);
  await meter.time('decode', work(12));
  await assert.rejects(
    meter.time('record', async () => {
      clock.advance(5);
      throw new Error('the disk is full');
    }),
    /full/,
  );
  meter.add('detect', 250);
  for (const what of ['offered', 'offered', 'analyzed'] as const) meter.count(what);
  meter.moved(200);
  meter.moved(60_000);
  clock.advance(953);
  const spentMs = { decode: 42, detect: 250, record: 5 };
  const analysis = { movingMs: 2_200, offered: 2, analyzed: 1, failed: 0 };
  assert.deepEqual(meter.take(), { overMs: 1_000, spentMs, analysis });
  clock.advance(2_000);
  const nothing = { decode: 0, detect: 0, record: 0 };
  assert.deepEqual(meter.take(), { overMs: 2_000, spentMs: nothing, analysis: nothingAnalyzed });
});

const camera: MediaCamera = {
  id: 'a',
  type: 'rtsp',
  // Refused: nothing was allowed to this host.
  url: 'rtsp://127.0.0.1:9/none',
  subUrl: '',
  username: '',
  password: '',
  certificate: '',
  sound: false,
  faceRecognition: false,
  analysisFps: 5,
  mostAnalysisFps: 5,
  askedFps: 5,
  rotation: 0,
  streamsId: 'streams',
  isMovable: false,
};

test('a media host reports every 10 s what each of its cameras cost', async () => {
  const clock = aClock();
  const host = new MediaHost(clock, null);
  const sent: FromHost<unknown>[] = [];
  const peer = { queuedBytes: 0, tell: (message: FromHost<unknown>) => void sent.push(message) };
  host.joined(peer as unknown as Peer);
  const watch: ToHost = { kind: 'watch', camera };
  host.received({ head: watch, body: Buffer.alloc(0) });
  const costs = () => sent.filter((message) => message.kind === 'cost');
  const nothing = { decode: 0, detect: 0, record: 0 };
  const once = {
    kind: 'cost',
    cameraId: 'a',
    times: { overMs: 10_000, spentMs: nothing, analysis: nothingAnalyzed },
  };
  for (const expected of [[], [once], [once, once]]) {
    await until(() => costs().length === expected.length);
    assert.deepEqual(costs(), expected);
    clock.advance(10_000);
  }
  await host.close();
  assert.equal(clock.waiting, 0, 'nothing goes on');
});
