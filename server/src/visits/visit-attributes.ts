/** The attributes of the faces of listed visits, for users who may see the visits. */
import { SealBroken, type SecretKey } from '#lib/secrets.ts';
import type { Faces } from '#faces/faces.ts';
import { asAttributes, type FaceEstimate } from '#vision/vision.ts';
import type { AttributesOf } from './answers.ts';
import type { ListedVisit } from './lists/listed-visit-store.ts';
import { openAttributes } from './pictures.ts';

type Row = Pick<ListedVisit, 'id' | 'identity_id' | 'attributes'>;

export async function attributesOf(
  faces: Pick<Faces, 'keysOf'>,
  rows: readonly Row[],
): Promise<AttributesOf> {
  const sealed = rows.filter(({ attributes }) => attributes !== null);
  const found = new Map<string, ReturnType<typeof asAttributes>>();
  if (sealed.length === 0) return found;
  const keys = await faces.keysOf(sealed.map(({ identity_id }) => identity_id));
  for (const row of sealed) {
    const key = keys.get(row.identity_id);
    const estimate = key ? open(key, row) : null;
    if (estimate) found.set(row.id, asAttributes(estimate));
  }
  return found;
}

/** Null: the visit was moved to another identity, or erased, while it was read. */
function open(key: SecretKey, { id, attributes }: Row): FaceEstimate | null {
  try {
    return openAttributes(id, key, attributes);
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}
