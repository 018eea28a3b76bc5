/**
 * How much an unknown face is like a person, by the measure and the limits by which people are named. Pure; vectors
 * of different packs are never compared.
 */
import { distance } from '#vision/vision.ts';
import { probability, tightening } from '#vision/packs/confidence.ts';
import type { Calibration } from '#vision/packs/pack.ts';
import type { Reference } from '../gallery/gallery.ts';
import { minJoinQuality } from './joining.ts';

export interface Likeness {
  /** 0 to 1. */
  readonly probability: number;
  /** Nearer than strangers are: it would be named as the person. */
  readonly isNear: boolean;
  /** Nearer than the limit for pictures that only just pass the gate. */
  readonly isVeryNear: boolean;
}

export interface Compared {
  /** The vectors of the person's photos. */
  readonly person: readonly Reference[];
  /** What cameras saw. */
  readonly seen: readonly Reference[];
  /** How many unknown faces the person is compared with: more of them come near by chance. */
  readonly among: number;
  /** By pack (`id@version`); null: the pack is gone, and what its distances mean went with it. */
  readonly calibrationOf: (pack: string) => Calibration | null;
}

/** Null: no vectors of one pack, or less alike than 99 of 100 pairs of strangers are. */
export function likeness({ person, seen, among, calibrationOf }: Compared): Likeness | null {
  let best: Likeness | null = null;
  for (const one of seen) {
    const calibration = calibrationOf(one.pack);
    const own = person.filter(({ pack }) => pack === one.pack);
    if (!calibration || own.length === 0) continue;
    const at = Math.min(...own.map(({ vector }) => distance(vector, one.vector)));
    if (at >= calibration.far1e2 || (best && probability(at, calibration) <= best.probability))
      continue;
    const limit = at + tightening(among, calibration);
    best = {
      probability: probability(at, calibration),
      isNear: limit < calibration.openSet,
      isVeryNear: limit < calibration.strict,
    };
  }
  return best;
}

/** Whether it is the same face. `quality`: of the picture, 0 to 1. */
export const isSame = ({ isNear, isVeryNear }: Likeness, quality: number): boolean =>
  quality < minJoinQuality ? isVeryNear : isNear;

/** Whether any of these vectors can be compared with one of the person's. */
export const isComparable = (person: readonly Reference[], seen: readonly Reference[]): boolean =>
  seen.some(({ pack }) => person.some((one) => one.pack === pack));
