/**
 * Whether a picture of an unknown person shows a stranger who was seen before, a new one, or too little to say. Pure:
 * the near strangers come in as data, so that the rule can be argued about with a table. Two strangers in one are
 * worse than one stranger in two: the first is a false history, the second a merge away.
 */
import { tightening } from '#vision/packs/confidence.ts';
import type { Calibration } from '#vision/packs/pack.ts';

/** A stranger by their nearest reference. */
export interface NearStranger {
  readonly strangerId: string;
  /** The identity whose reference it is: one of several of a merged stranger. */
  readonly identityId: string;
  readonly distance: number;
}

export interface SeenOnce {
  readonly quality: number;
  /** The picture resembles an enrolled person, but not enough to name them. */
  readonly resembles?: boolean;
  /** Strangers, each once, nearest first; those beside and two more are enough. */
  readonly nearest: readonly NearStranger[];
  /** Strangers in view of the same camera at the same time: this one is none of them. */
  readonly beside: ReadonlySet<string>;
  /** How many references the picture was compared with. */
  readonly compared: number;
}

export type Joining =
  | ({ readonly kind: 'join' } & Pick<NearStranger, 'strangerId' | 'identityId'>)
  | { readonly kind: 'begin' }
  /** Neither: the visit belongs to no particular person, and no face is compared with it. */
  | { readonly kind: 'apart' };

/**
 * Small, blurred and turned faces resemble each other: below this quality nothing is joined and nothing begun. A face
 * of 24 px between the eyes, sharp and from the front, has 0.5; one that only just passes the gate 0.1.
 */
export const minJoinQuality = 0.3;

export function joining(
  { quality, resembles, nearest, beside, compared }: SeenOnce,
  limits: Calibration,
): Joining {
  if (quality < minJoinQuality || resembles) return { kind: 'apart' };
  // Limits and margin are those of naming.
  const tighter = tightening(compared, limits);
  const [first, second] = nearest.filter(({ strangerId }) => !beside.has(strangerId));
  // Between both limits: too near to be a new stranger, too far to be that one.
  if (!first || first.distance >= limits.openSet - tighter) return { kind: 'begin' };
  if (first.distance >= limits.strict - tighter) return { kind: 'apart' };
  if (second && second.distance - first.distance <= limits.margin) return { kind: 'apart' };
  const ruledOut = nearest.find(({ strangerId }) => beside.has(strangerId));
  if (ruledOut && first.distance - ruledOut.distance > limits.margin) return { kind: 'apart' };
  return { kind: 'join', strangerId: first.strangerId, identityId: first.identityId };
}
