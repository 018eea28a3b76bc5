/**
 * Pictures to faces, chips to vectors: the networks of one pack and the arithmetic between them. Runs in a
 * vision host, knows neither cameras nor people. One call at a time: the caller queues.
 */
import { chipTransform, fiveTransform, misfit } from './align.ts';
import { Detector, withoutDoubles, type Shown } from './detect.ts';
import type { Detection } from './detectors/detection.ts';
import { Embedder } from './embed.ts';
import { Landmarks } from './landmarks.ts';
import type { Sight } from './tiles.ts';
import { chipBytes, chipSide, type Cutting, type FaceView, type Rect } from './messages.ts';
import { Network } from './network.ts';
import { networkPath, shipped, type InstalledPack } from './installed-packs.ts';
import { mean, type Picture, type Point } from './picture.ts';
import { chipMeasures, eyeDistance, faultOf, fivePoints, qualityOf, yawOf } from './quality.ts';
import { warp } from './sample.ts';
import { see, within, type Cut, type Found } from './see.ts';
import { viewOf } from './view.ts';

/** Points that fit a mean face worse than this (chip pixels) belong to no face. See `misfit`. */
const maxMisfit = 10;
/** A chip was cut of a face: only what is far from any is refused. 9 was the worst of 55 faces. */
const maxMisfitOnChip = 15;

export class Engine implements AsyncDisposable {
  readonly pack: InstalledPack;
  readonly #networks: readonly Network[];
  readonly #detector: Detector;
  readonly #landmarks: Landmarks;
  readonly #embedder: Embedder;

  private constructor(
    pack: InstalledPack,
    detector: Detector,
    [landmarks, embedder]: [Network, Network],
  ) {
    this.pack = pack;
    this.#detector = detector;
    this.#networks = [landmarks, embedder];
    this.#landmarks = new Landmarks(landmarks, pack.landmarks);
    this.#embedder = new Embedder(embedder, pack.embedder);
  }

  static async load(pack: InstalledPack = shipped): Promise<Engine> {
    const load = (file: string): Promise<Network> => Network.load(networkPath(pack, file));
    const landmarks = await load(pack.landmarks.file);
    const embedder = await load(pack.embedder.file);
    return new Engine(pack, new Detector(pack.detector, load), [landmarks, embedder]);
  }

  /** Which tiles the detector is made for. */
  get sight(): Sight {
    const { inputs, faces } = this.pack.detector;
    return { inputs, faces };
  }

  /** Faces of a picture in memory, largest first; `regions` and `glimpse` as in View. */
  detect(picture: Picture, regions: readonly Rect[] = [], glimpse = false): Promise<Found> {
    return see(viewOf(picture, regions, glimpse), {
      sight: this.sight,
      find: (tiles) => this.find(tiles),
      describe: (cuts) => this.describe(cuts),
    });
  }

  /** Best first, no face twice, in pixels of the picture. */
  find(tiles: readonly Shown[]): Promise<Detection[]> {
    return this.#detector.find(tiles);
  }

  /** Those of the found that are faces, with their measures, and their chips one after another. */
  async describe(cuts: readonly Cut[]): Promise<Found> {
    const faces: FaceView[] = [];
    const chips = Buffer.allocUnsafe(cuts.length * chipBytes);
    for (const cut of await this.#confirmed(cuts)) {
      const chip = chips.subarray(faces.length * chipBytes, (faces.length + 1) * chipBytes);
      const face = await this.#describe(cut, chip, faces.length);
      if (face) faces.push(face);
    }
    return { faces, chips: chips.subarray(0, faces.length * chipBytes) };
  }

  embed(chips: Uint8Array, count: number): Promise<Float32Array[]> {
    return this.#embedder.embed(chips, count);
  }

  /**
   * The vector of a chip that another pack cut; `points`: where that pack puts the five points of a face, in
   * pixels of the chip. They turn it better than points that are looked for on it: of 55 faces half got a
   * vector nearer than 0.025 to their first one (what JPEG alone costs), and 0.055 when looked for. Null where
   * there is no face.
   */
  async embedAnew(chip: Picture, points: readonly Point[]): Promise<Float32Array | null> {
    if (misfit(await this.#landmarks.find(chip, boxAround(points))) > maxMisfitOnChip) return null;
    const own = Buffer.allocUnsafe(chipBytes);
    warp(chip, fiveTransform(points), chipSide, { kind: 'bytes', data: own });
    return (await this.embed(own, 1))[0]!;
  }

  /** Those that are faces by a second look where one is needed; no face twice. */
  async #confirmed(cuts: readonly Cut[]): Promise<readonly Cut[]> {
    if (!cuts.some(({ doubtful }) => doubtful)) return cuts;
    const sure: Cut[] = [];
    for (const cut of cuts) {
      const again = cut.doubtful ? await this.#detector.confirm(cut) : cut;
      if (again) sure.push({ ...cut, ...again });
    }
    const single = withoutDoubles(sure, this.pack.detector.maxOverlap);
    return sure.filter((it) => single.includes(it));
  }

  /** Fills `chip` and measures the face; null when the points say that there is none. */
  async #describe(cut: Cut, chip: Buffer, index: number): Promise<FaceView | null> {
    const { box, score, detail } = cut;
    const points = await this.#landmarks.find(cut, within(cut));
    if (misfit(points) > maxMisfit) return null;
    warp(cut, chipTransform(points), chipSide, { kind: 'bytes', data: chip });
    const five = fivePoints(points);
    const iod = (eyeDistance(five) * cut.part.width * detail) / cut.width;
    const measures = { score, iod, yaw: yawOf(five), ...chipMeasures(chip) };
    return {
      box,
      points: five.map((point) => inPicture(point, cut)),
      ...measures,
      quality: qualityOf(measures),
      fault: faultOf(measures, this.pack.quality.recognise),
      chip: index,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#detector[Symbol.asyncDispose]();
    for (const network of this.#networks) await network[Symbol.asyncDispose]();
  }
}

/** Where a detector would see the face with these five points: about their middle, 2.5 eye distances wide. */
function boxAround(points: readonly Point[]): Rect {
  const side = 2.5 * eyeDistance(points);
  const [x, y] = mean(points);
  return { x: x - side / 2, y: y - side / 2, width: side, height: side };
}

/** A point of a cutting in pixels of its picture; pixels are where their middles are. */
function inPicture([x, y]: Point, { part, width, height }: Cutting): Point {
  return [
    part.x + ((x + 0.5) * part.width) / width - 0.5,
    part.y + ((y + 0.5) * part.height) / height - 0.5,
  ];
}
