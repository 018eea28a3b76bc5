/**
 * Which photos of a person may not show them, by the vectors alone. Photos that are near to each other, also by way
 * of others, are one group, and the largest group shows the person. What lies outside it disagrees, and may show
 * another person. A photo that a user confirmed is beyond doubt: an unknown person whom a user identified naturally
 * differs from the photos. Pure: the same photos have the same doubts, in any order, whatever was decided before.
 */
import { distance } from '#vision/vision.ts';
import { tightening } from '#vision/packs/confidence.ts';
import type { Calibration } from '#vision/packs/pack.ts';

/** The vector of a photo. */
export interface PhotoVector {
  readonly imageId: string;
  readonly vector: Float32Array;
  /** A user said that it shows the person. */
  readonly isConfirmed?: boolean;
}

/** Another person whom a photo may show instead, with all their photos. */
export interface OtherPerson {
  readonly personId: string;
  readonly photos: readonly PhotoVector[];
}

export interface Doubt {
  readonly reason: 'disagrees_with_others' | 'fits_other_person';
  /** The person whom the photo fits better; null: no known person. */
  readonly fits: string | null;
  /** False: it is not known which photo is wrong, so that a user must review them, and all of them are used. */
  readonly isAside: boolean;
}

export interface DoubtLimits {
  /** Two photos of a person that are nearer than this show one face. */
  readonly same: number;
  /** A photo that is nearer than this to another person may show them. */
  readonly fits: number;
  /** It fits them better if it is nearer to them by this than to the other photos of its person. */
  readonly margin: number;
}

/** `people`: how many others a photo is compared with. The more, the nearer a stranger comes by chance. */
export const doubtLimits = (calibration: Calibration, people: number): DoubtLimits => ({
  same: calibration.openSet,
  fits: calibration.openSet - tightening(people, calibration),
  margin: calibration.margin,
});

/** The nearest of the others. */
interface Near {
  readonly personId: string;
  readonly distance: number;
}

/** Returns the doubts by photo. A photo that shows the person has none, nor has the only photo of a person. */
export function doubtsOf(
  photos: readonly PhotoVector[],
  others: readonly OtherPerson[],
  limits: DoubtLimits,
): Map<string, Doubt> {
  const groups = groupsOf(unconfirmed(photos, limits.same), limits.same);
  const main = mainGroup(groups);
  const outside = groups.filter((group) => group !== main).flat();
  if (outside.length === 0) return new Map();
  const shown = others.map(({ personId, photos: theirs }) => ({
    personId,
    photos: showing(theirs, limits.same),
  }));
  const nearest = (photo: PhotoVector): Near | null => nearestOf(photo, shown, limits.fits);
  const fitting = new Map(
    outside.map((one) => [one.imageId, fitsBetter(one, photos, nearest(one), limits)]),
  );
  // A person whose other photos show another person as well may be entered twice, or have more wrong photos than
  // right ones. Nothing is set aside then for disagreeing, and never every photo.
  const isInDoubt = main ? main.some(nearest) : fitting.values().every((fits) => fits !== null);
  const doubts = new Map<string, Doubt>();
  for (const [imageId, fits] of fitting) {
    const doubt: Doubt =
      fits === null
        ? { reason: 'disagrees_with_others', fits, isAside: main !== null && !isInDoubt }
        : { reason: 'fits_other_person', fits, isAside: main !== null || !isInDoubt };
    doubts.set(imageId, doubt);
  }
  return doubts;
}

/** Returns photos that no user confirmed and that resemble no confirmed photo. */
function unconfirmed(photos: readonly PhotoVector[], limit: number): PhotoVector[] {
  const confirmed = photos.filter(({ isConfirmed }) => isConfirmed);
  return photos.filter((one) => !one.isConfirmed && distanceTo(one, confirmed) >= limit);
}

/** The photos of which it is known that they show their person. */
function showing(photos: readonly PhotoVector[], limit: number): readonly PhotoVector[] {
  const open = unconfirmed(photos, limit);
  const main = mainGroup(groupsOf(open, limit)) ?? [];
  return photos.filter((one) => main.includes(one) || !open.includes(one));
}

/** Photos that are nearer than `limit`, also by way of others, are together. */
function groupsOf(photos: readonly PhotoVector[], limit: number): PhotoVector[][] {
  let groups: PhotoVector[][] = [];
  for (const photo of photos) {
    const near = groups.filter((group) => distanceTo(photo, group) < limit);
    groups = [...groups.filter((group) => !near.includes(group)), [photo, ...near.flat()]];
  }
  return groups;
}

/** The group that has more photos than any other; null: there is no such group. */
function mainGroup(groups: readonly PhotoVector[][]): PhotoVector[] | null {
  const [first, second] = groups.toSorted((a, b) => b.length - a.length);
  return first && first.length > (second?.length ?? 0) ? first : null;
}

/** Null: no person is nearer than `limit`. Between two at the same distance the id decides. */
function nearestOf(photo: PhotoVector, others: readonly OtherPerson[], limit: number): Near | null {
  const [nearest] = others
    .map(({ personId, photos }) => ({ personId, distance: distanceTo(photo, photos) }))
    .filter((near) => near.distance < limit)
    .toSorted((a, b) => a.distance - b.distance || (a.personId < b.personId ? -1 : 1));
  return nearest ?? null;
}

/** Returns whom a photo is clearly nearer to than to the other photos of its person. */
function fitsBetter(
  photo: PhotoVector,
  photos: readonly PhotoVector[],
  near: Near | null,
  { margin }: DoubtLimits,
): string | null {
  const own = distanceTo(
    photo,
    photos.filter((one) => one !== photo),
  );
  return near && near.distance + margin <= own ? near.personId : null;
}

const distanceTo = ({ vector }: PhotoVector, photos: readonly PhotoVector[]): number =>
  Math.min(Infinity, ...photos.map((one) => distance(vector, one.vector)));
