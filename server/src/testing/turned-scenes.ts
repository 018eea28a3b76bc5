/**
 * A scene as a camera sends it that was turned, with a square to be hidden at its edge and one in its middle, which is in
 * the middle however it is turned. Pictures are painted in memory.
 */
import assert from 'node:assert/strict';
import { turnBetween, type QuarterTurn } from '@nazar/contract/polygon.ts';
import type { Size } from '#lib/geometry.ts';
import { rotated } from '#media/codec/rotate.ts';
import { rectangle, type Grey } from './grey.ts';
import { aScene, pictureOf, type Scene } from './scenes.ts';

const hidden = { x: 0.08, y: 0.1, width: 0.1, height: 0.16, grey: 250 };
const middle = { x: 0.44, y: 0.42, width: 0.12, height: 0.16, grey: 250 };
const plain = aScene(2, 40);
const scene: Scene = { ...plain, squares: [...plain.squares, hidden, middle] };

/** Drawn over the square at the edge on a picture that is upright. */
export const upright: [number, number][] = rectangle(
  hidden.x,
  hidden.y,
  hidden.width,
  hidden.height,
);

const size: Size = { width: 320, height: 192 };

/** How a camera hangs: by how much the picture that it sends is turned. */
export interface Hung {
  readonly by: QuarterTurn;
}

export const asBefore: Hung = { by: 0 };

/** What a camera sends that hangs so: it may be on its side. */
function sentBy({ by }: Hung): Grey {
  const { data, ...sides } = pictureOf(scene, size);
  return rotated({ ...sides, data: Buffer.from(data) }, by, 1);
}

export function sizeSentBy(hung: Hung): Size {
  const { width, height } = sentBy(hung);
  return { width, height };
}

export function planesSentBy(hung: Hung): Buffer {
  const { data } = sentBy(hung);
  return Buffer.concat([data, Buffer.alloc(data.length / 2, 128)]);
}

/** What its users see of that with a rotation. */
export function shownAt(rotation: QuarterTurn, hung: Hung): Grey {
  const { data, ...sides } = sentBy(hung);
  return rotated({ ...sides, data: Buffer.from(data) }, rotation, 1);
}

/** A camera that was turned against its rotation shows an upright picture. */
export const against = (rotation: QuarterTurn): Hung => ({ by: turnBetween(rotation, 0) });

const bright = 205;

/** Nothing of the square at the edge is in the picture, and the one in the middle is, however both are turned. */
export function mustShowOnlyTheMiddle({ width, height, data }: Grey, what: string): void {
  let [shown, leaked] = [0, 0];
  for (const [at, grey] of data.entries()) {
    if (grey <= bright) continue;
    const [x, y] = [(at % width) / width, Math.floor(at / width) / height];
    if (Math.abs(x - 0.5) < 0.1 && Math.abs(y - 0.5) < 0.1) shown += 1;
    else leaked += 1;
  }
  assert.equal(leaked, 0, `${what}: pixels of what is hidden`);
  const expected = middle.width * middle.height * width * height;
  assert.ok(shown > 0.7 * expected, `${what}: ${shown} of ${expected} pixels in the middle`);
}
