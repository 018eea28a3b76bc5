/**
 * How good a picture of a face is, and whether it may be used. The gate keeps strangers from being named: of faces
 * with less than 8 px between the eyes, 58 to 98 % come nearer than 0.585 to a person of a gallery of 246 photos,
 * because small and blurred faces all look alike to the network.
 */
import type { PictureFault } from '@nazar/contract/problem.ts';
import type { Point } from '#lib/geometry.ts';
import { chipSide } from './chip.ts';
import type { FaceView } from './messages.ts';
import type { Gate } from './packs/pack.ts';
import { mean } from './picture.ts';

/** The measures of a face; meanings as in FaceView. */
export interface Measures {
  readonly score: number;
  readonly iod: number;
  readonly sharpness: number;
  readonly yaw: number;
  readonly brightness: number;
}

/** What the detector found below this score need not be a face. */
export const sureScore = 0.5;
/** Beyond these mean grey values of a chip details are lost; good photos lie within 55 to 205. */
const minBrightness = 35;
const maxBrightness = 225;

/** Returns why a face does not pass, the most telling reason first; null when it does. */
export function faultOf(measures: Measures, gate: Gate): PictureFault | null {
  if (measures.score < sureScore) return 'no_face';
  if (measures.iod < gate.minIod) return 'too_small';
  if (measures.brightness < minBrightness) return 'too_dark';
  if (measures.brightness > maxBrightness) return 'too_bright';
  if (Math.abs(measures.yaw) > gate.maxYaw) return 'turned';
  if (measures.sharpness < gate.minSharpness) return 'blurred';
  return null;
}

/** Embeddings do not improve beyond this many pixels between the eyes: TAR there equals that of full-size photos. */
export const fullIod = 40;

/** Returns one number to choose the best picture of a track by: `fullIod` and a sharpness of 60 count full. */
export function qualityOf({ score, iod, sharpness, yaw }: Measures): number {
  const size = Math.min(1, iod / fullIod);
  const frontality = Math.max(0, 1 - Math.abs(yaw));
  return score * size * frontality * Math.min(1, sharpness / 60);
}

/** Picks the left eye, right eye, nose tip, left and right corner of the mouth out of the 68 points. */
export function fivePoints(points: readonly Point[]): Point[] {
  const left = mean(points.slice(36, 42));
  const right = mean(points.slice(42, 48));
  return [left, right, points[30]!, points[48]!, points[54]!];
}

export function eyeDistance([left, right]: readonly Point[]): number {
  return Math.hypot(right![0] - left![0], right![1] - left![1]);
}

/**
 * Returns the width of a face's box in pixels of the camera, in which `iod` is; box and points are in the picture's.
 */
export function cameraWidth({
  box,
  iod,
  points,
}: Pick<FaceView, 'box' | 'iod' | 'points'>): number {
  const between = eyeDistance(points);
  return between > 0 ? (box.width * iod) / between : box.width;
}

/** How far the nose tip is from the middle between the eyes along the line of the eyes, in eye distances. */
export function yawOf([left, right, nose]: readonly Point[]): number {
  const ex = right![0] - left![0];
  const ey = right![1] - left![1];
  const nx = nose![0] - (left![0] + right![0]) / 2;
  const ny = nose![1] - (left![1] + right![1]) / 2;
  return (nx * ex + ny * ey) / (ex * ex + ey * ey);
}

/**
 * Returns the mean grey value and the variance of the Laplacian: near 0 when blurred, 200 in a good photo. The face
 * is measured as the mean face of 150 pixels has it (align.ts), because the latter depends on the size.
 */
export function chipMeasures(chip: Uint8Array): { brightness: number; sharpness: number } {
  const side = chipSide(chip);
  const pixels = side * side;
  const grey = new Float32Array(pixels);
  let total = 0;
  for (let i = 0; i < pixels; i++) {
    const value = 0.299 * chip[i * 3]! + 0.587 * chip[i * 3 + 1]! + 0.114 * chip[i * 3 + 2]!;
    grey[i] = value;
    total += value;
  }
  let sum = 0;
  let squares = 0;
  for (let y = 1; y < side - 1; y++) {
    for (let i = y * side + 1; i < (y + 1) * side - 1; i++) {
      const bend = grey[i - 1]! + grey[i + 1]! + grey[i - side]! + grey[i + side]! - 4 * grey[i]!;
      sum += bend;
      squares += bend * bend;
    }
  }
  const count = (side - 2) ** 2;
  return { brightness: total / pixels, sharpness: squares / count - (sum / count) ** 2 };
}
