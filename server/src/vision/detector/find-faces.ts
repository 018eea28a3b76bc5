/**
 * From a picture to its faces: first small pictures of it for the detector, then the faces that it found, as large as
 * the camera has them. Either a vision host over its socket does both, or the engine in the same process.
 */
import type { Rect } from '#lib/geometry.ts';
import type { ImageSource } from '#lib/image-source.ts';
import type { Detection } from './detection.ts';
import { tilesFor, type DetectorLimits, type Tile, type Shown } from './tiles.ts';
import type { FaceCrop, FaceView } from '../messages.ts';
import { area } from '../picture.ts';
import type { FalsePositives } from './false-positives.ts';
import type { RecentFaces } from './recent-faces.ts';
import type { SteadyFaces } from './steady-faces.ts';

/** A face cut out of a picture, with its pixels. */
export interface FaceCropPixels extends FaceCrop {
  readonly rgb: Uint8Array;
}

/** Faces with their measures, and their chips one after another. */
export interface Found {
  readonly faces: readonly FaceView[];
  readonly chips: Buffer;
}

export interface FaceFinder {
  readonly limits: DetectorLimits;
  /** The width of a chip, in widths of a face's box. */
  readonly chipWidth: number;
  /** Returns faces best first, no face twice. */
  readonly find: (tiles: readonly Shown[]) => Promise<readonly Detection[]>;
  /** Returns those that are faces, in the same order. */
  readonly describe: (cuts: readonly FaceCropPixels[]) => Promise<Found>;
  /** False positives of the scene that these pictures show; a photo has no earlier detections. */
  readonly falsePositives?: FalsePositives;
  /** The same, where the pack confirms what is new. */
  readonly recentFaces?: RecentFaces;
  /** The same. */
  readonly steadyFaces?: SteadyFaces;
  /**
   * The picture was analyzed between those that are due. What earlier detections found is used and stays as it is: it
   * is counted in detections, and faces would be steady, or no longer new, before a track has its first three vectors.
   */
  readonly isExtra?: boolean;
}

/** A crowd must not hold up the next picture: beyond this number the smallest faces wait. Each takes 3 ms. */
const maxFaces = 16;
/** The likeliest of the doubtful faces are confirmed: 1.5 ms each. */
const maxDoubtful = 8;
/**
 * A crop is this many times as wide as the chip: 1.4 for a face turned by 45 degrees, the rest for boxes that are too
 * small.
 */
const cropRoom = 1.7;
/** The crop of a doubtful face has a box's width of room on each side, and one pixel more for interpolation. */
const doubtfulMargin = 1;
const doubtfulExtraPx = 1;

/** Returns faces, largest first. */
export async function findFaces(view: ImageSource, finder: FaceFinder): Promise<Found> {
  const { limits, chipWidth, find, falsePositives, recentFaces, steadyFaces, isExtra } = finder;
  const tiles = tilesFor(view, view.regions, view.quickScan, limits);
  const found = await find(await shown(view, tiles));
  const worth = falsePositives?.worthAsking(found, isExtra) ?? found;
  const doubted = recentFaces?.doubtingNew(worth, isExtra) ?? worth;
  const { carried, others } =
    steadyFaces && view.quickScan ? steadyFaces.carryOn(doubted) : { carried: [], others: doubted };
  const cuts = chosen(others)
    .map((it) => faceCropOf(it, view, chipWidth))
    .filter((it) => it !== null);
  const described = await measured(cuts, view, finder);
  const faces = [...described.faces, ...carried].toSorted((a, b) => area(b.box) - area(a.box));
  if (isExtra) return { faces, chips: described.chips };
  // As the detector doubted them: what is only new and no face is asked about again in the next picture.
  const asked = new Set(cuts.map(({ box }) => box));
  const checked = worth.filter(({ box }) => asked.has(box));
  falsePositives?.learn(checked, described.faces);
  recentFaces?.learn(faces);
  steadyFaces?.learn(faces);
  return { faces, chips: described.chips };
}

/** Asks nothing where there is nothing to measure. */
async function measured(
  cuts: readonly FaceCrop[],
  view: ImageSource,
  { describe }: Pick<FaceFinder, 'describe'>,
): Promise<Found> {
  if (cuts.length === 0) return { faces: [], chips: Buffer.alloc(0) };
  const pixels = cuts.map(async (cut) => ({
    ...cut,
    rgb: await view.take(cut.part, cut.width, cut.height),
  }));
  return describe(await Promise.all(pixels));
}

/** The tiles with their pixels. */
export function shown(view: ImageSource, tiles: readonly Tile[]): Promise<Shown[]> {
  return Promise.all(
    tiles.map(async (tile) => ({
      ...tile,
      rgb: await view.take(tile.part, tile.width, tile.height),
    })),
  );
}

/** `found` comes best first. */
function chosen(found: readonly Detection[]): Detection[] {
  const doubtful = found.filter((it) => it.doubtful).slice(0, maxDoubtful);
  return [...found.filter((it) => !it.doubtful), ...doubtful]
    .toSorted((a, b) => area(b.box) - area(a.box))
    .slice(0, maxFaces);
}

/** The face's box in pixels of its crop. */
export function within({ box, part, width, height }: FaceCrop): Rect {
  const across = width / part.width;
  const down = height / part.height;
  return {
    x: (box.x - part.x) * across,
    y: (box.y - part.y) * down,
    width: box.width * across,
    height: box.height * down,
  };
}

/** Null when the box lies outside the picture. */
export function faceCropOf(
  { box, score, points, doubtful }: Detection,
  view: ImageSource,
  chipWidth: number,
): FaceCrop | null {
  const side = Math.max(box.width, box.height);
  const margin = (cropRoom * chipWidth - 1) / 2;
  const alone = doubtfulMargin * side + doubtfulExtraPx;
  const extra = doubtful ? Math.max(alone, margin * side) : margin * side;
  const left = Math.max(0, Math.floor(box.x + box.width / 2 - side / 2 - extra));
  const top = Math.max(0, Math.floor(box.y + box.height / 2 - side / 2 - extra));
  const right = Math.min(view.width, Math.ceil(box.x + box.width / 2 + side / 2 + extra));
  const bottom = Math.min(view.height, Math.ceil(box.y + box.height / 2 + side / 2 + extra));
  if (right <= left || bottom <= top) return null;
  const part: Rect = { x: left, y: top, width: right - left, height: bottom - top };
  const scale = Math.min(view.detail, view.maxBoxWidth / side);
  return {
    box,
    score,
    points,
    doubtful,
    part,
    width: Math.max(1, Math.round(part.width * scale)),
    height: Math.max(1, Math.round(part.height * scale)),
    detail: view.detail,
  };
}
