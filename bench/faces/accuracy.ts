/** Runs photos through an engine, once each, and reports how well it distinguishes people. */
import type { Picture } from '../../server/src/vision/picture.ts';
import { faceAt, subjectOf, type Contestant, type SeenFace } from './contestant.ts';
import type { Group, Rung, Transfer, Verification } from './figures.ts';
import { wilson, type Share } from './intervals.ts';
import type { Distant } from './ladder.ts';
import { encounters, tpirAt } from './open-set.ts';
import type { Photo } from './photos.ts';
import {
  acceptedBelow,
  allPairs,
  balancedAccuracy,
  curve,
  farBelow,
  probePairs,
  tarAt,
  thresholdAt,
  type Pairs,
  type Sample,
} from './verification.ts';

/** A photo as one engine saw it. */
export interface Sighting<Face extends SeenFace = SeenFace> {
  readonly photo: Photo;
  readonly face: Face | null;
}

export async function faceIn<Face extends SeenFace>(
  contestant: { detect: (picture: Picture) => Promise<readonly Face[]> },
  photo: Photo,
  picture: Picture,
): Promise<Sighting<Face>> {
  return { photo, face: subjectOf(await contestant.detect(picture), picture) };
}

export const fars = ['0.01', '0.001', '0.0001'] as const;

/** All figures of one group of photos. */
export function groupOf(sightings: readonly Sighting[], contestant: Contestant): Group {
  const samples = samplesOf(sightings);
  const pairs = allPairs(samples, contestant.distance);
  return {
    verification: verification(sightings, samples, pairs),
    openSet: openSet(samples, contestant),
    transfers: transfers(sightings, contestant),
    curve: curve(pairs),
  };
}

function verification(
  sightings: readonly Sighting[],
  samples: readonly Sample[],
  pairs: Pairs,
): Verification {
  const detected = sightings.filter(({ face }) => face).length;
  const found: Pairs = {
    ...pairs,
    genuine: pairs.genuine.filter(({ distance }) => distance < Infinity),
    impostor: pairs.impostor.filter(({ distance }) => distance < Infinity),
  };
  return {
    photos: sightings.length,
    people: new Set(samples.map(({ person }) => person)).size,
    genuinePairs: pairs.genuine.length,
    impostorPairs: pairs.impostor.length,
    detectionRate: wilson(detected, sightings.length),
    accuracy: balancedAccuracy(pairs),
    tar: tarsOf(pairs),
    tarFound: tarsOf(found),
  };
}

const tarsOf = (pairs: Pairs): Record<string, Share> =>
  Object.fromEntries(fars.map((far) => [far, tarAt(pairs, Number(far))]));

/** TPIR at FPIR 1 %, by photos enrolled of each person. */
function openSet(samples: readonly Sample[], { matcher }: Contestant): Group['openSet'] {
  const tpir = (photos: number): Share => tpirAt(encounters(samples, photos, matcher), 0.01);
  return { k1: tpir(1), k3: tpir(3) };
}

/** Each half's limit on the other: every second person of each set is of the first half. */
function transfers(sightings: readonly Sighting[], contestant: Contestant): Transfer[] {
  const [first, second] = halves(sightings).map((half) =>
    allPairs(samplesOf(half), contestant.distance),
  ) as [Pairs, Pairs];
  return [
    [first, second],
    [second, first],
  ].flatMap(([here, there]) =>
    fars.map((far) => {
      const threshold = thresholdAt(here!, Number(far));
      const tar = acceptedBelow(there!, threshold);
      return { far, threshold, tar, farThere: farBelow(there!, threshold) };
    }),
  );
}

export function halves(sightings: readonly Sighting[]): [Sighting[], Sighting[]] {
  const first: Sighting[] = [];
  const second: Sighting[] = [];
  for (const [, ofSet] of Map.groupBy(sightings, ({ photo }) => photo.set)) {
    const people = [...new Set(ofSet.map(({ photo }) => photo.identity))].toSorted();
    for (const it of ofSet) {
      (people.indexOf(it.photo.identity) % 2 === 0 ? first : second).push(it);
    }
  }
  return [first, second];
}

/** `probes[i]` is made of the photo of `gallery[i]`; null when it was too small already. */
export async function rung(
  contestant: Contestant,
  probes: readonly (Distant | null)[],
  gallery: readonly Sighting[],
): Promise<Rung> {
  const entries = samplesOf(gallery);
  const seen: (Sample | null)[] = [];
  for (const [i, probe] of probes.entries()) {
    const face = probe && faceAt(await contestant.detect(probe.picture), probe.face);
    seen.push(probe && { person: entries[i]!.person, vector: face?.vector ?? null });
  }
  const tried = seen.filter((it) => it !== null);
  const { distance } = contestant;
  const pairs = probePairs(seen, entries, distance);
  const found = probePairs(
    seen.map((it) => (it?.vector ? it : null)),
    entries,
    distance,
  );
  return {
    detection: wilson(tried.filter(({ vector }) => vector).length, tried.length),
    tar: tarAt(pairs, 0.001),
    tarFound: tarAt(found, 0.001),
    farAtFullSizeLimit: farBelow(found, thresholdAt(allPairs(entries, distance), 0.001)),
  };
}

export function samplesOf(sightings: readonly Sighting[]): Sample[] {
  const people = [...new Set(sightings.map(({ photo }) => photo.identity))];
  return sightings.map(({ photo, face }) => ({
    person: people.indexOf(photo.identity),
    vector: face?.vector ?? null,
  }));
}
