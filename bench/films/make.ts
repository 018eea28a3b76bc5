/** Writes scenes as films. */
import { writeFilm } from '../../server/src/commands/demo-film/film.ts';
import type { Effect } from './effects.ts';
import { Painter, type Portrait } from './paint.ts';
import { shape, type Scene } from './scene.ts';

/** The streams of a camera that shows a scene: `sub` has half as many pixels along each side. */
export interface TwoStreams {
  readonly main: string;
  readonly sub: string;
}

export async function makeFilm(
  path: string,
  scene: Scene,
  portraits: ReadonlyMap<string, Portrait>,
  effects: readonly Effect[] = [],
): Promise<string> {
  const painter = await Painter.prepare(scene, portraits);
  await writeFilm(path, shape, changed(painter.pictures(), effects));
  return path;
}

function* changed(pictures: Iterable<Buffer>, effects: readonly Effect[]): Generator<Buffer> {
  let index = 0;
  for (const picture of pictures) {
    for (const effect of effects) effect(picture, index);
    index += 1;
    yield picture;
  }
}

export async function makeTwoStreams(
  { main, sub }: TwoStreams,
  scene: Scene,
  portraits: ReadonlyMap<string, Portrait>,
): Promise<TwoStreams> {
  const painter = await Painter.prepare(scene, portraits);
  await writeFilm(main, shape, painter.pictures());
  const half = { ...shape, width: shape.width / 2, height: shape.height / 2 };
  await writeFilm(sub, half, halved(painter.pictures()));
  return { main, sub };
}

function* halved(pictures: Iterable<Buffer>): Generator<Buffer> {
  const { width, height } = shape;
  const luma = width * height;
  for (const picture of pictures) {
    const planes = [
      halfPlane(picture.subarray(0, luma), width),
      halfPlane(picture.subarray(luma, (luma * 5) / 4), width / 2),
      halfPlane(picture.subarray((luma * 5) / 4), width / 2),
    ];
    yield Buffer.concat(planes);
  }
}

/** Each sample the mean of four. */
function halfPlane(plane: Buffer, width: number): Buffer {
  const half = Buffer.alloc(plane.length / 4);
  for (let i = 0; i < half.length; i++) {
    const row = Math.floor((2 * i) / width);
    const at = 2 * row * width + ((2 * i) % width);
    const sum = plane[at]! + plane[at + 1]! + plane[at + width]! + plane[at + width + 1]!;
    half[i] = (sum + 2) >> 2;
  }
  return half;
}
