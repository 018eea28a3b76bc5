/** The picture and the vector of a visit, sealed under the key of whoever they show, each for its one place. */
import { vectorBytes, vectorOf, type Identity, type SeenFace } from '#faces/faces.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { PictureRow } from './store.ts';

/** The picture that decided, and the vector that stands for the visit. */
export interface VisitPicture {
  /** JPEG of the aligned face. */
  readonly chip: Buffer;
  readonly template: Float32Array;
  readonly packId: string;
  readonly packVersion: string;
  readonly quality: number;
}

const chipPlace = (id: string): string => `sighting_picture.chip:${id}`;
const templatePlace = (id: string): string => `sighting_picture.template:${id}`;

export function sealPicture(
  id: string,
  { key }: Identity,
  picture: VisitPicture,
): Pick<PictureRow, 'chip' | 'template' | 'pack_id' | 'pack_version'> {
  return {
    chip: key.seal(picture.chip, chipPlace(id)),
    template: key.seal(vectorBytes(picture.template), templatePlace(id)),
    pack_id: picture.packId,
    pack_version: picture.packVersion,
  };
}

/** Throws SealBroken when it was sealed under another key, or for another visit. */
export function openPicture(
  key: SecretKey,
  row: Omit<PictureRow, 'identity_id'> & { readonly quality: number },
): VisitPicture {
  return {
    chip: key.open(row.chip, chipPlace(row.sighting_id)),
    template: vectorOf(key.open(row.template, templatePlace(row.sighting_id))),
    packId: row.pack_id,
    packVersion: row.pack_version,
    quality: row.quality,
  };
}

/** What a person is enrolled with when this picture is their photo. */
export function asPhoto({ template, ...picture }: VisitPicture): SeenFace['photo'] {
  const { chip } = picture;
  const embedding = { ...picture, vector: template };
  return { photo: chip, thumbnail: chip, fault: null, embedding };
}
