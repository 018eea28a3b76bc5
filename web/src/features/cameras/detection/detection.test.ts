import { beforeAll, expect, test } from 'vitest';
import { aFace } from '#testing/cameras.ts';
import { FakeClock, settled } from '#testing/fake-recordings.ts';
import { aJpegPart, streamAnswer, type FakeStream } from '#testing/fake-detection.ts';
import { refusal } from '#testing/server.ts';
import { readProblem } from '#api/problem.ts';
import { Detection, type DetectedCamera } from './detection.ts';

// It is loaded with the first stream: no test waits for that.
beforeAll(() => import('#parts/player/live/multipart-parser.ts'));

const gate: DetectedCamera = {
  id: 'gate',
  name: 'Gate',
  status: 'active',
  enable_face_recognition: false,
};
const yard: DetectedCamera = { ...gate, id: 'yard', name: 'Yard' };
const auto: DetectedCamera = { ...gate, id: 'auto', name: 'Auto', enable_face_recognition: true };

interface Opened {
  readonly cameraId: string;
  readonly signal: AbortSignal;
  readonly stream: FakeStream;
}

function begin() {
  const opened: Opened[] = [];
  const stopped: string[] = [];
  let streams = 1;
  let hasToken = true;
  const detection = new Detection({
    clock: new FakeClock(0),
    hasToken: () => hasToken,
    open(cameraId, signal) {
      const stream = streamAnswer();
      opened.push({ cameraId, signal, stream });
      return Promise.resolve(stream.response);
    },
    faces: () => Promise.resolve([aFace()]),
    async stop(cameraId) {
      stopped.push(cameraId);
      if (streams === 0) throw await readProblem(refusal(403, 'forbidden', 'Not yours.'));
      for (const { stream } of opened) stream.send('--frame--\r\n');
      await settled();
      return streams;
    },
  });
  return {
    detection,
    opened,
    stopped,
    watching: () => opened.filter(({ signal }) => !signal.aborted).map(({ cameraId }) => cameraId),
    said: () => detection.said.get(),
    /** How many watch; 0: the server refuses to stop it. */
    setStreams: (count: number) => void (streams = count),
    signOut: () => void (hasToken = false),
  };
}

async function running(camera = gate) {
  const scene = begin();
  const release = scene.detection.takePlace(camera, 'card');
  scene.detection.start(camera);
  await settled();
  scene.opened[0]?.stream.send(aJpegPart('one'));
  await settled();
  return { ...scene, release };
}

test('~LIVE-019, ~LIVE-020 it starts where the picture has a place, and asks who is in it', async () => {
  const { detection, watching, said } = await running();
  expect([watching(), said()]).toEqual([['gate'], null]);
  expect(detection.running.get()?.session.state.get()).toEqual({ kind: 'running' });
  expect(detection.running.get()?.poll.faces.get()).toEqual([aFace()]);
});

test('LIVE-013, =LIVE-014 starting it for another camera closes the stream of the first', async () => {
  const { detection, watching, opened, stopped } = await running();
  detection.takePlace(yard, 'card');
  detection.start(yard);
  await settled();
  expect(opened.map(({ cameraId }) => cameraId)).toEqual(['gate', 'yard']);
  expect(watching()).toEqual(['yard']);
  expect(stopped, 'whoever else watches the first goes on').toEqual([]);
  detection.start(yard);
  expect(opened).toHaveLength(2);
});

test.each([
  ['LIVE-015, ERR-009', 'inactive', { ...gate, status: 'inactive' as const }, 'Gate'],
  ['ERR-008', 'missing', undefined, null],
])('%s it does not start: %s', (_rows, why, camera, name) => {
  const { detection, opened, said } = begin();
  detection.takePlace(gate, 'card');
  detection.start(camera);
  expect([said(), opened]).toEqual([{ why, name }, []]);
});

