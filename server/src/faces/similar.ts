/**
 * Finds people who may be the same person, by their photos: enrolled twice, or enrolled by two accounts. This is only
 * a hint for users; votes decide what recognition makes of two entries of one face.
 */
import { matchLimit, probability } from '#vision/packs/confidence.ts';
import type { Calibration } from '#vision/packs/pack.ts';
import type { Known } from './gallery/known.ts';
import type { KnownPerson } from './newcomer.ts';

export interface SimilarPerson {
  readonly person: KnownPerson;
  /** 0 to 1. */
  readonly probability: number;
}

export interface SimilarSearch {
  readonly known: Pick<Known, 'nearest' | 'peopleBy' | 'personOf' | 'referencesOf'>;
  readonly calibration: Calibration;
  readonly pack: string;
}

/** How many people are listed. */
const listedPeople = 3;
const flawless = { iod: Infinity, sharpness: Infinity };

/**
 * Returns the likeliest first. `isAmong` decides by the account that added them which people may be listed: the
 * answer depends on no other people, not even on how many there are.
 */
export function similarTo(
  { known, calibration, pack }: SimilarSearch,
  personId: string,
  isAmong: (addedBy: string | null) => boolean,
): SimilarPerson[] {
  let gallerySize = 0;
  for (const [addedBy, people] of known.peopleBy()) if (isAmong(addedBy)) gallerySize += people;
  const limit = matchLimit({ ...flawless, gallerySize }, calibration);
  const best = new Map<string, { readonly person: KnownPerson; readonly distance: number }>();
  const isOther = (one: KnownPerson): boolean => one.personId !== personId && isAmong(one.addedBy);
  for (const { vector } of known.referencesOf(personId, pack)) {
    for (const near of known.nearest(vector, pack, listedPeople, isOther)) {
      const person = known.personOf(near.identityId);
      const before = best.get(near.personId)?.distance ?? limit;
      if (person && near.distance < before)
        best.set(near.personId, { person, distance: near.distance });
    }
  }
  return [...best.values()]
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, listedPeople)
    .map(({ person, distance }) => ({ person, probability: probability(distance, calibration) }));
}
