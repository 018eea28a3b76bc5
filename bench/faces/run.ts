/**
 * How well and how fast people are recognised on labelled photos. `--only` takes some of the parts below,
 * `--sets` some sets of the folder: `--sets lfw10,deepface --only accuracy` says within half a minute
 * whether a change of the engine did harm. Vectors live as long as the run.
 */
import { writeFileSync } from 'node:fs';
import type { Picture } from '../../server/src/vision/picture.ts';
import { groupOf, rung, sightOf, type Sighting } from './accuracy.ts';
import type { Contestant } from './contestant.ts';
import type { Figures, Rung } from './figures.ts';
import { fromAfar, rungs, type Distant } from './ladder.ts';
import { Ours, type OurFace } from './ours.ts';
import { listPhotos, readPhoto, thumbnailSets, type Photo } from './photos.ts';
import { Progress } from './progress.ts';
import { jsonOf, print } from './report.ts';

export const parts = ['accuracy', 'ladder'] as const;
export type Part = (typeof parts)[number];
export const isPart = (name: string): name is Part => (parts as readonly string[]).includes(name);

export interface FacesOptions {
  readonly folder: string;
  readonly sets: readonly string[] | undefined;
  readonly only: readonly Part[];
  readonly json: string | undefined;
}

export async function runFaces({ folder, sets, only, json }: FacesOptions): Promise<void> {
  await using ours = await Ours.load();
  const { photos, unreadable, thumbnails } = await usable(listPhotos(folder, sets));
  for (const path of unreadable) console.error(`left out, no picture that can be read: ${path}`);
  const everyday = photos.filter(({ set }) => !thumbnails.includes(set));
  const figures: Figures = { name: ours.name };
  if (only.includes('accuracy') || only.includes('ladder')) {
    const seen = await sightings(ours, photos);
    const near = seen.filter(({ photo }) => everyday.includes(photo));
    const small = seen.filter(({ photo }) => !everyday.includes(photo));
    if (only.includes('accuracy')) {
      if (near.length > 0) figures.everyday = groupOf(near, ours);
      if (small.length > 0) figures.thumbnails = groupOf(small, ours);
    }
    if (only.includes('ladder')) figures.ladder = await ladder(ours, near);
  }
  const report = { figures, thumbnails, unreadable: unreadable.length };
  print(report);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(jsonOf(report), null, 2)}\n`);
}

interface Usable {
  readonly photos: readonly Photo[];
  readonly unreadable: readonly string[];
  readonly thumbnails: readonly string[];
}

async function usable(all: readonly Photo[]): Promise<Usable> {
  const photos: Photo[] = [];
  const unreadable: string[] = [];
  const sizes: { set: string; shorterPx: number }[] = [];
  for (const photo of all) {
    const picture = await readPhoto(photo).catch(() => null);
    if (!picture) {
      unreadable.push(photo.path);
      continue;
    }
    photos.push(photo);
    sizes.push({ set: photo.set, shorterPx: Math.min(picture.width, picture.height) });
  }
  return { photos, unreadable, thumbnails: thumbnailSets(sizes) };
}

async function sightings(ours: Ours, photos: readonly Photo[]): Promise<Sighting<OurFace>[]> {
  using progress = new Progress(`${ours.name}, photos`, photos.length);
  const seen: Sighting<OurFace>[] = [];
  for (const photo of photos) {
    seen.push(await sightOf(ours, photo, await readPhoto(photo)));
    progress.step();
  }
  return seen;
}

async function ladder(
  contestant: Contestant,
  near: readonly Sighting<OurFace>[],
): Promise<Record<string, Rung>> {
  using progress = new Progress(`${contestant.name}, from afar`, rungs.length);
  const found: Record<string, Rung> = {};
  for (const iodPx of rungs) {
    const probes: (Distant | null)[] = [];
    for (const { photo, face } of near) {
      probes.push(face && (await distant(await readPhoto(photo), face, iodPx)));
    }
    found[iodPx] = await rung(contestant, probes, near);
    progress.step();
  }
  return found;
}

function distant(picture: Picture, { view }: OurFace, iodPx: number): Promise<Distant | null> {
  const [left, right] = view.points;
  return fromAfar(picture, { left: left!, right: right! }, iodPx);
}
