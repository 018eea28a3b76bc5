/**
 * Turns pictures into faces and chips into vectors: the networks of one pack and the arithmetic between them. It runs
 * in a vision host and knows neither cameras nor people. One call at a time: the caller queues.
 */
import type { Rect, Point } from '#lib/geometry.ts';
import type { ImageSource } from '#lib/image-source.ts';
import {
  chipTransform,
  meanFace,
  misfit,
  templateOf,
  type FacePoints,
  type Template,
} from './align.ts';
import { chipOf } from './chip.ts';
import { Detector, withoutDoubles } from './detector/detect.ts';
import type { Detection } from './detector/detection.ts';
import { Embedder } from './embed.ts';
import { Landmarks } from './landmarks.ts';
import type { DetectorLimits, Shown } from './detector/tiles.ts';
import type { FaceView } from './messages.ts';
import { Network } from './network.ts';
import { networkPath, shipped, type InstalledPack } from './packs/installed-packs.ts';
import { packKey } from './packs/pack.ts';
import { mean, type Picture } from './picture.ts';
import {
  chipMeasures,
  eyeDistance,
  faultOf,
  fivePoints,
  qualityOf,
  sureScore,
  yawOf,
} from './quality.ts';
import { inCrop, inPicture, shownBox } from './crop.ts';
import { warp } from './sample.ts';
import {
  faceCropOf,
  findFaces,
  within,
  type FaceCropPixels,
  type Found,
} from './detector/find-faces.ts';
import { imageSourceOf, turnedBy } from './image-source.ts';
import { maxRoll, rollOf, uprightnessOf, type Turn, type Turned } from './turns.ts';

/** How many eye distances wide the box of a face is: 35 px where 16 are between the eyes. */
const boxOfEyes = 35 / 16;
/** The box of a face that fills its photo, in the photo's shorter side. */
const fillingShare = 0.6;
/** Points that fit a mean face worse than this (chip pixels) belong to no face. See `misfit`. */
const maxMisfit = 10;
/** A chip was made from a face: only what is far from any face is refused. 9 was the worst of 55 faces. */
const maxMisfitOnChip = 15;
/** Faces of a photo that are asked whether it stands upright: 25 ms each. */
const maxAskedUpright = 2;

/** A photo as it stands in one of its turns, with what was found there. */
export interface SeenPhoto extends Turned {
  readonly photo: Picture;
  readonly found: Found;
}

export class Engine implements AsyncDisposable {
  readonly pack: InstalledPack;
  /** How many bytes a chip of this pack takes. */
  readonly chipBytes: number;
  /** How a face lies on a chip. */
  readonly template: Template;
  readonly #networks: readonly Network[];
  readonly #detector: Detector;
  readonly #landmarks: Landmarks | null;
  readonly #embedder: Embedder;

  private constructor(pack: InstalledPack, detector: Detector, networks: readonly Network[]) {
    const [embedder, landmarks] = networks;
    this.pack = pack;
    this.chipBytes = pack.embedder.side ** 2 * 3;
    this.#detector = detector;
    this.#networks = networks;
    this.#landmarks = landmarks && pack.landmarks ? new Landmarks(landmarks, pack.landmarks) : null;
    this.#embedder = new Embedder(embedder!, pack.embedder);
    this.template = templateOf(pack.embedder);
  }

  static async load(pack: InstalledPack = shipped): Promise<Engine> {
    const load = async (file: string): Promise<Network> =>
      Network.load(await networkPath(pack, file));
    const networks = [await load(pack.embedder.file)];
    if (pack.landmarks) networks.push(await load(pack.landmarks.file));
    return new Engine(pack, new Detector(pack, load), networks);
  }

  /** The inputs and sizes of faces that the detector is made for. */
  get limits(): DetectorLimits {
    const { inputs, faces } = this.pack.detector;
    return { inputs, faces };
  }

  /** The width of a chip, in widths of a face's box. */
  get chipWidth(): number {
    const { side, five } = this.template;
    return side / eyeDistance(five) / boxOfEyes;
  }

  /** Returns the faces of a picture in memory, largest first; `regions` and `quickScan` as in ImageSource. */
  async detect(picture: Picture, regions: readonly Rect[] = [], quickScan = false): Promise<Found> {
    const view = imageSourceOf(picture, regions, quickScan);
    const found = await findFaces(view, {
      limits: this.limits,
      chipWidth: this.chipWidth,
      find: (tiles) => this.find(tiles),
      describe: (crops) => this.describe(crops),
    });
    const mayFill = found.faces.length === 0 && regions.length === 0 && this.pack.secondDetector;
    return mayFill ? this.#filling(view) : found;
  }

