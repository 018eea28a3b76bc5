/**
 * Why a face is taken for somebody, or for nobody: the people and photos it is nearest to, how near that is,
 * and what would have been near enough. It is what the comparison says today: people and photos may have
 * come and gone since a visit was decided.
 */
import type { MatchExplanation } from '@nazar/contract/faces.ts';
import { hiddenName } from '@nazar/contract/names.ts';
import { mayOpenPerson, mayReadName, type Scope } from '#http/scope.ts';
import {
  distance,
  matchLimit,
  probability,
  voteOf,
  type Calibration,
  type Comparison,
} from '#vision/vision.ts';
import { vectorPlace } from './enrolment.ts';
import type { Identities } from './identities.ts';
import type { IdentityStore, SealedReference } from './identity-store.ts';
import type { Known } from './known.ts';
import { asKnownPerson, type NearPerson } from './newcomer.ts';
import { openVectors } from './pack-vectors.ts';

/** People told of, the nearest first. */
const defaultPeople = 5;
const flawless = { iod: Infinity, sharpness: Infinity };

/** A face as it is compared. */
export interface Probe {
  /** Id and version of what made the vector. */
  readonly pack: string;
  readonly vector: Float32Array;
  /** Of the picture it was made from. */
  readonly quality: number;
  /** What makes its limit stricter; absent where they were not kept: it counts as flawless. */
  readonly measures?: Pick<Comparison, 'iod' | 'sharpness'>;
  /**
   * Where it was seen: decides whose names may be read. Null: on a picture that somebody sent, who then learns
   * of nobody but the people they may open, not even that somebody is known to others.
   */
  readonly cameraId: string | null;
  /** How many people are told of. */
  readonly people?: number;
}

export interface Explainer {
  readonly known: Pick<Known, 'nearest' | 'size'>;
  readonly store: Pick<IdentityStore, 'references'>;
  readonly identities: Pick<Identities, 'openKey'>;
  readonly calibration: Calibration;
  /** What an administrator set in place of the calibration's limit, 0 to 1. */
  readonly minProbability?: number | undefined;
}

type Explained = MatchExplanation['nearest'][number];

export async function explain(
  explainer: Explainer,
  scope: Scope,
  probe: Probe,
): Promise<MatchExplanation> {
  const { known, store, calibration, minProbability } = explainer;
  const { pack, vector, quality, cameraId, people = defaultPeople } = probe;
  const found =
    cameraId === null
      ? known.nearest(vector, pack, people, ({ addedBy }) => mayOpenPerson(scope, addedBy))
      : known.nearest(vector, pack, people);
  const rows = await store.references(found.map(({ identityId }) => identityId));
  const [first, second] = found;
  const { iod, sharpness } = probe.measures ?? flawless;
  const asked = minProbability === undefined ? {} : { minProbability };
  const comparison = { iod, sharpness, gallerySize: known.size, ...asked };
  return {
    verdict: verdictOf(found, comparison, calibration),
    pack,
    quality,
    gallery_size: known.size,
    limit: probability(matchLimit(comparison, calibration), calibration),
    lead: first && second ? (second.distance - first.distance) / calibration.margin : null,
    nearest: found.flatMap((one) => explained(explainer, scope, probe, one, rows)),
  };
}

function verdictOf(
  found: readonly NearPerson[],
  { iod, sharpness, ...limits }: Comparison,
  calibration: Calibration,
): MatchExplanation['verdict'] {
  const nearest = found.map(({ personId, identityId, distance: at }) => ({
    who: personId,
    identity: identityId,
    distance: at,
  }));
  const [first] = nearest;
  if (!first) return 'nobody';
  const rules = { calibration, ...limits };
  if (voteOf({ iod, sharpness, nearest }, rules)) return 'match';
  return voteOf({ iod, sharpness, nearest: [first] }, rules) ? 'not_clear' : 'too_far';
}

/** One of the nearest; none when they have gone since the search. */
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
  // To read a name is not to open the person, whose photos these are.
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

/** None where there is no vector of the probe's pack. */
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
