/**
 * Paints over the parts of a picture that must not be seen: privacy masks, and places where faces or motion do not
 * count. It paints pixels that are scaled already, and wider than the polygon on every side, so that no pixel that a
 * mask touches, or that scaling mixed with one, keeps any of what it showed. Pure but for a cache.
 */
import { turnBetween, turnedPolygon, type Point, type Polygon } from '@nazar/contract/polygon.ts';
import type { MediaZone } from '../protocol/messages.ts';

/** The hidden and shown parts of a picture, in fractions of it. */
export interface MaskShapes {
  readonly hides: readonly Polygon[];
  /** Everything outside these is hidden; an empty list hides nothing. */
  readonly shows: readonly Polygon[];
  /** So much more is hidden around `hides`, in fractions of the picture's longer side; 0 when left out. */
  readonly wider?: number;
}

/** A part of a picture, in fractions of it. */
export interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** How many more pixels are painted on every side; 1 unless the part was enlarged. */
  readonly margin: number;
}

export interface Painted {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

const wholePicture: Part = { x: 0, y: 0, width: 1, height: 1, margin: 1 };
/** The cache holds the runs of so many parts of a picture: those that are analyzed come and go. */
const maxRemembered = 32;
/** Black and without colour, as video means it (ITU-R BT.601, limited range). */
const blackLuma = 16;
const noChroma = 128;

export class MaskPainter {
  readonly #shapes: MaskShapes;
  readonly #runs = new Map<string, Uint32Array>();

  constructor(shapes: MaskShapes) {
    this.#shapes = shapes;
  }

  get hidesNothing(): boolean {
    return this.#shapes.hides.length === 0 && this.#shapes.shows.length === 0;
  }

