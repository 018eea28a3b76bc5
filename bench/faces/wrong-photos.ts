/**
 * Whether photos that show another person are found among the photos of a person, by the product's own rule: photos
 * move from the person they show to another, at random, and what becomes of each is counted.
 */
import type { Calibration } from '../../server/src/vision/packs/pack.ts';
import {
  doubtLimits,
  doubtsOf,
  type Doubt,
  type PhotoVector,
} from '../../server/src/faces/photos/doubts.ts';

/** A photo of a labelled person. */
export interface Labelled {
  readonly person: string;
  readonly photo: string;
  readonly vector: Float32Array;
}

/** Whose entry each photo is in. */
type Gallery = Map<string, Labelled[]>;

/** What became of photos of one kind. */
export interface Fate {
  of: number;
  aside: number;
  /** In doubt, used until a user has checked it. */
  marked: number;
}

export interface WrongPhotos {
  /** Nothing planted. */
  readonly clean: Fate;
  /** In all rounds. */
  readonly wrong: Fate;
  readonly right: Fate;
  /** In the worst round: wrong photos not set aside, and right ones set aside. */
  readonly missed: number;
  readonly lost: number;
}

export const rounds = 25;
export const planted = 40;
/** Right photos that each person keeps, more than wrong ones: where most are wrong no rule can find them. */
const minRight = 2;
/** Draws after which there is no room for another wrong photo. */
const maxDraws = 10_000;

export function wrongPhotos(photos: readonly Labelled[], calibration: Calibration): WrongPhotos {
  const clean = fateOf(photos, judged(galleryOf(photos), calibration));
  const [wrong, right] = [noFate(), noFate()];
  let [missed, lost] = [0, 0];
  for (let round = 1; round <= rounds; round += 1) {
    const gallery = galleryOf(photos);
    const moved = plant(gallery, round);
    const doubts = judged(gallery, calibration);
    const theirs = fateOf([...moved], doubts);
    const others = fateOf(
      photos.filter((photo) => !moved.has(photo)),
      doubts,
    );
    missed = Math.max(missed, theirs.of - theirs.aside);
    lost = Math.max(lost, others.aside);
    for (const key of ['of', 'aside', 'marked'] as const) {
      wrong[key] += theirs[key];
      right[key] += others[key];
    }
  }
  return { clean, wrong, right, missed, lost };
}

const noFate = (): Fate => ({ of: 0, aside: 0, marked: 0 });
const galleryOf = (photos: readonly Labelled[]): Gallery =>
  Map.groupBy(photos, ({ person }) => person);

function judged(gallery: Gallery, calibration: Calibration): Map<string, Doubt> {
  const limits = doubtLimits(calibration, gallery.size);
  const people = [...gallery].map(([personId, theirs]) => ({
    personId,
    photos: theirs.map(({ photo, vector }): PhotoVector => ({ imageId: photo, vector })),
  }));
  return new Map(
    people.flatMap(({ personId, photos }) => {
      const others = people.filter((one) => one.personId !== personId);
      return [...doubtsOf(photos, others, limits)];
    }),
  );
}

function fateOf(photos: readonly Labelled[], doubts: ReadonlyMap<string, Doubt>): Fate {
  const theirs = photos.flatMap(({ photo }) => doubts.get(photo) ?? []);
  const aside = theirs.filter(({ isAside }) => isAside).length;
  return { of: photos.length, aside, marked: theirs.length - aside };
}

/** Moves photos to others; returns those that moved. */
function plant(gallery: Gallery, seed: number): Set<Labelled> {
  const next = randomNumbers(seed);
  const people = [...gallery.keys()];
  const draw = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)]!;
  const moved = new Set<Labelled>();
  const rightOf = (person: string): Labelled[] =>
    gallery.get(person)!.filter((photo) => photo.person === person);
  const wrongOf = (person: string): number => gallery.get(person)!.length - rightOf(person).length;
  for (let draws = 0; moved.size < planted && draws < maxDraws; draws += 1) {
    const [from, to] = [draw(people), draw(people)];
    const leaves = rightOf(from).length - 1;
    const isPoor = leaves < Math.max(minRight, wrongOf(from) + 1);
    if (from === to || isPoor || rightOf(to).length < Math.max(minRight, wrongOf(to) + 2)) continue;
    const photo = draw(rightOf(from));
    gallery.set(
      from,
      gallery.get(from)!.filter((one) => one !== photo),
    );
    gallery.get(to)!.push(photo);
    moved.add(photo);
  }
  return moved;
}

/** Reproducible numbers from 0 to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
