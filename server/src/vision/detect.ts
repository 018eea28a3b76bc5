/** BlazeFace: finds faces in 256 x 256 looks and says where they are in the picture. */
import type { Rect } from './messages.ts';
import type { Pack } from './pack.ts';
import { sureScore } from './quality.ts';
import { area, intersection, iou, type Picture } from './picture.ts';
import { Scaler } from './sample.ts';
import type { Network } from './network.ts';
import { fromAfar, tilesFor, type Tile } from './tiles.ts';

export interface Detection {
  readonly box: Rect;
  readonly score: number;
}

/** Two grids of cells; each cell proposes several faces around its middle (mediapipe's SSD anchors). */
const grids = [
  { scores: 'scores16', boxes: 'boxes16', cells: 16, perCell: 2 },
  { scores: 'scores8', boxes: 'boxes8', cells: 8, perCell: 6 },
] as const;
/** Numbers per proposal: centre, size, six points (which we do not use). */
const stride = 16;

export class Detector {
  readonly #network: Network;
  readonly #settings: Pack['detector'];
  readonly #scaler: Scaler;

  constructor(network: Network, settings: Pack['detector']) {
    this.#network = network;
    this.#settings = settings;
    this.#scaler = new Scaler(settings);
  }

  /** Best first, no face twice. `regions` and `glimpse` as in DetectRequest. */
  async detect(picture: Picture, regions: readonly Rect[], glimpse = false): Promise<Detection[]> {
    const { width, height } = picture;
    const found: Detection[] = [];
    for (const tile of tilesFor(width, height, regions, glimpse)) {
      found.push(...(await this.#look(picture, tile)));
    }
    const nothing = !found.some(({ score }) => score >= sureScore);
    if (nothing && regions.length === 0) {
      found.push(...(await this.#look(picture, fromAfar(width, height))));
    }
    return withoutDoubles(found, this.#settings.maxOverlap);
  }

  async #look(picture: Picture, tile: Tile): Promise<Detection[]> {
    const { side, minScore } = this.#settings;
    const input = this.#scaler.scale(picture, tile);
    return decode(await this.#network.run(input, [1, 3, side, side]), tile, side, minScore);
  }
}

/** Proposals of one look that reach `minScore`, in pixels of the picture. */
export function decode(
  output: Record<string, Float32Array>,
  tile: Tile,
  side: number,
  minScore: number,
): Detection[] {
  // Compared before the sigmoid: 896 exponentials are saved per look.
  const minLogit = Math.log(minScore / (1 - minScore));
  const scale = tile.side / side;
  const found: Detection[] = [];
  for (const { scores, boxes, cells, perCell } of grids) {
    const logits = output[scores]!;
    const values = output[boxes]!;
    for (let i = 0; i < logits.length; i++) {
      if (logits[i]! < minLogit) continue;
      const cell = Math.floor(i / perCell);
      const cellX = (((cell % cells) + 0.5) * side) / cells;
      const cellY = ((Math.floor(cell / cells) + 0.5) * side) / cells;
      const [dx = 0, dy = 0, width = 0, height = 0] = values.subarray(i * stride, i * stride + 4);
      const box = {
        x: (cellX + dx - width / 2) * scale + tile.x,
        y: (cellY + dy - height / 2) * scale + tile.y,
        width: width * scale,
        height: height * scale,
      };
      if (width > 0 && height > 0) found.push({ box, score: 1 / (1 + Math.exp(-logits[i]!)) });
    }
  }
  return found;
}

/**
 * Keeps the best of boxes that show the same face: those that overlap, and those that lie mostly inside
 * another (a face cut by the edge of a look is a smaller box within the whole one).
 */
export function withoutDoubles(found: readonly Detection[], maxOverlap: number): Detection[] {
  const kept: Detection[] = [];
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
