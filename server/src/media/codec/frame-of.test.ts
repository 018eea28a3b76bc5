import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Scaler } from 'node-av/api';
import { AV_PIX_FMT_RGB24 } from 'node-av/constants';
import { frameOf } from './frame-of.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const side = 256;
const timeBase = { num: 1, den: 90_000 };
const shape = { width: side, height: side, format: AV_PIX_FMT_RGB24, pts: 0n, timeBase };

test('a frame shows what it was made of for as long as it is there', async () => {
  // Only the frames refer to their pixels.
  const frames = Array.from({ length: 40 }, (_, i) =>
    frameOf(Buffer.alloc(side * side * 3, i + 1), shape),
  );
  using scaler = new Scaler();
  for (let round = 0; round < 5; round += 1) {
    collectGarbage();
    // New buffers overwrite whatever was freed.
    Array.from({ length: 40 }, () => Buffer.alloc(side * side * 3, 255));
    await new Promise((next) => setImmediate(next));
  }
  for (const [i, frame] of frames.entries()) {
    const pixels = await scaler.toBuffer(frame, { format: 'rgb' });
    assert.deepEqual([pixels[0], pixels.at(-1)], [i + 1, i + 1], `frame ${i}`);
    frame.free();
  }
});
