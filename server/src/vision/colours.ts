/** How a network takes colours: the order of its channels, and the numbers it was trained with. */
import type { Colours } from './packs/pack.ts';

/** For red, green and blue: the plane of the input that each fills, and its number for each of 256 levels. */
export type Channels = readonly { readonly plane: number; readonly levels: Float32Array }[];

/** 0 to 255 as they are. */
export const rawColours: Colours = { order: 'rgb', mean: 0, deviation: 1 };

export function channelsOf({ order, mean, deviation }: Colours): Channels {
  return [0, 1, 2].map((colour) => {
    const plane = order === 'rgb' ? colour : 2 - colour;
    const [less, by] = [ofPlane(mean, plane), ofPlane(deviation, plane)];
    return { plane, levels: Float32Array.from({ length: 256 }, (_, value) => (value - less) / by) };
  });
}

/** Turns planes of red, green and blue from 0 to 255 into what the network expects, in place. */
export function asInput(planes: Float32Array, { order, mean, deviation }: Colours): void {
  const area = planes.length / 3;
  if (order === 'bgr') {
    const red = planes.slice(0, area);
    planes.copyWithin(0, 2 * area);
    planes.set(red, 2 * area);
  }
  for (let plane = 0; plane < 3; plane++) {
    const [less, by] = [ofPlane(mean, plane), ofPlane(deviation, plane)];
    if (less === 0 && by === 1) continue;
    const end = (plane + 1) * area;
    for (let at = plane * area; at < end; at++) planes[at] = (planes[at]! - less) / by;
  }
}

const ofPlane = (each: Colours['mean'], plane: number): number =>
  typeof each === 'number' ? each : each[plane]!;
