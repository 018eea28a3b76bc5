import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monthPartitions } from './partitions.ts';

test('months follow each other without a gap, over the end of a year', () => {
  const months = monthPartitions(Date.UTC(2026, 10, 30, 23, 59), 3);
  assert.deepEqual(
    months.map(({ name }) => name),
    ['visit_2026_11', 'visit_2026_12', 'visit_2027_01'],
  );
  for (const [index, month] of months.slice(1).entries()) {
    assert.deepEqual(month.from, months[index]!.until);
  }
});
