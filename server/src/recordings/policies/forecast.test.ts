import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { fitOf, keptDays, secondsPerDay, type Demand } from './forecast.ts';

test('days that fit are kept, and the oldest days are lost otherwise', () => {
  const month: Demand = { bytesPerDay: 10, days: 30 };
  assert.equal(keptDays(300, month, []), 30);
  assert.equal(keptDays(150, month, []), 15);
  assert.equal(keptDays(0, month, []), 0);
  // Another camera's week takes 70 of 220; 15 days of this one are left.
  assert.equal(keptDays(220, month, [{ bytesPerDay: 10, days: 7 }]), 15);
  // Both lose what is older than five days.
  assert.equal(keptDays(100, month, [{ bytesPerDay: 10, days: 7 }]), 5);
  assert.equal(keptDays(0, { bytesPerDay: 0, days: 30 }, [month]), 30, 'nothing needs no room');
});

const demand = fc.record({
  bytesPerDay: fc.integer({ min: 1, max: 1_000 }),
  days: fc.integer({ min: 1, max: 365 }),
});

test('R-26 the forecast fills the disk, and never more', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1_000_000 }),
      demand,
      fc.array(demand, { maxLength: 8 }),
      (capacity, wanted, others) => {
        const days = keptDays(capacity, wanted, others);
        assert.ok(days >= 0 && days <= wanted.days);
        if (days === wanted.days) return;
        const all = [wanted, ...others];
        const bytes = all.reduce((sum, one) => sum + one.bytesPerDay * Math.min(one.days, days), 0);
        assert.ok(Math.abs(bytes - capacity) < 1e-6 * Math.max(1, capacity), `${bytes}`);
      },
    ),
  );
});

test('hours of a table, overlapping or not', () => {
  const spans = [
    { day: 1, from: '08:00', until: '24:00' },
    { day: 1, from: '20:00', until: '22:00' },
    { day: 2, from: '00:00', until: '05:00' },
  ];
  assert.equal(secondsPerDay({ timeZone: 'UTC', spans }), (21 * 3600) / 7);
});

test('the forecast names the camera that keeps the smallest part of its days, and how many keep less', () => {
  assert.equal(fitOf([]), null, 'nothing was measured');
  const fits = [
    { cameraId: 'a', keptDays: 30, wantedDays: 30 },
    { cameraId: 'b', keptDays: 6.99, wantedDays: 7 },
    { cameraId: 'c', keptDays: 0.68, wantedDays: 14 },
    { cameraId: 'd', keptDays: 2, wantedDays: 30 },
  ];
  assert.deepEqual(fitOf(fits), { kept_days: 0.6, wanted_days: 14, short_cameras: 3 });
  assert.deepEqual(fitOf(fits.slice(0, 1)), { kept_days: 30, wanted_days: 30, short_cameras: 0 });
});
