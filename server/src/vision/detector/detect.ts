/**
 * Finds faces in tiles: runs the detector's network for each and says where in the picture they are. A network is
 * never certain about a small face, and often half certain about a pattern that is none. Both are detected once more,
 * alone and at the size at which the network is best.
 */
import type { Size, Rect, Point } from '#lib/geometry.ts';
import { channelsOf, type Channels } from '../colours.ts';
import { AskedNetwork } from './asked-network.ts';
import type { Detection, Proposal } from './detection.ts';
import { smallestFor, type Shown } from './tiles.ts';
import type { Network } from '../network.ts';
import type { Pack } from '../packs/pack.ts';
import { area, intersection, iou } from '../picture.ts';
import { warp } from '../sample.ts';
import { within, type FaceCropPixels } from './find-faces.ts';

/** The sides of what the network sees when a face is confirmed alone, in sides of its box, unless its pack knows better. */
const usualRoom = 3;
/** A box nearer to the edge of its tile than this share of its side may be that of half a face. */
const edgeShare = 0.25;
/** A whole face has this many times the area of what an edge left of it, at least. */
const wholeArea = 1.3;
/** The share of a box that lies in another where it is mostly inside. */
const insideShare = 0.7;
/** Two boxes that share less than this show different faces. */
const sameFace = 0.2;

/** The part of a pack that says how faces are found. */
export type DetectorSettings = Pick<Pack, 'detector' | 'secondDetector'>;

export class Detector implements AsyncDisposable {
  readonly #settings: Pack['detector'];
  readonly #network: AskedNetwork;
  /** The detector that only checks doubtful faces. */
  readonly #second: AskedNetwork;
  readonly #room: number;
  readonly #channels: Channels;

  constructor(
    { detector, secondDetector }: DetectorSettings,
    load: (file: string) => Promise<Network>,
  ) {
    this.#settings = detector;
    this.#network = new AskedNetwork(detector, load);
    this.#second = secondDetector ? new AskedNetwork(secondDetector, load) : this.#network;
    this.#room = secondDetector?.room ?? usualRoom;
    this.#channels = channelsOf(detector.colours);
  }

