/**
 * People who are enrolled with one photo, or three, come by, filmed from their other photos: how long it takes from
 * the first moment they could be seen until their name is in the log and shown, and whether a name is ever wrong.
 */
import { distance } from '../../server/src/vision/embed.ts';
import { eyeDistance } from '../../server/src/vision/quality.ts';
import { measuredPack } from '../rig/measured-pack.ts';
import { seeded, shuffled } from '../faces/chance.ts';
import { wilson, type Share } from '../faces/intervals.ts';
import { Progress } from '../faces/progress.ts';
import { spreadOf, type Spread } from '../rig/numbers.ts';
import { makeFilm, makeTwoStreams } from './make.ts';
import { passing, perMinute, type Manner } from './passing.ts';
import { enrolled, portraitsOf, usable, type Filmable, type People } from './people.ts';
import { truthAt, type Scene } from './scene.ts';
import type { Enrolled, Shown } from './screening.ts';
import type { Stage } from './stage.ts';
import { inPixels, wasThere, whoseFace } from './whose.ts';

export interface Known {
  readonly people: number;
  readonly appearances: number;
  readonly seconds: number;
  /**
   * The share named within the promised time, of all appearances, and of those whose photo is near enough to be named
   * at all.
   */
  readonly inTime: Share;
  readonly inTimeNameable: Share;
  /** Milliseconds of the film until those who were named were named. */
  readonly delays: Spread;
  /** Appearances whose photo is further from the enrolled one than a name allows. */
  readonly unlike: number;
  readonly neverNamed: readonly string[];
  /** Boxes that bore a name, and those that bore another person's. */
  readonly names: number;
  readonly wrongNames: number;
  /** Rows of the log, and those of people who were not there. */
  readonly visits: number;
  readonly wrongVisits: number;
}

const promisedMs = 2_000;
/** 24 px and more between the eyes; light and sharpness of a usual day. */
export const manner: Manner = { sizes: [75, 150], light: [0.8, 1.15], blur: [0.3, 0.8] };
/** What an installation requires of a face, in pixels of the camera. */
const least = { width: 50, iod: measuredPack.quality.recognise.minIod };
const plainView = 0.75;

/** `references`: how many photos each is enrolled with. */
export async function known(stage: Stage, people: People, references = 1): Promise<Known> {
  const portraits = portraitsOf(people);
  const outcomes: Outcome[] = [];
  const play: Play = async (scene, photos, gallery) => {
    const film = await makeFilm(stage.path('known.mp4'), scene, portraits);
    outcomes.push(outcomeOf(scene, photos, gallery, await stage.show(film, gallery)));
  };
  const { gallery } = await programme(people, manner, play, { references });
  return summed(outcomes, gallery.length);
}

type Play = (
  scene: Scene,
  photos: readonly Filmable[],
  gallery: readonly Enrolled[],
) => Promise<void>;

interface ProgrammeOptions {
  readonly maxFilms?: number;
  readonly references?: number;
}

/** One film after another of everyone's photos, but for those that each person is enrolled with. */
export async function programme(
  people: People,
  manner: Manner,
  play: Play,
  { maxFilms = Infinity, references = 1 }: ProgrammeOptions = {},
) {
  const random = seeded(3);
  const all = [...people.values()].map(usable).filter((photos) => photos.length > 0);
  const gallery = all.map((photos) => enrolled(photos, references));
  const filmed = shuffled(
    all.flatMap((photos) => photos.slice(references)),
    random,
  );
  const each = Math.round(perMinute);
  const films = Math.min(maxFilms, Math.ceil(filmed.length / each));
  using progress = new Progress('films of known people', films);
  for (let i = 0; i < films; i++) {
    const photos = filmed.slice(i * each, (i + 1) * each);
    await play(passing('known people', photos, manner, random), photos, gallery);
    progress.step();
  }
  return { gallery };
}

/** The analyzed streams: the sub-stream alone, or also main-stream detections of its faces. */
export const ways = ['sub', 'both'] as const;
export type Way = (typeof ways)[number];

export interface ByWay {
  readonly sizes: Manner['sizes'];
  readonly way: Way;
  readonly known: Known;
  /** Processor milliseconds for each second of the film: decoding what is analyzed, detecting, deciding. */
  readonly cpuMsPerSecond: number;
  readonly mainStream: Shown['mainStream'];
}

/** Faces as wide as a usual camera has them, and half of that: 37 to 75 and 20 to 37 px in the sub-stream. */
const distances: readonly Manner[] = [manner, { ...manner, sizes: [40, 75] }];

