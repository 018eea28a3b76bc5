/**
 * Twenty minutes of people of whom none is enrolled, before a gallery of photos of others: how many are given a
 * name, and how near it came. Every labelled person is a stranger once: a fifth of the people is filmed while the
 * photos of all others are in the gallery, in turn.
 */
import { probability } from '../../server/src/vision/packs/confidence.ts';
import { measuredPack } from '../rig/measured-pack.ts';
import { seeded, shuffled } from '../faces/chance.ts';
import { wilson, type Share } from '../faces/intervals.ts';
import { Progress } from '../faces/progress.ts';
import { makeFilm } from './make.ts';
import { perMinute, passing, type Manner } from './passing.ts';
import { enrollable, enrolled, portraitsOf, type Filmable, type People } from './people.ts';
import { truthAt, type Scene } from './scene.ts';
import type { Enrolled, Shown } from './screening.ts';
import type { Stage } from './stage.ts';
import { followedBy } from './whose.ts';

export interface NearMiss {
  readonly probability: number;
  readonly inView: readonly string[];
  /** The person whom one of them was nearest to. */
  readonly taken: string;
}

/** The results of one film with one gallery; and the sum of all. */
export interface StrangersSeen {
  readonly seconds: number;
  readonly pictures: number;
  readonly compared: number;
  /** How often people came by, and how many of these appearances were decided about. */
  readonly appearances: number;
  readonly logged: number;
  /** Rows of the log, and those of what was no person's face. */
  readonly visits: number;
  readonly ghosts: number;
  /** Visits that were ever a known person's, and boxes that bore a name. */
  readonly confirmed: number;
  readonly namedBoxes: number;
  readonly cpuMs: number;
}

export interface Strangers extends StrangersSeen {
  readonly people: number;
  readonly photos: number;
  /** The smallest of the galleries. */
  readonly gallery: { readonly people: number; readonly photos: number };
  /** The confirmed among all appearances. */
  readonly rate: Share;
  readonly nearest: readonly NearMiss[];
}

/** With a gallery of the people who could be enrolled, and with these and thumbnails that the gate refuses. */
export interface StrangersTwice {
  readonly enrollable: Strangers;
  readonly withThumbnails: Strangers;
}

interface Gathered {
  readonly films: StrangersSeen[];
  readonly nearest: NearMiss[];
  readonly galleries: (readonly Enrolled[])[];
}

const turns = 5;
const galleryPhotos = 200;
const nearestListed = 5;
/** From near and far, in light and shade, sharp and not: 15 to 70 px between the eyes. */
const manner: Manner = { sizes: [36, 150], light: [0.55, 1.25], blur: [0.3, 1.6] };
const { calibration } = measuredPack.embedder;

export interface Cast {
  readonly everyday: People;
  readonly thumbnails: People;
  readonly bystanders: readonly Enrolled[];
}

/** Each film with the people who could be enrolled in the gallery; the first of each turn with thumbnails too. */
export async function strangers(
  stage: Stage,
  cast: Cast,
  { minutes, seed }: { readonly minutes: number; readonly seed: number },
): Promise<StrangersTwice> {
  const { everyday } = cast;
  const random = seeded(seed);
  const names = shuffled([...everyday.keys()], random);
  const portraits = portraitsOf(everyday);
  const filmsEach = Math.max(1, Math.round(minutes / turns));
  using progress = new Progress('minutes of strangers', filmsEach * turns);
  const usual: Gathered = { films: [], nearest: [], galleries: [] };
  const withThumbnails: Gathered = { films: [], nearest: [], galleries: [] };
  for (let turn = 0; turn < turns; turn++) {
    const filmed = names.filter((_, i) => i % turns === turn);
    const gallery = galleryOf(cast, filmed);
    const next = endless(
      filmed.flatMap((who) => everyday.get(who)!),
      random,
    );
    for (let i = 0; i < filmsEach; i++) {
      const photos = Array.from({ length: Math.round(perMinute) }, () => next());
      const scene = passing('strangers', photos, manner, random);
      const film = await makeFilm(stage.path('strangers.mp4'), scene, portraits);
      gather(usual, scene, gallery, await stage.show(film, gallery));
      if (i === 0) {
        const filled = [...gallery, ...blurred(cast, gallery)];
        gather(withThumbnails, scene, filled, await stage.show(film, filled));
      }
      progress.step();
      const { seconds, appearances, confirmed, ghosts } = summed(usual.films);
      console.error(
        `${seconds} s: ${appearances} came by, ${confirmed} confirmed, ${ghosts} ghosts`,
      );
    }
  }
  const who = { people: names.length, photos: portraits.size };
  return {
    enrollable: { ...who, ...figuresOf(usual) },
    withThumbnails: { ...who, ...figuresOf(withThumbnails) },
  };
}

