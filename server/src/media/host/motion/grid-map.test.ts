import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bitsOf, gridCells, gridColumns, gridRows } from '../../protocol/motion-grid.ts';
import { GridMap } from './grid-map.ts';
import { rotated } from '../../codec/rotate.ts';

const rotations = [0, 90, 180, 270] as const;

test('every pixel of a detector cell lies in a cell of the grid that it counts for, however it is turned', () => {
  for (const picture of [
    { width: 320, height: 180 },
    { width: 320, height: 240 },
    { width: 180, height: 320 },
    { width: 318, height: 134 },
  ]) {
    for (const turn of rotations) {
      const map = new GridMap(picture, turn);
      const columns = Math.ceil(picture.width / 8);
      for (let cell = 0; cell < columns * Math.ceil(picture.height / 8); cell += 7) {
        const bits = bitsOf(map.of([cell])!);
        const pixels = { ...picture, data: Buffer.alloc(picture.width * picture.height) };
        for (let y = 0; y < picture.height; y++) {
          for (let x = 0; x < picture.width; x++) {
            if ((y >> 3) * columns + (x >> 3) === cell) pixels.data[y * picture.width + x] = 1;
          }
        }
        const upright = rotated(pixels, turn, 1);
        const touched = new Set<number>();
        for (const [place, isOf] of upright.data.entries()) {
          if (isOf === 0) continue;
          const x = (place % upright.width) / upright.width;
          const y = Math.floor(place / upright.width) / upright.height;
          touched.add(Math.floor(y * gridRows) * gridColumns + Math.floor(x * gridColumns));
        }
        for (const place of touched) assert.equal(bits[place], '1', `${turn} ${cell} ${place}`);
        const count = bits.replaceAll('0', '').length;
        assert.ok(count >= touched.size && count <= touched.size + 3, `${count} ${touched.size}`);
      }
    }
  }
  const all = Array.from({ length: 40 * 23 }, (_, cell) => cell);
  const map = new GridMap({ width: 320, height: 180 }, 0);
  assert.equal(bitsOf(map.of(all)!), '1'.repeat(gridCells));
  assert.equal(map.of([]), null);
});

test('motion in a cut of the picture counts where it is on the whole one, and a cell around it at most', () => {
  const picture = { width: 320, height: 240 };
  const part = { x: 0.125, y: 0, width: 0.75, height: 1 };
  const map = new GridMap(picture, 0, part);
  for (const [column, row] of [
    [0, 0],
    [20, 15],
    [39, 29],
  ] as const) {
    const bits = bitsOf(map.of([row * 40 + column])!);
    const x = part.x + (((column + 0.5) * 8) / picture.width) * part.width;
    const y = ((row + 0.5) * 8) / picture.height;
    const cells = Array.from({ length: gridCells }, (_, place) => place).filter(
      (place) => bits[place] === '1',
    );
    assert.ok(cells.includes(Math.floor(y * gridRows) * gridColumns + Math.floor(x * gridColumns)));
    for (const cell of cells) {
      assert.ok(Math.abs((cell % gridColumns) - x * gridColumns) < 2);
      assert.ok(Math.abs(Math.floor(cell / gridColumns) - y * gridRows) < 2);
    }
  }
});
