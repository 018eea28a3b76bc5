/**
 * Faces of a sub-stream, detected again in the main stream: which are worth it, and which of those found there is the
 * same face. Pure.
 */
import type { Rect } from '#lib/geometry.ts';
import type { PicturePlace } from '#media/mask/picture-place.ts';
import { chipOf } from '../chip.ts';
import { coarse, likeness } from './likeness.ts';
import type { FaceView } from '../messages.ts';
import { cameraWidth, fullIod } from '../quality.ts';

/** A smaller scale brings no gain. */
const minScale = 1.25;

/** What makes a face comparable, in pixels of the main stream. */
export interface Comparable {
  /** Pixels of the main stream for each pixel of the picture, along one side. */
  readonly mainScale: number;
  /** The least width of a face that may be compared, and the least distance between its eyes. */
  readonly minWidth: number;
  readonly minIod: number;
}

export function worthMainStream(
  { fault, iod, ...view }: Pick<FaceView, 'box' | 'fault' | 'iod' | 'points'>,
  { mainScale, minWidth, minIod }: Comparable,
): boolean {
  if (mainScale < minScale || iod >= fullIod) return false;
  // More pixels mend these faults; a face that is turned away or in the dark is so in the main stream, too.
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
  readonly place: PicturePlace | null;
}

/**
 * In widths of the face. The two streams of a camera are up to a quarter of a second apart; no person walks further in
 * that time.
 */
const maxAway = 1.5;
/** The ratio of the sizes of one face in two pictures: a detector's boxes vary that much. */
const sizes = { least: 0.6, most: 1.6 };
/** Another face that is not further away by this much, in widths, may be the one that is meant. */
const clearBy = 0.75;
/**
 * The likeness of the small chip and the large one: 0.973 was the least of 115 in films with 10 to 26 px between the
 * eyes.
 */
const minLikeness = 0.85;

/** Null when none of the faces is surely the one that was at `box` (fractions of the picture) and has that chip. */
export function sameFace(
  box: Rect,
  chip: Buffer,
  mainStream: MainStreamFaces,
): Omit<MainStreamMatch, 'place'> | null {
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
