/**
 * Measures which part of a camera's main picture its sub-stream shows, from one picture of each of about the same moment.
 * Null where that is not sure: too little to compare, or another part fits nearly as well. Pure.
 */
import { isWithin, type Rect } from '#lib/geometry.ts';
import type { StreamPart } from '../../mask/stream-part.ts';
import { GreyPicture, type Grey } from './grey-picture.ts';
import { blockColumns, blockRows, likenessOf, type Likeness } from './likeness.ts';
import { bestOffsets, gradientsOf } from './offsets.ts';

/** Sides of a part, in those of the main picture: from a digital zoom of three to a main stream that is a cut itself. */
const sides = { least: 0.3, most: 2 };
/** From one side to the next that is tried. */
const sideStep = 1.07;
/** How much wider than high a pixel of a sub-stream may be, against one of the main stream. */
const squeezes = [0.75, 0.87, 1, 1.15, 1.33];
/** Samples along the longer side of the sub-stream's picture: to find where to look, to look there, to be exact. */
const grids = { coarse: 28, middle: 48, fine: 96 };
/** Candidates that are followed up. */
const followed = { middle: 10, fine: 3 };
/** Parts with an edge that is further apart than this, in sides of the main picture, are different. */
const different = 0.04;

/** What makes a part sure. */
const sure = {
  score: 0.6,
  /** So much better than any different part. */
  ahead: 0.15,
  /** Moving one edge by this, in sides of the part, must cost so much: otherwise it is not known where that edge is. */
  moved: 0.03,
  costs: 0.03,
  textured: 8,
  agreeing: 6,
  /** How much of the picture's width and height the blocks that agree must span. */
  span: 0.5,
};
/** Cameras write a name and the time at the top and at the bottom of each stream, wherever its picture is from. */
const isWriting = (block: number): boolean =>
  block < blockColumns || block >= blockColumns * (blockRows - 1);

interface Candidate {
  readonly part: StreamPart;
  readonly score: number;
}

/** Gives others their turn: all that is tried takes about half a second. */
export type Pause = () => Promise<void>;

export async function alignPictures(
  main: Grey,
  sub: Grey,
  pause: Pause = () => Promise.resolve(),
): Promise<StreamPart | null> {
  const pair = new Pair(main, sub);
  const coarse = await candidatesOf(pair, pause);
  const middle = await refined(pair, coarse.slice(0, followed.middle), 'middle', pause);
  const fine = await refined(pair, middle.slice(0, followed.fine), 'fine', pause);
  const [best, ...others] = fine;
  if (!best || !isSure(pair, best)) return null;
  const rivals = [...others, ...middle.slice(followed.fine)];
  const rival = rivals.find(({ part }) => isDifferent(part, best.part));
  return rival && rival.score > best.score - sure.ahead ? null : best.part;
}

type Grid = keyof typeof grids;

/** Two pictures, and how alike they are if the one shows a part of the other. */
class Pair {
  readonly #main: GreyPicture;
  readonly #sub: GreyPicture;
  /** Aspect ratio of the sub-stream's picture over that of the main one, if both have square pixels. */
  readonly proportions: number;
  readonly #samples = new Map<Grid, Float32Array>();

  constructor(main: Grey, sub: Grey) {
    this.#main = new GreyPicture(main);
    this.#sub = new GreyPicture(sub);
    this.proportions = (sub.width * main.height) / (sub.height * main.width);
  }

  sizeOf(grid: Grid): [columns: number, rows: number] {
    const { width, height } = this.#sub;
    const scale = grids[grid] / Math.max(width, height);
    return [Math.round(width * scale), Math.round(height * scale)];
  }

