import { expect, test } from 'vitest';
import { maxScale, panned, whole, zoomedAt, type Zoom } from './zoom.ts';

const under = (zoom: Zoom, x: number): number => (x - zoom.x) / zoom.scale;

test('the point under the pointer stays there, up to eight times', () => {
  const first = zoomedAt(whole, 2, { x: 0.25, y: 0.5 });
  expect(first).toEqual({ scale: 2, x: -0.25, y: -0.5 });
  const second = zoomedAt(first, 1.5, { x: 0.6, y: 0.5 });
  expect(under(second, 0.6)).toBeCloseTo(under(first, 0.6));
  expect(zoomedAt(second, 100, { x: 0.5, y: 0.5 }).scale).toBe(8);
  expect(zoomedAt(second, 0.01, { x: 0.9, y: 0.1 })).toEqual({ scale: 1, x: 0, y: 0 });
});

test('nothing beside the picture is ever seen', () => {
  let zoom: Zoom = whole;
  // Any numbers do; the same ones each time.
  let seed = 7;
  const next = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  for (let step = 0; step < 2000; step += 1) {
    const point = { x: next(), y: next() };
    zoom =
      next() < 0.5
        ? zoomedAt(zoom, 10 ** (next() * 2 - 1), point)
        : panned(zoom, { x: next() * 6 - 3, y: next() * 6 - 3 });
    expect(zoom.scale).toBeGreaterThanOrEqual(1);
    expect(zoom.scale).toBeLessThanOrEqual(maxScale);
    for (const edge of [zoom.x, zoom.y]) {
      expect(edge).toBeLessThanOrEqual(0);
      expect(edge + zoom.scale).toBeGreaterThanOrEqual(1 - 1e-9);
    }
  }
});
