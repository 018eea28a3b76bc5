/**
 * Labelled photos on disk, FOLDER/<set>/<identity>/<photo>, as distances between the faces on them. Two sets are
 * assumed to show different people.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Pairs } from './calibration.ts';
import { chipOf } from '../chip.ts';
import { clean } from '../uploads/clean.ts';
import { distance } from '../embed.ts';
import type { Engine } from '../engine.ts';
import { chooseFace } from '../photo.ts';
import { uprightest } from '../turns.ts';
import { limits } from '../uploads/upload.ts';

export interface Labelled {
  readonly photos: number;
  /** Photos with a face that passes the gate. */
  readonly faces: number;
  readonly people: number;
  readonly found: readonly LabelledFace[];
  readonly pairs: Pairs;
}

export interface LabelledFace {
  /** `<set>/<identity>`. */
  readonly person: string;
  readonly vector: Float32Array;
}

interface Photo {
  readonly person: string;
  readonly path: string;
}

/** Reads one photo after another. `seen` is called with how many were read. */
export async function readLabelled(
  engine: Engine,
  folder: string,
  seen: (photos: number) => void = () => undefined,
): Promise<Labelled> {
  const photos = photosIn(folder);
  const found: LabelledFace[] = [];
  for (const [i, { person, path }] of photos.entries()) {
    const vector = await vectorOf(engine, path);
    if (vector) found.push({ person, vector });
    seen(i + 1);
  }
  const genuine: number[] = [];
  const impostor: number[] = [];
  for (const [i, one] of found.entries()) {
    for (const other of found.slice(0, i)) {
      const kind = one.person === other.person ? genuine : impostor;
      kind.push(distance(one.vector, other.vector));
    }
  }
  const people = new Set(found.map(({ person }) => person)).size;
  const pairs = { genuine, impostor };
  return { photos: photos.length, faces: found.length, people, found, pairs };
}

/** Returns the vector of the face that is meant; null when the file is no photo, or shows no face well enough. */
async function vectorOf(engine: Engine, path: string): Promise<Float32Array | null> {
  if (statSync(path).size > limits.bytes) return null;
  const picture = await clean(readFileSync(path));
  if (typeof picture === 'string') return null;
  const { photo, found } = await uprightest((turn) => engine.detectPhoto(picture, turn));
  const { faces, chips } = found;
  const { face, fault } = chooseFace(faces, engine.pack.quality.recognise, photo);
  if (face === null || fault !== null) return null;
  const chip = chipOf(faces[face]!, faces, chips);
  return chip && (await engine.embed(chip, 1))[0]!;
}

function photosIn(folder: string): Photo[] {
  return entries(folder, 'folder').flatMap((set) =>
    entries(join(folder, set), 'folder').flatMap((name) =>
      entries(join(folder, set, name), 'file').map((file) => ({
        person: `${set}/${name}`,
        path: join(folder, set, name, file),
      })),
    ),
  );
}

function entries(folder: string, kind: 'folder' | 'file'): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => (kind === 'folder' ? entry.isDirectory() : entry.isFile()))
    .map(({ name }) => name)
    .toSorted();
}
