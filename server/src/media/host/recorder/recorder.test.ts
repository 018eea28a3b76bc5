/** What a recorder writes to the disk and reports, with a disk and a clock that misbehave. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RecordingType } from '@nazar/contract/recording-states.ts';
import { aClock } from '#testing/clock.ts';
import { aFragment } from '#testing/segments.ts';
import type { ClosedSegment, RecorderNews } from '../../protocol/messages.ts';
import { CameraLog } from '../camera-log.ts';
import { StageMeter } from '../stage-meter.ts';
import { Recorder } from './recorder.ts';
import { noCells } from '../../protocol/motion-grid.ts';
import { readSegment } from '../../mp4/segment-contents.ts';

const start = Date.UTC(2026, 0, 15, 12);
const fps = 25;

async function aRecorder() {
  const path = mkdtempSync(join(tmpdir(), 'nazar-recorder-'));
  const folder = join(path, 'recordings');
  const clock = aClock(start);
  let setByMs = 0;
  const news: RecorderNews[] = [];
  const logged: { level: string; text: string }[] = [];
  let readings = 0;
  /** Every reading of its clock is a millisecond later. */
  const meter = new StageMeter({ monotonicMs: () => (readings += 1) });
  const recorder = new Recorder({
    cameraId: 'camera',
    rotation: 0,
    meter,
    clock: { ...clock, now: () => clock.now() + setByMs },
    tell: (report) => news.push(report),
    log: new CameraLog('camera', clock, (message) => {
      if (message.kind === 'log') logged.push(message);
    }),
  });
  let number = 0;
  return {
    path,
    folder,
    recorder,
    meter,
    logged,
    of: <K extends RecorderNews['kind']>(kind: K) =>
      news.filter((report): report is Extract<RecorderNews, { kind: K }> => report.kind === kind),
    setClock: (ms: number) => (setByMs += ms),
    record: (type: RecordingType = 'continuous') =>
      recorder.setPlan({ folder, type, recordedUntilMs: 0, height: 2160 }),
    begin: (name = 'one') => {
      recorder.setCodec('h264');
      const body = Buffer.concat([Buffer.from([0, 0, 0, 12]), Buffer.from('ftypiso5')]);
      recorder.begin({ body, mime: name, width: 320, height: 184 });
    },
    /** As a camera sends them: a key frame each second. */
    play: async (seconds: number) => {
      for (let end = number + seconds * fps; number < end; number++) {
        const key = number % fps === 0;
        const body = aFragment(number);
        recorder.push({ key, at: number / fps, wallMs: 0, body });
        clock.advance(1000 / fps);
      }
      await recorder.settled();
    },
    [Symbol.asyncDispose]: async () => {
      await recorder[Symbol.asyncDispose]();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

test('nothing is lost between segments, and each file describes itself', async () => {
  await using it = await aRecorder();
  it.record();
  it.begin();
  await it.play(25);
  it.recorder.setPlan(null);
  await it.recorder.settled();
  const opened = it.of('opened').map(({ segment }) => segment);
  const closed = it.of('closed').map(({ segment }) => segment);
  assert.deepEqual(
    opened.map(({ startedAtMs }) => startedAtMs - start),
    [0, 10_000, 20_000],
  );
  assert.deepEqual(
    closed.map(({ endedAtMs }) => endedAtMs - start),
    [10_000, 20_000, 25_000],
  );
  assert.deepEqual(
    closed.map(({ pictures }) => pictures),
    [250, 250, 125],
  );
  const contents = await Promise.all(opened.map(({ file }) => readSegment(file)));
  assert.deepEqual(
    contents.map((each) => each?.sha256),
    closed.map(({ sha256 }) => sha256),
  );
  assert.equal(it.of('interrupted').length, 0);
  const { decode, detect, record } = it.meter.take().spentMs;
  assert.deepEqual([decode, detect], [0, 0]);
  assert.ok(record > 0, 'what writing costs is counted');
});

test('a segment ends with a still of its own time, and is as well read again', async () => {
  await using it = await aRecorder();
  it.record();
  it.begin();
  assert.equal(it.recorder.stillWanted, null, 'nothing is recorded yet');
  await it.play(3);
  const number = it.recorder.stillWanted!;
  it.recorder.takeStill(number, Buffer.from('from before it began'), 4_000, 'main');
  assert.equal(it.recorder.stillWanted, number, 'a picture from before is none of it');
  it.recorder.takeStill(number, Buffer.from('a still'), 1_000, 'main');
  assert.equal(it.recorder.stillWanted, null, 'one is enough');
  it.recorder.takeStill(number, Buffer.from('another'), 0, 'main');
  await it.play(8);
  assert.equal(it.recorder.stillWanted, number + 1);
  it.recorder.takeStill(number, Buffer.from('too late for its segment'), 0, 'main');
  it.recorder.setPlan(null);
  await it.recorder.settled();
  const [first, second] = it.of('closed').map(({ segment }) => segment);
  const file = it.of('opened')[0]!.segment.file;
  assert.deepEqual([first?.still, second?.still], [{ atMs: 2_000, bytes: 7, shows: 'main' }, null]);
  assert.equal(readFileSync(file, 'latin1').slice(-7), 'a still');
  const read = await readSegment(file);
  assert.deepEqual(
    [read?.still, read?.sha256, read?.bytes],
    [first?.still, first?.sha256, first?.bytes],
  );
});

test('a still that a crash tore is cut off, and everything before it stays', async () => {
  await using it = await aRecorder();
  it.record();
  it.begin();
  await it.play(2);
  it.recorder.compared(noCells());
  it.recorder.takeStill(it.recorder.stillWanted!, Buffer.from('a still'), 0, 'main');
  it.recorder.setPlan(null);
  await it.recorder.settled();
  const file = it.of('opened')[0]!.segment.file;
  const whole = readFileSync(file);
  writeFileSync(file, whole.subarray(0, whole.length - 3));
  const torn = await readSegment(file);
  assert.deepEqual([torn?.still, torn?.pictures, torn?.motion?.length], [null, 50, 1]);
  assert.ok(torn!.bytes < whole.length - 3);
});

test('other parameter sets begin another segment, and nothing is missing', async () => {
  await using it = await aRecorder();
  it.record();
  it.begin('one');
  await it.play(3);
  it.begin('two');
  await it.play(3);
  const [first, second] = it.of('opened').map(({ segment }) => segment);
  assert.deepEqual([first?.mime, second?.mime], ['one', 'two']);
  assert.notEqual(first?.stream, second?.stream);
  assert.equal(second?.gap, null);
  assert.equal(it.of('closed')[0]?.segment.endedAtMs, second?.startedAtMs);
});

test('an outage is reported when it begins, and by the segment that ends it; its first cause counts', async () => {
  await using it = await aRecorder();
  it.record();
  it.begin();
  await it.play(2);
  it.recorder.end();
  it.recorder.interrupt('network');
  it.recorder.interrupt('password');
  it.begin();
  await it.play(1);
  const gap = { startedAtMs: start + 2_000, cause: 'network' } as const;
  assert.deepEqual(it.of('interrupted'), [{ kind: 'interrupted', ...gap }]);
  assert.deepEqual(it.of('opened')[1]?.segment.gap, gap);
});

test('R-08 a segment that cannot be written is a gap; recording resumes when it can be', async () => {
  await using it = await aRecorder();
  writeFileSync(it.folder, 'a file where the folder should be');
  it.record();
  it.begin();
  await it.play(5);
  assert.deepEqual(it.of('interrupted'), [
    { kind: 'interrupted', startedAtMs: start, cause: 'disk' },
  ]);
  // Tried again each second, and reported once a minute.
  assert.deepEqual(
    it.logged.map(({ level, text }) => `${level} ${text}`),
    ['warn a segment was not written: the folder is not there (ENOTDIR)'],
  );
  rmSync(it.folder);
  await it.play(5);
  const [segment] = it.of('opened').map((report) => report.segment);
  assert.equal(segment?.startedAtMs, start + 6_000, 'a second after the last attempt');
  assert.deepEqual(segment?.gap, { startedAtMs: start, cause: 'disk' });
});

test('R-08 a camera that is back while the disk is full: its outage ends, and a gap of the disk begins', async () => {
  await using it = await aRecorder();
  it.record();
  it.begin();
  await it.play(2);
  it.recorder.end();
  it.recorder.interrupt('network');
  await it.recorder.settled();
  rmSync(it.folder, { recursive: true });
  writeFileSync(it.folder, 'a file where the folder should be');
  await it.play(3);
  it.begin();
  await it.play(2);
  it.recorder.interrupt('network');
  assert.deepEqual(it.of('interrupted'), [
    { kind: 'interrupted', startedAtMs: start + 2_000, cause: 'network' },
    { kind: 'interrupted', startedAtMs: start + 5_000, cause: 'disk' },
  ]);
});

test('R-15 a clock that is set never makes time run back or twice', async () => {
  await using it = await aRecorder();
  it.record();
  it.begin();
  await it.play(10);
  it.setClock(3_600_000);
  await it.play(11);
  it.setClock(-7_200_000);
  await it.play(10);
  it.recorder.end();
  await it.recorder.settled();
  const times = it
    .of('opened')
    .map(({ segment }, index) => [
      segment.startedAtMs - start,
      (it.of('closed')[index]?.segment.endedAtMs ?? 0) - start,
    ]);
  const [hour] = [3_600_000];
  assert.deepEqual(times, [
    [0, 10_000],
    [hour + 10_000, hour + 20_000],
    [hour + 20_000, hour + 30_000],
    [hour + 30_000, hour + 31_000],
  ]);
  assert.deepEqual(it.of('opened')[1]?.segment.gap, {
    startedAtMs: start + 10_000,
    cause: 'clock',
  });
});

test('a server that starts later learns which segment is open', async () => {
  await using it = await aRecorder();
  it.record();
  it.begin();
  await it.play(2);
  it.record();
  await it.recorder.settled();
  const [first, again] = it.of('opened');
  assert.deepEqual(first, again);
});

test('motion is recorded from 5 s before until 10 s after it stopped', async () => {
  await using it = await aRecorder();
  it.record('motion');
  it.begin();
  await it.play(20);
  assert.equal(it.of('opened').length, 0);
  assert.deepEqual(it.of('interrupted'), [
    { kind: 'interrupted', startedAtMs: start, cause: 'no_motion' },
  ]);
  it.recorder.compared(noCells());
  await it.play(2);
  it.recorder.compared(noCells());
  await it.play(30);
  const [first, second] = it.of('opened').map(({ segment }) => segment);
  assert.deepEqual([first?.startedAtMs, first?.type], [start + 14_000, 'motion']);
  assert.equal(second?.startedAtMs, start + 24_000);
  const closed = it.of('closed').map(({ segment }) => segment.endedAtMs - start);
  assert.deepEqual(closed, [24_000, 32_000]);
  assert.deepEqual(it.of('interrupted').slice(1), [
    { kind: 'interrupted', startedAtMs: start + 32_000, cause: 'no_motion' },
  ]);
  assert.equal((await readSegment(first!.file))?.pictures, 250);
});

test('an outage while nothing moves is reported, and so is no motion after it', async () => {
  await using it = await aRecorder();
  it.record('motion');
  it.begin();
  await it.play(3);
  it.recorder.end();
  it.recorder.interrupt('network');
  it.begin();
  await it.play(3);
  assert.deepEqual(
    it.of('interrupted').map(({ cause, startedAtMs }) => [cause, startedAtMs - start]),
    [
      ['no_motion', 0],
      ['network', 3_000],
      ['no_motion', 3_000],
    ],
  );
  it.recorder.compared(noCells());
  await it.recorder.settled();
  assert.equal(it.of('opened')[0]?.segment.gap?.cause, 'no_motion');
});

test('a segment and its file hold the motion in it; where no frames were compared they hold none', async () => {
  await using it = await aRecorder();
  it.record();
  it.begin();
  await it.play(11);
  for (let second = 11; second < 20; second++) {
    it.recorder.compared([13, 14, 19].includes(second) ? noCells() : null);
    await it.play(1);
  }
  await it.play(11);
  const closed = it.of('closed').map(({ segment }) => segment);
  assert.equal(closed[0]?.motion, null);
  assert.deepEqual(closed[1]?.motion, [
    { fromMs: 2_000, untilMs: 4_000 },
    { fromMs: 8_000, untilMs: 9_000 },
  ]);
  assert.equal(closed[2]?.motion, null);
  const files = it.of('opened').map(({ segment }) => segment.file);
  const contents = await Promise.all(files.map((file) => readSegment(file)));
  for (const [index, segment] of closed.entries()) {
    const { motion, bytes, sha256 } = contents[index]!;
    assert.deepEqual({ motion, bytes, sha256 }, pick(segment));
  }
});

const pick = ({ motion, bytes, sha256 }: ClosedSegment) => ({ motion, bytes, sha256 });
