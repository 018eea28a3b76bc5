import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextQuality, usualQuality } from './still-quality.ts';

/** The bytes of a day of stills, once the quality has followed a scene of which one takes `bytesAt(quality)`. */
function dayOf(bytesAt: (quality: number) => number): number {
  let quality = usualQuality;
  for (let still = 0; still < 100; still++) quality = nextQuality(quality, bytesAt(quality));
  return bytesAt(quality) * 8_640;
}

test('a day of stills takes about 22 MB, whatever the scene', () => {
  for (const detail of [0.7, 1, 1.3]) {
    const bytes = dayOf((quality) => detail * (2_000 + 20 * quality));
    assert.ok(Math.abs(bytes / 22e6 - 1) < 0.2, `${detail}: ${bytes}`);
  }
});

test('the quality stays between what can be made out and what is of no use', () => {
  assert.equal(nextQuality(10, 50_000), 10);
  assert.equal(nextQuality(75, 100), 75);
});
