/**
 * Why a face is matched to a person, or to none: the people and photos it is nearest to, how near they are, and
 * what would have been near enough. It shows today's comparison: people and photos may have come and gone
 * since a visit was decided. It compares with the reader's own people alone, with the limit for their number:
 * anything else would reveal how many people others have enrolled, and how near they are.
 */
import type { MatchExplanation } from '@nazar/contract/faces.ts';
import { hiddenName } from '@nazar/contract/names.ts';
import { mayOpenPerson, mayReadName, type Scope } from '#http/scope.ts';
import { distance } from '#vision/vision.ts';
import {
  isSameFace,
  judge,
  limitOf,
  type Candidate,
  type Tier,
} from '#vision/tracking/candidates.ts';
import { probability, type Comparison } from '#vision/packs/confidence.ts';
import type { Calibration } from '#vision/packs/pack.ts';
import { candidates } from './gallery/candidates.ts';
import { vectorPlace } from './photos/enrolment.ts';
import { tierCount, type Enrollers } from './enrolment-rights.ts';
import type { Identities } from './identities.ts';
import type { IdentityStore, SealedReference } from './identity-store.ts';
import type { Known } from './gallery/known.ts';
import { asKnownPerson, type KnownPerson, type NearPerson } from './newcomer.ts';
import { openVectors } from './gallery/pack-vectors.ts';

/** How many people are listed, the nearest first. */
const defaultPeople = 5;
export const flawless = { iod: Infinity, sharpness: Infinity };

/** A face to compare. */
export interface Probe {
  /** `id@version` of the pack that made the vector. */
  readonly pack: string;
  readonly vector: Float32Array;
  /** The quality of the picture it was made from. */
  readonly quality: number;
  /** The measures that make its limit stricter; absent where they were not stored: it counts as flawless. */
  readonly measures?: Pick<Comparison, 'iod' | 'sharpness'>;
  /**
   * The camera that saw it, which decides whose names may be read. Null: the face is on a picture that a caller sent.
   */
  readonly cameraId: string | null;
  /**
   * The identity that its visit was recorded for. Whose it is belongs to the explanation even where the reader may
   * not open the person, because the visit itself says that a known person was seen.
   */
  readonly identityId?: string;
  /** How many people are listed. */
  readonly people?: number;
}

export interface Explainer {
  readonly known: Pick<Known, 'nearest' | 'count' | 'personOf' | 'referencesOf'>;
  readonly store: Pick<IdentityStore, 'references'>;
  readonly identities: Pick<Identities, 'openKey'>;
  readonly enrollers: Pick<Enrollers, 'tierOf' | 'tierAt'>;
  readonly calibration: Calibration;
  /** The limit an administrator set in place of the calibration's, 0 to 1. */
  readonly minProbability?: number | undefined;
}

type Explained = MatchExplanation['nearest'][number];

export async function explain(
  explainer: Explainer,
  scope: Scope,
  probe: Probe,
): Promise<MatchExplanation> {
  const { known, store, calibration, minProbability } = explainer;
  const { pack, vector, quality, people = defaultPeople } = probe;
  const tierOf = tierFor(scope, probe, explainer);
  const sizes = Array.from({ length: tierCount }, (_, tier) =>
    known.count((person) => tierOf(person) === tier),
  );
  const tiers = candidates({ known, calibration, tierOf, sizes }, vector, pack);
  const measures = probe.measures ?? flawless;
  const rules = { calibration, ...(minProbability === undefined ? {} : { minProbability }) };
  const { verdict, tier, choice } = judge(measures, tiers, rules);
  const nearest = known.nearest(vector, pack, people, (person) => tierOf(person) !== null);
  const found = choice ? withFirst(choice, nearest) : nearest;
  const rows = await store.references(found.map(({ identityId }) => identityId));
  return {
    verdict,
    pack,
    quality,
    gallery_size: tier.gallerySize,
    limit: probability(limitOf(measures, tier, rules), calibration),
    lead: leadIn(tier, calibration),
    nearest: found.flatMap((one) => explained(explainer, scope, probe, one, rows)),
  };
}

/**
 * Returns the tier that the reader's explanation compares with: the camera's own, or for a picture that a caller
 * sent the tier of a camera that everyone may see.
 */
function tierFor(
  scope: Scope,
  { identityId, cameraId }: Probe,
  { known, enrollers }: Explainer,
): (person: KnownPerson) => number | null {
  const recorded = identityId === undefined ? null : known.personOf(identityId);
  return ({ personId, addedBy }) => {
    const isNameable = mayOpenPerson(scope, addedBy) || personId === recorded?.personId;
    if (!isNameable) return null;
    return cameraId === null ? enrollers.tierOf(addedBy) : enrollers.tierAt(addedBy, cameraId);
  };
}

/** The named person comes first, even where an entry that counts less is nearer. */
function withFirst({ who, identity, distance: at }: Candidate, found: NearPerson[]): NearPerson[] {
  const others = found.filter(({ personId }) => personId !== who);
  const named = { personId: who, identityId: identity, distance: at };
  return [named, ...others].slice(0, Math.max(1, found.length));
}

/** Returns how much farther the next face is than the nearest, in shares of the margin; null without a next one. */
function leadIn({ nearest }: Tier, { margin }: Calibration): number | null {
  const [first, ...others] = nearest;
  const second = first && others.find((one) => !isSameFace(first, one));
  return first && second ? (second.distance - first.distance) / margin : null;
}

/** Explains one of the nearest; null when they have gone since the search. */
function explained(
  explainer: Explainer,
  scope: Scope,
  probe: Probe,
  { identityId, distance: at }: NearPerson,
  rows: readonly SealedReference[],
): Explained[] {
  const theirs = rows.filter((row) => row.identity_id === identityId);
  const [first] = theirs;
  if (!first) return [];
  const person = asKnownPerson(first);
  // The right to read a name is not the right to open the person, whose photos these are.
  const isOpen = mayOpenPerson(scope, person.addedBy);
  const photos = isOpen ? theirs.flatMap((row) => explainedPhoto(explainer, row, probe)) : [];
  return [
    {
      person_id: isOpen ? person.personId : null,
      name: mayReadName(scope, probe.cameraId ?? '', person) ? person.name : hiddenName,
      probability: probability(at, explainer.calibration),
      photos: photos.toSorted((a, b) => b.probability - a.probability),
    },
  ];
}

/** Null where there is no vector of the probe's pack. */
function explainedPhoto(
  { identities, calibration }: Explainer,
  row: SealedReference,
  { pack, vector }: Probe,
): Explained['photos'] {
  const key = identities.openKey(row.identity_id, row.data_key);
  return openVectors(row, key, vectorPlace(row.embedding_id))
    .filter((reference) => reference.pack === pack)
    .map((reference) => ({
      image_id: row.image_id,
      image: `/secure-api/faces/${row.person_id}/images/${row.image_id}/`,
      quality: row.quality,
      probability: probability(distance(vector, reference.vector), calibration),
    }));
}
