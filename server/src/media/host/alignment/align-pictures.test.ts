/** Which part of the main picture a sub-stream shows, measured by pictures painted in memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aScene, everything, noisy, pictureOf } from '#testing/scenes.ts';
import { alignPictures } from './align-pictures.ts';
import { isStill } from './measurement.ts';

const wide = { width: 320, height: 180 };
const narrow = { width: 320, height: 240 };
const cut = { x: 0.125, y: 0, width: 0.75, height: 1 };
const scene = aScene(2, 40);

for (const [name, size, part] of [
  ['the same picture', wide, everything],
  ['the same picture, squeezed', narrow, everything],
  ['a cut of 4:3', narrow, cut],
  ['a digital zoom of the same proportions', wide, { x: 0.05, y: 0.08, width: 0.9, height: 0.9 }],
] as const) {
  test(`${name} is found to a hundredth, with other noise in both`, async () => {
    const main = noisy(pictureOf(scene, wide), 3, 7);
    const found = await alignPictures(main, noisy(pictureOf(scene, size, part), 3, 8));
    assert.ok(found);
    const apart = [
      found.x - part.x,
      found.y - part.y,
      found.x + found.width - part.x - part.width,
      found.y + found.height - part.y - part.height,
    ];
    assert.ok(Math.max(...apart.map(Math.abs)) < 0.01, JSON.stringify(found));
  });
}

test('nothing is found of a blank wall, of noise in the dark, or of another scene', async () => {
  const blank = pictureOf({ wall: 100, squares: [] }, wide);
  assert.equal(await alignPictures(blank, pictureOf({ wall: 100, squares: [] }, narrow)), null);
  const dark = pictureOf({ wall: 12, squares: [] }, wide);
  const night = pictureOf({ wall: 12, squares: [] }, narrow);
  assert.equal(await alignPictures(noisy(dark, 10, 1), noisy(night, 10, 2)), null);
  const other = pictureOf(aScene(9, 40), narrow);
  assert.equal(await alignPictures(pictureOf(scene, wide), other), null);
});

test('a scene that moves is not measured: its two streams are not of one moment', () => {
  const now = pictureOf(scene, wide);
  assert.equal(isStill(noisy(now, 3, 1), noisy(now, 3, 2)), true);
  assert.equal(isStill(now, pictureOf(scene, wide, { ...everything, x: 0.06 })), false);
});
