/**
 * Who walks where in a made-up film, and what can be seen of them at each moment: the truth that tracks and names are
 * compared with. Pure.
 */
import type { Rect } from '../../server/src/lib/geometry.ts';

/** Where the middle of a face is, and how wide its box, in pixels of the picture. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

export interface Stop extends Place {
  /** Seconds of the film. */
  readonly at: number;
}

/** One stay of a person in view; a person who comes back has another appearance. */
export interface Appearance {
  readonly who: string;
  /** The photo of them that is filmed. */
  readonly photo: string;
  /** In the order of time: before the first and after the last stop they are not there. */
  readonly path: readonly Stop[];
  /** The one with the greater number hides the other. */
  readonly depth: number;
  /** Light on them; 1 is that of the photo. */
  readonly light?: number;
  /** Sigma in pixels of the picture. */
  readonly blur?: number;
}

export interface Scene {
  readonly name: string;
  readonly seconds: number;
  readonly appearances: readonly Appearance[];
}

export const shape = { width: 1280, height: 720, fps: 10 } as const;

/** What of a face is in a picture. */
export interface Truth {
  readonly who: string;
  /** Index of the appearance. */
  readonly appearance: number;
  readonly box: Rect;
  /** The share of the box that is inside the picture and not hidden, 0 to 1. */
  readonly shown: number;
}

/** A person around the face, in widths of its box: the head is an ellipse, the body goes down to the floor. */
export const figure = {
  headWidth: 1.6,
  headHeight: 2.1,
  bodyWidth: 2.4,
  /** From the middle of the face down to the shoulders. */
  shoulders: 0.95,
} as const;

/** The head's border is rounder than a rectangle's and squarer than an ellipse's. */
const squareness = 2.5;

/** Returns where a person is; null while they are not there. Between two stops they walk evenly. */
export function placeAt({ path }: Appearance, at: number): Place | null {
  const next = path.findIndex((stop) => stop.at >= at);
  const to = path[next];
  if (!to) return null;
  if (to.at === at) return to;
  const from = path[next - 1];
  if (!from) return null;
  const part = (at - from.at) / (to.at - from.at);
  const mix = (a: number, b: number): number => a + (b - a) * part;
  return { x: mix(from.x, to.x), y: mix(from.y, to.y), size: mix(from.size, to.size) };
}

export const boxOf = ({ x, y, size }: Place): Rect => ({
  x: x - size / 2,
  y: y - size / 2,
  width: size,
  height: size,
});

/** Everyone whose face is at least partly inside the picture, hidden or not. */
export function truthAt({ appearances }: Scene, at: number): Truth[] {
  const there = appearances.map((appearance) => placeAt(appearance, at));
  return appearances.flatMap(({ who, depth }, appearance) => {
    const place = there[appearance];
    if (!place) return [];
    const before = there.filter((other, i) => other && appearances[i]!.depth > depth);
    const box = boxOf(place);
    const isInside = box.x < shape.width && box.x + box.width > 0;
    const shown = shownOf(
      box,
      before.filter((it) => it !== null),
    );
    return isInside ? [{ who, appearance, box, shown }] : [];
  });
}

const samples = 12;

function shownOf({ x, y, width, height }: Rect, before: readonly Place[]): number {
  let shown = 0;
  for (let i = 0; i < samples * samples; i++) {
    const px = x + (((i % samples) + 0.5) * width) / samples;
    const py = y + ((Math.floor(i / samples) + 0.5) * height) / samples;
    const inside = px >= 0 && py >= 0 && px < shape.width && py < shape.height;
    if (inside && !before.some((place) => covers(place, px, py))) shown += 1;
  }
  return shown / samples ** 2;
}

/** Whether a person at `place` hides what is behind that point. */
function covers({ x, y, size }: Place, px: number, py: number): boolean {
  const isBody =
    py > y + figure.shoulders * size && Math.abs(px - x) < (figure.bodyWidth * size) / 2;
  return isBody || headAt((px - x) / size, (py - y) / size) > 0.5;
}

/** How much of a point, in widths of the box from its middle, is head: 0 to 1, soft at the border. */
export function headAt(x: number, y: number): number {
  const across = Math.abs((2 * x) / figure.headWidth) ** squareness;
  const down = Math.abs((2 * y) / figure.headHeight) ** squareness;
  const soft = 0.12;
  return Math.max(0, Math.min(1, (1 - across - down) / soft));
}
