/** A new person, as rows and in memory. Pure. */
import type { FaceFields } from '@nazar/contract/faces.ts';
import type { ReadPhoto } from './photos/enrolment.ts';
import type { SealedReference } from './identity-store.ts';
import type { PersonRow } from './person-store.ts';

/** A face that a camera saw and no user has named: its picture becomes a person's first photo. */
export interface SeenFace {
  /** Null: the person gets only the picture, because others saw more of this stranger. */
  readonly identityId: string | null;
  readonly photo: ReadPhoto;
}

export interface Newcomer {
  readonly fields: FaceFields;
  /** The uploaded photos. */
  readonly photos: readonly ReadPhoto[];
  readonly seen: SeenFace | null;
  readonly isDemo?: boolean;
}

/** The person of an identity, for drawing boxes: in memory, so that no picture waits. */
export interface KnownPerson {
  readonly personId: string;
  readonly name: string;
  readonly addedBy: string | null;
  readonly categoryId: string;
}

/** The nearest vector of one person; Euclidean distance, 0 is the same picture. */
export interface NearPerson {
  readonly personId: string;
  /** The identity whose vector it is: a person may have several. */
  readonly identityId: string;
  readonly distance: number;
}

export function personRow(
  id: string,
  { fields, isDemo = false }: Newcomer,
  userId: string,
  now: Date,
): PersonRow {
  return {
    id,
    first_name: fields.first_name,
    last_name: fields.last_name,
    category_id: fields.category,
    description: fields.description,
    email: fields.email,
    phone: fields.phone,
    position: fields.position,
    notes: fields.notes,
    is_active: fields.is_active,
    is_demo: isDemo,
    created_by: userId,
    created_at: now,
    updated_at: now,
  };
}

export function asKnownPerson(row: SealedReference): KnownPerson {
  const name = `${row.first_name} ${row.last_name}`.trim();
  return {
    personId: row.person_id,
    name,
    addedBy: row.created_by,
    categoryId: row.category_id,
  };
}
