/** Which face of the main stream is the one seen in the sub-stream, and which is worth a main-stream detection. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aChip, aFace } from '#testing/vision.ts';
import { sameFace, worthMainStream } from './main-stream-match.ts';
import type { FaceView } from '../messages.ts';

const camera = { mainScale: 3, minWidth: 50, minIod: 16 };
/** 34 pixels wide with 17 between the eyes. */
const small = aFace({ iod: 17 });

test('worth it is a face of which the main stream has more, and that may be compared there', () => {
  assert.equal(worthMainStream(small, camera), true);
  assert.equal(worthMainStream({ ...small, fault: 'too_small' }, camera), true);
  assert.equal(worthMainStream({ ...small, fault: 'blurred' }, camera), true);
  assert.equal(worthMainStream({ ...small, fault: 'turned' }, camera), false, 'is so there, too');
  assert.equal(worthMainStream(aFace({ iod: 40 }), camera), false, 'more tells nothing more');
  assert.equal(worthMainStream(small, { ...camera, mainScale: 1.1 }), false);
  assert.equal(
    worthMainStream(small, { ...camera, minWidth: 120 }),
    false,
    'too small for the settings',
  );
  assert.equal(
    worthMainStream(aFace({ iod: 5 }), camera),
    false,
    '15 between the eyes in the main one',
  );
});

/** At x 0.5, a tenth of the picture wide: 100 pixels of the main stream. */
const box = { x: 0.45, y: 0.4, width: 0.1, height: 0.1 };

/** Faces found in a picture of 1000 x 1000, by the middle of each and its width. */
function found(...faces: readonly (readonly [x: number, width: number, look?: number])[]) {
  const views = faces.map(([x, width], chip): FaceView => {
    return aFace({ chip, box: { x: x - width / 2, y: 450 - width / 2, width, height: width } });
  });
  const chips = Buffer.concat(faces.map(([, , look = 1]) => aChip(look)));
  return { width: 1000, height: 1000, faces: views, chips };
}
const foundAt = (mainStream: ReturnType<typeof found>): number | undefined => {
  const view = sameFace(box, aChip(1), mainStream)?.view;
  return view && view.box.x + view.box.width / 2;
};

test('the same face is the one at the same place, of the same size and appearance', () => {
  assert.equal(foundAt(found([500, 100])), 500);
  assert.equal(foundAt(found([600, 120])), 600, 'a quarter of a second later');
  assert.equal(foundAt(found()), undefined);
  assert.equal(foundAt(found([700, 100])), undefined, 'too far');
  assert.equal(foundAt(found([500, 200])), undefined, 'twice as large');
  assert.equal(foundAt(found([500, 100, 3])), undefined, 'looks like somebody else');
});

test('neither of two that may be meant is', () => {
  assert.equal(foundAt(found([500, 100], [640, 100])), 500, 'the other is clearly further away');
  assert.equal(foundAt(found([450, 100], [550, 100])), undefined);
  assert.equal(foundAt(found([500, 100], [520, 300])), 500, 'a face of another size is not meant');
});

test('the chip that goes with it is its own', () => {
  const mainStream = found([650, 100, 3], [500, 100, 1]);
  assert.deepEqual(sameFace(box, aChip(1), mainStream)?.chip, aChip(1));
});
