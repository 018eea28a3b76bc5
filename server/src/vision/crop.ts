/** Places on a picture and on the crops and chips that are cut out of it. Pure. */
import type { Point, Rect } from '#lib/geometry.ts';
import type { FaceCrop } from './messages.ts';
import type { Similarity } from './sample.ts';

type Crop = Pick<FaceCrop, 'part' | 'width' | 'height'>;

/** Maps a point from pixels of a crop to pixels of its picture; a pixel's coordinates are those of its middle. */
export function inPicture([x, y]: Point, { part, width, height }: Crop): Point {
  return [
    part.x + ((x + 0.5) * part.width) / width - 0.5,
    part.y + ((y + 0.5) * part.height) / height - 0.5,
  ];
}

/** Maps a point of a detector, measured from edge to edge like its boxes, to pixels of the crop. */
export function inCrop([x, y]: Point, { part, width, height }: Crop): Point {
  return [((x - part.x) * width) / part.width - 0.5, ((y - part.y) * height) / part.height - 0.5];
}

/**
 * Returns the part of the picture, from edge to edge, that a chip of that side shows: no more than its crop, and a pixel
 * of both more on each side, with which interpolation and scaling mix what is at the edge.
 */
export function shownBox(crop: Crop, { a, b, tx, ty }: Similarity, side: number): Rect {
  const { part } = crop;
  const ends = [-0.5, side - 0.5];
  const corners = ends.flatMap((x) =>
    ends.map((y) => inPicture([a * x - b * y + tx, b * x + a * y + ty], crop)),
  );
  const [xs, ys] = [corners.map(([x]) => x + 0.5), corners.map(([, y]) => y + 0.5)];
  const [across, down] = [1 + part.width / crop.width, 1 + part.height / crop.height];
  const left = Math.max(part.x, Math.min(...xs) - across);
  const top = Math.max(part.y, Math.min(...ys) - down);
  return {
    x: left,
    y: top,
    width: Math.max(0, Math.min(part.x + part.width, Math.max(...xs) + across) - left),
    height: Math.max(0, Math.min(part.y + part.height, Math.max(...ys) + down) - top),
  };
}