/** The same people before a camera with two streams, whose pictures differ only in size. */
export async function bySubStream(
  stage: Stage,
  people: People,
  maxFilms: number,
): Promise<ByWay[]> {
  const portraits = portraitsOf(people);
  const results: ByWay[] = [];
  for (const from of distances) {
    const shown: Record<Way, { outcome: Outcome; shown: Shown }[]> = { sub: [], both: [] };
    const { gallery } = await programme(
      people,
      from,
      async (scene, photos, gallery) => {
        const paths = { main: stage.path('known.mp4'), sub: stage.path('known-sub.mp4') };
        const { main, sub } = await makeTwoStreams(paths, scene, portraits);
        for (const way of ways) {
          const seen = await stage.show(sub, gallery, {
            film: main,
            usesMainStream: way === 'both',
          });
          shown[way].push({ outcome: outcomeOf(scene, photos, gallery, seen), shown: seen });
        }
      },
      { maxFilms },
    );
    for (const way of ways) results.push(byWay(from, way, shown[way], gallery.length));
  }
  return results;
}

function byWay(
  { sizes }: Manner,
  way: Way,
  films: readonly { readonly outcome: Outcome; readonly shown: Shown }[],
  people: number,
): ByWay {
  const known = summed(
    films.map(({ outcome }) => outcome),
    people,
  );
  const sum = (of: (it: Shown) => number): number =>
    films.reduce((total, { shown }) => total + of(shown), 0);
  return {
    sizes,
    way,
    known,
    cpuMsPerSecond: sum(({ cpuMs }) => cpuMs) / known.seconds,
    mainStream: {
      detected: sum(({ mainStream }) => mainStream.detected),
      refused: sum(({ mainStream }) => mainStream.refused),
    },
  };
}

export interface Outcome {
  readonly seconds: number;
  readonly appearances: readonly {
    readonly who: string;
    /** Null: never. */
    readonly delayMs: number | null;
    readonly isNameable: boolean;
  }[];
  readonly names: number;
  readonly wrongNames: number;
  readonly visits: number;
  readonly wrongVisits: number;
}

export function outcomeOf(
  scene: Scene,
  photos: readonly Filmable[],
  gallery: readonly Enrolled[],
  { drawn, visits, startMs }: Shown,
): Outcome {
  const named = new Map<number, number>();
  const count = { names: 0, wrongNames: 0 };
  for (const { atMs, boxes } of drawn) {
    const truth = truthAt(scene, atMs / 1000);
    for (const box of boxes.filter(({ name }) => name !== null)) {
      const whose = whoseFace(truth, inPixels(box));
      count.names += 1;
      if (whose?.who !== box.name) count.wrongNames += 1;
      else if (!named.has(whose.appearance)) named.set(whose.appearance, atMs);
    }
  }
  const visible = firstVisibleMs(scene, photos);
  const appearances = photos.flatMap((photo, i) => {
    const fromMs = visible.get(i);
    if (fromMs === undefined) return [];
    const atMs = named.get(i);
    const delayMs = atMs === undefined ? null : Math.max(0, atMs - fromMs);
    return [{ who: photo.who, delayMs, isNameable: isNameable(photo, gallery) }];
  });
  const wrongVisits = visits.filter((visit) => !wasThere(scene, visit, startMs)).length;
  const { seconds } = scene;
  return { seconds, appearances, ...count, visits: visits.length, wrongVisits };
}

/** By appearance, when its face first was large enough, inside the picture and in front of all other people. */
function firstVisibleMs(scene: Scene, photos: readonly Filmable[]): Map<number, number> {
  const first = new Map<number, number>();
  for (let at = 0; at <= scene.seconds; at += 0.1) {
    for (const { appearance, box, shown } of truthAt(scene, at)) {
      const { view, box: own } = photos[appearance]!;
      const iod = (eyeDistance(view.points) * box.width) / Math.max(own.width, own.height);
      const isVisible = shown >= plainView && box.width >= least.width && iod >= least.iod;
      if (isVisible && !first.has(appearance)) first.set(appearance, at * 1000);
    }
  }
  return first;
}

/** Whether the photo itself would be named: a film of it can hardly be better. */
function isNameable({ who, vector }: Filmable, gallery: readonly Enrolled[]): boolean {
  const own = gallery.find(({ person }) => person === who)!;
  const nearest = Math.min(...own.vectors.map((it) => distance(vector, it)));
  return nearest < measuredPack.embedder.calibration.openSet;
}

export function summed(films: readonly Outcome[], people: number): Known {
  const all = films.flatMap(({ appearances }) => appearances);
  const nameable = all.filter(({ isNameable }) => isNameable);
  const inTime = (some: typeof all): Share =>
    wilson(
      some.filter(({ delayMs }) => delayMs !== null && delayMs <= promisedMs).length,
      some.length,
    );
  const sum = (of: 'seconds' | 'names' | 'wrongNames' | 'visits' | 'wrongVisits'): number =>
    films.reduce((total, it) => total + it[of], 0);
  return {
    people,
    appearances: all.length,
    seconds: sum('seconds'),
    inTime: inTime(all),
    inTimeNameable: inTime(nameable),
    delays: spreadOf(all.flatMap(({ delayMs }) => (delayMs === null ? [] : [delayMs]))),
    unlike: all.length - nameable.length,
    neverNamed: all.filter(({ delayMs }) => delayMs === null).map(({ who }) => who),
    names: sum('names'),
    wrongNames: sum('wrongNames'),
    visits: sum('visits'),
    wrongVisits: sum('wrongVisits'),
  };
}
