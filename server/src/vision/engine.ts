/**
 * Pictures to faces, chips to vectors: the networks of one pack and the arithmetic between them. Runs in a
 * vision host, knows neither cameras nor people. One call at a time: the caller queues.
 */
import { chipTransform, misfit } from './align.ts';
import { Detector, type Detection } from './detect.ts';
import { Embedder } from './embed.ts';
import { Landmarks } from './landmarks.ts';
import { chipBytes, chipSide, type FaceView, type Rect } from './messages.ts';
import { Network } from './network.ts';
import { modelsDir, networkPath, readPack, type Pack } from './pack.ts';
import { area, type Picture } from './picture.ts';
import { chipMeasures, eyeDistance, faultOf, fivePoints, qualityOf, yawOf } from './quality.ts';
import { warp } from './sample.ts';

/** A crowd must not hold up the next picture: beyond it the smallest faces wait. 3 ms each. */
const maxFaces = 16;
/** Points that fit a mean face worse than this (chip pixels) belong to no face. See `misfit`. */
const maxMisfit = 10;

export interface Found {
  readonly faces: FaceView[];
  readonly chips: Buffer;
}

export class Engine implements AsyncDisposable {
  readonly pack: Pack;
  readonly #networks: readonly Network[];
  readonly #detector: Detector;
  readonly #landmarks: Landmarks;
  readonly #embedder: Embedder;

  private constructor(pack: Pack, [detector, landmarks, embedder]: [Network, Network, Network]) {
    this.pack = pack;
    this.#networks = [detector, landmarks, embedder];
    this.#detector = new Detector(detector, pack.detector);
    this.#landmarks = new Landmarks(landmarks, pack.landmarks);
    this.#embedder = new Embedder(embedder, pack.embedder);
  }

  static async load(dir: string = modelsDir): Promise<Engine> {
    const pack = readPack(undefined, dir);
    const load = (file: string): Promise<Network> => Network.load(networkPath(pack, file, dir));
    const detector = await load(pack.detector.file);
    const landmarks = await load(pack.landmarks.file);
    return new Engine(pack, [detector, landmarks, await load(pack.embedder.file)]);
  }

  /** Faces with their measures, largest first, and their chips one after another. */
  async detect(picture: Picture, regions: readonly Rect[], glimpse = false): Promise<Found> {
    const detections = await this.#detector.detect(picture, regions, glimpse);
    const largest = detections.toSorted((a, b) => area(b.box) - area(a.box)).slice(0, maxFaces);
    const faces: FaceView[] = [];
    const chips = Buffer.allocUnsafe(largest.length * chipBytes);
    for (const detection of largest) {
      const chip = chips.subarray(faces.length * chipBytes, (faces.length + 1) * chipBytes);
      const face = await this.#look(picture, detection, chip, faces.length);
      if (face) faces.push(face);
    }
    return { faces, chips: chips.subarray(0, faces.length * chipBytes) };
  }

  embed(chips: Uint8Array, count: number): Promise<Float32Array[]> {
    return this.#embedder.embed(chips, count);
  }

  /** Fills `chip` and measures the face; null when the points say that there is none. */
  async #look(
    picture: Picture,
    { box, score }: Detection,
    chip: Buffer,
    index: number,
  ): Promise<FaceView | null> {
    const points = await this.#landmarks.find(picture, box);
    if (misfit(points) > maxMisfit) return null;
    warp(picture, chipTransform(points), chipSide, { kind: 'bytes', data: chip });
    const five = fivePoints(points);
    const measures = { score, iod: eyeDistance(five), yaw: yawOf(five), ...chipMeasures(chip) };
    return {
      box,
      points: five,
      ...measures,
      quality: qualityOf(measures),
      fault: faultOf(measures, this.pack.quality.recognise),
      chip: index,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const network of this.#networks) await network[Symbol.asyncDispose]();
  }
}
