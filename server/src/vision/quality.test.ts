import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aChip, aFace, chipBytes } from '#testing/vision.ts';
import { chipMeasures, faultOf, qualityOf, yawOf } from './quality.ts';
import { shippedPack } from './packs/shipped-pack.ts';

const { recognise, enrol } = shippedPack.quality;

test('the gate lets through what may be named and says why not', () => {
  const cases = [
    [{}, null],
    [{ iod: 16 }, null],
    [{ iod: 15.9 }, 'too_small'],
    [{ sharpness: 15 }, null],
    [{ sharpness: 14.9 }, 'blurred'],
    [{ yaw: -0.45 }, null],
    [{ yaw: -0.46 }, 'turned'],
    [{ yaw: 0.46 }, 'turned'],
    [{ brightness: 20 }, 'too_dark'],
    [{ brightness: 240 }, 'too_bright'],
    [{ score: 0.4 }, 'no_face'],
    [{ iod: 5, sharpness: 1 }, 'too_small'],
  ] as const;
  for (const [change, fault] of cases) {
    assert.equal(faultOf(aFace(change), recognise), fault, JSON.stringify(change));
  }
});

test('a photo to be known by must be better than one to be compared', () => {
  const small = aFace({ iod: 20 });
  assert.equal(faultOf(small, recognise), null);
  assert.equal(faultOf(small, enrol), 'too_small');
});

test('quality falls with every way a picture can be worse', () => {
  const best = qualityOf(aFace());
  for (const change of [{ iod: 30 }, { score: 0.7 }, { yaw: -0.2 }, { sharpness: 40 }]) {
    assert.ok(qualityOf(aFace(change)) < best, JSON.stringify(change));
  }
  assert.equal(qualityOf(aFace({ iod: 90, sharpness: 900 })), best, 'more than enough is enough');
});

test('yaw is measured along the line of the eyes, so a tilted head is not a turned one', () => {
  const straight = yawOf([
    [0, 0],
    [40, 0],
    [20, 20],
  ]);
  const tilted = yawOf([
    [0, 0],
    [0, 40],
    [-20, 20],
  ]);
  const turned = yawOf([
    [0, 0],
    [40, 0],
    [40, 20],
  ]);
  assert.equal(straight, 0);
  assert.equal(tilted, 0);
  assert.equal(turned, 0.5);
});

test('an even chip has no sharpness, a pattern has', () => {
  assert.deepEqual(chipMeasures(Buffer.alloc(chipBytes, 90)).sharpness, 0);
  assert.ok(Math.abs(chipMeasures(Buffer.alloc(chipBytes, 90)).brightness - 90) < 0.01);
  const noisy = aChip(1).map((value, i) => value ^ ((i * 37) & 63));
  assert.ok(chipMeasures(noisy).sharpness > chipMeasures(aChip(1)).sharpness);
});