  /** A face that fills its photo leaves the first detector nothing around it: the second checks the middle. */
  async #filling(view: ImageSource): Promise<Found> {
    const { width, height } = view;
    const side = fillingShare * Math.min(width, height);
    const box = { x: (width - side) / 2, y: (height - side) / 2, width: side, height: side };
    const middle = { box, score: 0, points: null, doubtful: true };
    const cut = faceCropOf(middle, view, this.chipWidth)!;
    const rgb = await view.take(cut.part, cut.width, cut.height);
    return this.describe([{ ...cut, rgb }]);
  }

  /** Detects faces on a photo in one rotation; results are in pixels of the turned photo. */
  async detectPhoto(asSent: Picture, turn: Turn): Promise<SeenPhoto> {
    const photo = await turnedBy(asSent, turn);
    const found = await this.detect(photo);
    return { turn, photo, found, uprightness: await this.#uprightness(photo, found) };
  }

  /** By the surest of its largest faces. */
  async #uprightness(photo: Picture, { faces, chips }: Found): Promise<number | null> {
    const level = faces.filter(
      (face) => face.score >= sureScore && Math.abs(rollOf(face.points)) <= maxRoll,
    );
    let surest: number | null = null;
    for (const face of level.slice(0, maxAskedUpright)) {
      const chip = chipOf(face, faces, chips);
      if (!chip) continue;
      const measures = {
        alone: await this.#alone(photo, face),
        mirrored: await this.#mirrored(chip),
      };
      surest = Math.max(surest ?? -Infinity, uprightnessOf(measures));
    }
    return surest;
  }

  /** The detector's score for a face that it sees alone. */
  async #alone(photo: Picture, { box, score }: FaceView): Promise<number> {
    const view = imageSourceOf(photo);
    const crop = faceCropOf({ box, score, points: null, doubtful: true }, view, this.chipWidth);
    if (!crop) return 0;
    const rgb = await view.take(crop.part, crop.width, crop.height);
    return (await this.#detector.confirm({ ...crop, rgb }))?.score ?? 0;
  }

  async #mirrored(chip: Buffer): Promise<number> {
    return (await this.#embedder.mirrorDistance(chip)) / this.pack.embedder.calibration.openSet;
  }

  /** Returns faces in pixels of the picture, best first, no face twice. */
  find(tiles: readonly Shown[]): Promise<Detection[]> {
    return this.#detector.find(tiles);
  }

  /** Returns those of the crops that show faces, with their measures, and their chips one after another. */
  async describe(crops: readonly FaceCropPixels[]): Promise<Found> {
    const { chipBytes } = this;
    const faces: FaceView[] = [];
    const chips = Buffer.allocUnsafe(crops.length * chipBytes);
    for (const crop of await this.#confirmed(crops)) {
      const chip = chips.subarray(faces.length * chipBytes, (faces.length + 1) * chipBytes);
      const face = await this.#describe(crop, chip, faces.length);
      if (face) faces.push(face);
    }
    return { faces, chips: chips.subarray(0, faces.length * chipBytes) };
  }

  embed(chips: Uint8Array, count: number): Promise<Float32Array[]> {
    return this.#embedder.embed(chips, count);
  }

  /**
   * Returns the vector of a chip that another pack made; `points`: where that pack puts the five points of a face, in
   * pixels of the chip. They align it better than points found on the chip: of 55 faces half got a vector nearer than
   * 0.025 to their first one (what JPEG alone costs), and 0.055 with points found on it. Null where there is no face.
   */
  async reembed(chip: Picture, points: readonly Point[]): Promise<Float32Array | null> {
    const found = await this.#landmarks?.find(chip, boxAround(points));
    if (found && misfit(found) > maxMisfitOnChip) return null;
    const own = this.#alignChip(chip, { five: points, all: null }, this.template);
    return (await this.embed(own, 1))[0]!;
  }

  /** Returns those that are faces, confirmed by a second detection where one is needed; no face twice. */
  async #confirmed(crops: readonly FaceCropPixels[]): Promise<readonly FaceCropPixels[]> {
    if (!crops.some(({ doubtful }) => doubtful)) return crops;
    const sure: FaceCropPixels[] = [];
    for (const crop of crops) {
      const again = crop.doubtful ? await this.#detector.confirm(crop) : crop;
      if (again) sure.push({ ...crop, ...again });
    }
    const single = withoutDoubles(sure, this.pack.detector.maxOverlap);
    return sure.filter((it) => single.includes(it));
  }

  /** Fills `chip` and measures the face; null when its points belong to no face. */
  async #describe(crop: FaceCropPixels, chip: Buffer, index: number): Promise<FaceView | null> {
    const { box, score, detail } = crop;
    const points = await this.#pointsOf(crop);
    if (!points) return null;
    this.#alignChip(crop, points, this.template, chip);
    const { five } = points;
    const iod = (eyeDistance(five) * crop.part.width * detail) / crop.width;
    // Faces are measured on a chip of dlib's geometry.
    const measured = this.template.all ? chip : this.#alignChip(crop, points, meanFace);
    const measures = { score, iod, yaw: yawOf(five), ...chipMeasures(measured) };
    return {
      box,
      points: five.map((point) => inPicture(point, crop)),
      ...measures,
      quality: qualityOf(measures),
      fault: faultOf(measures, this.pack.quality.recognise),
      chip: index,
      chipBox: shownBox(crop, chipTransform(points, this.template), this.template.side),
      pack: packKey(this.pack),
    };
  }

  /** Returns the points of a face, in pixels of its crop; null when there is none. */
  async #pointsOf(crop: FaceCropPixels): Promise<FacePoints | null> {
    if (!this.#landmarks) {
      return crop.points && { five: crop.points.map((point) => inCrop(point, crop)), all: null };
    }
    const all = await this.#landmarks.find(crop, within(crop));
    return misfit(all) > maxMisfit ? null : { five: fivePoints(all), all };
  }

  #alignChip(
    picture: Picture,
    points: FacePoints,
    template: Template,
    chip: Buffer = Buffer.allocUnsafe(template.side ** 2 * 3),
  ): Buffer {
    warp(picture, chipTransform(points, template), template.side, { kind: 'bytes', data: chip });
    return chip;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#detector[Symbol.asyncDispose]();
    for (const network of this.#networks) await network[Symbol.asyncDispose]();
  }
}

/**
 * Returns the box that a detector would give the face with these five points: around their middle, 2.5 eye distances
 * wide.
 */
function boxAround(points: readonly Point[]): Rect {
  const side = 2.5 * eyeDistance(points);
  const [x, y] = mean(points);
  return { x: x - side / 2, y: y - side / 2, width: side, height: side };
}
