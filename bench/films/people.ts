/** Labelled people who can be filmed and enrolled: their photos, with the face of each. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { subjectOf } from '../faces/contestant.ts';
import type { Ours } from '../faces/ours.ts';
import { usable as readable } from '../faces/analyzed-photos.ts';
import { listPhotos, readPhoto } from '../faces/photos.ts';
import { Progress } from '../faces/progress.ts';
import type { FaceView } from '../../server/src/vision/messages.ts';
import { faultOf } from '../../server/src/vision/quality.ts';
import { measuredPack } from '../rig/measured-pack.ts';
import type { Portrait } from './paint.ts';
import type { Enrolled } from './screening.ts';

export interface Filmable extends Portrait {
  readonly who: string;
  /** The photo's path, by which a scene names it. */
  readonly photo: string;
  readonly view: FaceView;
  readonly vector: Float32Array;
}

/** By person, the best photo of each first; photos without a sure face are left out. */
export type People = ReadonlyMap<string, readonly Filmable[]>;

export async function peopleOf(
  folder: string,
  ours: Ours,
  sets?: readonly string[],
): Promise<{ everyday: People; thumbnails: People }> {
  const { photos, thumbnails } = await readable(listPhotos(folder, sets));
  using progress = new Progress('photos', photos.length);
  const found: Filmable[] = [];
  const small: Filmable[] = [];
  for (const photo of photos) {
    progress.step();
    const picture = await readPhoto(photo);
    const face = subjectOf(await ours.detect(picture), picture);
    if (!face) continue;
    const { box, view, vector } = face;
    const filmable = { who: photo.identity, photo: photo.path, picture, box, view, vector };
    (thumbnails.includes(photo.set) ? small : found).push(filmable);
  }
  return { everyday: bestFirst(found), thumbnails: bestFirst(small) };
}

function bestFirst(photos: readonly Filmable[]): People {
  const sorted = photos.toSorted((a, b) => b.view.quality - a.view.quality);
  return Map.groupBy(sorted, ({ who }) => who);
}

/** What can be filmed, by photo. */
export const portraitsOf = (people: People): Map<string, Filmable> =>
  new Map([...people.values()].flat().map((one) => [one.photo, one]));

/** Photos that pass the gate for cameras. */
export const usable = (photos: readonly Filmable[]): Filmable[] =>
  photos.filter(({ view }) => view.fault === null);

/** Photos that the product would let a user enrol. */
export const enrollable = (photos: readonly Filmable[]): Filmable[] =>
  photos.filter(({ view }) => faultOf(view, measuredPack.quality.enrol) === null);

const samples = join(import.meta.dirname, '../../node_modules/@vladmandic/face-api/demo');

/** Everyone on the sample photos that come with face-api: people who are in no set, each with one photo. */
export async function bystanders(ours: Ours): Promise<Enrolled[]> {
  const found: Enrolled[] = [];
  for (const name of readdirSync(samples).filter((file) => /^sample\d\.jpg$/.test(file))) {
    const photo = { set: 'samples', identity: name, path: join(samples, name) };
    for (const [i, { view, vector }] of (await ours.detect(await readPhoto(photo))).entries()) {
      if (faultOf(view, measuredPack.quality.enrol) !== null) continue;
      found.push({ person: `samples/${name} ${i}`, vectors: [vector] });
    }
  }
  return found;
}

/** People enrolled with this many of their photos, the best first. */
export const enrolled = (photos: readonly Filmable[], count = 1): Enrolled => ({
  person: photos[0]!.who,
  vectors: photos.slice(0, count).map(({ vector }) => vector),
});
