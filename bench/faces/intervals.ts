/**
 * How far to trust a share. Pairs of photos are not independent (one blurred photo spoils all its pairs), so people
 * are resampled, not pairs. Where nothing went wrong that says nothing, so the interval is never narrower than
 * Wilson's for as many independent trials.
 */
import { seeded } from './chance.ts';

/** A share with its 95 % interval, all 0 to 1, and the number of trials. */
export interface Share {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly of: number;
}

const z = 1.959964;
const draws = 400;

export function wilson(successes: number, trials: number): Share {
  if (trials === 0) return { value: NaN, low: 0, high: 1, of: 0 };
  const value = successes / trials;
  const spread = z * Math.sqrt((value * (1 - value)) / trials + (z / (2 * trials)) ** 2);
  const middle = value + z ** 2 / (2 * trials);
  const scale = 1 + z ** 2 / trials;
  return {
    value,
    low: Math.max(0, (middle - spread) / scale),
    high: Math.min(1, (middle + spread) / scale),
    of: trials,
  };
}

/** How often each person counts; all ones for the figure itself. */
export type Weights = Float64Array;

export const evenWeights = (people: number): Weights => new Float64Array(people).fill(1);

/** The share `statistic` gives, out of `trials`, with what it gives for other samples of people. */
export function bootstrapped(
  people: number,
  trials: number,
  statistic: (weights: Weights) => number,
): Share {
  const value = statistic(evenWeights(people));
  const random = seeded(people);
  const drawn: number[] = [];
  for (let draw = 0; draw < draws; draw++) {
    const weights = new Float64Array(people);
    for (let i = 0; i < people; i++) weights[Math.floor(random() * people)]! += 1;
    const other = statistic(weights);
    if (Number.isFinite(other)) drawn.push(other);
  }
  drawn.sort((a, b) => a - b);
  const at = (part: number): number => drawn[Math.round(part * (drawn.length - 1))] ?? NaN;
  const independent = wilson(value * trials, trials);
  return {
    value,
    low: Math.min(at(0.025), independent.low),
    high: Math.max(at(0.975), independent.high),
    of: trials,
  };
}
