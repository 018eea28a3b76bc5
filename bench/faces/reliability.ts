/**
 * Whether the percentage that people are shown is true: of all comparisons of which about 90 % is shown, how many are
 * of one person? In two ways: by pairs of photos, of which those of one person count together as much as those of
 * two (what a calibration is fitted to), and by the nearest of the people enrolled where half of all people are
 * strangers (what a camera meets).
 */
import type { Calibration } from '../../server/src/vision/packs/pack.ts';
import { probability } from '../../server/src/vision/packs/confidence.ts';
import type { Encounter } from './open-set.ts';
import type { Pairs } from './verification.ts';

/** Comparisons of which a percentage of one tenth is shown. */
export interface Tenth {
  /** 0 to 9. */
  readonly tenth: number;
  readonly comparisons: number;
  /** What is shown, on average, and the share of comparisons that is right; both 0 to 1. */
  readonly shown: number;
  readonly right: number;
}

export interface Reliability {
  readonly pairs: readonly Tenth[];
  readonly nearest: readonly Tenth[];
}

interface Shown {
  readonly probability: number;
  readonly isRight: boolean;
  readonly weight: number;
}

export function pairTenths({ genuine, impostor }: Pairs, calibration: Calibration): Tenth[] {
  const kind = (pairs: Pairs['genuine'], isRight: boolean): Shown[] =>
    pairs
      .filter(({ distance }) => distance < Infinity)
      .map(({ distance }, _, { length }) => ({
        probability: probability(distance, calibration),
        isRight,
        weight: 1 / length,
      }));
  return tenthsOf([...kind(genuine, true), ...kind(impostor, false)]);
}

export function nearestTenths(met: readonly Encounter[], calibration: Calibration): Tenth[] {
  return tenthsOf(
    met
      .filter(({ distance }) => distance < Infinity)
      .map(({ distance, right }) => ({
        probability: probability(distance, calibration),
        isRight: right,
        weight: 1,
      })),
  );
}

/** Tenths that nothing lies in are absent. */
function tenthsOf(all: readonly Shown[]): Tenth[] {
  const tenths = Map.groupBy(all, ({ probability: shown }) => Math.min(9, Math.floor(shown * 10)));
  const sum = (some: readonly Shown[], of: (one: Shown) => number): number =>
    some.reduce((total, one) => total + of(one) * one.weight, 0);
  return [...tenths]
    .toSorted(([a], [b]) => a - b)
    .map(([tenth, some]) => {
      const weight = sum(some, () => 1);
      const shown = sum(some, (one) => one.probability) / weight;
      const right = sum(some, ({ isRight }) => (isRight ? 1 : 0)) / weight;
      return { tenth, comparisons: some.length, shown, right };
    });
}
