import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { aChip, aFace } from '#testing/vision.ts';
import type { Candidate } from './candidates.ts';
import {
  CameraTracks,
  type Decision,
  type CameraTracksOptions,
  type MainStreamWish,
} from './camera-tracks.ts';
import type { FaceView } from '../messages.ts';
import { shippedPack } from '../packs/shipped-pack.ts';

const { calibration } = shippedPack.embedder;
const pack = { id: 'test', version: '1' };
const oneTier = (...nearest: Candidate[]) => [{ nearest, gallerySize: 1 }];

/** Tracks whose vectors, by the number of pictures embedded before, and neighbours the test decides. */
function cameraTracks(
  vectorOf: (embedded: number) => readonly number[] = () => [],
  distance: number | ((embedded: number) => number) = 0.3,
) {
  const decisions: Decision[] = [];
  let embedded = 0;
  const tracks = new CameraTracks({
    split: calibration.split,
    embed: async (chip) => {
      const vector = new Float32Array(128);
      vector.set(vectorOf(embedded++));
      return { pack, vectors: [vector], jpegs: [chip] };
    },
    nearest: () => {
      const away = typeof distance === 'number' ? distance : distance(embedded);
      return oneTier({ who: 'somebody', identity: 'somebody', distance: away });
    },
    rules: () => ({ calibration }),
    decided: (decision) => void decisions.push(decision),
    failed: (error) => assert.fail(String(error)),
  });
  return { tracks, decisions };
}

const frameFaces = (at: number, ...faces: FaceView[]) => ({
  at,
  width: 640,
  height: 360,
  cut: false,
  faces: faces.map((face, chip) => ({ ...face, chip })),
  chips: Buffer.concat(faces.map(() => aChip(1))),
});

test('a face is decided by its pictures, once while nothing changes, and once more when it ends', async () => {
  const { tracks, decisions } = cameraTracks();
  for (let at = 0; at <= 1_000; at += 200) {
    tracks.add(frameFaces(at, aFace()));
    await turn();
  }
  tracks.close();
  const outcomes = decisions.map(({ outcome, ended }) => [outcome.kind, ended]);
  assert.deepEqual(outcomes.at(-1), ['known', true]);
  assert.ok(outcomes.slice(0, -1).every(([kind, ended]) => kind === 'known' && ended === false));
});

test('a stranger is decided as unknown, never by a neighbour that is too far', async () => {
  const { tracks, decisions } = cameraTracks(undefined, 0.9);
  for (let at = 0; at <= 1_000; at += 200) {
    tracks.add(frameFaces(at, aFace()));
    await turn();
  }
  tracks.close();
  assert.ok(decisions.length > 0);
  assert.ok(decisions.every(({ outcome }) => outcome.kind === 'unknown'));
});

/** A face of decisive quality that is near to no one; `vectorOf` gives the vector of each embedded picture. */
function strangerSeen(vectorOf: (embedded: number) => readonly number[]) {
  const { tracks, decisions } = cameraTracks(vectorOf, 0.9);
  const look = async (at: number): Promise<void> => {
    tracks.add(frameFaces(at, aFace()));
    for (let turns = 0; turns < 4; turns += 1) await turn();
  };
  const decidedTracks = () => decisions.map(({ track, ended }) => [track, ended]);
  return { tracks, look, decidedTracks };
}

test('a stranger is decided by the second picture that agrees, however good the first one was', async () => {
  const { look, decidedTracks } = strangerSeen(() => [1, 0]);
  await look(0);
  assert.deepEqual(decidedTracks(), []);
  await look(400);
  assert.deepEqual(decidedTracks(), [[1, false]]);
});

test('a stranger with one picture is decided when they are gone', async () => {
  const { tracks, look, decidedTracks } = strangerSeen(() => [1, 0]);
  await look(0);
  tracks.close();
  assert.deepEqual(decidedTracks(), [[1, true]]);
});

