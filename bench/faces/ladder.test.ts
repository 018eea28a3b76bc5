import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromAfar, placed } from './ladder.ts';

/** Black, with a white square of 20 px around each of two places. */
function photo(width: number, height: number, ...places: [x: number, y: number][]) {
  const rgb = new Uint8Array(width * height * 3);
  for (const [px, py] of places) {
    for (let y = py - 10; y < py + 10; y++) {
      rgb.fill(255, (y * width + px - 10) * 3, (y * width + px + 10) * 3);
    }
  }
  return { width, height, rgb };
}

test('the eyes are as far apart as wanted, where it says, in a picture of a camera', async () => {
  const left = [100, 150] as const;
  const right = [180, 150] as const;
  const distant = await fromAfar(photo(300, 300, [...left], [...right]), { left, right }, 20);
  const { picture, face } = distant!;
  assert.deepEqual([picture.width, picture.height], [640, 360]);
  const [x, y] = face.map(Math.round) as [number, number];
  const at = (dx: number): number => picture.rgb[(y * 640 + x + dx) * 3]!;
  assert.ok(at(-10) > 150 && at(10) > 150, 'eyes');
  assert.ok(at(0) < 60, 'between them');
});

test('a face that is smaller already is not enlarged', async () => {
  const eyes = { left: [50, 50], right: [60, 50] } as const;
  assert.equal(await fromAfar(photo(100, 100), eyes, 16), null);
});

test('a photo that does not fit is cut around the face, never beyond its edge', () => {
  assert.deepEqual(placed(100, 640, 50), { from: 0, to: 270 });
  assert.deepEqual(placed(1000, 640, 500), { from: 180, to: 0 });
  assert.deepEqual(placed(1000, 640, 10), { from: 0, to: 0 });
  assert.deepEqual(placed(1000, 640, 990), { from: 360, to: 0 });
});
