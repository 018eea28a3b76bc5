/**
 * What a chip host does with chips: it decodes each, finds the face's points on it again, and makes its vector. Where
 * the photo is stored that the chip was cropped from, the host detects the face there and crops it as this pack does:
 * a chip shows only what its own pack needed.
 */
import sharp, { type Sharp } from 'sharp';
import { vectorBytes } from '#lib/vectors.ts';
import type { Answer } from '#lib/ipc.ts';
import type { Point } from '#lib/geometry.ts';
import type { EmbedKeptReply, EmbedKeptRequest } from './chip-messages.ts';
import { chipOf } from './chip.ts';
import { distance } from './embed.ts';
import type { Engine } from './engine.ts';
import type { FaceView } from './messages.ts';
import { candidatesOf, chooseFace, photoFault } from './photo.ts';
import type { Picture } from './picture.ts';

sharp.concurrency(1);
sharp.cache(false);

/** `head` is an EmbedKeptRequest. One call at a time. */
export async function embedKept(engine: Engine, head: unknown, body: Buffer): Promise<Answer> {
  const { chips } = head as EmbedKeptRequest;
  const found: boolean[] = [];
  const vectors: Buffer[] = [];
  let end = 0;
  const next = (bytes: number): Buffer => body.subarray(end, (end += bytes));
  for (const { bytes, points, photoBytes } of chips) {
    const byChip = await vectorOfChip(engine, next(bytes), points);
    const byPhoto = photoBytes > 0 ? await vectorOfPhoto(engine, next(photoBytes), byChip) : null;
    const vector = byPhoto ?? byChip;
    found.push(vector !== null);
    if (vector) vectors.push(vectorBytes(vector));
  }
  const reply: EmbedKeptReply = { found };
  return { head: reply, body: Buffer.concat(vectors) };
}

async function vectorOfChip(
  engine: Engine,
  jpeg: Buffer,
  points: readonly Point[],
): Promise<Float32Array | null> {
  const chip = await extended(jpeg);
  const side = chip.width - 2 * chip.around;
  const placed = points.map(([x, y]): Point => [x * side + chip.around, y * side + chip.around]);
  return engine.reembed(chip, placed);
}

/**
 * Applies the rule of every photo: the face that is meant, if it is usable. With a vector of the chip that is the face
 * whom the chip shows, however many others are on the photo.
 */
async function vectorOfPhoto(
  engine: Engine,
  jpeg: Buffer,
  byChip: Float32Array | null,
): Promise<Float32Array | null> {
  const photo = await pixelsOf(sharp(jpeg)).catch(() => null);
  if (!photo) return null;
  const { faces, chips } = await engine.detect(photo);
  const vectorOf = async (face: FaceView): Promise<Float32Array> =>
    (await engine.embed(chipOf(face, faces, chips)!, 1))[0]!;
  const gate = engine.pack.quality.enrol;
  if (byChip) {
    const usable = candidatesOf(faces, gate, photo).filter((face) => !photoFault(face, gate));
    const vectors: Float32Array[] = [];
    for (const face of usable) vectors.push(await vectorOf(face));
    return nearestTo(engine, byChip, vectors);
  }
  const { face, fault } = chooseFace(faces, gate, photo);
  return face === null || fault !== null ? null : vectorOf(faces[face]!);
}

/** The face is meant only if the chip shows the same person. */
function nearestTo(
  engine: Engine,
  byChip: Float32Array,
  vectors: readonly Float32Array[],
): Float32Array | null {
  const { split } = engine.pack.embedder.calibration;
  const [nearest] = vectors
    .map((vector) => ({ vector, away: distance(byChip, vector) }))
    .toSorted((a, b) => a.away - b.away);
  return nearest && nearest.away <= split ? nearest.vector : null;
}

/**
 * A pack may show more around a face than the one that made its chip: the pixels at the edge are repeated outwards.
 * With the human pack, 95.8 % of pairs are distinguished on such chips of the shipped pack (98.1 on its own); 94.7 when
 * the surroundings are black.
 */
const aroundShare = 0.3;

async function extended(jpeg: Buffer): Promise<Picture & { readonly around: number }> {
  const { width: side } = await sharp(jpeg).metadata();
  const around = Math.round(side * aroundShare);
  const edges = { top: around, bottom: around, left: around, right: around };
  return { ...(await pixelsOf(sharp(jpeg).extend({ ...edges, extendWith: 'copy' }))), around };
}

async function pixelsOf(picture: Sharp): Promise<Picture> {
  const { data, info } = await picture
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: data };
}
