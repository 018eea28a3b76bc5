/**
 * Do two pictures show one person? All pairs of all photos answer. A pair of which one face was not found is
 * infinitely far apart: it is never accepted, so nothing is gained by not finding difficult faces.
 */
import { bootstrapped, evenWeights, type Share, type Weights } from './intervals.ts';

/** One side of a comparison: the person (an index) and what the engine made of the photo. */
export interface Sample {
  readonly person: number;
  readonly vector: Float32Array | null;
}

/** `a` and `b` are people. */
export interface Pair {
  readonly a: number;
  readonly b: number;
  readonly distance: number;
}

/** Both nearest first. */
export interface Pairs {
  readonly people: number;
  readonly genuine: readonly Pair[];
  readonly impostor: readonly Pair[];
}

export type Distance = (a: Float32Array, b: Float32Array) => number;

export function allPairs(samples: readonly Sample[], distance: Distance): Pairs {
  const pairs: Pair[] = [];
  for (const [i, one] of samples.entries()) {
    for (const other of samples.slice(0, i)) pairs.push(pairOf(one, other, distance));
  }
  return pairsOf(pairs);
}

/** Each probe with each photo of the gallery but the one it was made from, which has the same index. */
export function probePairs(
  probes: readonly (Sample | null)[],
  gallery: readonly Sample[],
  distance: Distance,
): Pairs {
  const pairs = probes.flatMap((probe, i) =>
    gallery.flatMap((entry, k) => (probe && i !== k ? [pairOf(probe, entry, distance)] : [])),
  );
  return pairsOf(pairs);
}

function pairOf(one: Sample, other: Sample, distance: Distance): Pair {
  const found = one.vector && other.vector;
  return {
    a: one.person,
    b: other.person,
    distance: found ? distance(one.vector, other.vector) : Infinity,
  };
}

export function pairsOf(pairs: readonly Pair[]): Pairs {
  const sorted = pairs.toSorted((one, other) => order(one.distance, other.distance));
  return {
    people: pairs.reduce((most, { a, b }) => Math.max(most, a, b), -1) + 1,
    genuine: sorted.filter(({ a, b }) => a === b),
    impostor: sorted.filter(({ a, b }) => a !== b),
  };
}

/** Infinities are equal, and no NaN when one is taken from the other. */
const order = (a: number, b: number): number => (a === b ? 0 : a - b);

/**
 * The distance of the first impostor too many: what is nearer is accepted, and that is at most `far` of all
 * impostors. There is no interpolation: between two impostors nothing was measured.
 */
export function thresholdAt({ impostor }: Pairs, far: number, weights?: Weights): number {
  const weightOf = ({ a, b }: Pair): number => (weights ? weights[a]! * weights[b]! : 1);
  const total = impostor.reduce((sum, pair) => sum + weightOf(pair), 0);
  // 0.001 of 3,000 is 3.0000000000000004 in binary, and 0.07 of 100 is a hair below 7.
  const allowed = far * total + 1e-9;
  let accepted = 0;
  for (const pair of impostor) {
    accepted += weightOf(pair);
    if (accepted > allowed) return pair.distance;
  }
  return Infinity;
}

/** The share of the genuine pairs nearer than `threshold`. */
export function acceptedBelow({ genuine }: Pairs, threshold: number, weights?: Weights): number {
  let accepted = 0;
  let total = 0;
  for (const { a, distance } of genuine) {
    const weight = weights?.[a] ?? 1;
    total += weight;
    if (distance < threshold) accepted += weight;
  }
  return accepted / total;
}

/** True acceptance rate where at most `far` of impostors are accepted. */
export function tarAt(pairs: Pairs, far: number): Share {
  return bootstrapped(pairs.people, pairs.genuine.length, (weights) =>
    acceptedBelow(pairs, thresholdAt(pairs, far, weights), weights),
  );
}

/** The best that a single threshold can do, when pairs of one person and pairs of two count the same. */
export function balancedAccuracy(pairs: Pairs): Share {
  const trials = Math.min(pairs.genuine.length, pairs.impostor.length);
  return bootstrapped(pairs.people, trials, (weights) => bestBalance(pairs, weights));
}

function bestBalance({ genuine, impostor, people }: Pairs, weights = evenWeights(people)): number {
  const genuineTotal = genuine.reduce((sum, { a }) => sum + weights[a]!, 0);
  const impostorTotal = impostor.reduce((sum, { a, b }) => sum + weights[a]! * weights[b]!, 0);
  let best = 0.5;
  let accepted = 0;
  let rejected = impostorTotal;
  let i = 0;
  for (const pair of genuine) {
    // A pair of strangers as near as this one is accepted with it.
    while (i < impostor.length && impostor[i]!.distance <= pair.distance) {
      rejected -= weights[impostor[i]!.a]! * weights[impostor[i]!.b]!;
      i += 1;
    }
    if (pair.distance === Infinity) break;
    accepted += weights[pair.a]!;
    best = Math.max(best, (accepted / genuineTotal + rejected / impostorTotal) / 2);
  }
  return best;
}

/** The share of impostors nearer than a threshold that was found elsewhere. */
export function farBelow({ impostor }: Pairs, threshold: number): number {
  return impostor.filter(({ distance }) => distance < threshold).length / impostor.length;
}

/** The curve to draw: TAR at each FAR from 0.01 % to 100 %, twenty to a tenfold. */
export function curve(pairs: Pairs): { far: number; tar: number }[] {
  return Array.from({ length: 81 }, (_, i) => {
    const far = 10 ** (i / 20 - 4);
    return { far, tar: acceptedBelow(pairs, thresholdAt(pairs, far)) };
  });
}
