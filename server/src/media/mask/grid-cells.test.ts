import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Point } from '@nazar/contract/polygon.ts';
import { bitsOf, gridColumns, gridRows } from '../protocol/motion-grid.ts';
import { touchedCells, unmaskedCells } from './grid-cells.ts';

const box = (left: number, top: number, right: number, bottom: number): Point[] => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];

/** Column and row of each cell. */
function placesIn(cells: Uint8Array): [column: number, row: number][] {
  const bits = Array.from(bitsOf(cells));
  const places = bits.flatMap((bit, place) => (bit === '1' ? [place] : []));
  return places.map((place) => [place % gridColumns, Math.floor(place / gridColumns)]);
}

test('a part of the picture takes up every cell that it touches, and no other', () => {
  const fraction = fc.double({ min: 0, max: 0.9, noNaN: true });
  const side = fc.double({ min: 0.001, max: 0.5, noNaN: true });
  fc.assert(
    fc.property(fraction, fraction, side, side, (left, top, width, height) => {
      const [right, bottom] = [Math.min(1, left + width), Math.min(1, top + height)];
      for (const [column, row] of placesIn(touchedCells([box(left, top, right, bottom)]))) {
        assert.ok((column + 1) / gridColumns >= left && column / gridColumns <= right);
        assert.ok((row + 1) / gridRows >= top && row / gridRows <= bottom);
      }
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const middle = [Math.floor(x * gridColumns), Math.floor(y * gridRows)];
      assert.ok(
        placesIn(touchedCells([box(left, top, right, bottom)])).some(
          ([column, row]) => column === middle[0] && row === middle[1],
        ),
      );
    }),
  );
  assert.equal(placesIn(touchedCells([box(0, 0, 1, 1)])).length, gridColumns * gridRows);
  assert.deepEqual(placesIn(touchedCells([box(0.51, 0.51, 0.52, 0.52)])), [[8, 4]]);
});

test('cells that a mask touches are left out with a cell around them, wherever the camera was turned since', () => {
  const everywhere = touchedCells([box(0, 0, 1, 1)]);
  const masks = { polygons: [box(0.01, 0.01, 0.02, 0.02)], rotation: 0, turns: [0, 180] } as const;
  const untouched = { ...masks, turns: [0] } as const;
  const left = (rotation: 0 | 90 | 180 | 270) =>
    placesIn(unmaskedCells(everywhere, masks, rotation));
  const isHidden = (places: [number, number][], column: number, row: number) =>
    !places.some(([x, y]) => x === column && y === row);
  assert.equal(placesIn(unmaskedCells(everywhere, untouched, 0)).length, 144 - 4);
  assert.equal(left(0).length, 144 - 8);
  for (const [column, row] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const) {
    assert.ok(isHidden(left(0), column, row));
  }
  // Turned by half since: the corner of the picture as it was then, too.
  assert.equal(left(180).length, 144 - 8);
  assert.ok(isHidden(left(180), 0, 0) && isHidden(left(180), 15, 8));
  // No turn that is on record led to that rotation: it may have been any.
  assert.equal(left(90).length, 144 - 16);
  const other = touchedCells([box(0.5, 0.5, 0.6, 0.6)]);
  assert.deepEqual(unmaskedCells(other, masks, 0), other);
});
