/** Compares what parameter sets say about the pictures with the encoder's settings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unitsOf } from '@nazar/e2e/farm/rtp.ts';
import { codedUnits, type Coding } from '#testing/coded-film.ts';
import { shapeOf264 } from './sps264.ts';
import { readSps265 } from './sps265.ts';

const sizes = [
  [320, 184],
  [640, 360],
  [1280, 720],
  [1920, 1080],
  [322, 242],
] as const;

async function setOf(coding: Omit<Coding, 'container'>): Promise<Buffer> {
  const [picture] = await codedUnits(coding);
  const isSet = (unit: Buffer): boolean =>
    coding.codec === 'h264' ? (unit[0]! & 31) === 7 : ((unit[0]! >> 1) & 63) === 33;
  return unitsOf(picture!).find(isSet)!;
}

for (const [width, height] of sizes) {
  const shape = { width, height, fps: 12, gop: 4, pictures: 4 };

  test(`H.264 of ${width}x${height}: size, rate and how many pictures are held back`, async () => {
    for (const bFrames of [0, 2]) {
      const set = await setOf({ codec: 'h264', bFrames, shape });
      assert.deepEqual(shapeOf264(set), { width, height, fps: 12, reorder: bFrames === 0 ? 0 : 2 });
    }
  });

  test(`H.265 of ${width}x${height}: size and how many pictures are held back`, async () => {
    for (const bFrames of [0, 2]) {
      const found = readSps265(await setOf({ codec: 'hevc', bFrames, shape }));
      assert.deepEqual([found?.width, found?.height], [width, height]);
      assert.equal(found?.reorder === 0, bFrames === 0);
    }
  });
}

test('R-05 a parameter set that is truncated anywhere is refused or read correctly', async () => {
  const shape = { width: 1280, height: 720, fps: 12, gop: 4, pictures: 2 };
  const [h264, h265] = [
    await setOf({ codec: 'h264', bFrames: 2, shape }),
    await setOf({ codec: 'hevc', bFrames: 2, shape }),
  ];
  for (let length = 0; length < h264.length; length++) {
    const found = shapeOf264(h264.subarray(0, length));
    assert.ok(!found || (found.width === 1280 && found.height === 720), `${length}`);
  }
  for (let length = 0; length < h265.length; length++) {
    const found = readSps265(h265.subarray(0, length));
    assert.ok(!found || (found.width === 1280 && found.height === 720), `${length}`);
  }
});
