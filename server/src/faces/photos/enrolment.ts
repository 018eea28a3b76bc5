/**
 * From the bytes of an upload to what is stored: a clean photo, its thumbnail and, when there is a usable face on it,
 * its embedding. A photo without one is stored too, with the reason.
 */
import type { PictureFault } from '@nazar/contract/problem.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { vectorBytes } from '#lib/vectors.ts';
import type { Tx } from '#db/database.ts';
import { noOtherPack } from '#db/pack-columns.ts';
import type { Vision, Wanted } from '#vision/vision.ts';
import { packKey } from '#vision/packs/pack.ts';
import type { Identity } from '../identities.ts';
import type { IdentityStore } from '../identity-store.ts';
import type { PersonStore } from '../person-store.ts';

/** A face ready to be compared, and the chip it came from. */
export interface Embedding {
  readonly packId: string;
  readonly packVersion: string;
  readonly vector: Float32Array;
  readonly chip: Buffer;
  /** `id@version` of the pack that made the chip, where it is another one. */
  readonly cutBy?: string | null;
  readonly quality: number;
}

/** The most photos of one person (C-524). */
export const maxImages = 20;

/** A photo that was read and not stored yet. */
export interface ReadPhoto {
  readonly photo: Buffer;
  readonly thumbnail: Buffer;
  /** The photo was not upright, and its pixels were turned. */
  readonly isTurned?: boolean;
  readonly fault: PictureFault | null;
  readonly embedding: Embedding | null;
  /** `id@version` of the pack that checked the photo; absent: none did. */
  readonly checkedBy?: string;
}

/** A photo as it was sent, and the face on it that a user chose, if they did. */
export interface SentPhoto {
  readonly bytes: Buffer;
  /** What the sender calls it, for the answer; never stored. */
  readonly name?: string;
  readonly faceIndex?: number | null;
}

/** For which account a photo is read, and what is known of the person whom it is to show. */
export type ReadingFor = Pick<Wanted, 'account' | 'references'>;

/**
 * Throws image_type, image_too_large, image_too_many_pixels,
 * image_unreadable, face_index_unknown.
 */
export async function readPhoto(
  vision: Pick<Vision, 'pack' | 'readPhoto' | 'embed'>,
  { bytes, faceIndex = null }: SentPhoto,
  readingFor: ReadingFor,
): Promise<ReadPhoto> {
  const checkedBy = packKey(vision.pack);
  const read = await vision.readPhoto(bytes, { purpose: 'enrol', faceIndex, ...readingFor });
  const isTurned = read.turned !== 0;
  const kept = { photo: read.jpeg, thumbnail: read.thumbnail, isTurned, checkedBy };
  if (!read.face || read.fault) return { ...kept, fault: read.fault ?? 'no_face', embedding: null };
  const { pack, vectors, jpegs } = await vision.embed(read.face.chip, 1, read.face.view.pack);
  const embedding: Embedding = {
    packId: pack.id,
    packVersion: pack.version,
    vector: vectors[0]!,
    chip: jpegs[0]!,
    quality: read.face.view.quality,
  };
  return { ...kept, fault: null, embedding };
}

export interface PhotoStores {
  readonly persons: PersonStore;
  readonly identities: IdentityStore;
  readonly clock: Clock;
}

/** Stores a photo of a person in the caller's transaction, sealed under the key of their identity; returns its id. */
export async function keepPhoto(
  tx: Tx,
  stores: PhotoStores,
  personId: string,
  identity: Identity,
  { photo, thumbnail, fault, embedding, checkedBy }: ReadPhoto,
): Promise<string> {
  const { persons, clock } = stores;
  const { id: identityId, key } = identity;
  const nowMs = clock.now();
  const imageId = uuidv7(nowMs);
  await persons.addImage(tx, {
    id: imageId,
    person_id: personId,
    identity_id: identityId,
    photo: key.seal(photo, photoPlace(imageId, 'photo')),
    thumbnail: key.seal(thumbnail, photoPlace(imageId, 'thumbnail')),
    fault,
    looked_by: checkedBy ?? null,
    is_turn_checked: true,
    created_at: new Date(nowMs),
  });
  if (embedding) await keepEmbedding(tx, stores, imageId, identity, embedding);
  return imageId;
}

/** Stores the vector of a photo, sealed under the key of its identity. */
export async function keepEmbedding(
  tx: Tx,
  { identities, clock }: PhotoStores,
  imageId: string,
  { id: identityId, key }: Identity,
  { packId, packVersion, vector, chip, cutBy = null, quality }: Embedding,
): Promise<void> {
  const nowMs = clock.now();
  const id = uuidv7(nowMs);
  await identities.addEmbedding(tx, {
    id,
    image_id: imageId,
    identity_id: identityId,
    pack_id: packId,
    pack_version: packVersion,
    vector: key.seal(vectorBytes(vector), vectorPlace(id)),
    ...noOtherPack,
    chip: key.seal(chip, chipPlace(id)),
    cut_by: cutBy,
    quality,
    created_at: new Date(nowMs),
  });
}

export const photoPlace = (imageId: string, size: 'photo' | 'thumbnail'): string =>
  `face_image.${size}:${imageId}`;
export const chipPlace = (embeddingId: string): string => `face_embedding.chip:${embeddingId}`;
export const vectorPlace = (embeddingId: string): string => `face_embedding.vector:${embeddingId}`;
