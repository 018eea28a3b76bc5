/** What makes a whole picture hard to read, in place on planes of YUV 4:2:0. */
import { seeded } from '../faces/chance.ts';
import { shape } from './scene.ts';

export type Effect = (picture: Buffer, index: number) => void;

const pixels = shape.width * shape.height;
/** The darkest luma of video (ITU-R BT.601). */
const black = 16;
const clipped = (value: number): number => Math.max(black, Math.min(235, Math.round(value)));

/** So much of the light is left, and of the colours. */
export function darkened(part: number): Effect {
  return (picture) => {
    for (let i = 0; i < pixels; i++) picture[i] = clipped(black + (picture[i]! - black) * part);
    for (let i = pixels; i < picture.length; i++)
      picture[i] = Math.round(128 + (picture[i]! - 128) * part);
  };
}

/** A camera by infrared light has no colours. */
export const byGrey = (): Effect => (picture) => void picture.fill(128, pixels);

/** Noise of so many levels (sigma), by Box and Muller, the same each time; twice a picture, so that each begins elsewhere. */
export function noisy(sigma: number): Effect {
  const random = seeded(17);
  const grain = Int16Array.from({ length: 2 * pixels }, () =>
    Math.round(sigma * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())),
  );
  return (picture, index) => {
    const from = (index * 104_729) % pixels;
    for (let i = 0; i < pixels; i++) picture[i] = clipped(picture[i]! + grain[from + i]!);
  };
}

/** Each sample is the mean of an odd number beside each other: everything moved so far while the shutter was open. */
export function smeared(length: number): Effect {
  const half = (length - 1) / 2;
  return (picture) => {
    const row = new Uint8Array(shape.width);
    const at = (x: number): number => row[Math.max(0, Math.min(shape.width - 1, x))]!;
    for (let start = 0; start < pixels; start += shape.width) {
      row.set(picture.subarray(start, start + shape.width));
      let sum = 0;
      for (let x = -half; x <= half; x++) sum += at(x);
      for (let x = 0; x < shape.width; x++) {
        picture[start + x] = Math.round(sum / length);
        sum += at(x + half + 1) - at(x - half);
      }
    }
  };
}
