/**
 * Finds faces in tiles: runs the detector's network for each and says where in the picture they are. A network is
 * never certain about a small face, and often half certain about a pattern that is none. Both are detected once more,
 * alone and at the size at which the network is best.
 */
import type { Size, Rect, Point } from '#lib/geometry.ts';
import { asInput, channelsOf, type Channels } from '../colours.ts';
import { blazeface } from './blazeface.ts';
import type { Decode, Detection, Proposal } from './detection.ts';
import { scrfd } from './scrfd.ts';
import { ssd } from './ssd.ts';
import { tiny } from './tiny.ts';
import { yunet } from './yunet.ts';
import { smallestFor, type Shown } from './tiles.ts';
import type { Network } from '../network.ts';
import type { Pack } from '../packs/pack.ts';
import { area, intersection, iou } from '../picture.ts';
import { warp } from '../sample.ts';
import { within, type FaceCropPixels } from './find-faces.ts';

/** The sides of what the network sees when a face is confirmed alone, in sides of its box. */
const roomAlone = 3;
/** Two boxes that share less than this show different faces. */
const sameFace = 0.2;

const onGrids = (...names: readonly string[]): string[] =>
  names.flatMap((name) => [8, 16, 32].map((cell) => `${name}_${cell}`));

/** How each family's answer is read, and what must be in it. */
const families: Record<Pack['detector']['family'], { decode: Decode; outputs: string[] }> = {
  blazeface: { decode: blazeface, outputs: ['scores16', 'boxes16', 'scores32', 'boxes32'] },
  yunet: { decode: yunet, outputs: onGrids('cls', 'obj', 'bbox', 'kps') },
  scrfd: { decode: scrfd, outputs: onGrids('score', 'bbox', 'kps') },
  tiny: { decode: tiny, outputs: ['grid'] },
  ssd: { decode: ssd, outputs: ['boxes', 'classes', 'anchors'] },
};

type Input = Pack['detector']['inputs'][number];

export class Detector implements AsyncDisposable {
  readonly #settings: Pack['detector'];
  readonly #family: { readonly decode: Decode; readonly outputs: readonly string[] };
  readonly #load: (file: string) => Promise<Network>;
  /** Loaded when first needed: a camera of 640x360 never asks for the largest. */
  readonly #networks = new Map<string, Promise<Network>>();
  /** One array for each size, because one call at a time uses it. */
  readonly #planes = new Map<string, Float32Array>();
  readonly #channels: Channels;

  constructor(settings: Pack['detector'], load: (file: string) => Promise<Network>) {
    const { family, colours } = settings;
    this.#settings = settings;
    this.#family = families[family];
    this.#load = load;
    this.#channels = channelsOf(colours);
  }

  /** Returns faces in pixels of the picture, best first, no face twice. */
  async find(tiles: readonly Shown[]): Promise<Detection[]> {
    const found: Detection[] = [];
    for (const tile of tiles) found.push(...(await this.#see(tile)));
    return withoutDoubles(found, this.#settings.maxOverlap);
  }

  /** Returns the face as the network sees it alone, in pixels of the picture; null when it is none. */
  async confirm(cut: FaceCropPixels): Promise<Detection | null> {
    const input = smallestFor({ width: 1, height: 1 }, this.#settings.inputs)!;
    const box = within(cut);
    const part = squareAround(box, roomAlone);
    const planes = this.#planesFor(input);
    const by = part.width / input.width;
    const transform = { a: by, b: 0, tx: part.x + by / 2 - 0.5, ty: part.y + by / 2 - 0.5 };
    warp(cut, transform, input.width, { kind: 'planes', data: planes });
    asInput(planes, this.#settings.colours);
    const [best] = (await this.#run(input, this.#settings.minScore))
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
    fill(this.#planesFor(input), tile, input, this.#channels);
    const found: Detection[] = [];
    for (const it of await this.#run(input, tile.nearest ? worthAsking : minScore)) {
      const narrowHere = tile.nearest && it.box.width < narrow;
      const doubtful = narrowHere || it.score < certainScore;
      if (narrowHere || it.score >= minScore)
        found.push({ ...placed(it, tile.part, tile), doubtful });
    }
    return found;
  }

  /** Returns what the network proposes for the planes of the input. */
  async #run(input: Input, minScore: number): Promise<Proposal[]> {
    const { width, height } = input;
    const network = await this.#network(input);
    const output = await network.run(this.#planesFor(input), [1, 3, height, width]);
    return this.#family.decode(this.#named(output), input, minScore);
  }

  /** Returns the outputs by the names their family gives them. */
  #named(output: Record<string, Float32Array>): Record<string, Float32Array> {
    const { outputs: theirs = {} } = this.#settings;
    return Object.fromEntries(
      this.#family.outputs.map((name) => {
        const given = theirs[name] ?? name;
        const values = output[given];
        if (!values) throw new Error(`the detector has no output called ${given}`);
        return [name, values];
      }),
    );
  }

  #network({ file }: Input): Promise<Network> {
    const known = this.#networks.get(file);
    if (known) return known;
    const network = this.#load(file);
    this.#networks.set(file, network);
    return network;
  }

  #planesFor({ width, height }: Input): Float32Array {
    const size = `${width}x${height}`;
    const known = this.#planes.get(size);
    if (known) return known;
    const planes = new Float32Array(3 * width * height);
    this.#planes.set(size, planes);
    return planes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const network of this.#networks.values()) await (await network)[Symbol.asyncDispose]();
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
        intersection(box, candidate.box) > 0.7 * Math.min(area(box), area(candidate.box)),
    );
    if (!double) kept.push(candidate);
  }
  return kept;
}
