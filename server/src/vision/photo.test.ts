import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aFace } from '#testing/vision.ts';
import type { FaceView } from './messages.ts';
import { chooseFace, chooseKnownFace, photoFault } from './photo.ts';
import { shippedPack } from './packs/shipped-pack.ts';

const { enrol } = shippedPack.quality;
const picture = { width: 400, height: 400 };

/** A face of that eye distance around that point. */
function faceAt(x: number, y: number, iod: number, change: Partial<FaceView> = {}): FaceView {
  const side = iod * 2.5;
  return aFace({
    iod,
    box: { x: x - side / 2, y: y - side / 2, width: side, height: side },
    ...change,
  });
}

test('the largest face of a photo is meant, unless another has half its size or more', () => {
  const large = faceAt(200, 200, 60);
  const small = faceAt(330, 200, 25);
  const choose = (...faces: FaceView[]) => chooseFace(faces, enrol, picture);
  assert.deepEqual(choose(), { face: null, fault: 'no_face' });
  assert.deepEqual(choose(small, large), { face: 1, fault: null });
  assert.deepEqual(choose(faceAt(200, 200, 20)), { face: 0, fault: 'too_small' });
  const unclear = { face: null, fault: 'several_faces' };
  assert.deepEqual(choose(faceAt(120, 200, 62), large), unclear);
  assert.deepEqual(choose(large, faceAt(330, 200, 30)), unclear, 'half the size is enough');
  assert.deepEqual(choose(faceAt(80, 60, 50), faceAt(200, 190, 50)), unclear, 'also in the middle');
});

test('where the person is known, the face that fits their photos is meant, however large the others are', () => {
  const [stranger, own, small] = [faceAt(200, 200, 90), faceAt(60, 60, 40), faceAt(330, 330, 30)];
  const faces = [stranger, own, small];
  const limits = { openSet: 1, margin: 0.1 };
  const choose = (...distances: (number | null)[]) =>
    chooseKnownFace(
      faces,
      enrol,
      picture,
      new Map(distances.map((away, i) => [faces[i]!, away])),
      limits,
    );
  const unclear = { face: null, fault: 'several_faces' };
  assert.deepEqual(choose(1.3, 0.5, 1.4), { face: 1, fault: null });
  assert.deepEqual(choose(0.7, 1.3, 0.5), { face: 2, fault: null }, 'the nearest of two');
  assert.deepEqual(choose(0.55, 1.3, 0.5), unclear, 'two that fit as well');
  assert.deepEqual(choose(1.3, 1.1, 1.4), unclear, 'nobody on it fits');
  assert.deepEqual(choose(1.3, 1, 1.4), unclear, 'the limit itself does not fit');
  assert.deepEqual(choose(null, 0.5), { face: 1, fault: null });
});

test('a face that cannot be compared is no rival unless it is large, and a face alone is meant whatever its look', () => {
  const limits = { openSet: 1, margin: 0.1 };
  const own = faceAt(200, 200, 60);
  const tiny = faceAt(330, 330, 12);
  const blurred = faceAt(80, 80, 40, { sharpness: 2 });
  const choose = (faces: FaceView[], away: number) =>
    chooseKnownFace(faces, enrol, picture, new Map([[own, away]]), limits);
  assert.deepEqual(choose([own], 1.4), { face: 0, fault: null });
  assert.deepEqual(choose([own, tiny], 1.4), { face: 0, fault: null });
  assert.deepEqual(choose([own, blurred], 1.4), { face: null, fault: 'several_faces' });
  assert.deepEqual(choose([blurred, own], 0.4), { face: 1, fault: null });
});

test('a face that is cut off by the edge, and one the detector doubts, are no portrait', () => {
  const large = faceAt(200, 200, 50);
  const cutOff = faceAt(-10, 200, 60);
  const doubtful = faceAt(260, 200, 80, { score: 0.4 });
  assert.deepEqual(chooseFace([cutOff, large], enrol, picture), { face: 1, fault: null });
  assert.deepEqual(chooseFace([doubtful, large], enrol, picture), { face: 1, fault: null });
});

test('a face that leans by more than recognition bears lies on its side, whatever else is wrong with it', () => {
  const leaning = (degrees: number, change: Partial<FaceView> = {}): FaceView => {
    const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
    const points = aFace().points.map(([x, y]): [number, number] => [
      200 + (x - 140) * cos - (y - 145) * sin,
      200 + (x - 140) * sin + (y - 145) * cos,
    ]);
    return faceAt(200, 200, 50, { points, ...change });
  };
  for (const [face, fault] of [
    [leaning(0), null],
    [leaning(44), null],
    [leaning(-44), null],
    [leaning(46), 'lies_on_side'],
    [leaning(-90), 'lies_on_side'],
    [leaning(180, { iod: 10, sharpness: 1 }), 'lies_on_side'],
    [leaning(90, { score: 0.4 }), 'no_face'],
  ] as const) {
    assert.equal(photoFault(face, enrol), fault);
  }
  assert.deepEqual(chooseFace([leaning(90)], enrol, picture), { face: 0, fault: 'lies_on_side' });
});