  /** Returns faces in pixels of the picture, best first, no face twice. */
  async find(tiles: readonly Shown[]): Promise<Detection[]> {
    const whole: Detection[] = [];
    const near: Detection[] = [];
    for (const tile of tiles) {
      for (const it of await this.#see(tile)) {
        (isNearEdge(it.box, tile.part) ? near : whole).push(it);
      }
    }
    // A network is as certain about half a face as about the whole one.
    const others = near.filter(({ box }) => !whole.some((it) => isPartOf(box, it.box)));
    return withoutDoubles([...whole, ...others], this.#settings.maxOverlap);
  }

  /** Returns the face as the second network sees it alone, in pixels of the picture; null when it is none. */
  async confirm(cut: FaceCropPixels): Promise<Detection | null> {
    const input = smallestFor({ width: 1, height: 1 }, this.#second.settings.inputs)!;
    const box = within(cut);
    const part = squareAround(box, this.#room);
    const by = part.width / input.width;
    const transform = { a: by, b: 0, tx: part.x + by / 2 - 0.5, ty: part.y + by / 2 - 0.5 };
    warp(cut, transform, input.width, { kind: 'planes', data: this.#second.planesFor(input) });
    const [best] = (await this.#second.askRaw(input))
      .map((it) => placed(it, part, input))
      .filter((it) => iou(it.box, box) > sameFace)
      .toSorted((a, b) => b.score - a.score);
    return best ? { ...placed(best, cut.part, cut), doubtful: false } : null;
  }

  async #see(tile: Shown): Promise<Detection[]> {
    const { inputs, minScore, certainScore, narrow, narrowScore } = this.#settings;
    // A quick scan asks about half of what a thorough detection does: the smallest faces are seen larger then.
    const worthAsking = tile.afar ? (narrowScore + minScore) / 2 : narrowScore;
    const input = smallestFor(tile, inputs);
    if (!input) throw new Error(`no input of the detector holds ${tile.width}x${tile.height}`);
    fill(this.#network.planesFor(input), tile, input, this.#channels);
    const found: Detection[] = [];
    for (const it of await this.#network.ask(input, tile.nearest ? worthAsking : minScore)) {
      const narrowHere = tile.nearest && it.box.width < narrow;
      const doubtful = narrowHere || it.score < certainScore;
      if (narrowHere || it.score >= minScore)
        found.push({ ...placed(it, tile.part, tile), doubtful });
    }
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#network[Symbol.asyncDispose]();
    if (this.#second !== this.#network) await this.#second[Symbol.asyncDispose]();
  }
}

/** Fills one plane per channel; black where the tile does not fill the input. */
export function fill(
  planes: Float32Array,
  { width, height, rgb }: Size & { readonly rgb: Uint8Array },
  input: Size,
  channels: Channels,
): void {
  const area = input.width * input.height;
  const [red, green, blue] = channels.map(({ plane, levels }) => {
    const own = planes.subarray(plane * area, (plane + 1) * area);
    if (width < input.width || height < input.height) own.fill(levels[0]!);
    return { own, levels };
  });
  const { own: reds, levels: redLevels } = red!;
  const { own: greens, levels: greenLevels } = green!;
  const { own: blues, levels: blueLevels } = blue!;
  // One pass over the picture: three, one for each colour, took a quarter more time.
  for (let y = 0, from = 0; y < height; y++) {
    const end = y * input.width + width;
    for (let at = y * input.width; at < end; at++) {
      reds[at] = redLevels[rgb[from++]!]!;
      greens[at] = greenLevels[rgb[from++]!]!;
      blues[at] = blueLevels[rgb[from++]!]!;
    }
  }
}

/** Maps from pixels of what was made of a part to the pixels in which the part is given. */
function placed({ box, score, points }: Proposal, part: Rect, { width, height }: Size): Proposal {
  const across = part.width / width;
  const down = part.height / height;
  return {
    box: {
      x: part.x + box.x * across,
      y: part.y + box.y * down,
      width: box.width * across,
      height: box.height * down,
    },
    score,
    points: points?.map(([x, y]): Point => [part.x + x * across, part.y + y * down]) ?? null,
  };
}

function squareAround({ x, y, width, height }: Rect, sides: number): Rect {
  const side = Math.max(width, height) * sides;
  return { x: x + (width - side) / 2, y: y + (height - side) / 2, width: side, height: side };
}

/** Whether the box comes so near to the edge of its tile that the face may be cut off there. */
function isNearEdge(box: Rect, part: Rect): boolean {
  const [wide, high] = [edgeShare * box.width, edgeShare * box.height];
  return (
    box.x - part.x < wide ||
    box.y - part.y < high ||
    part.x + part.width - box.x - box.width < wide ||
    part.y + part.height - box.y - box.height < high
  );
}

/** Whether an edge left no more than this box of a face with the other box. */
const isPartOf = (box: Rect, other: Rect): boolean =>
  area(other) > wholeArea * area(box) && isInside(box, other);

const isInside = (box: Rect, other: Rect): boolean =>
  intersection(box, other) > insideShare * area(box);

/**
 * Keeps the best of boxes that show the same face: those that overlap, and those that lie mostly inside
 * another (a face cut by the edge of a tile is a smaller box within the whole one).
 */
export function withoutDoubles<P extends Pick<Proposal, 'box' | 'score'>>(
  found: readonly P[],
  maxOverlap: number,
): P[] {
  const kept: P[] = [];
  for (const candidate of found.toSorted((a, b) => b.score - a.score)) {
    const double = kept.some(
      ({ box }) =>
        iou(box, candidate.box) > maxOverlap ||
        isInside(box, candidate.box) ||
        isInside(candidate.box, box),
    );
    if (!double) kept.push(candidate);
  }
  return kept;
}
