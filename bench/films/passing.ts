/** People who come by one after another, some of them together: as many different faces as photos allow. */
import type { Filmable } from './people.ts';
import { shape, type Appearance, type Scene, type Stop } from './scene.ts';

/** How they are filmed. */
export interface Manner {
  /** Widths of a face's box in pixels. */
  readonly sizes: readonly [least: number, most: number];
  /** Light, as a factor; sigma of the blur in pixels. */
  readonly light: readonly [least: number, most: number];
  readonly blur: readonly [least: number, most: number];
}

/** A new person comes this often, and stays for twice as long on average. */
const everyS = 3.5;
const staysS = [5, 9] as const;
export const perMinute = 60 / everyS;

/** Each of the photos once, in that order; the film is as long as it takes. */
export function passing(
  name: string,
  photos: readonly Filmable[],
  { sizes, light, blur }: Manner,
  random: () => number,
): Scene {
  const within = ([least, most]: readonly [number, number]): number =>
    least + (most - least) * random();
  const appearances = photos.map(({ who, photo }, i): Appearance => {
    const from = 0.5 + i * everyS;
    const size = within(sizes);
    const path = walk(random, { from, until: from + within(staysS), size });
    return { who, photo, path, depth: size, light: within(light), blur: within(blur) };
  });
  const seconds = Math.ceil(Math.max(...appearances.map(({ path }) => path.at(-1)!.at)) + 1);
  return { name, seconds, appearances };
}

/** Across, up to the camera and away again, or to somewhere and back. */
function walk(
  random: () => number,
  { from, until, size }: { from: number; until: number; size: number },
): Stop[] {
  const side = random() < 0.5 ? -1 : 1;
  const outside = (way: number): number => shape.width / 2 + way * (shape.width / 2 + size);
  const y = 220 + 160 * random();
  const at = (part: number): number => from + part * (until - from);
  const ends = { start: outside(side), end: random() < 0.6 ? outside(-side) : outside(side) };
  const turn = shape.width * (0.25 + 0.5 * random());
  const nearer = Math.min(1.5, 0.9 + random());
  return [
    { at: at(0), x: ends.start, y, size: size * 0.8 },
    { at: at(0.45), x: turn, y: y + 10, size: size * nearer * 0.9 },
    { at: at(0.6), x: turn + 20 * side, y, size: size * nearer * 0.9 },
    { at: at(1), x: ends.end, y, size: size * 0.8 },
  ];
}
