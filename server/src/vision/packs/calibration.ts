/**
 * What distances of a pack mean, from pairs of labelled photos. Pure. Two limits are read off the pairs of different
 * people; the others follow from them as they did for the shipped pack, where they were chosen by hand: one step
 * (far1e2 - far1e3) is the price of ten times fewer false matches.
 */
import type { Calibration } from './pack.ts';

/** Distances, in any order. */
export interface Pairs {
  readonly genuine: readonly number[];
  readonly impostor: readonly number[];
}

/** Fewer pairs say nothing about one in 1,000. */
export const minImpostorPairs = 3_000;
export const minGenuinePairs = 50;

/** In steps: the margin between two people, and how far beyond `openSet` a track shows another person. */
const marginSteps = 4 / 3;
const splitSteps = 1 / 4;
/** The probability that `openSet` reads as. */
const namedFrom = 0.75;

export function calibrationOf({ genuine, impostor }: Pairs): Calibration {
  const sorted = impostor.toSorted((a, b) => a - b);
  const far1e2 = quantile(sorted, 0.01);
  const far1e3 = quantile(sorted, 0.001);
  const step = far1e2 - far1e3;
  const openSet = far1e3 - step;
  const slope = fittedSlope(genuine, impostor);
  return {
    far1e2: rounded(far1e2),
    far1e3: rounded(far1e3),
    openSet: rounded(openSet),
    strict: rounded(openSet - step),
    margin: rounded(marginSteps * step),
    split: rounded(openSet + splitSteps * step),
    logistic: [rounded(Math.log(namedFrom / (1 - namedFrom)) - slope * rounded(openSet)), slope],
  };
}

/** Returns the share of them below a distance. */
export function partBelow(distances: readonly number[], limit: number): number {
  return distances.filter((distance) => distance < limit).length / distances.length;
}

/** Wilson's interval at 95 %; pairs share photos, so the true one is at least as wide. */
export function interval(part: number, of: number): readonly [low: number, high: number] {
  const z = 1.959964;
  const spread = z * Math.sqrt((part * (1 - part)) / of + (z / (2 * of)) ** 2);
  const middle = part + z ** 2 / (2 * of);
  const scale = 1 + z ** 2 / of;
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
}

/** Returns the distance below which this share of `sorted` lies. */
function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.floor(part * sorted.length)]!;
}

/** Limits are not known more precisely than that. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/**
 * Fits the slope of the logistic curve that best says which pairs are of one person, both kinds with equal weight.
 * Newton's method; targets as Platt chose them, so that kinds that do not overlap have a finite slope.
 */
function fittedSlope(genuine: readonly number[], impostor: readonly number[]): number {
  const kinds = [
    { distances: genuine, target: (genuine.length + 1) / (genuine.length + 2) },
    { distances: impostor, target: 1 / (impostor.length + 2) },
  ];
  let [a, b] = [0, 0];
  for (let round = 0; round < 100; round++) {
    let [ga, gb, haa, hab, hbb] = [0, 0, 1e-9, 0, 1e-9];
    for (const { distances, target } of kinds) {
      for (const distance of distances) {
        const likely = 1 / (1 + Math.exp(-(a + b * distance)));
        const off = (likely - target) / distances.length;
        const bend = (likely * (1 - likely)) / distances.length;
        ga += off;
        gb += off * distance;
        haa += bend;
        hab += bend * distance;
        hbb += bend * distance * distance;
      }
    }
    const determinant = haa * hbb - hab * hab;
    const [stepA, stepB] = [
      (hbb * ga - hab * gb) / determinant,
      (haa * gb - hab * ga) / determinant,
    ];
    a -= stepA;
    b -= stepB;
    if (Math.abs(stepA) + Math.abs(stepB) < 1e-6) break;
  }
  return Math.round(b * 100) / 100;
}