test('one picture is no stranger when following stops: the face is about to be seen anew', async () => {
  for (const [distance, quality] of [
    [0.9, 0.9],
    // A fair picture of an enrolled person, whom two of them would name.
    [0.3, 0.5],
  ] as const) {
    for (const [end, decidedTracks] of [
      ['stop', []],
      ['close', ['unknown']],
    ] as const) {
      const { tracks, decisions } = cameraTracks(undefined, distance);
      tracks.add(frameFaces(0, aFace({ quality })));
      for (let turns = 0; turns < 4; turns += 1) await turn();
      tracks[end]();
      const kinds = decisions.map(({ outcome }) => outcome.kind);
      assert.deepEqual(kinds, decidedTracks, `${end} ${distance}`);
    }
  }
});

test('a picture for a person and one against them are no stranger when following stops', async () => {
  const fair = aFace({ quality: 0.5 });
  const { tracks, decisions } = cameraTracks(undefined, (embedded) => (embedded < 2 ? 0.3 : 0.9));
  for (const at of [0, 400]) {
    tracks.add(frameFaces(at, fair));
    for (let turns = 0; turns < 4; turns += 1) await turn();
  }
  tracks.stop();
  assert.equal(decisions.length, 0);
});

test('a stranger by coarse pictures, in doubt by a better one when following stops, is reported as over', async () => {
  const { tracks, decisions } = cameraTracks(undefined, (embedded) => (embedded < 3 ? 0.9 : 0.3));
  for (const at of [0, 400, 800]) {
    const face = aFace({ quality: 0.5, iod: at < 800 ? 20 : 60 });
    tracks.add({ ...frameFaces(at, face), isCoarse: ({ iod }) => iod < 40 });
    for (let turns = 0; turns < 4; turns += 1) await turn();
  }
  tracks.stop();
  const decidedTracks = decisions.map(({ outcome, ended }) => [outcome.kind, ended]);
  assert.deepEqual(decidedTracks, [
    ['unknown', false],
    ['unknown', true],
  ]);
});

test('a decision from before following stops is reported as over', async () => {
  for (const [distance, kind] of [
    [0.9, 'unknown'],
    [0.3, 'known'],
  ] as const) {
    const { tracks, decisions } = cameraTracks(undefined, distance);
    for (const at of [0, 400, 800]) {
      tracks.add(frameFaces(at, aFace()));
      for (let turns = 0; turns < 4; turns += 1) await turn();
    }
    tracks.stop();
    const last = decisions.at(-1);
    assert.deepEqual([last?.outcome.kind, last?.ended, last?.seenAt], [kind, true, 800]);
  }
});

test('one picture that the next one contradicts names no one: people who cross are half hidden for a moment', async () => {
  const { tracks, look, decidedTracks } = strangerSeen((embedded) =>
    embedded === 0 ? [1, 0] : [0, 1],
  );
  for (const at of [0, 400, 800]) await look(at);
  tracks.close();
  assert.deepEqual(decidedTracks(), [
    [2, false],
    [2, true],
  ]);
});

test('two pictures that the third one contradicts were a person, who is reported as over', async () => {
  const { look, decidedTracks } = strangerSeen((embedded) => (embedded < 2 ? [1, 0] : [0, 1]));
  for (const at of [0, 400, 800, 1_200]) await look(at);
  assert.deepEqual(decidedTracks(), [
    [1, false],
    [1, true],
    [2, false],
  ]);
});

/** A 4K camera has three times as many pixels of this face as the picture the detector sees. */
const small = aFace({
  iod: 60,
  points: [
    [130, 130],
    [150, 130],
    [140, 140],
    [132, 148],
    [148, 148],
  ],
});
const movedTo = (x: number, face = small): FaceView => ({ ...face, box: { ...face.box, x } });

