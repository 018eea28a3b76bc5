/** What cameras saw: one row per visit. "Face log" and "detection" are the documents' words for it. */
import { z } from 'zod/mini';
import {
  DateOrInstant,
  Id,
  Timestamp,
  logPeriod,
  page,
  queryFlag,
  queryInteger,
  results,
  searchText,
  timezone,
} from './fields.ts';
import { FaceAttributes } from './attributes.ts';
import { MatchExplanation } from './faces.ts';
import { everyone, route } from './route.ts';

/** Who was seen, as the reader may know it: `erased` was recognized, and erased since. */
export const VisitKind = z.enum(['known', 'unknown', 'erased']);
export type VisitKind = z.infer<typeof VisitKind>;

/** A visit. `Unknown` is the name of all who were not enrolled. */
export const Visit = z.object({
  id: Id,
  person_name: z.string(),
  person_id: z.nullable(Id),
  camera_id: Id,
  camera_name: z.string(),
  /** When the visit began. */
  timestamp: Timestamp,
  /** When the person was last in view. */
  ended_at: Timestamp,
  /**
   * How sure recognition was, when the visit was written, that it is this person: calibrated, 0 to 1. Null where it
   * named no one: the person is unknown, or a user named them.
   */
  confidence: z.nullable(z.number()),
  /** Erasing a person does not change it. */
  is_recognized: z.boolean(),
  face_image_url: z.nullable(z.string()),
  /** There is a picture, and a privacy mask hides a part of it from the reader. */
  picture_hidden: z.boolean(),
  location: z.string(),
  /** A user said that it is not the person it was taken for; that can be taken back. */
  is_corrected: z.boolean(),
  /** Attributes of the face when the visit began: an estimate. Null if they were not enabled, or are gone. */
  attributes: z.nullable(FaceAttributes),
  /** Whether the reader may play what the camera recorded. */
  may_play: z.boolean(),
  /** The first moment of the visit that is recorded; null: none is, or the reader may not play it. */
  recorded_at: z.nullable(Timestamp),
});
export type Visit = z.infer<typeof Visit>;

/** How a visit got its name, or lost it. `recognized` is recognition's, the others a user's. */
const decisionKinds = ['recognized', 'identify', 'merge', 'split', 'not_this_person'] as const;

export const VisitDecision = z.object({
  kind: z.enum(decisionKinds),
  /** Null: from before it was kept. */
  at: z.nullable(Timestamp),
  /** Who said so; null where it was recognition, is not known, or is not the reader's to know. */
  by: z.nullable(z.object({ id: Id, name: z.string() })),
  /** The entry of the activity log, for users who may read it. */
  entry: z.nullable(Id),
  /** The person it named, or ruled out; null: the person named today. */
  name: z.nullable(z.string()),
  /** How sure recognition was, 0 to 1, and by which models (id and version); null where nothing was compared. */
  confidence: z.nullable(z.number()),
  pack: z.nullable(z.string()),
});
export type VisitDecision = z.infer<typeof VisitDecision>;

/** One visit, with the unknown person if no person is named, and what the reader may say about it. */
export const DetailedVisit = z.extend(Visit, {
  /** The unknown person of the visit; null where a person is named. */
  unknown: z.nullable(z.object({ id: Id, number: z.int() })),
  /** Whether the reader may say that it is not this person or, if no person is named, take that back. */
  may_correct: z.boolean(),
  /**
   * How it got its name, as far as that stands today, the oldest first. Empty for people whose name the reader may not
   * read: it would reveal which of their visits are of one person.
   */
  decisions: z.array(VisitDecision),
});
export type DetailedVisit = z.infer<typeof DetailedVisit>;

export const Detection = z.object({
  id: Id,
  image: z.nullable(z.string()),
  /** As in `Visit`. */
  picture_hidden: z.boolean(),
  face_name: z.string(),
  camera_name: z.string(),
  camera_id: Id,
  timestamp: Timestamp,
  /** As in `Visit`. */
  confidence: z.nullable(z.number()),
  is_recognized: z.boolean(),
});
export type Detection = z.infer<typeof Detection>;