/** All photos of everyone else that can be enrolled. */
function galleryOf({ everyday, bystanders }: Cast, filmed: readonly string[]): Enrolled[] {
  const others = [...everyday].filter(([who]) => !filmed.includes(who));
  const photos = others.map(([, all]) => enrollable(all)).filter((all) => all.length > 0);
  return [...photos.map((all) => enrolled(all, all.length)), ...bystanders];
}

const photosIn = (gallery: readonly Enrolled[]): number =>
  gallery.reduce((sum, { vectors }) => sum + vectors.length, 0);

/**
 * Thumbnails until the gallery has 200 photos. The gate would refuse them: what is blurred is near to much, so they
 * demand more of the decision than an installation can.
 */
function blurred({ thumbnails }: Cast, gallery: readonly Enrolled[]): Enrolled[] {
  const each = Math.ceil((galleryPhotos - photosIn(gallery)) / Math.max(1, thumbnails.size));
  return each <= 0 ? [] : [...thumbnails.values()].map((photos) => enrolled(photos, each));
}

function gather(
  { films, nearest, galleries }: Gathered,
  scene: Scene,
  gallery: readonly Enrolled[],
  shown: Shown,
): void {
  films.push(seen(scene, shown));
  nearest.push(...nearMisses(scene, shown));
  galleries.push(gallery);
}

function figuresOf({ films, nearest, galleries }: Gathered): Omit<Strangers, 'people' | 'photos'> {
  const all = summed(films);
  const [smallest] = galleries
    .map((gallery) => ({ people: gallery.length, photos: photosIn(gallery) }))
    .toSorted((a, b) => a.photos - b.photos);
  return {
    ...all,
    gallery: smallest!,
    rate: wilson(all.confirmed, all.appearances),
    nearest: nearest.toSorted((a, b) => b.probability - a.probability).slice(0, nearestListed),
  };
}

/** One photo after another, in another order each time. */
function endless(photos: readonly Filmable[], random: () => number): () => Filmable {
  let waiting: Filmable[] = [];
  return () => {
    if (waiting.length === 0) waiting = shuffled(photos, random);
    return waiting.pop()!;
  };
}

function seen(scene: Scene, { drawn, compared, decided, visits, cpuMs }: Shown): StrangersSeen {
  const whose = followedBy(scene, drawn);
  const tracks = [...new Set(decided.map(({ track }) => track))];
  const followed = tracks.map((track) => whose.get(track) ?? null);
  return {
    seconds: scene.seconds,
    pictures: drawn.length,
    compared: compared.length,
    appearances: scene.appearances.length,
    logged: new Set(followed.filter((appearance) => appearance !== null)).size,
    visits: visits.length,
    ghosts: followed.filter((appearance) => appearance === null).length,
    confirmed: visits.filter(({ names }) => names.length > 0).length,
    namedBoxes: drawn.flatMap(({ boxes }) => boxes.filter(({ name }) => name !== null)).length,
    cpuMs,
  };
}

function summed(films: readonly StrangersSeen[]): StrangersSeen {
  const sum = (of: keyof StrangersSeen): number => films.reduce((total, it) => total + it[of], 0);
  return {
    seconds: sum('seconds'),
    pictures: sum('pictures'),
    compared: sum('compared'),
    appearances: sum('appearances'),
    logged: sum('logged'),
    visits: sum('visits'),
    ghosts: sum('ghosts'),
    confirmed: sum('confirmed'),
    namedBoxes: sum('namedBoxes'),
    cpuMs: sum('cpuMs'),
  };
}

function nearMisses(scene: Scene, { compared }: Shown): NearMiss[] {
  const misses = compared.map(({ atMs, person: taken, distance }) => ({
    probability: probability(distance, calibration),
    inView: truthAt(scene, atMs / 1000).map(({ who }) => who),
    taken,
  }));
  return misses.toSorted((a, b) => b.probability - a.probability).slice(0, nearestListed);
}
