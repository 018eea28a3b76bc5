/** The calls of the documents' face detector: what a camera sees just now, and people registered by name. */
import { z } from 'zod/mini';
import { Face } from './faces.ts';
import { FaceIndex, Id, Timestamp, requiredName, results } from './fields.ts';
import { boxStates } from './live.ts';
import { ofLiveViews, ofPeopleQuota } from './refusals.ts';
import { detectionOperators, everyone, route } from './route.ts';

export const DetectedFace = z.object({
  /** Fractions of the picture. */
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  /** How sure it is that this is the named person, 0 to 1; null if no person is named. */
  confidence: z.nullable(z.number()),
  /** How sure it is that this is a face, 0 to 1. */
  score: z.number(),
  /** The same as long as a person stays in view, and never that of another person. */
  track_id: z.string(),
  /** `Unknown` if the person is not known or nothing is decided: `state` says which. */
  name: z.string(),
  state: z.enum(boxStates),
  /** When the picture it was seen in was taken. */
  timestamp: Timestamp,
});
export type DetectedFace = z.infer<typeof DetectedFace>;

/** A form has no booleans; nothing on the server has a camera to take a photo with. */
const withoutCamera = z.optional(z.enum(['false', 'False', '0']));
const personName = requiredName(301);

export const FaceDetectorAction = z.discriminatedUnion('action', [
  z.object({ action: z.literal('list_detected_faces'), camera_id: Id }),
  z.object({
    action: z.literal('register_face'),
    name: personName,
    use_camera: z.optional(z.union([z.literal(false), withoutCamera])),
    /** Which face of the photo is meant, as in `check_photo`. */
    face_index: z.optional(z.union([z.int().check(z.gte(0), z.lte(99)), FaceIndex])),
  }),
  z.object({ action: z.literal('list_registered_faces') }),
  z.object({ action: z.literal('delete_face'), name: personName }),
]);
export type FaceDetectorAction = z.infer<typeof FaceDetectorAction>;

export const faceDetectorRoutes = {
  recognition: route({
    method: 'POST',
    path: '/secure-api/face_detector/face/recognition/',
    summary:
      'One of four `action`s: `list_detected_faces` of a camera just now; `register_face` by `name` with ' +
      'one photo (`face_image`); `list_registered_faces`; `delete_face` by `name`.',
    callers: everyone,
    consumes: ['json', 'form', 'multipart'],
    body: FaceDetectorAction,
    reply: z.object({
      success: z.literal(true),
      /** Detected faces, or the names of registered ones. */
      faces: z.optional(z.union([z.array(DetectedFace), z.array(z.string())])),
      /** Who was registered. */
      face: z.optional(Face),
    }),
    problems: [
      'camera_not_found',
      'face_not_found',
      'face_name_ambiguous',
      'face_delete_forbidden',
      ...ofPeopleQuota,
    ],
    fieldProblems: ['category_not_found', 'image_required', 'image_unusable', 'face_index_unknown'],
  }),
  stream: route({
    method: 'GET',
    path: '/secure-api/face_detector/stream/',
    summary:
      'The live picture with boxes, names and per cent drawn in, as JPEGs one after another; starts detection where it does not run.',
    callers: everyone,
    keyScope: 'live',
    shownAs: true,
    ticketFor: 'camera_id',
    query: z.object({ camera_id: Id, t: z.optional(z.string()), token: z.optional(z.string()) }),
    produces: 'multipart/x-mixed-replace; boundary=frame',
    problems: [...ofLiveViews, 'detection_not_running'],
  }),
  stop: route({
    method: 'POST',
    path: '/secure-api/face_detector/stop/',
    summary: 'Ends the streams with boxes of a camera, and detection where only they wanted it.',
    callers: detectionOperators,
    keyScope: 'live',
    consumes: ['json', 'form'],
    body: z.object({ camera_id: Id }),
    reply: z.object({ success: z.literal(true), stopped: z.int() }),
    problems: ['camera_not_found'],
  }),
  status: route({
    method: 'GET',
    path: '/secure-api/face_detector/status/',
    summary: 'The streams with boxes that run, of cameras one may see.',
    callers: everyone,
    keyScope: 'live',
    shownAs: true,
    reply: results(z.object({ camera_id: Id, viewers: z.int(), started_at: Timestamp })),
  }),
};
