/** The picture and the vector of a visit, sealed under the key of the identity they show, each for its one place. */
import {
  asPack,
  openVectors,
  packOf,
  type Faces,
  type Identity,
  type ReferencePicture,
  type SeenFace,
} from '#faces/faces.ts';
import { noOtherPack } from '#db/pack-columns.ts';
import { SealBroken, type SecretKey } from '#lib/secrets.ts';
import { vectorBytes } from '#lib/vectors.ts';
import type { PicturePlace } from '#media/mask/picture-place.ts';
import type { FaceEstimate } from '#vision/vision.ts';
import type { SealedPicture, VisitRow, VisitStore } from './store.ts';

/** The picture that decided, and the vector that stands for the visit. */
export interface VisitPicture {
  /** JPEG of the aligned face. */
  readonly chip: Buffer;
  readonly template: Float32Array;
  readonly packId: string;
  readonly packVersion: string;
  /** `id@version` of the pack that made the chip, where it is another one. */
  readonly cutBy?: string | null;
  readonly quality: number;
  /** The attributes of the face when the visit began; null or absent: they were not enabled. */
  readonly attributes?: FaceEstimate | null;
  /** Where in the camera's picture it was cut out; null or absent: that is not known. */
  readonly place?: PicturePlace | null;
}

// What is sealed can only be opened by the words it was sealed for, which are older than the name of the table.
export const chipPlace = (id: string): string => `sighting_picture.chip:${id}`;
export const templatePlace = (id: string): string => `sighting_picture.template:${id}`;
const attributesPlace = (id: string): string => `sighting_picture.attributes:${id}`;

export function sealPicture(id: string, { key }: Identity, picture: VisitPicture): SealedPicture {
  return {
    chip: key.seal(picture.chip, chipPlace(id)),
    template: key.seal(vectorBytes(picture.template), templatePlace(id)),
    pack_id: picture.packId,
    pack_version: picture.packVersion,
    cut_by: picture.cutBy ?? null,
    attributes: sealAttributes(id, key, picture.attributes ?? null),
    place: picture.place ?? null,
    ...noOtherPack,
  };
}

function sealAttributes(
  id: string,
  key: SecretKey,
  attributes: FaceEstimate | null,
): Buffer | null {
  return attributes && key.seal(Buffer.from(JSON.stringify(attributes)), attributesPlace(id));
}

/** Throws SealBroken when it is not what this key sealed for this visit. */
export function openAttributes(
  id: string,
  key: SecretKey,
  sealed: Buffer | null,
): FaceEstimate | null {
  if (sealed === null) return null;
  return JSON.parse(key.open(sealed, attributesPlace(id)).toString()) as FaceEstimate;
}

/** A stored picture, with its identity. */
export type KeptPicture = VisitPicture & { readonly identityId: string };

export interface PicturesOptions {
  readonly store: Pick<VisitStore, 'picture'>;
  readonly faces: Pick<Faces, 'keyOf' | 'servingPack'>;
}

export class Pictures {
  readonly #options: PicturesOptions;

  constructor(options: PicturesOptions) {
    this.#options = options;
  }

  /** Null: none is stored, or its key was destroyed and nothing can open it any more. */
  async open(visitId: string): Promise<KeptPicture | null> {
    const { store, faces } = this.#options;
    const row = await store.picture(visitId);
    if (!row) return null;
    try {
      const key = await faces.keyOf(row.identity_id);
      const place = templatePlace(visitId);
      const vectors = openVectors({ ...row, vector: row.template }, key, place);
      const serving = vectors.find(({ pack }) => pack === faces.servingPack);
      const { pack, vector } = serving ?? vectors[0]!;
      return {
        identityId: row.identity_id,
        chip: key.open(row.chip, chipPlace(visitId)),
        template: vector,
        ...asPack(pack),
        cutBy: row.cut_by ?? packOf(row),
        quality: row.quality,
        attributes: openAttributes(visitId, key, row.attributes),
        place: row.place,
      };
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }
}

/** The data that others are compared with when this picture is a stranger's reference. */
export function asReference(
  { id, started_at }: Pick<VisitRow, 'id' | 'started_at'>,
  { template, packId, packVersion, quality }: VisitPicture,
): ReferencePicture {
  const startedAtMs = started_at.getTime();
  return { visitId: id, startedAtMs, vector: template, packId, packVersion, quality };
}

/** The data that a person is enrolled with when this picture becomes their photo. */
export function asPhoto(picture: VisitPicture): SeenFace['photo'] {
  const { chip, template, packId, packVersion, cutBy = null, quality } = picture;
  const embedding = { chip, vector: template, packId, packVersion, cutBy, quality };
  return { photo: chip, thumbnail: chip, fault: null, embedding };
}
