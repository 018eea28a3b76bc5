/**
 * Which parts of a picture the detector sees, and how much they are scaled. A detector finds faces of some sizes only
 * (`faces` of its pack): a tile is scaled enough for the smallest face that can be recognised, and as many coarser
 * tiles follow as the largest possible face needs.
 */
import type { Size, Rect } from '#lib/geometry.ts';
import type { Pack } from '../packs/pack.ts';
import { intersection } from '../picture.ts';

/** A part of a picture, and the size in pixels at which the detector sees it. */
export interface Tile extends Size {
  readonly part: Rect;
  /** No other tile of this detection shows its part larger. */
  readonly nearest: boolean;
  /** The thorough detections between quick scans show its part larger. */
  readonly afar: boolean;
}

/** The sizes of inputs and faces that tiles are planned for. */
export type DetectorLimits = Pick<Pack['detector'], 'inputs' | 'faces'>;

/** A box this wide has 16 px between the eyes, which the gate requires. */
const smallestFace = 35;
/** Enlarging more shows nothing new. */
const maxZoom = 2;
/** Motion often stops short of the head's edge; the region grows by this share of its longer side. */
const margin = 0.15;
/** The factor between the scale of one tile and that of the next coarser one. */
const step = 3;
/** Tiles per picture; beyond it all of them become coarser, by this factor at a time. */
const maxTiles = 8;
const retreat = 0.8;
/** Neighbours share this part of their side, so that a face on a seam is whole in one of them. */
const overlap = 0.25;
/**
 * What a tile costs besides its pixels, expressed in pixels: among plans of the same cost, the one with fewer tiles
 * wins.
 */
const callPixels = 4096;
/** The most pixels of a tile of a quick scan: 640x360 is seen as closely as ever. */
const quickScanPixels = 256 * 256;

/** `regions` and `quickScan` as in ImageSource. */
export function tilesFor(
  picture: Size,
  regions: readonly Rect[],
  quickScan: boolean,
  limits: DetectorLimits,
): Tile[] {
  const whole: Rect = { x: 0, y: 0, width: picture.width, height: picture.height };
  const plan = (areas: readonly Rect[]): Tile[] => planned(areas, whole, quickScan, limits);
  if (regions.length === 0) return plan([whole]);
  const inside = regions.filter((it) => intersection(it, whole) > 0);
  const apart = plan(merged(inside.map((it) => clipped(grown(it), whole))));
  const together = plan([whole]);
  // Detection in what moves must not cost more than detection in the whole picture.
  return cost(apart, limits) > cost(together, limits) ? together : apart;
}

function planned(
  areas: readonly Rect[],
  whole: Rect,
  quickScan: boolean,
  limits: DetectorLimits,
): Tile[] {
  let scale = Math.min(maxZoom, limits.faces.min / smallestFace);
  let tiles: Tile[];
  do {
    tiles = areas.flatMap((it) =>
      quickScan ? quickTiles(it, whole, scale, limits) : levels(it, whole, scale, limits),
    );
    scale *= retreat;
  } while (tiles.length > maxTiles);
  return tiles;
}

/** One tile; a large area is scaled as little down as the pixels of a quick scan allow. */
function quickTiles(
  it: Rect,
  whole: Rect,
  scale: number,
  { inputs, faces }: DetectorLimits,
): Tile[] {
  const cheap = inputs.filter(({ width, height }) => width * height <= quickScanPixels);
  const fitting = cheap.map(({ width, height }) => Math.min(width / it.width, height / it.height));
  const limits = { inputs: cheap, faces };
  const near = Math.max(...fitting);
  const tile = tileOver(it, whole, Math.min(scale, near), limits);
  return tile ? [{ ...tile, afar: near < scale }] : [];
}

function levels(it: Rect, whole: Rect, nearest: number, limits: DetectorLimits): Tile[] {
  const largest = Math.min(it.width, it.height);
  const tiles: Tile[] = [];
  for (let scale = nearest; ; scale /= step) {
    const level = tiled(it, whole, scale, limits);
    tiles.push(...level.map((tile) => ({ ...tile, nearest: scale === nearest })));
    const { part, width } = level[0]!;
    if ((largest * width) / part.width <= limits.faces.max + 1) return tiles;
  }
}