export const VisitQuery = z
  .object({
    start_date: z.optional(DateOrInstant),
    end_date: z.optional(DateOrInstant),
    timezone,
    camera_id: z.optional(Id),
    person_id: z.optional(Id),
    person_name: z.optional(searchText(300)),
    /** For administrators: what this user may see. It changes nothing for others. */
    user: z.optional(Id),
    is_recognized: z.optional(queryFlag),
    kind: z.optional(VisitKind),
    /** Visits of one unknown face. */
    unknown: z.optional(Id),
    page: queryInteger(1, 1_000_000, 1),
    limit: queryInteger(1, 1000, 100),
  })
  .check(...logPeriod);
export type VisitQuery = z.infer<typeof VisitQuery>;

/** `more`: there are more than `count`, which was not counted further. */
export const VisitPage = z.extend(page(Visit), { more: z.optional(z.literal(true)) });
export type VisitPage = z.infer<typeof VisitPage>;

const oneVisit = z.object({ id: Id });

const faceLogs = route({
  method: 'GET',
  path: '/secure-api/activity-log/face-logs/',
  alsoAt: ['/secure-api/activity-log/face-recognition/logs/'],
  summary: 'Visits seen by the cameras one may see, newest first.',
  callers: everyone,
  keyScope: 'logs:read',
  shownAs: true,
  query: VisitQuery,
  reply: VisitPage,
  problems: ['user_not_found'],
  fieldProblems: ['time_zone_unknown', 'page_too_late'],
});

export const visitRoutes = {
  faceLogs,
  read: route({
    method: 'GET',
    path: '/secure-api/activity-log/face-logs/:id/',
    summary: 'One visit, and whether one may say that it is not whom it was taken for.',
    callers: everyone,
    keyScope: 'logs:read',
    shownAs: true,
    params: oneVisit,
    reply: DetailedVisit,
    problems: ['sighting_not_found'],
  }),
  notThisPerson: route({
    method: 'POST',
    path: '/secure-api/activity-log/face-logs/:id/not_this_person/',
    summary:
      'Says that a visit is not whom it was taken for: what it shows is never taken for them again.',
    callers: everyone,
    keyScope: 'faces:write',
    params: oneVisit,
    reply: Visit,
    problems: [
      'sighting_not_found',
      'sighting_unnamed',
      'sighting_has_no_picture',
      'face_not_found',
      'face_update_forbidden',
    ],
  }),
  thisPersonAfterAll: route({
    method: 'DELETE',
    path: '/secure-api/activity-log/face-logs/:id/not_this_person/',
    summary: 'Takes that back.',
    callers: everyone,
    keyScope: 'faces:write',
    params: oneVisit,
    reply: Visit,
    problems: [
      'sighting_not_found',
      'face_not_found',
      'face_update_forbidden',
      'correction_not_newest',
    ],
  }),
  detections: route({
    method: 'GET',
    path: '/secure-api/faces/detections/',
    summary: 'The newest visits.',
    callers: everyone,
    keyScope: 'logs:read',
    shownAs: true,
    query: z.object({ limit: queryInteger(1, 100, 5) }),
    reply: results(Detection),
  }),
  picture: route({
    method: 'GET',
    path: '/secure-api/activity-log/face-logs/:id/image/',
    summary: 'The picture of the face that decided a visit.',
    callers: everyone,
    keyScope: 'logs:read',
    shownAs: true,
    params: z.object({ id: Id }),
    produces: 'image/jpeg',
    problems: ['sighting_not_found', 'sighting_has_no_picture', 'sighting_picture_hidden'],
  }),
  explanation: route({
    method: 'GET',
    path: '/secure-api/activity-log/face-logs/:id/explanation/',
    summary: 'Why the face of a visit is taken for somebody or nobody, by what is known today.',
    callers: everyone,
    keyScope: 'logs:read',
    shownAs: true,
    params: z.object({ id: Id }),
    reply: MatchExplanation,
    problems: ['sighting_not_found', 'sighting_has_no_picture', 'sighting_picture_hidden'],
  }),
};
