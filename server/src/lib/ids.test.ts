import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uuidFloor, uuidv7 } from './ids.ts';

const atMs = Date.UTC(2026, 0, 15, 12);

test('ids sort by the time they were made, those of one millisecond by the order, others between them or not', () => {
  const ids: string[] = [];
  for (let count = 0; count < 20_000; count += 1) {
    ids.push(uuidv7(atMs));
    uuidv7(atMs - 1 - (count % 3));
  }
  assert.deepEqual(ids.toSorted(), ids);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(uuidv7(atMs - 1) < ids[0]! && ids.at(-1)! < uuidv7(atMs + 1));
});

test('an id is a UUID of version 7 and reveals nothing of how many there are', () => {
  const moments = Array.from({ length: 200 }, (_none, index) => atMs + 10 + index);
  const ids = moments.map(uuidv7);
  for (const [index, id] of ids.entries()) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(parseInt(id.replace('-', '').slice(0, 12), 16), moments[index]);
    assert.ok(id > uuidFloor(moments[index]!) && id < uuidFloor(moments[index]! + 1));
  }
  // Where one moment began to count says nothing of another.
  assert.ok(new Set(ids.map((id) => id.slice(14, 23))).size > 190);
});