test('LIVE-026, ERR-010 without a stored token it does not start', () => {
  const { detection, opened, said, signOut } = begin();
  signOut();
  detection.takePlace(gate, 'card');
  detection.start(gate);
  expect([said(), opened]).toEqual([{ why: 'signedOut', name: 'Gate' }, []]);
});

test('ERR-011 without a place for the picture it does not start, and ends when the place goes', async () => {
  const { detection, opened, said } = begin();
  detection.start(gate);
  expect([said(), opened]).toEqual([{ why: 'noPlace', name: 'Gate' }, []]);
  const { release, ...scene } = await running();
  release();
  expect([scene.said(), scene.watching()]).toEqual([{ why: 'noPlace', name: 'Gate' }, []]);
});

test('where only the whole screen has a place, it starts when that is there and ends with it', async () => {
  const { detection, opened, said, watching } = begin();
  let shown = 0;
  detection.start(gate, () => (shown += 1));
  expect([shown, opened]).toEqual([1, []]);
  const release = detection.takePlace(gate, 'screen');
  await settled();
  expect(watching()).toEqual(['gate']);
  release();
  expect([watching(), said()]).toEqual([[], null]);
});

test('a screen that opens above the card goes on with its stream; above another card it ends it', async () => {
  const { detection, opened, watching, said } = await running();
  const release = detection.takePlace(gate, 'screen');
  release();
  expect([watching(), opened.length]).toEqual([['gate'], 1]);
  detection.takePlace(yard, 'screen');
  expect([watching(), said()]).toEqual([[], null]);
});

test('LIVE-016, LIVE-017, LIVE-018 leaving closes the own stream, forgets it, and stops it for no one else', async () => {
  const { detection, watching, stopped, said } = await running();
  const { session, poll } = detection.running.get()!;
  detection.leave();
  expect([detection.running.get(), watching(), stopped, said()]).toEqual([null, [], [], null]);
  expect([session.frame.get(), poll.faces.get()]).toEqual([null, []]);
});

test('NSH-021, APD-008 stopping ends it for everyone and says how many others watched', async () => {
  const alone = await running();
  await alone.detection.stop(gate);
  expect([alone.stopped, alone.detection.running.get(), alone.said()]).toEqual([
    ['gate'],
    null,
    null,
  ]);
  const { detection, setStreams, said } = await running();
  setStreams(3);
  await detection.stop(gate);
  expect(said()).toEqual({ why: 'stoppedForOthers', count: 2, name: 'Gate' });
});

test('CAM-020 detection that others have started can be stopped without watching it', async () => {
  const { detection, stopped, said } = begin();
  await detection.stop(gate);
  expect(stopped).toEqual(['gate']);
  expect(said()).toEqual({ why: 'stoppedForOthers', count: 1, name: 'Gate' });
});

test('LIVE-025 a stop that fails says so, and the picture goes on', async () => {
  const { detection, setStreams, said, watching } = await running();
  setStreams(0);
  await detection.stop(gate);
  expect(said()).toEqual({ why: 'stopFailed', reason: 'Not yours.', name: 'Gate' });
  expect(watching()).toEqual(['gate']);
});

test('NSH-021 detection that another user stops is over here, too, and the page says who did it', async () => {
  const { detection, opened, said } = await running();
  opened[0]?.stream.send('--frame--\r\n');
  await settled();
  expect([said(), detection.running.get()]).toEqual([{ why: 'stopped', name: 'Gate' }, null]);
});

test('~LIVE-002 a camera that recognises by itself shows and hides its boxes, and recognition goes on', async () => {
  const { detection, opened, stopped, said } = begin();
  await detection.stop(auto);
  expect([[...detection.hidden.get()], said()]).toEqual([
    ['auto'],
    { why: 'byItself', name: 'Auto' },
  ]);
  detection.start(auto);
  expect([[...detection.hidden.get()], said(), opened, stopped]).toEqual([[], null, [], []]);
});
