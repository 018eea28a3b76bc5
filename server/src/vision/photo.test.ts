import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aFace } from '#testing/vision.ts';
import type { FaceView } from './messages.ts';
import { chooseFace, photoFault } from './photo.ts';
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

test('the largest face of a photo is meant, unless another is nearly as prominent', () => {
  const large = faceAt(200, 200, 60);
  const near = faceAt(120, 200, 62);
  const small = faceAt(330, 200, 25);
  const choose = (...faces: FaceView[]) => chooseFace(faces, enrol, picture);
  assert.deepEqual(choose(), { face: null, fault: 'no_face' });
  assert.deepEqual(choose(small, large), { face: 1, fault: null });
  assert.deepEqual(choose(near, large), { face: null, fault: 'several_faces' });
  assert.deepEqual(choose(faceAt(200, 200, 20)), { face: 0, fault: 'too_small' });
});

test('of two faces alike in size the one in the middle is meant', () => {
  const faces = [faceAt(80, 60, 50), faceAt(200, 190, 50)];
  assert.deepEqual(chooseFace(faces, enrol, picture), { face: 1, fault: null });
});

test('a face that is cut off by the edge, and one the detector doubts, are nobody`s portrait', () => {
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