test('a small face that was not searched for is still drawn, a large one that is gone is not', () => {
  const { tracks } = cameraTracks();
  assert.equal(tracks.add(frameFaces(0, small)).length, 1);
  assert.equal(tracks.add(frameFaces(400)).length, 1);
  assert.equal(tracks.add(frameFaces(800)).length, 0);
  tracks.close();
  assert.equal(tracks.add(frameFaces(2_000, aFace())).length, 1);
  assert.equal(tracks.add(frameFaces(2_200)).length, 0);
});

/** Draws pictures with one more face, which stays in its place, and returns the tracks that are drawn. */
function showing() {
  const { tracks } = cameraTracks();
  const other = aFace({ box: { x: 300, y: 100, width: 80, height: 80 } });
  return (at: number, ...faces: FaceView[]) =>
    tracks.add(frameFaces(at, other, ...faces)).map(({ track }) => track);
}

test('a small face that must be behind another is not drawn over it', () => {
  const show = showing();
  const both = show(0, movedTo(100));
  assert.deepEqual(show(200, movedTo(160)), both);
  assert.deepEqual(show(400, movedTo(220)), both, 'beside it');
  assert.deepEqual(
    show(600),
    [both[0]],
    'by its speed it is where the other is seen: it is hidden',
  );
});

test('a small face of which another covers a fifth is hidden by it: it was there and is not found', () => {
  const show = showing();
  const both = show(0, movedTo(236));
  assert.equal(both.length, 2);
  assert.deepEqual(show(200), [both[0]]);
  const beside = showing();
  beside(0, movedTo(224));
  assert.equal(beside(200).length, 2, 'a twentieth is the edge of a box');
});

test('a small face bears no name where its movement is not known', () => {
  const { tracks } = cameraTracks();
  const doubts = (at: number, ...faces: FaceView[]): boolean[] =>
    tracks.add(frameFaces(at, ...faces)).map(({ doubt }) => doubt);
  doubts(0, movedTo(100));
  assert.deepEqual(doubts(200), [true], 'it was seen once');
  assert.deepEqual(doubts(400, movedTo(110)), [false]);
  assert.deepEqual(doubts(600), [false], 'its speed is known');
  assert.deepEqual(doubts(1_600, movedTo(170)), [false], 'back after 1.2 s');
  assert.deepEqual(doubts(1_800), [true], 'they may have turned round meanwhile');
  assert.deepEqual(doubts(2_000, movedTo(160)), [false]);
  assert.deepEqual(doubts(2_200), [false]);
});

test('a small face expected partly outside the picture bears no name: who comes in may hide it', () => {
  const { tracks } = cameraTracks();
  const doubts = (at: number, ...faces: FaceView[]): boolean[] =>
    tracks.add(frameFaces(at, ...faces)).map(({ doubt }) => doubt);
  doubts(0, movedTo(500));
  doubts(200, movedTo(520));
  assert.deepEqual(doubts(400), [false], 'up to 620 of 640 pixels');
  doubts(600, movedTo(558));
  assert.deepEqual(doubts(800), [true]);
  assert.deepEqual(doubts(1_000, movedTo(580)), [false], 'seen there');
});

test('a small face that must have left the picture is not drawn beside it', () => {
  const { tracks } = cameraTracks();
  for (const [i, x] of [420, 490, 560].entries()) {
    assert.equal(tracks.add(frameFaces(i * 200, movedTo(x))).length, 1);
  }
  assert.equal(tracks.add(frameFaces(600)).length, 0, 'its middle is beyond the edge by now');
  const { tracks: still } = cameraTracks();
  still.add(frameFaces(0, movedTo(560)));
  assert.equal(still.add(frameFaces(200)).length, 1, 'one that stands at the edge is still there');
});

/** A sub-stream shows this face too poorly to vote for anyone; the main stream has more of it. */
const coarse = aFace({ iod: 17, sharpness: 20, quality: 0.1 });
/** A chip from the main stream has this in its first byte. */
const mainStreamMark = 200;

