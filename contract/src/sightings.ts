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

/** ENT-023. `Unknown` is the name of everybody nobody enrolled (CFL-031). */
export const FaceLog = z.object({
  id: Id,
  person_name: z.string(),
  person_id: z.nullable(Id),
  camera_id: Id,
  camera_name: z.string(),
  /** When the visit began. */
  timestamp: Timestamp,
  /** When the person was last in view. */
  ended_at: Timestamp,
  /** Calibrated, 0 to 1; for an unknown visit how sure the face itself is. */
  confidence: z.number(),
  /** Erasing a person does not change it. */
  is_recognized: z.boolean(),
  face_image_url: z.nullable(z.string()),
  /** There is a picture, and a privacy mask hides a part of it from the reader. */
  picture_hidden: z.boolean(),
  location: z.string(),
  /** Somebody said that it is not whom it was taken for; that can be taken back. */
  is_corrected: z.boolean(),
  /** What the face looked like when the visit began: an estimate. Null where nobody wanted it, or it is gone. */
  attributes: z.nullable(FaceAttributes),
  /** Whether the reader may play what the camera recorded. */
  may_play: z.boolean(),
  /** The first moment of the visit that is recorded; null: none is, or the reader may not play it. */
  recorded_at: z.nullable(Timestamp),
});
export type FaceLog = z.infer<typeof FaceLog>;

/** One visit, with who it shows where nobody is named, and what the reader may say about it. */
export const FaceLogDetails = z.extend(FaceLog, {
  /** The unknown person of the visit; null where a person is named. */
  unknown: z.nullable(z.object({ id: Id, number: z.int() })),
  /** Whether the reader may say that it is not this person or, where nobody is named, take that back. */
  may_correct: z.boolean(),
});
export type FaceLogDetails = z.infer<typeof FaceLogDetails>;

/** ENT-017. */
export const Detection = z.object({
  id: Id,
  image: z.nullable(z.string()),
  /** As in `FaceLog`. */
  picture_hidden: z.boolean(),
  face_name: z.string(),
  camera_name: z.string(),
  camera_id: Id,
  timestamp: Timestamp,
  confidence: z.number(),
  is_recognized: z.boolean(),
});
export type Detection = z.infer<typeof Detection>;

export const FaceLogQuery = z
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
export type FaceLogQuery = z.infer<typeof FaceLogQuery>;

/** `more`: there are more than `count`, which was not counted further. */
export const FaceLogPage = z.extend(page(FaceLog), { more: z.optional(z.literal(true)) });
export type FaceLogPage = z.infer<typeof FaceLogPage>;

const oneVisit = z.object({ id: Id });

const faceLogs = route({
  method: 'GET',
  path: '/secure-api/activity-log/face-logs/',
  summary: 'Visits seen by the cameras one may see, newest first.',
  callers: everyone,
  keyScope: 'logs:read',
  shownAs: true,
  query: FaceLogQuery,
  reply: FaceLogPage,
  problems: ['user_not_found'],
  fieldProblems: ['time_zone_unknown', 'page_too_late'],
});

export const sightingRoutes = {
  faceLogs,
  /** APL-020: where the documents' client asks next when that failed. */
  faceLogsOfRecognition: route({
    ...faceLogs,
    path: '/secure-api/activity-log/face-recognition/logs/',
  }),
  read: route({
    method: 'GET',
    path: '/secure-api/activity-log/face-logs/:id/',
    summary: 'One visit, and whether one may say that it is not whom it was taken for.',
    callers: everyone,
    keyScope: 'logs:read',
    shownAs: true,
    params: oneVisit,
    reply: FaceLogDetails,
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
    reply: FaceLog,
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
    reply: FaceLog,
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
