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
export interface AnalyzedPhoto<Face extends SeenFace = SeenFace> {
  readonly photo: Photo;
  readonly face: Face | null;
}

export async function faceIn<Face extends SeenFace>(
  contestant: { detect: (picture: Picture) => Promise<readonly Face[]> },
  photo: Photo,
  picture: Picture,
): Promise<AnalyzedPhoto<Face>> {
  return { photo, face: subjectOf(await contestant.detect(picture), picture) };
}

export const fars = ['0.01', '0.001', '0.0001'] as const;

/** All figures of one group of photos. */
export function groupOf(analyzed: readonly AnalyzedPhoto[], contestant: Contestant): Group {
  const samples = samplesOf(analyzed);
  const pairs = allPairs(samples, contestant.distance);
  return {
    verification: verification(analyzed, samples, pairs),
    openSet: openSet(samples, contestant),
    transfers: transfers(analyzed, contestant),
    curve: curve(pairs),
  };
}

function verification(
  analyzed: readonly AnalyzedPhoto[],
  samples: readonly Sample[],
  pairs: Pairs,
): Verification {
  const detected = analyzed.filter(({ face }) => face).length;
  const found: Pairs = {
    ...pairs,
    genuine: pairs.genuine.filter(({ distance }) => distance < Infinity),
    impostor: pairs.impostor.filter(({ distance }) => distance < Infinity),
  };
  return {
    photos: analyzed.length,
    people: new Set(samples.map(({ person }) => person)).size,
    genuinePairs: pairs.genuine.length,
    impostorPairs: pairs.impostor.length,
    detectionRate: wilson(detected, analyzed.length),
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
function transfers(analyzed: readonly AnalyzedPhoto[], contestant: Contestant): Transfer[] {
  const [first, second] = halves(analyzed).map((half) =>
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

export function halves(analyzed: readonly AnalyzedPhoto[]): [AnalyzedPhoto[], AnalyzedPhoto[]] {
  const first: AnalyzedPhoto[] = [];
  const second: AnalyzedPhoto[] = [];
  for (const [, ofSet] of Map.groupBy(analyzed, ({ photo }) => photo.set)) {
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
  gallery: readonly AnalyzedPhoto[],
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

export function samplesOf(analyzed: readonly AnalyzedPhoto[]): Sample[] {
  const people = [...new Set(analyzed.map(({ photo }) => photo.identity))];
  return analyzed.map(({ photo, face }) => ({
    person: people.indexOf(photo.identity),
    vector: face?.vector ?? null,
  }));
}