/** A camera with two streams, analyzed five times a second for that long. */
async function watched(
  seconds: number,
  { found, distance }: { found: 'yes' | 'no' | 'not_now'; distance: number },
  face = coarse,
) {
  const asked: MainStreamWish[] = [];
  const embedded: number[] = [];
  const chip = aChip(1);
  chip[0] = mainStreamMark;
  const mainStream: CameraTracksOptions['mainStream'] = async (wanted) => {
    asked.push(wanted);
    if (found === 'not_now') return 'not_now';
    return found === 'yes' ? { view: aFace(), chip, place: null } : null;
  };
  const decisions: Decision[] = [];
  let isFromMainStream = false;
  const tracks = new CameraTracks({
    split: calibration.split,
    mainStream,
    embed: async (of) => {
      isFromMainStream = of[0] === mainStreamMark;
      embedded.push(of[0]!);
      return { pack, vectors: [new Float32Array(128)], jpegs: [of] };
    },
    // A chip from the sub-stream is near to no one.
    nearest: () =>
      oneTier({ who: 'ana', identity: 'ana', distance: isFromMainStream ? distance : 0.9 }),
    rules: () => ({ calibration }),
    decided: (decision) => void decisions.push(decision),
    failed: (error) => assert.fail(String(error)),
  });
  for (let at = 0; at < seconds * 1000; at += 200) {
    tracks.add({ ...frameFaces(at, face), isCoarse: (view) => view.iod < 40 });
    for (let turns = 0; turns < 4; turns += 1) await turn();
  }
  tracks.close();
  return { asked, embedded, decisions, last: decisions.at(-1)?.outcome.kind };
}

test('the main stream’s picture of a face decides, and is not outvoted by the sub-stream', async () => {
  const { asked, embedded, decisions, last } = await watched(20, { found: 'yes', distance: 0.3 });
  assert.equal(asked.length, 2, 'two detections for a track that is known');
  assert.ok(embedded.length > 6, 'the sub-stream still tells whether it is the same face');
  assert.equal(last, 'known');
  assert.ok(decisions.every(({ outcome }) => outcome.kind === 'known'));
  assert.ok(decisions.every(({ picture }) => picture.jpeg[0] === mainStreamMark));
});

test('an unknown face is detected in the main stream again, twice soon and then every ten seconds', async () => {
  const { asked, last } = await watched(25, { found: 'yes', distance: 0.9 });
  assert.equal(last, 'unknown');
  assert.deepEqual(
    asked.map(({ at }) => at),
    [0, 400, 2_800, 4_800, 14_800, 24_800],
  );
});

test('where the main stream does not show the face, the sub-stream’s picture stands', async () => {
  const { asked, embedded, last } = await watched(30, { found: 'no', distance: 0.3 });
  const waits = asked.slice(1).map(({ at }, i) => at - asked[i]!.at);
  assert.deepEqual(waits, [2_800, 2_000, 4_000, 8_000, 10_000], 'less and less often');
  assert.ok(embedded.length >= 4 && !embedded.includes(mainStreamMark));
  assert.equal(last, 'unknown');
});

test('a moment that cannot be had is not counted: a newer one is asked for', async () => {
  const { asked, embedded } = await watched(3, { found: 'not_now', distance: 0.3 });
  assert.ok(asked.length > 3);
  assert.equal(embedded.length, asked.length, 'and the sub-stream’s picture stands each time');
});

test('a face that does not pass the gate is no vector unless the main stream shows it', async () => {
  const small = { ...coarse, fault: 'too_small' } as const;
  const without = await watched(5, { found: 'no', distance: 0.3 }, small);
  assert.deepEqual([without.embedded, without.last], [[], undefined]);
  const within = await watched(5, { found: 'yes', distance: 0.3 }, small);
  assert.deepEqual([within.embedded, within.last], [[mainStreamMark, mainStreamMark], 'known']);
});