  /** `data` has `channels` bytes a pixel and rows without gaps; it shows `part` of the picture. */
  paint({ width, height, data }: Painted, channels: number, part: Part = wholePicture): void {
    if (this.hidesNothing) return;
    fill(data, this.#runsOf(width, height, part), channels, 0);
  }

  /** `data` has a plane of luma and two of chroma at half the size, one after another; both sides are even. */
  paintYuv420({ width, height, data }: Painted): void {
    if (this.hidesNothing) return;
    const luma = width * height;
    fill(data, this.#runsOf(width, height, wholePicture), 1, blackLuma);
    const colour = this.#runsOf(width / 2, height / 2, wholePicture);
    fill(data.subarray(luma, luma * 1.25), colour, 1, noChroma);
    fill(data.subarray(luma * 1.25, luma * 1.5), colour, 1, noChroma);
  }

  #runsOf(width: number, height: number, part: Part): Uint32Array {
    const key = `${width}x${height} ${part.x} ${part.y} ${part.width} ${part.height} ${part.margin}`;
    const known = this.#runs.get(key);
    if (known) return known;
    if (this.#runs.size >= maxRemembered) this.#runs.clear();
    const runs = runsOf(hiddenPixels(this.#shapes, width, height, part));
    this.#runs.set(key, runs);
    return runs;
  }
}

function fill(data: Buffer, runs: Uint32Array, channels: number, value: number): void {
  for (let index = 0; index < runs.length; index += 2) {
    data.fill(value, runs[index]! * channels, runs[index + 1]! * channels);
  }
}

/** 1 for each pixel that is hidden. */
function hiddenPixels(
  { hides, shows, wider = 0 }: MaskShapes,
  width: number,
  height: number,
  part: Part,
): Uint8Array {
  const more = Math.ceil(wider * Math.max(width / part.width, height / part.height));
  const placed = (polygon: Polygon): Point[] =>
    polygon.map(([x, y]) => [
      ((x - part.x) / part.width) * width,
      ((y - part.y) / part.height) * height,
    ]);
  const hidden = new Uint8Array(width * height);
  if (shows.length > 0) hidden.fill(1);
  for (const polygon of shows) clear(hidden, placed(polygon), width, height);
  for (const polygon of hides)
    cover(hidden, placed(polygon), { width, height, margin: part.margin + more });
  return hidden;
}

interface Covering {
  readonly width: number;
  readonly height: number;
  readonly margin: number;
}

/** Hides every pixel that the polygon touches, and a margin on every side. */
function cover(
  hidden: Uint8Array,
  corners: readonly Point[],
  { width, height, margin }: Covering,
): void {
  for (let row = 0; row < height; row++) {
    // Pixels of this row that no edge touches are inside or outside as a whole: one line across shows which.
    const edges = edgesWithin(corners, row - margin, row + 1 + margin);
    for (const [from, to] of [...edges, ...spansAt(corners, row + 0.5)]) {
      const left = Math.max(0, Math.floor(from) - margin);
      const right = Math.min(width, Math.ceil(to) + margin);
      if (right > left) hidden.fill(1, row * width + left, row * width + right);
    }
  }
}

/** Uncovers the pixels whose middle lies in the polygon. */
function clear(hidden: Uint8Array, corners: readonly Point[], width: number, height: number): void {
  for (let row = 0; row < height; row++) {
    for (const [from, to] of spansAt(corners, row + 0.5)) {
      const left = Math.max(0, Math.ceil(from - 0.5));
      const right = Math.min(width, Math.floor(to - 0.5) + 1);
      if (right > left) hidden.fill(0, row * width + left, row * width + right);
    }
  }
}

/** From where to where each edge goes between two lines across the picture; edges that touch neither are left out. */
function edgesWithin(corners: readonly Point[], top: number, bottom: number): [number, number][] {
  return corners.flatMap(([x1, y1], index) => {
    const [x2, y2] = corners[(index + 1) % corners.length]!;
    if (Math.max(y1, y2) < top || Math.min(y1, y2) > bottom) return [];
    const xAt = (y: number): number => x1 + ((y - y1) / (y2 - y1)) * (x2 - x1);
    const within = (x: number, y: number): number =>
      y < top ? xAt(top) : y > bottom ? xAt(bottom) : x;
    const [from, to] = [within(x1, y1), within(x2, y2)];
    return [[Math.min(from, to), Math.max(from, to)] as [number, number]];
  });
}

/** Where a line across the picture is inside the polygon, from and to, by the even-odd rule. */
function spansAt(corners: readonly Point[], y: number): [number, number][] {
  const crossings: number[] = [];
  for (const [index, [x1, y1]] of corners.entries()) {
    const [x2, y2] = corners[(index + 1) % corners.length]!;
    // Half open: a corner on the line belongs to one of its two edges.
    if (y1 <= y === y2 <= y) continue;
    crossings.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
  }
  crossings.sort((a, b) => a - b);
  return crossings.flatMap((from, index) =>
    index % 2 === 0 ? [[from, crossings[index + 1] ?? from] as [number, number]] : [],
  );
}

/** Begin and end of each run of hidden pixels. */
function runsOf(hidden: Uint8Array): Uint32Array {
  const runs: number[] = [];
  for (let at = hidden.indexOf(1); at >= 0;) {
    const end = hidden.indexOf(0, at);
    runs.push(at, end < 0 ? hidden.length : end);
    at = end < 0 ? -1 : hidden.indexOf(1, end);
  }
  return Uint32Array.from(runs);
}

/** What is hidden from every viewer, what from face detection and what from motion detection. */
export interface CameraShapes {
  readonly seen: MaskShapes;
  readonly recognition: MaskShapes;
  readonly motion: MaskShapes;
}

export function shapesOf(zones: readonly MediaZone[]): CameraShapes {
  const of = (kind: MediaZone['kind']): Polygon[] =>
    zones.filter((zone) => zone.kind === kind).map(({ points }) => points);
  const hides = of('privacy');
  return {
    seen: { hides, shows: [] },
    recognition: { hides, shows: of('recognition') },
    motion: { hides, shows: of('motion') },
  };
}

/** The same shapes on the picture as the camera sends it, before it is turned clockwise. */
export function turnedBack(
  { hides, shows, ...rest }: MaskShapes,
  rotation: 0 | 90 | 180 | 270,
): MaskShapes {
  const back = turnBetween(rotation, 0);
  const each = (polygons: readonly Polygon[]): Polygon[] =>
    polygons.map((polygon) => turnedPolygon(polygon, back));
  return { ...rest, hides: each(hides), shows: each(shows) };
}
