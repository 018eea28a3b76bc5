/** How attempts to measure follow each other, with frames that were painted in memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AV_PIX_FMT_YUV420P } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import type { Rect, Size } from '#lib/geometry.ts';
import { aClock } from '#testing/clock.ts';
import { aScene, everything, planesOf } from '#testing/scenes.ts';
import type { Alignment } from '../../protocol/stream-pair.ts';
import { frameOf } from '../../codec/frame-of.ts';
import { Measurement } from './measurement.ts';

const scene = aScene(2);
const cut = { x: 0.125, y: 0, width: 0.75, height: 1 };

function frame(size: Size, part: Rect): Frame {
  const shape = { ...size, format: AV_PIX_FMT_YUV420P, pts: 0n, timeBase: { num: 1, den: 1000 } };
  return frameOf(planesOf(scene, size, part), shape);
}

test('it is measured on a machine so busy that an attempt ends before one measurement does', async () => {
  const clock = aClock();
  const found: Alignment[] = [];
  await using measurement = new Measurement({
    clock,
    alignment: { pair: 'these two', current: null },
    areLive: () => true,
    measured: (alignment) => found.push(alignment),
    failed: (error) => assert.fail(error as Error),
  });
  using main = frame({ width: 320, height: 180 }, everything);
  using sub = frame({ width: 320, height: 240 }, cut);
  const hourMs = 3_600_000;
  while (found.length === 0 && clock.monotonicMs() < hourMs) {
    // A measurement takes hundreds of these turns: a minute and more, where an attempt lasts 20 s.
    clock.advance(250);
    await measurement.offer(main, 'main', clock.now());
    await measurement.offer(sub, 'sub', clock.now());
    await new Promise((resolve) => setImmediate(resolve));
  }
  const [alignment] = found;
  assert.equal(alignment?.pair, 'these two');
  assert.ok(Math.abs(alignment.part.width - cut.width) < 0.01, JSON.stringify(alignment));
});
