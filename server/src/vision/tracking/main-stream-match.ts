/**
 * Faces of a sub-stream looked at once more as the main stream shows them: which are worth it, and which of those
 * found there is the same face. Pure.
 */
import type { Rect } from '#lib/geometry.ts';
import { chipOf } from '../chip.ts';
import { coarse, likeness } from './likeness.ts';
import type { FaceView } from '../messages.ts';
import { cameraWidth, fullIod } from '../quality.ts';

/** Less is no gain. */
const minScale = 1.25;

/** In pixels of the main stream. */
export interface Comparable {
  /** How many there are for each of the picture's. */
  readonly mainScale: number;
  /** Of a face that may be compared: wide, and between the eyes. */
  readonly minWidth: number;
  readonly minIod: number;
}

export function worthMainStream(
  { fault, iod, ...view }: Pick<FaceView, 'box' | 'fault' | 'iod' | 'points'>,
  { mainScale, minWidth, minIod }: Comparable,
): boolean {
  if (mainScale < minScale || iod >= fullIod) return false;
  // What more pixels mend; who is turned away or in the dark is so there, too.
  if (fault !== null && fault !== 'too_small' && fault !== 'blurred') return false;
  return iod * mainScale >= minIod && cameraWidth({ iod, ...view }) * mainScale >= minWidth;
}

/** Faces found in another picture of the same moment, in pixels of that size. */
export interface MainStreamFaces {
  readonly width: number;
  readonly height: number;
  readonly faces: readonly FaceView[];
  readonly chips: Buffer;
}

export interface MainStreamMatch {
  readonly view: FaceView;
  readonly chip: Buffer;
}

/** In widths of the face. Two streams of a camera are up to a quarter of a second apart, in which nobody walks further. */
const maxAway = 1.5;
/** Of one face in two pictures: a detector's boxes are as uncertain. */
const sizes = { least: 0.6, most: 1.6 };
/** Another that is not so much further away, in widths, may be meant just as well. */
const clearBy = 0.75;
/** Of the small chip and the large one: 0.973 was the least of 115 in films with 10 to 26 px between the eyes. */
const minLikeness = 0.85;

/** Null when nobody there is surely the face that was at `box` (fractions of the picture) and has that chip. */
export function sameFace(
  box: Rect,
  chip: Buffer,
  mainStream: MainStreamFaces,
): MainStreamMatch | null {
  const { width, height, faces, chips } = mainStream;
  const side = Math.max(box.width * width, box.height * height);
  const [x, y] = [(box.x + box.width / 2) * width, (box.y + box.height / 2) * height];
  const near = faces
    .map((view) => {
      const away = Math.hypot(
        view.box.x + view.box.width / 2 - x,
        view.box.y + view.box.height / 2 - y,
      );
      return { view, away: away / side, size: Math.max(view.box.width, view.box.height) / side };
    })
    .filter(({ away, size }) => away <= maxAway && size >= sizes.least && size <= sizes.most)
    .toSorted((a, b) => a.away - b.away);
  const [first, second] = near;
  if (!first || (second && second.away - first.away < clearBy)) return null;
  const found = chipOf(first.view, faces, chips);
  if (!found || likeness(coarse(chip), coarse(found)) < minLikeness) return null;
  return { view: first.view, chip: Buffer.from(found) };
}
