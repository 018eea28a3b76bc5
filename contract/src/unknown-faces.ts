/** Unknown people: faces that cameras saw and no user has named yet. */
import { z } from 'zod/mini';
import { Id, Timestamp, page, queryInteger } from './fields.ts';
import { personFields } from './faces.ts';
import { ofPeopleQuota } from './refusals.ts';
import { everyone, route, unknownReviewers } from './route.ts';

export const unknownStatuses = ['new', 'reviewing', 'identified', 'ignored'] as const;
export type UnknownStatus = (typeof unknownStatuses)[number];

/** What people say of who a stranger is; each can be taken back. */
export const correctionKinds = ['identify', 'merge', 'split'] as const;
export type CorrectionKind = (typeof correctionKinds)[number];

/** An unknown person, as far as the reader may see the cameras that saw them. */
export const UnknownFace = z.object({
  id: Id,
  /** "Unknown 14": the number stays, whatever is merged or named. */
  number: z.int(),
  status: z.enum(unknownStatuses),
  /** The newest picture; null when none is kept, or it is hidden. */
  image: z.nullable(z.string()),
  /** A privacy mask hides a part of it from the reader. */
  picture_hidden: z.boolean(),
  /** Where they were last seen. */
  camera: Id,
  camera_name: z.string(),
  /** When they were last seen, and first. */
  timestamp: Timestamp,
  first_seen: Timestamp,
  /** Null: unknown people were matched with no one. */
  confidence: z.null(),
  /** How good the newest picture is, 0 to 1. */
  quality: z.number(),
  /** The person they were identified as, for readers who may open that person. */
  face: z.nullable(Id),
  /** The name of that person; null while no person is named. */
  face_name: z.nullable(z.string()),
  /** Visits. */
  count: z.int(),
  /** What would be taken back next. */
  correction: z.nullable(
    z.object({ id: Id, kind: z.enum(correctionKinds), created_at: Timestamp }),
  ),
});
export type UnknownFace = z.infer<typeof UnknownFace>;

export const UnknownFaceQuery = z.object({
  status: z.optional(z.enum(unknownStatuses)),
  camera: z.optional(Id),
  ordering: z._default(
    z.enum(['timestamp', '-timestamp', 'number', '-number', 'count', '-count']),
    '-timestamp',
  ),
  page: queryInteger(1, 1_000_000, 1),
  page_size: queryInteger(1, 200, 24),
});
export type UnknownFaceQuery = z.infer<typeof UnknownFaceQuery>;

/** What figures of unknown people count and link to: those whom no user has reviewed yet. */
export const newUnknownFaces = { status: 'new' } as const satisfies Partial<UnknownFaceQuery>;

/** `more`: there are more than `count`, which was not counted further. */
export const UnknownFacePage = z.extend(page(UnknownFace), { more: z.optional(z.literal(true)) });
export type UnknownFacePage = z.infer<typeof UnknownFacePage>;

/** An enrolled person (`face`), or a new person by name. */
export const Identification = z
  .object({
    face: z.optional(Id),
    first_name: z.optional(personFields.first_name),
    last_name: z.optional(personFields.last_name),
    category: z.optional(Id),
  })
  .check(
    z.refine(
      ({ face, first_name, last_name, category }) => {
        const named = [first_name, last_name, category].filter((value) => value !== undefined);
        return face === undefined ? named.length === 3 : named.length === 0;
      },
      { path: ['face'] },
    ),
  );
export type Identification = z.infer<typeof Identification>;

const oneUnknown = z.object({ id: Id });

const ofStrangers = ['unknown_face_not_found', 'unknown_face_seen_elsewhere'] as const;

export const unknownFaceRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/faces/unknown/',
    summary: 'People whom cameras saw and nobody has named, by the cameras one may see.',
    callers: everyone,
    keyScope: 'logs:read',
    shownAs: true,
    query: UnknownFaceQuery,
    reply: UnknownFacePage,
  }),
  read: route({
    method: 'GET',
    path: '/secure-api/faces/unknown/:id/',
    summary: 'One of them.',
    callers: everyone,
    keyScope: 'logs:read',
    shownAs: true,
    params: oneUnknown,
    reply: UnknownFace,
    problems: ['unknown_face_not_found'],
  }),
  updateStatus: route({
    method: 'PATCH',
    path: '/secure-api/faces/unknown/:id/update_status/',
    summary: 'How far one is with a face that nobody has named.',
    callers: unknownReviewers,
    keyScope: 'faces:write',
    params: oneUnknown,
    body: z.object({ status: z.enum(unknownStatuses) }),
    reply: UnknownFace,
    problems: [...ofStrangers, 'unknown_face_named'],
  }),
  identify: route({
    method: 'POST',
    path: '/secure-api/faces/unknown/:id/identify/',
    summary: 'Says who it is: all visits of this face are theirs, and its best picture a photo.',
    callers: unknownReviewers,
    keyScope: 'faces:write',
    params: oneUnknown,
    body: Identification,
    reply: UnknownFace,
    problems: [
      ...ofStrangers,
      'unknown_face_named',
      'face_not_found',
      'face_update_forbidden',
      'seen_together',
      'sighting_has_no_picture',
      'sighting_picture_hidden',
      ...ofPeopleQuota,
    ],
    fieldProblems: ['category_not_found'],
  }),
  merge: route({
    method: 'POST',
    path: '/secure-api/faces/unknown/:id/merge/',
    summary: 'Says that two faces are one person: `with` becomes part of this one.',
    callers: unknownReviewers,
    keyScope: 'faces:write',
    params: oneUnknown,
    body: z.object({ with: Id }),
    reply: UnknownFace,
    problems: [...ofStrangers, 'unknown_face_named', 'unknown_face_itself', 'seen_together'],
  }),
  split: route({
    method: 'POST',
    path: '/secure-api/faces/unknown/:id/split/',
    summary: 'Says that these visits were somebody else, who is answered as a face of their own.',
    callers: unknownReviewers,
    keyScope: 'faces:write',
    params: oneUnknown,
    body: z.object({ visits: z.array(Id).check(z.minLength(1), z.maxLength(100)) }),
    reply: UnknownFace,
    status: 201,
    problems: [
      ...ofStrangers,
      'unknown_face_named',
      'unknown_face_split_whole',
      'sighting_not_found',
    ],
  }),
  undo: route({
    method: 'POST',
    path: '/secure-api/faces/unknown/:id/undo/',
    summary: 'Takes back the newest `correction` of a face.',
    callers: everyone,
    keyScope: 'faces:write',
    params: oneUnknown,
    body: z.object({ correction: Id }),
    reply: UnknownFace,
    problems: [
      ...ofStrangers,
      'correction_not_newest',
      'face_not_found',
      'face_update_forbidden',
      'seen_together',
    ],
  }),
};
