/** What people wear before a camera and did not wear when they were enrolled, drawn on their photos by five points. */
import sharp from 'sharp';
import type { Picture } from '../../server/src/vision/picture.ts';
import { eyeDistance } from '../../server/src/vision/quality.ts';
import { portraitsOf, type Filmable, type People } from './people.ts';

type Point = readonly [x: number, y: number];

/** Returns SVG in pixels of the photo; `unit` is the distance between the eyes. */
export type Worn = (points: readonly Point[], unit: number) => string;

const lenses = (fill: string): Worn => {
  return ([left, right], unit) => {
    const [l, r] = [left!, right!];
    const frame = `fill="${fill}" stroke="#1a1a1a" stroke-width="${0.07 * unit}"`;
    const lens = ([x, y]: Point): string =>
      `<ellipse cx="${x}" cy="${y + 0.05 * unit}" rx="${0.4 * unit}" ry="${0.32 * unit}" ${frame}/>`;
    const middle = (l[0] + r[0]) / 2;
    const bridge = `<path d="M${middle - 0.1 * unit} ${(l[1] + r[1]) / 2} h${0.2 * unit}" ${frame}/>`;
    return lens(l) + lens(r) + bridge;
  };
};

/** Thick dark frames round the eyes, which stay in sight. */
export const glasses = lenses('none');
export const sunglasses = lenses('#141414');

/** A surgical mask, from the bridge of the nose to below the chin. */
export const mask: Worn = ([left, right, nose, mouthLeft, mouthRight], unit) => {
  const [l, r, n] = [left!, right!, nose!];
  const mouth: Point = [(mouthLeft![0] + mouthRight![0]) / 2, (mouthLeft![1] + mouthRight![1]) / 2];
  const eyes: Point = [(l[0] + r[0]) / 2, (l[1] + r[1]) / 2];
  const top: Point = [eyes[0] + 0.55 * (n[0] - eyes[0]), eyes[1] + 0.55 * (n[1] - eyes[1])];
  const chin = mouth[1] + 0.75 * unit;
  const d = [
    `M${l[0] - 0.6 * unit} ${l[1] + 0.45 * unit}`,
    `Q${top[0]} ${top[1] - 0.1 * unit} ${r[0] + 0.6 * unit} ${r[1] + 0.45 * unit}`,
    `L${mouth[0] + 0.75 * unit} ${mouth[1] + 0.35 * unit}`,
    `Q${mouth[0]} ${chin + 0.3 * unit} ${mouth[0] - 0.75 * unit} ${mouth[1] + 0.35 * unit} Z`,
  ].join(' ');
  return `<path d="${d}" fill="#a9c9de" stroke="#8fb2c9" stroke-width="${0.03 * unit}"/>`;
};

/** The same photos, with that on every face that is filmed. */
export async function wearing(people: People, worn: Worn): Promise<Map<string, Filmable>> {
  const dressed = new Map<string, Filmable>();
  for (const [photo, portrait] of portraitsOf(people)) {
    dressed.set(photo, { ...portrait, picture: await drawn(portrait, worn) });
  }
  return dressed;
}

async function drawn({ picture, view }: Filmable, worn: Worn): Promise<Picture> {
  const { width, height, rgb } = picture;
  const shape = worn(view.points, eyeDistance(view.points));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shape}</svg>`;
  const data = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .composite([{ input: Buffer.from(svg) }])
    .removeAlpha()
    .raw()
    .toBuffer();
  return { ...picture, rgb: data };
}
