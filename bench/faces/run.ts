/**
 * How well and how fast people are recognised on labelled photos, beside two other engines in the same run. `--only`
 * takes some of the parts below, `--sets` some sets of the folder, `--no-peers` leaves the others out: `--sets
 * lfw10,deepface --only accuracy --no-peers` shows within half a minute whether a change of the engine did harm.
 * Vectors live as long as the run.
 */
import { writeFileSync } from 'node:fs';
import { Machine } from '../rig/processes.ts';
import { measureSearch } from '../rig/search.ts';
import { groupOf, samplesOf, type AnalyzedPhoto } from './accuracy.ts';
import type { Figures, Report } from './figures.ts';
import { film, filmMissing } from './film.ts';
import { analyzed, distant, firstOfEach, ladder, usable } from './analyzed-photos.ts';
import { Ours, type OurFace } from './ours.ts';
import { installPeers } from './peers/installed.ts';
import { Peer } from './peers/peer.ts';
import { listPhotos } from './photos.ts';
import { encounters } from './open-set.ts';
import { plot } from './plot.ts';
import { nearestTenths, pairTenths, type Reliability } from './reliability.ts';
import { jsonOf, print } from './report.ts';
import { speed } from './speed.ts';
import { allPairs } from './verification.ts';
import { wrongPhotos, type WrongPhotos } from './wrong-photos.ts';

export const parts = [
  'accuracy',
  'reliability',
  'mistakes',
  'ladder',
  'speed',
  'search',
  'film',
] as const;
export type Part = (typeof parts)[number];
export const isPart = (name: string): name is Part => (parts as readonly string[]).includes(name);

export interface FacesOptions {
  readonly folder: string;
  readonly sets: readonly string[] | undefined;
  readonly only: readonly Part[];
  readonly peers: boolean;
  readonly json: string | undefined;
  readonly svg: string | undefined;
}

/** Other engines take up to a second a picture: from afar they get this many photos of each person. */
const theirLadder = { photosEach: 2, steps: [24, 16, 12, 8] } as const;
/** Speed is measured on a face of this size. */
const speedIodPx = 40;
const searchSizes = [10_000, 100_000, 1_000_000];
/** Their searches take seconds for larger galleries. */
const theirSearchSizes = [10_000, 100_000];

export async function runFaces({ folder, sets, only, peers, json, svg }: FacesOptions) {
  const machine = new Machine();
  await using stack = new AsyncDisposableStack();
  const ours = stack.use(await Ours.load());
  const others: Peer[] = [];
  if (peers) {
    installPeers();
    for (const start of [Peer.faceApi, Peer.human]) others.push(stack.use(await start()));
  }
  const { photos, unreadable, thumbnails } = await usable(listPhotos(folder, sets));
  for (const path of unreadable) console.error(`left out, no picture that can be read: ${path}`);
  const seen = await analyzed(ours, photos);
  const everyday = seen.filter(({ photo }) => !thumbnails.includes(photo.set));
  const small = seen.filter(({ photo }) => thumbnails.includes(photo.set));
  const report: Report = {
    ours: await ourFigures(ours, only, everyday, small),
    // Both at once: nothing is timed meanwhile.
    peers: await Promise.all(others.map((peer) => theirFigures(peer, only, everyday))),
    thumbnails,
    unreadable: unreadable.length,
  };
  if (only.includes('speed')) {
    const [first] = everyday.filter(({ face }) => face && face.view.iod >= speedIodPx);
    const seen = first && (await distant(first, speedIodPx));
    if (seen) report.speed = await fastest(seen.picture, ours, others);
  }
  if (only.includes('film')) {
    const missing = filmMissing();
    if (missing !== null) console.error(`the film is left out: ${missing}`);
    else report.film = await film(folder, setsOf(everyday), ours, others);
  }
  report.conditions = machine.conditions();
  print(report);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(jsonOf(report), null, 2)}\n`);
  if (svg !== undefined) writeFileSync(svg, drawn(report));
}

async function ourFigures(
  ours: Ours,
  only: readonly Part[],
  everyday: readonly AnalyzedPhoto<OurFace>[],
  small: readonly AnalyzedPhoto<OurFace>[],
): Promise<Figures> {
  const figures: Figures = { name: ours.name };
  if (only.includes('accuracy')) {
    if (everyday.length > 0) figures.everyday = groupOf(everyday, ours);
    if (small.length > 0) figures.thumbnails = groupOf(small, ours);
  }
  if (only.includes('reliability')) figures.reliability = reliability(ours, everyday);
  if (only.includes('mistakes')) {
    figures.mistakes = mistakes(ours, everyday);
    if (small.length > 0) figures.smallMistakes = mistakes(ours, [...everyday, ...small]);
  }
  if (only.includes('ladder')) figures.ladder = await ladder(ours, everyday, everyday);
  if (only.includes('search')) {
    const { dimensions } = ours.engine.pack.embedder;
    figures.searchMs = Object.fromEntries(
      searchSizes.map((size) => [size, measureSearch(size, dimensions).ours.cpuMs]),
    );
  }
  return figures;
}

function reliability(ours: Ours, seen: readonly AnalyzedPhoto<OurFace>[]): Reliability {
  const { calibration } = ours.engine.pack.embedder;
  const samples = samplesOf(seen);
  return {
    pairs: pairTenths(allPairs(samples, ours.distance), calibration),
    nearest: nearestTenths(encounters(samples, 1, ours.matcher), calibration),
  };
}

function mistakes(ours: Ours, seen: readonly AnalyzedPhoto<OurFace>[]): WrongPhotos {
  const photos = seen.flatMap(({ photo, face }) =>
    face ? [{ person: photo.identity, photo: photo.path, vector: face.vector }] : [],
  );
  return wrongPhotos(photos, ours.engine.pack.embedder.calibration);
}

async function theirFigures(
  peer: Peer,
  only: readonly Part[],
  everyday: readonly AnalyzedPhoto<OurFace>[],
): Promise<Figures> {
  const figures: Figures = { name: peer.name };
  if (only.includes('accuracy')) {
    const seen = await analyzed(
      peer,
      everyday.map(({ photo }) => photo),
    );
    figures.everyday = groupOf(seen, peer);
  }
  if (only.includes('ladder')) {
    const { photosEach, steps } = theirLadder;
    const ours = firstOfEach(everyday, photosEach);
    const gallery = await analyzed(
      peer,
      ours.map(({ photo }) => photo),
    );
    figures.ladder = await ladder(peer, ours, gallery, steps);
  }
  if (only.includes('search')) {
    figures.searchMs = {};
    for (const vectors of theirSearchSizes) {
      const { cpuMs } = await peer.cost({ kind: 'search', vectors, times: 3 });
      figures.searchMs[vectors] = cpuMs;
    }
  }
  return figures;
}

/** Besides the detector of its examples, face-api is measured with its fastest one. */
async function fastest(picture: Parameters<typeof speed>[0], ours: Ours, others: readonly Peer[]) {
  if (others.length === 0) return speed(picture, ours, others);
  await using tiny = await Peer.faceApi('tiny');
  // Awaited here: it ends with this block.
  return await speed(picture, ours, [...others, tiny]);
}

const setsOf = (seen: readonly AnalyzedPhoto[]): string[] => [
  ...new Set(seen.map(({ photo }) => photo.set)),
];

function drawn({ ours, peers }: Report): string {
  const lines = [ours, ...peers].flatMap(({ name, everyday }) =>
    everyday ? [{ name, points: everyday.curve }] : [],
  );
  return plot('Who is recognised, by how many strangers are taken for somebody', lines);
}
