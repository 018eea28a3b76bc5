/**
 * SQL of what a list says of a visit. It stands where `visit` is a visit, `camera` a row of cameras_v_camera and
 * `identity` one of faces_v_identity.
 */
import { sql } from 'kysely';
import type { Scope } from '#http/scope.ts';
import type { PicturePlace } from '#media/mask/picture-place.ts';
import type { PictureState } from '../hidden-pictures.ts';
import { mayName } from '../readable-names-store.ts';
import { fullName } from './visit-filter-store.ts';

/** A visit as it is listed; `may_name` says whether this reader may read who it was. */
export interface ListedVisit {
  readonly id: string;
  readonly camera_id: string;
  readonly camera_name: string;
  readonly location: string;
  /** The account that added the camera. */
  readonly camera_added_by: string | null;
  readonly person_id: string | null;
  readonly person_name: string | null;
  /** Without a person: who it was is erased. */
  readonly is_known: boolean;
  readonly identity_id: string;
  /** The attributes of the face, sealed by the identity's key; null where the picture is not shown. */
  readonly attributes: Buffer | null;
  /** The unknown person whom the visit shows if no person is named. */
  readonly stranger_id: string;
  /** The account that added the person. */
  readonly person_added_by: string | null;
  readonly may_name: boolean;
  readonly started_at: Date;
  readonly ended_at: Date;
  /** How sure recognition was of who is named; null: it did not name them. */
  readonly confidence: number | null;
  readonly quality: number;
  readonly picture: PictureState;
  /** The visit does not show the person it was taken for. */
  readonly is_corrected: boolean;
  /** The first moment of it that is recorded; null: none is. */
  readonly recorded_at: Date | null;
  readonly is_match: boolean;
}

/** A visit as far as the dashboard lists it. */
export type DetectedVisit = Pick<
  ListedVisit,
  | 'id'
  | 'camera_id'
  | 'camera_name'
  | 'person_id'
  | 'person_name'
  | 'is_known'
  | 'may_name'
  | 'started_at'
  | 'confidence'
  | 'picture'
>;

/** A visit as it is read once for many readers. */
export type SharedVisit = Omit<DetectedVisit, 'may_name' | 'picture'> &
  Pick<ListedVisit, 'camera_added_by' | 'person_added_by'> & {
    readonly category_id: string | null;
    readonly has_picture: boolean;
    readonly place: PicturePlace | null;
  };

/** A visit as it is read, for users who may see behind masks. */
export type ReadVisit = Omit<ListedVisit, 'picture'> & {
  /** False once it is gone by age, or the identity's key was destroyed. */
  readonly has_picture: boolean;
  readonly place: PicturePlace | null;
};

/**
 * The moment it begins where a segment runs then, else the beginning of the first segment that begins while it lasts:
 * two steps in the index of a camera's segments.
 */
const recordedAt = sql<Date | null>`coalesce(
  (select visit.started_at from (
     select ended_at from recordings_v_segment
      where camera_id = visit.camera_id and started_at <= visit.started_at
      order by started_at desc limit 1) running
    where coalesce(running.ended_at, 'infinity') > visit.started_at),
  (select min(started_at) from recordings_v_segment
    where camera_id = visit.camera_id
      and started_at > visit.started_at and started_at <= visit.ended_at))`;

/**
 * Whether recognition named the person whom the visit shows today: not where a user named an unknown person, or said
 * that it is another person. Older rows do not say as whom they were recognized; unless a user had to name them,
 * identities have no number. Once the person is erased, the visit's own identity stands for them.
 */
const isMatch = sql<boolean>`(identity.is_known and case when visit.recognized_as is null
  then identity.number is null and visit.confidence is not null
  else visit.recognized_as in (identity.counted_as, visit.identity_id) end)`;

/** What the dashboard and the news say of a visit. */
const detectedColumns = [
  'visit.id',
  'visit.camera_id',
  'camera.name as camera_name',
  'camera.created_by as camera_added_by',
  'identity.person_id',
  'identity.is_known',
  fullName.as('person_name'),
  'identity.created_by as person_added_by',
  'visit.started_at',
  sql<number | null>`case when ${isMatch} then visit.confidence end`.as('confidence'),
  sql<boolean>`identity.is_readable and exists (
    select from visit_picture where visit_id = visit.id)`.as('has_picture'),
] as const;

const listedColumns = [
  ...detectedColumns,
  'camera.location',
  'identity.stranger_id',
  'visit.ended_at',
  isMatch.as('is_match'),
  'visit.quality',
  'visit.identity_id',
  sql<Buffer | null>`case when identity.is_readable then (
    select attributes from visit_picture where visit_id = visit.id) end`.as('attributes'),
  sql<boolean>`exists (select from faces_v_negative where visit_id = visit.id)`.as('is_corrected'),
  recordedAt.as('recorded_at'),
] as const;

export const listed = (scope: Scope) =>
  [...listedColumns, mayName(scope).as('may_name'), placeFor(scope).as('place')] as const;

const place = sql<PicturePlace | null>`(
  select place from visit_picture where visit_id = visit.id)`;

/** For a reader who sees everything, masks are not checked. */
const placeFor = (scope: Scope) => (scope.seesAll ? sql<PicturePlace | null>`null` : place);

/** For many readers at once: what is decided for each of them is read beside it. */
export const listedForEach = [
  ...detectedColumns,
  'identity.category_id',
  place.as('place'),
] as const;
