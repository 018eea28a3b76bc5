/**
 * Whether a picture of somebody nobody knows shows a stranger who was seen before, somebody new, or too
 * little to say. Pure: what is near comes in as data, so that the rule can be argued about with a table. Two
 * strangers in one are worse than one stranger in two: the first is a false history, the second a merge away.
 */
import { tightening, type Calibration } from '#vision/vision.ts';

/** A stranger by their nearest reference. */
export interface NearStranger {
  readonly strangerId: string;
  /** Whose reference it is: of merged strangers one of several. */
  readonly identityId: string;
  readonly distance: number;
}

export interface SeenOnce {
  readonly quality: number;
  /** Strangers, each once, nearest first; those beside and two more are enough. */
  readonly nearest: readonly NearStranger[];
  /** Who was in view of the same camera at the same time: whoever they are, not this one. */
  readonly beside: ReadonlySet<string>;
  /** How many references were compared with. */
  readonly compared: number;
}

export type Joining =
  | ({ readonly kind: 'join' } & Pick<NearStranger, 'strangerId' | 'identityId'>)
  | { readonly kind: 'begin' }
  /** Neither: they are nobody in particular, and nobody is compared with them. */
  | { readonly kind: 'apart' };

/**
 * Small, blurred and turned faces look like each other: below this nothing is joined and nothing begun. A face
 * of 24 px between the eyes, sharp and from the front, has 0.5; one that only just passes the gate 0.1.
 */
export const minJoinQuality = 0.3;

export function joining(
  { quality, nearest, beside, compared }: SeenOnce,
  limits: Calibration,
): Joining {
  if (quality < minJoinQuality) return { kind: 'apart' };
  // Limits and margin are those of naming.
  const tighter = tightening(compared, limits);
  const [first, second] = nearest.filter(({ strangerId }) => !beside.has(strangerId));
  // Between both limits: too near to be somebody new, too far to be them.
  if (!first || first.distance >= limits.openSet - tighter) return { kind: 'begin' };
  if (first.distance >= limits.strict - tighter) return { kind: 'apart' };
  if (second && second.distance - first.distance <= limits.margin) return { kind: 'apart' };
  const ruledOut = nearest.find(({ strangerId }) => beside.has(strangerId));
  if (ruledOut && first.distance - ruledOut.distance > limits.margin) return { kind: 'apart' };
  return { kind: 'join', strangerId: first.strangerId, identityId: first.identityId };
}
