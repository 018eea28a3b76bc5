import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { allOf, bitsOf, decodeGrid, encodeGrid, gridCells, meet } from './motion-grid.ts';

const cells = fc.uint8Array({ minLength: gridCells / 8, maxLength: gridCells / 8 });
const moved = fc
  .record({ fromMs: fc.nat(60_000), lastsMs: fc.integer({ min: 1, max: 1_200 }), cells })
  .map(({ fromMs, lastsMs, ...more }) => ({ fromMs, untilMs: fromMs + lastsMs, ...more }));
const grids = fc.record({
  rotation: fc.constantFrom(0, 90, 180, 270),
  isOfMain: fc.constantFrom(true, false, null),
  moved: fc.array(moved, { maxLength: 12 }),
});

test('a grid that is written is read again, with times that are never shorter and 0.2 s longer at most', () => {
  fc.assert(
    fc.property(grids, (grid) => {
      const bytes = encodeGrid(grid);
      assert.equal(bytes.length, 1 + 21 * grid.moved.length);
      const read = decodeGrid(bytes)!;
      assert.deepEqual([read.rotation, read.moved.length], [grid.rotation, grid.moved.length]);
      assert.equal(read.isOfMain, grid.isOfMain);
      for (const [index, { fromMs, untilMs, cells: where }] of grid.moved.entries()) {
        const again = read.moved[index]!;
        assert.deepEqual(Uint8Array.from(again.cells), where);
        assert.ok(again.fromMs <= fromMs && again.untilMs >= untilMs);
        assert.ok(again.untilMs - again.fromMs <= untilMs - fromMs + 200);
      }
    }),
  );
});

const dayMs = 24 * 60 * 60_000;

test('times of a segment of days are as true, in steps that grow with its length, and long motion is not cut', () => {
  for (const [fromMs, lastsMs, stepMs] of [
    [6_553_000, 1_000, 100],
    [6_553_600, 1_000, 200],
    [6_553_400, 100, 100],
    [3 * 60 * 60_000 + 99, 1_000, 200],
    [dayMs, 1_000, 1_600],
    [30 * dayMs, 1_000, 51_200],
    [1_000, 90_000, 100],
    [dayMs, 600_000, 1_600],
  ] as const) {
    const where = Uint8Array.from({ length: gridCells / 8 }, (_, index) => index);
    const first = { fromMs: 300, untilMs: 1_100, cells: where };
    const late = { fromMs, untilMs: fromMs + lastsMs, cells: where };
    const grid = { rotation: 270, isOfMain: false, moved: [first, late] } as const;
    const read = decodeGrid(encodeGrid(grid))!;
    assert.deepEqual([read.rotation, read.isOfMain], [270, false]);
    const [begin, ...rest] = read.moved;
    assert.ok(begin!.fromMs <= 300 && begin!.untilMs >= 1_100);
    assert.ok(rest.every(({ cells: read }) => Buffer.from(where).equals(read)));
    for (const [index, { untilMs }] of rest.entries())
      assert.ok(rest[index + 1] === undefined || rest[index + 1]!.fromMs === untilMs);
    const [from, until] = [rest[0]!.fromMs, rest.at(-1)!.untilMs];
    assert.ok(from <= fromMs && from > fromMs - stepMs, `${from} for ${fromMs}`);
    assert.ok(until >= fromMs + lastsMs && until < fromMs + lastsMs + stepMs, `${until}`);
  }
});

test('all cells of a grid are those of any of its times', () => {
  fc.assert(
    fc.property(grids, cells, (grid, asked) => {
      assert.equal(
        meet(allOf(grid), asked),
        grid.moved.some((each) => meet(each.cells, asked)),
      );
    }),
  );
  assert.equal(bitsOf(Uint8Array.of(0x81, 0x0f)), '1000000100001111');
});

test('an invalid grid is not read', () => {
  for (const bytes of [[], [12], [28], [0, 1], [0, ...Array<number>(20).fill(0)]]) {
    assert.equal(decodeGrid(Buffer.from(bytes)), null);
  }
  assert.deepEqual(decodeGrid(Buffer.of(1)), { rotation: 90, isOfMain: null, moved: [] });
});
