/**
 * Decides whom one picture of a face speaks for, among the people it is near to. Pure: the near people come in as
 * data. A wrong name costs more than a missing one.
 */
import { matchLimit, type Comparison } from '../packs/confidence.ts';
import type { Calibration } from '../packs/pack.ts';

/** People who were enrolled with the same rights: they are compared with each other, and come before the next tier. */
export interface Tier {
  /** Nearest first, each once, down to the first that is farther than the margin from the nearest. */
  readonly nearest: readonly Candidate[];
  /** People of this tier and of those before it. */
  readonly gallerySize: number;
}

/** An enrolled person, by the nearest of their vectors. */
export interface Candidate {
  readonly who: string;
  /** The identity whose vector it is: a person named from several strangers has several. */
  readonly identity: string;
  readonly distance: number;
  /** `who` of entries that are the same face by their photos, and were enrolled before this one. */
  readonly earlier?: readonly string[];
  /** `who` of such entries that were enrolled after this one. */
  readonly later?: readonly string[];
}

export interface Rules {
  readonly calibration: Calibration;
  readonly minProbability?: number;
}

/** The measures of a picture that make its limit stricter. */
export type Measures = Pick<Comparison, 'iod' | 'sharpness'>;

/** What one picture says on its own. */
export interface Judgement {
  readonly verdict: 'match' | 'nobody' | 'too_far' | 'not_clear';
  /** The tier that decided; where none did, the one with the nearest. */
  readonly tier: Tier;
  /** Null unless it is a match. */
  readonly choice: Candidate | null;
}

/**
 * The first tier in which a person is near enough decides, even when it is not clear who: what others enrolled never
 * counts against it.
 */
export function judge(measures: Measures, tiers: readonly Tier[], rules: Rules): Judgement {
  for (const tier of tiers) {
    const [first] = tier.nearest;
    if (!first || first.distance >= limitOf(measures, tier, rules)) continue;
    const choice = choiceIn(measures, tier, rules);
    return { verdict: choice ? 'match' : 'not_clear', tier, choice };
  }
  const [nearest] = tiers
    .filter((tier) => tier.nearest.length > 0)
    .toSorted((a, b) => a.nearest[0]!.distance - b.nearest[0]!.distance);
  const verdict = nearest ? 'too_far' : 'nobody';
  return { verdict, tier: nearest ?? { nearest: [], gallerySize: 0 }, choice: null };
}

/** The distance below which a face may be named in this tier. */
export function limitOf({ iod, sharpness }: Measures, { gallerySize }: Tier, rules: Rules): number {
  const { calibration, ...asked } = rules;
  return matchLimit({ iod, sharpness, gallerySize, ...asked }, calibration);
}

/**
 * Returns the nearest, if clearly nearer than all others. Entries of the same face do not make each other doubtful:
 * among those near enough, the one enrolled first gets the picture.
 */
function choiceIn(measures: Measures, tier: Tier, rules: Rules): Candidate | null {
  const first = tier.nearest[0]!;
  const { margin } = rules.calibration;
  const close = tier.nearest.filter(({ distance }) => distance - first.distance <= margin);
  if (!close.every((one) => one === first || isSameFace(first, one))) return null;
  const limit = limitOf(measures, tier, rules);
  return earliestOf(
    close.filter(({ distance }) => distance < limit),
    first,
  );
}

/** Whether two candidates of one picture are entries of the same face. */
export const isSameFace = (one: Candidate, { who }: Candidate): boolean =>
  sameFaceAs(one).includes(who);

/** `who` of all other entries of the same face. */
export const sameFaceAs = ({ earlier = [], later = [] }: Candidate): readonly string[] => [
  ...earlier,
  ...later,
];

/** Returns the one that was enrolled before all others; `otherwise` where each has an earlier one. */
export function earliestOf<T extends { readonly who: string; readonly earlier?: Iterable<string> }>(
  some: readonly T[],
  otherwise: T,
): T {
  const all = new Set(some.map(({ who }) => who));
  return some.find(({ earlier = [] }) => ![...earlier].some((who) => all.has(who))) ?? otherwise;
}
