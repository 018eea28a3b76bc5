import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayPartitions, isOver, keptFrom } from './days.ts';

test('LDS-020 each day of the system log is a partition, across ends of months and years', () => {
  const [first, second, third] = dayPartitions(Date.parse('2026-12-30T23:59:59.999Z'), 3);
  assert.deepEqual(
    [first?.name, second?.name, third?.name],
    ['system_log_2026_12_30', 'system_log_2026_12_31', 'system_log_2027_01_01'],
  );
  assert.equal(second?.from.toISOString(), '2026-12-31T00:00:00.000Z');
  assert.equal(second.until.toISOString(), third?.from.toISOString());
});

test('LDS-020 a day goes when all of it is older than the days that are kept', () => {
  const kept = keptFrom(Date.parse('2026-03-02T13:00:00Z'), 1);
  assert.equal(kept.toISOString(), '2026-03-01T00:00:00.000Z');
  assert.ok(isOver('system_log_2026_02_28', kept));
  assert.ok(!isOver('system_log_2026_03_01', kept));
  assert.ok(!isOver('system_log_default', kept));
});
