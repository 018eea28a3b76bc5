/**
 * What a camera's two streams show of one scene: a grey wall with squares of any brightness, one of which is the
 * brightest by far and is to be hidden. Pictures are painted in memory, at any size, of any part of the scene.
 */
import assert from 'node:assert/strict';
import { makeFilm, type Film } from '@nazar/e2e/farm/film.ts';
import type { Rect, Size } from '#lib/geometry.ts';
import { rectOnPart } from '#media/mask/stream-part.ts';
import { rectangle, type Grey } from './grey.ts';

export interface Square extends Rect {
  readonly grey: number;
}

/** In fractions of the scene. */
export interface Scene {
  readonly wall: number;
  readonly squares: readonly Square[];
}

/** The same numbers for the same seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A wall with so many squares of 20 to 160 grey. `aspect`: of the scene, so that they are square. */
export function aScene(seed: number, squares = 40, aspect = 16 / 9): Scene {
  const next = random(seed);
  return {
    wall: 100,
    squares: Array.from({ length: squares }, () => {
      const side = 0.04 + next() * 0.09;
      return {
        x: next() * (1 - side),
        y: next() * (1 - side * aspect),
        width: side,
        height: side * aspect,
        grey: 20 + Math.floor(next() * 140),
      };
    }),
  };
}

export const everything: Rect = { x: 0, y: 0, width: 1, height: 1 };

/** What shows that part of the scene. Four samples a pixel: edges between pixels are of a grey between. */
export function pictureOf(
  { wall, squares }: Scene,
  { width, height }: Size,
  part: Rect = everything,
): Grey {
  const data = new Uint8Array(width * height);
  const fine = 2;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let sample = 0; sample < fine * fine; sample++) {
        const across = part.x + ((x + ((sample % fine) + 0.5) / fine) / width) * part.width;
        const down =
          part.y + ((y + (Math.floor(sample / fine) + 0.5) / fine) / height) * part.height;
        sum += greyAt(squares, across, down) ?? wall;
      }
      data[y * width + x] = sum / (fine * fine);
    }
  }
  return { width, height, data };
}

function greyAt(squares: readonly Square[], x: number, y: number): number | null {
  const square = squares.findLast(
    (one) => x >= one.x && y >= one.y && x < one.x + one.width && y < one.y + one.height,
  );
  return square?.grey ?? null;
}

/** The picture with so much noise of its own. */
export function noisy({ width, height, data }: Grey, amount: number, seed: number): Grey {
  const next = random(seed);
  const grain = (): number => (next() + next() + next() - 1.5) * 2 * amount;
  return { width, height, data: data.map((grey) => Math.max(0, Math.min(255, grey + grain()))) };
}

/** Hidden by `sceneMask`, and one beside it that is not: the only bright ones of that scene. */
const hidden: Square = { x: 0.3, y: 0.4, width: 0.1, height: 0.16, grey: 250 };
const beside: Square = { x: 0.55, y: 0.4, width: 0.1, height: 0.16, grey: 250 };
const plain = aScene(2, 40);
export const maskedScene: Scene = { ...plain, squares: [...plain.squares, hidden, beside] };
export const sceneMask = rectangle(hidden.x, hidden.y, hidden.width, hidden.height);

export interface StreamPair {
  readonly name: string;
  readonly main: Size;
  readonly sub: Size;
  readonly part: Rect;
  /** Otherwise the server knows it already. */
  readonly isMeasured: boolean;
}

/** How sub-streams of cameras lie to their main streams. */
export const streamPairs: readonly StreamPair[] = [
  {
    name: 'a sub-stream that is a 4:3 cut of a 16:9 picture',
    main: { width: 640, height: 360 },
    sub: { width: 320, height: 240 },
    part: { x: 0.125, y: 0, width: 0.75, height: 1 },
    isMeasured: true,
  },
  {
    name: 'a sub-stream that is the whole picture, squeezed',
    main: { width: 640, height: 360 },
    sub: { width: 320, height: 240 },
    part: everything,
    isMeasured: false,
  },
  {
    name: 'a sub-stream that is a 16:9 cut of a 4:3 picture',
    main: { width: 640, height: 480 },
    sub: { width: 320, height: 180 },
    part: { x: 0, y: 0.125, width: 1, height: 0.75 },
    isMeasured: false,
  },
  {
    name: 'a sub-stream that is a digital zoom of the same proportions',
    main: { width: 640, height: 360 },
    sub: { width: 320, height: 180 },
    part: { x: 0.2, y: 0.15, width: 0.6, height: 0.6 },
    isMeasured: false,
  },
];

/** YUV 4:2:0 planes of what shows that part of the scene. */
export function planesOf(shown: Scene, size: Size, part: Rect = everything): Buffer {
  const { data } = pictureOf(shown, size, part);
  return Buffer.concat([data, Buffer.alloc(data.length / 2, 128)]);
}

/** Two seconds of it, standing still. */
export function filmOfScene(shown: Scene, size: Size, part: Rect = everything): Film {
  const planes = planesOf(shown, size, part);
  const shape = { ...size, fps: 10, pictures: 20, gop: 10 };
  return makeFilm(shape, true, { paints: () => planes });
}

/** Brighter than all but the two squares, and what coding makes of their edges. */
const bright = 205;

/** Which share of such a picture the square beside the hidden one takes. */
export const shareBeside = (part: Rect): number =>
  (beside.width * beside.height) / (part.width * part.height);

/** Nothing of the hidden square is in the picture, and the one beside it is. */
export function mustHideOnly(picture: Grey, part: Rect = everything, what = ''): void {
  const { width, height, data } = picture;
  const place = rectOnPart(beside, part);
  const [left, top] = [place.x * width, place.y * height];
  const [right, bottom] = [left + place.width * width, top + place.height * height];
  let [shown, leaked] = [0, 0];
  for (const [at, grey] of data.entries()) {
    if (grey <= bright) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    const isBeside = x >= left - 2 && x <= right + 2 && y >= top - 2 && y <= bottom + 2;
    if (isBeside) shown += 1;
    else leaked += 1;
  }
  assert.equal(leaked, 0, `${what}: pixels of what is hidden`);
  const expected = place.width * width * place.height * height;
  assert.ok(shown > 0.7 * expected, `${what}: ${shown} of ${expected} pixels beside it`);
}
