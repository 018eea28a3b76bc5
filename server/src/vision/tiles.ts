/**
 * Which squares of a picture the detector looks at. It sees 256 x 256 pixels whatever it is given, so a
 * small moving region is seen large, and a large picture is cut up rather than shrunk until faces vanish.
 */
import { area, intersection } from './picture.ts';
import type { Rect } from './messages.ts';

/** Part of a picture that becomes one look; may reach beyond the picture, where it is black. */
export interface Tile {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/**
 * A face that can be recognised (16 px between the eyes) must keep 5.7 px: BlazeFace found 94 % of such
 * faces when they were shrunk to 6.4 px, 84 % at 3.2 px. So a look covers at most 720 px; 640x360 is one.
 */
const maxSide = 720;
/** Never enlarged more than twice: a region smaller than this is widened. */
const minSide = 128;
/** Motion often stops short of the head's edge; the region grows by this part of its longer side. */
const margin = 0.15;
/**
 * BlazeFace misses faces that fill its look: of 21 it found all when the look was 2.6 times as wide as the
 * face, 15 at 2.1, 2 at 1.6. A face is at most as wide as its region's shorter side.
 */
const faceRoom = 2.6;
/** Looks per picture, 5 ms each: beyond it fewer and larger ones are taken. */
const maxTiles = 8;
/** Neighbours share this part of their side, so that a face on a seam is whole in one of them. */
const overlap = 0.25;

/** `glimpse` as in DetectRequest. */
export function tilesFor(
  width: number,
  height: number,
  regions: readonly Rect[],
  glimpse = false,
): Tile[] {
  const whole: Rect = { x: 0, y: 0, width, height };
  const inside = regions.filter((it) => intersection(it, whole) > 0);
  const areas = regions.length === 0 ? [whole] : merged(inside.map((it) => grown(it, whole)));
  // Looking at everything must not cost more than looking at the whole picture would.
  const covered = areas.reduce((sum, it) => sum + area(it), 0);
  const looked = covered > 0.7 * area(whole) ? [whole] : areas;
  const tiles = looked.flatMap((it) => (glimpse ? [around(it)] : cover(it, maxSide)));
  if (tiles.length <= maxTiles) return tiles;
  // Too much to see closely: each area once, or everything once.
  return looked.length <= maxTiles ? looked.map(around) : [around(whole)];
}

/** A face that fills the picture, like a passport photo, is found only from further away. */
export function fromAfar(width: number, height: number): Tile {
  const side = 2 * Math.max(width, height);
  return { x: Math.floor((width - side) / 2), y: Math.floor((height - side) / 2), side };
}

function grown(region: Rect, whole: Rect): Rect {
  const { width, height } = region;
  const extra = 2 * margin * Math.max(width, height);
  // No more room than the whole picture would give.
  const room = Math.min(faceRoom * Math.min(width, height), Math.max(whole.width, whole.height));
  const wide = Math.ceil(Math.max(minSide, width + extra, room));
  const high = Math.ceil(Math.max(minSide, height + extra, room));
  return {
    x: Math.floor(region.x + (width - wide) / 2),
    y: Math.floor(region.y + (height - high) / 2),
    width: wide,
    height: high,
  };
}

/** Joins regions that overlap until none do. */
function merged(regions: readonly Rect[]): Rect[] {
  const apart: Rect[] = [];
  for (const region of regions) {
    let joined = region;
    for (let i = 0; i < apart.length;) {
      if (intersection(apart[i]!, joined) === 0) {
        i += 1;
        continue;
      }
      joined = union(apart[i]!, joined);
      apart.splice(i, 1);
      i = 0;
    }
    apart.push(joined);
  }
  return apart;
}

function union(a: Rect, b: Rect): Rect {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/**
 * One square when the region is nearly square or fits a look; else squares along it and one over all of
 * it, because a face larger than a tile is whole only there.
 */
function cover(region: Rect, largest: number): Tile[] {
  const long = Math.max(region.width, region.height);
  if (long <= largest && !isNarrow(region)) return [around(region)];
  const side = Math.min(largest, Math.max(Math.min(region.width, region.height), long / 2));
  const tiles: Tile[] = [];
  for (const y of starts(region.height, side)) {
    for (const x of starts(region.width, side)) {
      tiles.push({ x: region.x + x, y: region.y + y, side: Math.ceil(side) });
    }
  }
  return tiles.length > 1 ? [around(region), ...tiles] : tiles;
}

/** A strip like a corridor or a queue of people: squares along it see it twice as large. */
function isNarrow({ width, height }: Rect): boolean {
  const long = Math.max(width, height);
  return long > 2 * Math.min(width, height) && long > 2 * minSide;
}

function around({ x, y, width, height }: Rect): Tile {
  const side = Math.max(width, height);
  return { x: x - Math.floor((side - width) / 2), y: y - Math.floor((side - height) / 2), side };
}

/** Where tiles begin along one axis, evenly, the last ending with the region. */
function starts(length: number, side: number): number[] {
  if (length <= side) return [Math.floor((length - side) / 2)];
  const count = Math.ceil((length - side) / (side * (1 - overlap))) + 1;
  return Array.from({ length: count }, (_, i) => Math.round((i * (length - side)) / (count - 1)));
}
