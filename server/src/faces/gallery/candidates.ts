/**
 * Whom a vector may show: the nearest people of each tier, and which of them are the same face. Votes decide by it
 * (vision/tracking/votes.ts).
 */
import type { Calibration } from '#vision/packs/pack.ts';
import type { Candidate, Tier } from '#vision/tracking/candidates.ts';
import type { Known } from './known.ts';
import type { KnownPerson, NearPerson } from '../newcomer.ts';
import { compareEntries, sameFaceLimit } from './same-face.ts';

export interface Search {
  readonly known: Pick<Known, 'nearest' | 'referencesOf'>;
  readonly calibration: Calibration;
  /** The tier of a person; null: the vector is not compared with them. */
  readonly tierOf: (person: KnownPerson) => number | null;
  /** How many people each tier has. */
  readonly sizes: readonly number[];
}

/** How many people are searched first; where all of them are within the margin, `maxNear`. */
const usualNear = 4;
const maxNear = 16;

/** Returns as many tiers as there are sizes, including empty ones. */
export function candidates(search: Search, vector: Float32Array, pack: string): Tier[] {
  let gallerySize = 0;
  return search.sizes.map((size, tier) => {
    gallerySize += size;
    const found = size === 0 ? [] : nearestOf(search, vector, pack, tier);
    return { nearest: withSameFaces(search, found, pack), gallerySize };
  });
}

function nearestOf(
  { known, calibration, tierOf }: Search,
  vector: Float32Array,
  pack: string,
  tier: number,
): NearPerson[] {
  const isOfTier = (person: KnownPerson): boolean => tierOf(person) === tier;
  const find = (k: number): NearPerson[] => known.nearest(vector, pack, k, isOfTier);
  const found = find(usualNear);
  const [first, last] = [found[0], found.at(-1)];
  const mayBeMore = found.length === usualNear;
  if (!first || !last || !mayBeMore) return found;
  return last.distance - first.distance <= calibration.margin ? find(maxNear) : found;
}

/** Only those that may be named, or that make the name doubtful, are compared with each other. */
function withSameFaces(
  { known, calibration }: Search,
  found: readonly NearPerson[],
  pack: string,
): Candidate[] {
  const [first] = found;
  const reach = Math.max(calibration.openSet, (first?.distance ?? 0) + calibration.margin);
  const near = found.filter(({ distance }) => distance <= reach).map(({ personId }) => personId);
  const references = new Map(near.map((id) => [id, known.referencesOf(id, pack)]));
  const earlier = new Map<string, string[]>(near.map((id) => [id, []]));
  const later = new Map<string, string[]>(near.map((id) => [id, []]));
  const inOrder = near.toSorted();
  for (const [i, one] of inOrder.entries()) {
    for (const two of inOrder.slice(i + 1)) {
      const limit = sameFaceLimit(calibration);
      const is = compareEntries(references.get(one)!, references.get(two)!, limit);
      if (is === null) continue;
      const [older, younger] = is === 'earlier' ? [one, two] : [two, one];
      later.get(older)!.push(younger);
      earlier.get(younger)!.push(older);
    }
  }
  return found.map(({ personId, identityId, distance }) => ({
    who: personId,
    identity: identityId,
    distance,
    earlier: earlier.get(personId) ?? [],
    later: later.get(personId) ?? [],
  }));
}
