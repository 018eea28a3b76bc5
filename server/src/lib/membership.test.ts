import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entriesOf } from './membership.ts';

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `id-${index}`);

test('a change of members is recorded once, and without members too', () => {
  assert.deepEqual(entriesOf({ added: [], removed: [] }), [{ added: [], removed: [] }]);
  assert.deepEqual(entriesOf({ added: ['a'], removed: ['b'] }), [{ added: ['a'], removed: ['b'] }]);
});

test('C-801 a thousand who come and ninety who leave are all recorded, in parts that fit', () => {
  const parts = entriesOf({ added: ids(1000), removed: ids(90) });
  assert.deepEqual(
    parts.flatMap(({ added }) => added),
    ids(1000),
  );
  assert.deepEqual(
    parts.flatMap(({ removed }) => removed),
    ids(90),
  );
  assert.ok(parts.every(({ added, removed }) => added.length + removed.length <= 80));
  assert.ok(parts.every(({ added, removed }) => added.length <= 30 && removed.length <= 30));
  // Each says how many ids follow, and the last that none does.
  let left = 1090;
  for (const { added, removed, more } of parts) {
    left -= added.length + removed.length;
    assert.equal(more ?? 0, left);
  }
  assert.equal(left, 0);
  assert.ok(!('more' in parts.at(-1)!));
});
