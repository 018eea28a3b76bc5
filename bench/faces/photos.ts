/**
 * Labelled photos on disk: FOLDER/<set>/<identity>/<photo>. The folder needs nothing else; files that are no pictures
 * are reported and left out.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Picture } from '../../server/src/vision/picture.ts';
import { fullSidePx } from '../../server/src/vision/uploads/upload.ts';
import { isPgm, pgm } from './pgm.ts';

export interface Photo {
  readonly set: string;
  /** `<set>/<identity>`: two sets are never taken to show the same person. */
  readonly identity: string;
  readonly path: string;
}

/** A set whose photos are mostly smaller than this (median of the shorter sides) is one of thumbnails. */
const thumbnailPx = 64;

/** Returns photos in the order of their names. `sets` as on the command line; undefined means all. */
export function listPhotos(folder: string, sets?: readonly string[]): Photo[] {
  const found = foldersIn(folder).filter((set) => sets?.includes(set) ?? true);
  const missing = sets?.filter((set) => !found.includes(set)) ?? [];
  if (missing.length > 0) throw new Error(`${folder} has no ${missing.join(', ')}`);
  return found.flatMap((set) =>
    foldersIn(join(folder, set)).flatMap((name) =>
      filesIn(join(folder, set, name)).map((file) => ({
        set,
        identity: `${set}/${name}`,
        path: join(folder, set, name, file),
      })),
    ),
  );
}

/** Upright, sRGB, at most as large as the product keeps them; throws when it is no picture. */
export async function readPhoto({ path }: Photo): Promise<Picture> {
  const bytes = readFileSync(path);
  if (isPgm(bytes)) return pgm(bytes);
  const { data, info } = await sharp(bytes)
    .autoOrient()
    .resize(fullSidePx, fullSidePx, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { width, height, rgb: info.channels === 1 ? tripled(data) : data };
}

export function tripled(grey: Uint8Array): Buffer {
  const rgb = Buffer.allocUnsafe(grey.length * 3);
  for (let i = 0; i < grey.length; i++) rgb.fill(grey[i]!, i * 3, i * 3 + 3);
  return rgb;
}

/** Sets that are a test of low resolution and no measure of everyday photos. */
export function thumbnailSets(sizes: readonly { set: string; shorterPx: number }[]): string[] {
  const bySet = Map.groupBy(sizes, ({ set }) => set);
  return [...bySet]
    .filter(([, photos]) => {
      const sorted = photos.map(({ shorterPx }) => shorterPx).toSorted((a, b) => a - b);
      return sorted[sorted.length >> 1]! < thumbnailPx;
    })
    .map(([set]) => set);
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => statSync(join(folder, name)).isDirectory())
    .toSorted();
}

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.') && statSync(join(folder, name)).isFile())
    .toSorted();
}
