/** Shows photos to engines: as they are, and from afar. */
import { rung, faceIn, type AnalyzedPhoto } from './accuracy.ts';
import type { Contestant, SeenFace } from './contestant.ts';
import type { Rung } from './figures.ts';
import { fromAfar, rungs, type Distant } from './ladder.ts';
import type { OurFace } from './ours.ts';
import { readPhoto, thumbnailSets, type Photo } from './photos.ts';
import { Progress } from './progress.ts';

export interface Usable {
  readonly photos: readonly Photo[];
  readonly unreadable: readonly string[];
  readonly thumbnails: readonly string[];
}

export async function usable(all: readonly Photo[]): Promise<Usable> {
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

interface Detecting<Face extends SeenFace> {
  readonly name: string;
  readonly detect: (picture: Parameters<Contestant['detect']>[0]) => Promise<readonly Face[]>;
}

export async function analyzed<Face extends SeenFace>(
  engine: Detecting<Face>,
  photos: readonly Photo[],
): Promise<AnalyzedPhoto<Face>[]> {
  using progress = new Progress(`${engine.name}, photos`, photos.length);
  const seen: AnalyzedPhoto<Face>[] = [];
  for (const photo of photos) {
    seen.push(await faceIn(engine, photo, await readPhoto(photo)));
    progress.step();
  }
  return seen;
}

/**
 * The eyes that our engine found determine how far to shrink, so that all engines see the same pictures. `gallery` is
 * what this engine made of the same photos at full size.
 */
export async function ladder(
  engine: Contestant,
  ours: readonly AnalyzedPhoto<OurFace>[],
  gallery: readonly AnalyzedPhoto[],
  steps: readonly number[] = rungs,
): Promise<Record<string, Rung>> {
  using progress = new Progress(`${engine.name}, from afar`, steps.length);
  const found: Record<string, Rung> = {};
  for (const iodPx of steps) {
    const probes: (Distant | null)[] = [];
    for (const photo of ours) probes.push(await distant(photo, iodPx));
    found[iodPx] = await rung(engine, probes, gallery);
    progress.step();
  }
  return found;
}

export async function distant(
  { photo, face }: AnalyzedPhoto<OurFace>,
  iodPx: number,
): Promise<Distant | null> {
  if (!face) return null;
  const [left, right] = face.view.points;
  return fromAfar(await readPhoto(photo), { left: left!, right: right! }, iodPx);
}

/** The first `count` of each person. */
export function firstOfEach<Face extends SeenFace>(
  analyzed: readonly AnalyzedPhoto<Face>[],
  count: number,
): AnalyzedPhoto<Face>[] {
  const byPerson = Map.groupBy(analyzed, ({ photo }) => photo.identity);
  return [...byPerson.values()].flatMap((photos) => photos.slice(0, count));
}