  likeness(part: StreamPart, grid: Grid): Likeness {
    const [columns, rows] = this.sizeOf(grid);
    const known = this.#samples.get(grid) ?? this.#sub.take(whole, columns, rows);
    this.#samples.set(grid, known);
    return likenessOf(known, this.#main.take(part, columns, rows), columns, rows);
  }

  /** The best places for a part of that size, within the main picture, or around it where it is larger. */
  placed(width: number, height: number): Candidate[] {
    const [columns, rows] = this.sizeOf('coarse');
    const sub = gradientsOf(this.#sub.take(whole, columns, rows), columns, rows);
    const [pitchX, pitchY] = [width / columns, height / rows];
    const [across, down] = [Math.floor(1 / pitchX + 1e-6), Math.floor(1 / pitchY + 1e-6)];
    const shown = { x: 0, y: 0, width: across * pitchX, height: down * pitchY };
    const main = gradientsOf(this.#main.take(shown, across, down), across, down);
    const places = bestOffsets(main, sub);
    return places.map(({ x, y, score }) => ({
      part: { x: x * pitchX, y: y * pitchY, width, height },
      score,
    }));
  }

  /** The fewer blocks there are to compare, the less a score is worth. */
  scoreOf(part: StreamPart, grid: Grid): number {
    const { score, textured } = this.likeness(part, grid);
    return score * Math.min(1, textured / sure.textured);
  }
}

const whole: Rect = { x: 0, y: 0, width: 1, height: 1 };

/** The best first, no two nearly the same. */
async function candidatesOf(pair: Pair, pause: Pause): Promise<Candidate[]> {
  const found: Candidate[] = [{ part: whole, score: Infinity }];
  for (const [width, height] of sizesOf(pair)) {
    found.push(...pair.placed(width, height));
    await pause();
  }
  return apart(found, 0.02);
}

/** All sizes that a part may have. */
function sizesOf({ proportions }: Pair): [width: number, height: number][] {
  const sizes: [number, number][] = [];
  const ratios = [...squeezes.map((squeeze) => proportions * squeeze), 1];
  for (let height = sides.least; height <= sides.most; height *= sideStep) {
    for (const ratio of ratios) {
      const width = height * ratio;
      if (width >= sides.least && width <= sides.most) sizes.push([width, height]);
    }
  }
  return sizes;
}

async function refined(
  pair: Pair,
  candidates: readonly Candidate[],
  grid: Grid,
  pause: Pause,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const { part } of candidates) found.push(await climbed(pair, part, grid, pause));
  return apart(found, 0.01);
}

/** Moves the part, and its edges, as long as that makes it better; by smaller and smaller steps. */
async function climbed(
  pair: Pair,
  start: StreamPart,
  grid: Grid,
  pause: Pause,
): Promise<Candidate> {
  let best: Candidate = { part: start, score: pair.scoreOf(start, grid) };
  const least = 0.25 / grids[grid];
  for (let step = 2 / grids[grid]; step >= least; step /= 2) {
    for (let isBetter = true; isBetter;) {
      isBetter = false;
      for (const part of neighboursOf(best.part, step)) {
        const score = pair.scoreOf(part, grid);
        if (score <= best.score + 1e-6) continue;
        best = { part, score };
        isBetter = true;
      }
      await pause();
    }
  }
  return best;
}

/** Shifted, grown and stretched by so many sides of its own. */
function neighboursOf({ x, y, width, height }: StreamPart, step: number): StreamPart[] {
  const [across, down] = [step * width, step * height];
  return [1, -1].flatMap((way) => {
    const [dx, dy] = [way * across, way * down];
    return [
      { x: x + dx, y, width, height },
      { x, y: y + dy, width, height },
      { x: x - dx, y: y - dy, width: width + 2 * dx, height: height + 2 * dy },
      { x: x - dx, y, width: width + 2 * dx, height },
      { x, y: y - dy, width, height: height + 2 * dy },
      { x: x + dx, y, width: width - dx, height },
      { x, y: y + dy, width, height: height - dy },
    ];
  });
}

function isSure(pair: Pair, { part, score }: Candidate): boolean {
  const { textured, agreeing } = pair.likeness(part, 'fine');
  const counted = agreeing.filter((block) => !isWriting(block));
  if (score < sure.score || textured < sure.textured || counted.length < sure.agreeing)
    return false;
  const columns = counted.map((block) => block % blockColumns);
  const rows = counted.map((block) => Math.floor(block / blockColumns));
  if (span(columns) < sure.span * blockColumns || span(rows) < sure.span * blockRows) return false;
  return edgesMoved(part).every((moved) => pair.scoreOf(moved, 'fine') <= score - sure.costs);
}

const span = (of: number[]): number => Math.max(...of) - Math.min(...of) + 1;

/** The part with one of its edges further out, or further in. */
function edgesMoved({ x, y, width, height }: StreamPart): StreamPart[] {
  return [sure.moved, -sure.moved].flatMap((by) => {
    const [dx, dy] = [by * width, by * height];
    return [
      { x: x - dx, y, width: width + dx, height },
      { x, y, width: width + dx, height },
      { x, y: y - dy, width, height: height + dy },
      { x, y, width, height: height + dy },
    ];
  });
}

/** The best first; of those that are nearly the same, the best alone. */
function apart(candidates: readonly Candidate[], within: number): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of candidates.toSorted((a, b) => b.score - a.score)) {
    if (kept.length >= 3 * followed.middle) break;
    if (kept.every(({ part }) => isDifferent(part, candidate.part, within))) kept.push(candidate);
  }
  return kept;
}

const isDifferent = (one: Rect, other: Rect, within = different): boolean =>
  !isWithin(one, other, { width: within, height: within });
