/**
 * What a distance means: how sure it is that two vectors show one person, and how near is near enough to name them.
 * Shown numbers are probabilities, never distances. All constants come from the pack, measured on labelled photos
 * with as many pairs of one person as of two.
 */
import type { Calibration } from './pack.ts';

/** 0 to 1. The pack's open-set threshold is 0.75, so a named face always reads at least that. */
export function probability(distance: number, { logistic: [a, b] }: Calibration): number {
  return 1 / (1 + Math.exp(-(a + b * distance)));
}

/** The inverse, for a limit that a person sets in percent. */
export function distanceAt(probability: number, { logistic: [a, b] }: Calibration): number {
  return (Math.log(probability / (1 - probability)) - a) / b;
}

export interface Comparison {
  readonly iod: number;
  readonly sharpness: number;
  /** How many vectors the face was compared with. */
  readonly gallerySize: number;
  /** The limit a person set in place of the open-set threshold, 0 to 1. */
  readonly minProbability?: number;
}

/** The limits hold for this many vectors. */
const calibratedSize = 100;
/** Faces that only just pass the gate: small ones drift towards strangers (FAR 0.10 % at 40 px, 0.29 % at 12 px). */
const strictBelowIod = 16;
const strictBelowSharpness = 30;

/**
 * How much every limit falls when this many vectors are compared with: ten times as many bring ten times as many
 * false matches, and ten times fewer strangers come nearer when the limit falls by far1e2 - far1e3.
 */
export function tightening(compared: number, { far1e2, far1e3 }: Calibration): number {
  return Math.max(0, Math.log10(compared / calibratedSize)) * (far1e2 - far1e3);
}

/** The distance below which a face may be named. */
export function matchLimit(
  { iod, sharpness, gallerySize, minProbability }: Comparison,
  calibration: Calibration,
): number {
  const { openSet, strict } = calibration;
  const wanted = minProbability === undefined ? openSet : distanceAt(minProbability, calibration);
  const barely = iod < strictBelowIod || sharpness < strictBelowSharpness;
  return (barely ? Math.min(wanted, strict) : wanted) - tightening(gallerySize, calibration);
}
