/**
 * The rectangle of a camera's main picture that its sub-stream shows, while it is corrected by hand, as pure functions.
 * In fractions of the main picture as it is shown, upright; beyond 0 to 1 where the sub-stream shows more.
 */
import { leastSide, type AlignedPart } from '@nazar/contract/alignment.ts';
import type { Corner, Corners } from '#parts/drawing/corners.ts';

export type Part = Readonly<AlignedPart>;

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const whole: Part = { x: 0, y: 0, width: 1, height: 1 };

/** How far the frame may reach beyond the main picture, and how much of both at least is the same. */
const maxBeyond = 1;
const leastShared = 0.05;

/** A thousandth of the picture is finer than a hand points, and finer than streams are measured. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000;
const within = (value: number, least: number, most: number): number =>
  rounded(Math.min(most, Math.max(least, value)));

interface Sides {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const sidesOf = ({ x, y, width, height }: Part): Sides => ({
  left: x,
  top: y,
  right: x + width,
  bottom: y + height,
});
const ofSides = ({ left, top, right, bottom }: Sides): Part => ({
  x: rounded(left),
  y: rounded(top),
  width: rounded(right - left),
  height: rounded(bottom - top),
});

/** Clockwise from the top left. */
export function cornersOf(part: Part): Corners {
  const { left, top, right, bottom } = sidesOf(part);
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

/** Where the two sides of one direction may lie. */
const before = (value: number, other: number): number =>
  within(value, -maxBeyond, Math.min(other - leastSide, 1 - leastShared));
const behind = (value: number, other: number): number =>
  within(value, Math.max(other + leastSide, leastShared), 1 + maxBeyond);

/** The opposite corner stays where it is. */
export function moveCorner(part: Part, index: number, [x, y]: Corner): Part {
  const sides = sidesOf(part);
  const isLeft = index === 0 || index === 3;
  const isTop = index === 0 || index === 1;
  return ofSides({
    ...sides,
    ...(isLeft ? { left: before(x, sides.right) } : { right: behind(x, sides.left) }),
    ...(isTop ? { top: before(y, sides.bottom) } : { bottom: behind(y, sides.top) }),
  });
}

/** Where a frame with a side of that length may begin. */
const placed = (start: number, side: number): number =>
  within(
    start,
    Math.max(-maxBeyond, leastShared - side),
    Math.min(1 + maxBeyond - side, 1 - leastShared),
  );

export const centreOf = ({ x, y, width, height }: Part): Corner => [x + width / 2, y + height / 2];

/** As large as before, with its centre there. */
export function moveCentre(part: Part, [x, y]: Corner): Part {
  const { width, height } = part;
  return { ...part, x: placed(x - width / 2, width), y: placed(y - height / 2, height) };
}

/** One of its figures was typed. The width and the height grow to the right and down. */
export function withFigure(part: Part, figure: keyof Part, value: number): Part {
  const { x, y, width, height } = part;
  if (figure === 'x') return { ...part, x: placed(value, width) };
  if (figure === 'y') return { ...part, y: placed(value, height) };
  if (figure === 'width') return { ...part, width: rounded(behind(x + value, x) - x) };
  return { ...part, height: rounded(behind(y + value, y) - y) };
}

export const isSamePart = (one: Part, other: Part): boolean =>
  (['x', 'y', 'width', 'height'] as const).every(
    (figure) => Math.abs(one[figure] - other[figure]) < 0.0005,
  );

/** How a sub-stream lies to the main picture, in a word. */
export type Showing = 'all' | 'part' | 'more';

/** Pictures are aligned to a hundredth: less is no difference. */
const alike = 0.015;

export function showingOf(part: Part): Showing {
  const { left, top, right, bottom } = sidesOf(part);
  const isBeyond = left < -alike || top < -alike || right > 1 + alike || bottom > 1 + alike;
  if (isBeyond) return 'more';
  const isInside = left > alike || top > alike || right < 1 - alike || bottom < 1 - alike;
  return isInside ? 'part' : 'all';
}

export interface Suggestion {
  readonly showing: Showing;
  readonly part: Part;
}

/** Proportions that differ by less are the same: sides are rounded to what coding needs. */
const sameProportions = 0.03;

/** How streams of these sizes usually lie to each other: squeezed, cut from the middle, or the main stream is cut. */
export function suggestions(main: Size, sub: Size): Suggestion[] {
  const all: Suggestion = { showing: 'all', part: whole };
  const ratio = sub.width / sub.height / (main.width / main.height);
  if (Math.abs(ratio - 1) < sameProportions) return [all];
  const wide = (width: number): Part => moveCentre({ ...whole, width: rounded(width) }, [0.5, 0.5]);
  const high = (height: number): Part =>
    moveCentre({ ...whole, height: rounded(height) }, [0.5, 0.5]);
  return [
    all,
    { showing: 'part', part: ratio < 1 ? wide(ratio) : high(1 / ratio) },
    { showing: 'more', part: ratio < 1 ? high(1 / ratio) : wide(ratio) },
  ];
}

/** Where a place on the main picture is on the picture that shows that part of it; outside 0 to 1 it is not on it. */
export const onPart = ([x, y]: Corner, part: Part): Corner => [
  (x - part.x) / part.width,
  (y - part.y) / part.height,
];

export const shapeOnPart = (corners: Corners, part: Part): Corners =>
  corners.map((corner) => onPart(corner, part));

const box = (left: number, top: number, right: number, bottom: number): Corners => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];

/** What the sub-stream shows beyond the main picture, on the sub-stream's own picture. Masks hide it, too. */
export function beyondMain(part: Part): Corners[] {
  const [left, top] = onPart([0, 0], part);
  const [right, bottom] = onPart([1, 1], part);
  return [
    ...(left > 0.01 ? [box(0, 0, left, 1)] : []),
    ...(top > 0.01 ? [box(0, 0, 1, top)] : []),
    ...(right < 0.99 ? [box(right, 0, 1, 1)] : []),
    ...(bottom < 0.99 ? [box(0, bottom, 1, 1)] : []),
  ];
}

/** What a drawing of the main picture shows: all of it and of that part, and a margin to move the part in. */
export function viewOf(part: Part): Part {
  const { left, top, right, bottom } = sidesOf(part);
  const beyond = Math.max(0, -left, -top, right - 1, bottom - 1);
  // In steps of a tenth, so that the picture does not change its size with each press of a key.
  const margin = 0.05 + Math.ceil(beyond * 10 - 0.001) / 10;
  return { x: -margin, y: -margin, width: 1 + 2 * margin, height: 1 + 2 * margin };
}

/** Where a place on a picture that shows that view is on the main picture: the other way round of `onPart`. */
export const offPart = ([x, y]: Corner, view: Part): Corner => [
  view.x + x * view.width,
  view.y + y * view.height,
];

const percent = (fraction: number): string => `${fraction * 100}%`;

/** Where the main picture lies in a box that shows that part of it, as styles. */
export function placedOnPart(part: Part): Record<'left' | 'top' | 'width' | 'height', string> {
  const [left, top] = onPart([0, 0], part);
  return {
    left: percent(left),
    top: percent(top),
    width: percent(1 / part.width),
    height: percent(1 / part.height),
  };
}