/** One tile of the whole area, or several side by side where no input is so large. */
function tiled(it: Rect, whole: Rect, scale: number, limits: DetectorLimits): Tile[] {
  const one = tileOver(it, whole, scale, limits);
  if (one) return [one];
  const grids = limits.inputs.map((input) => {
    const size = { width: input.width / scale, height: input.height / scale };
    const xs = starts(it.width, size.width);
    const ys = starts(it.height, size.height);
    const each = input.width * input.height + callPixels;
    return { xs, ys, size, cost: xs.length * ys.length * each };
  });
  const { xs, ys, size } = grids.toSorted((a, b) => a.cost - b.cost)[0]!;
  return ys.flatMap((y) =>
    xs.map((x) => scaled(clipped({ x: it.x + x, y: it.y + y, ...size }, whole), scale)),
  );
}

/** A tile scaled at least this much, more where the smallest input that holds it has room; null when none does. */
function tileOver(
  it: Rect,
  whole: Rect,
  atLeast: number,
  { inputs, faces }: DetectorLimits,
): Tile | null {
  const input = smallestFor(pixelsOf(it, atLeast), inputs);
  if (!input) return null;
  const filling = Math.min(input.width / it.width, input.height / it.height);
  // The scale must not make the largest face in the tile too large, if that can be avoided.
  const largest = faces.max / Math.min(it.width, it.height);
  const scale = Math.min(maxZoom, filling, largest < atLeast ? filling : largest);
  const room = { width: input.width / scale, height: input.height / scale };
  return scaled(clipped(around(it, room), whole), scale);
}

/** Whole pixels inside the picture; what reaches beyond one side is added on the other. */
function clipped({ x, y, width, height }: Rect, whole: Rect): Rect {
  const wide = Math.max(1, Math.min(whole.width, Math.floor(width)));
  const high = Math.max(1, Math.min(whole.height, Math.floor(height)));
  return {
    x: Math.round(Math.max(0, Math.min(x, whole.width - wide))),
    y: Math.round(Math.max(0, Math.min(y, whole.height - high))),
    width: wide,
    height: high,
  };
}

const scaled = (part: Rect, scale: number): Tile => ({
  part,
  nearest: true,
  afar: false,
  ...pixelsOf(part, scale),
});

const pixelsOf = ({ width, height }: Size, scale: number): Size => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
});

function pixels(tile: Tile, { inputs }: DetectorLimits): number {
  const { width, height } = smallestFor(tile, inputs)!;
  return width * height;
}

const cost = (tiles: readonly Tile[], limits: DetectorLimits): number =>
  tiles.reduce((sum, tile) => sum + pixels(tile, limits), 0);

function grown({ x, y, width, height }: Rect): Rect {
  const extra = margin * Math.max(width, height);
  return { x: x - extra, y: y - extra, width: width + 2 * extra, height: height + 2 * extra };
}

function around({ x, y, width, height }: Rect, room: Size): Rect {
  return { x: x + (width - room.width) / 2, y: y + (height - room.height) / 2, ...room };
}

/** Joins areas that overlap until none do. */
function merged(areas: readonly Rect[]): Rect[] {
  const apart: Rect[] = [];
  for (const it of areas) {
    let joined = it;
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

/** Where tiles begin along one axis, evenly, the last ending with the area. */
function starts(length: number, side: number): number[] {
  if (length <= side) return [0];
  const count = Math.ceil((length - side) / (side * (1 - overlap))) + 1;
  return Array.from({ length: count }, (_, i) => (i * (length - side)) / (count - 1));
}

/** The input with the fewest pixels that holds this size, then the one nearest in shape; undefined when none does. */
export function smallestFor<I extends Size>(
  { width, height }: Size,
  inputs: readonly I[],
): I | undefined {
  const filling = (it: I): number => Math.min(it.width / width, it.height / height);
  return inputs
    .filter((it) => filling(it) >= 1)
    .toSorted((a, b) => a.width * a.height - b.width * b.height || filling(b) - filling(a))[0];
}

/** A tile with its pixels: RGB, 3 bytes a pixel. */
export interface Shown extends Tile {
  readonly rgb: Uint8Array;
}
