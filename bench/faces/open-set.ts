/**
 * Naming when strangers must be expected: half of the people are enrolled, and everyone is a probe. The limit is set
 * where at most that share of strangers is given a name (FPIR); TPIR is the share of enrolled people who get theirs.
 * Which half and which photos is drawn again and again, because it matters with few people.
 */
import { seeded, shuffled } from './chance.ts';
import { bootstrapped, type Share, type Weights } from './intervals.ts';
import type { Sample } from './verification.ts';

export interface Enrolled {
  readonly person: number;
  readonly vectors: readonly Float32Array[];
}

export interface Named {
  readonly person: number;
  readonly distance: number;
}

/** The enrolled person a face is nearest to, as the engine's own product would say. */
export type Matcher = (gallery: readonly Enrolled[]) => (probe: Float32Array) => Named;

/** One probe. */
export interface Encounter {
  readonly person: number;
  readonly enrolled: boolean;
  /** Whether the nearest enrolled person is the right one. */
  readonly right: boolean;
  /** Infinity when the face was not found. */
  readonly distance: number;
}

const draws = 10;

/** `photos` of each enrolled person are in the gallery; all others, and everyone else's, are probes. */
export function encounters(
  samples: readonly Sample[],
  photos: number,
  matcher: Matcher,
): Encounter[] {
  const random = seeded(photos);
  const byPerson = Map.groupBy(samples, ({ person }) => person);
  return Array.from({ length: draws }).flatMap(() => {
    const people = shuffled([...byPerson.keys()], random);
    const half = people.length >> 1;
    return [people.slice(0, half), people.slice(half)].flatMap((enrolled) =>
      meet(byPerson, new Set(enrolled), photos, matcher, random),
    );
  });
}

function meet(
  byPerson: ReadonlyMap<number, readonly Sample[]>,
  wanted: ReadonlySet<number>,
  photos: number,
  matcher: Matcher,
  random: () => number,
): Encounter[] {
  const gallery: Enrolled[] = [];
  const probes: { sample: Sample; enrolled: boolean }[] = [];
  for (const [person, samples] of byPerson) {
    if (!wanted.has(person)) {
      probes.push(...samples.map((sample) => ({ sample, enrolled: false })));
      continue;
    }
    // A photo without a face cannot be enrolled; a person with too few is neither enrolled nor a probe.
    const chosen = shuffled(samples.filter(hasVector), random).slice(0, photos);
    if (chosen.length < photos || chosen.length === samples.length) continue;
    gallery.push({ person, vectors: chosen.map(({ vector }) => vector) });
    const others = samples.filter((it) => !(chosen as readonly Sample[]).includes(it));
    probes.push(...others.map((sample) => ({ sample, enrolled: true })));
  }
  if (gallery.length === 0) return [];
  const nearest = matcher(gallery);
  return probes.map(({ sample, enrolled }) => {
    const { person, vector } = sample;
    const named = vector ? nearest(vector) : { person: -1, distance: Infinity };
    return { person, enrolled, right: named.person === person, distance: named.distance };
  });
}

function hasVector(sample: Sample): sample is Sample & { vector: Float32Array } {
  return sample.vector !== null;
}

/** The share of the enrolled who are named, and rightly, where at most `fpir` of strangers get any name. */
export function tpirAt(met: readonly Encounter[], fpir: number): Share {
  const sorted = met.toSorted((a, b) => (a.distance === b.distance ? 0 : a.distance - b.distance));
  const people = met.reduce((most, { person }) => Math.max(most, person), -1) + 1;
  // The same photos come again in each draw: they count once for the interval.
  const trials = Math.round(met.filter(({ enrolled }) => enrolled).length / draws);
  return bootstrapped(people, trials, (weights) => tpir(sorted, fpir, weights));
}

/** `met` nearest first. */
export function tpir(met: readonly Encounter[], fpir: number, weights?: Weights): number {
  const weightOf = ({ person }: Encounter): number => weights?.[person] ?? 1;
  const strangers = met.filter(({ enrolled }) => !enrolled);
  const allowed = fpir * strangers.reduce((sum, it) => sum + weightOf(it), 0) + 1e-9;
  let alarms = 0;
  const limit = strangers.find((it) => (alarms += weightOf(it)) > allowed)?.distance ?? Infinity;
  let [named, total] = [0, 0];
  for (const it of met) {
    if (!it.enrolled) continue;
    total += weightOf(it);
    if (it.right && it.distance < limit) named += weightOf(it);
  }
  return named / total;
}
