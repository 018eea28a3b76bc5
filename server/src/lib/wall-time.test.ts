import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { WallTime } from './wall-time.ts';

test('the even steps of a stream are kept, whatever their packets come in', () => {
  const wall = new WallTime();
  assert.equal(wall.of(0, 10_000), 10_000);
  assert.equal(wall.of(200, 10_350), 10_200, '150 ms late');
  assert.equal(wall.of(400, 10_400), 10_400);
});

test('~ENT-023 a stream that begins anew goes on where the hour is, not in the future', () => {
  const wall = new WallTime();
  wall.of(38_800, 60_000);
  assert.equal(wall.of(0, 60_200), 60_200, 'began anew at 0');
  assert.equal(wall.of(200, 60_400), 60_400);
  assert.equal(wall.of(90_000, 60_600), 60_600, 'leapt ahead');
});

test('~ENT-023 no time is later than its arrival nor earlier than the one before', () => {
  const steps = fc.array(
    fc.record({
      step: fc.integer({ min: 1, max: 3_000 }),
      late: fc.integer({ min: 0, max: 5_000 }),
      anew: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(steps, (pictures) => {
      const wall = new WallTime();
      let arrivedMs = 1_000_000;
      let mediaMs = 0;
      let lastMs = -Infinity;
      for (const { step, late, anew } of pictures) {
        arrivedMs += step + late;
        mediaMs = anew ? 0 : mediaMs + step;
        const at = wall.of(mediaMs, arrivedMs);
        assert.ok(at <= arrivedMs && at >= lastMs);
        lastMs = at;
      }
    }),
  );
});
