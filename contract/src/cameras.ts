/** Cameras as the documents describe them, their state, snapshots and live tickets. */
import { z } from 'zod/mini';
import {
  Id,
  Named,
  Timestamp,
  maxChars,
  page,
  published,
  queryInteger,
  requiredName,
  results,
  searchText,
  text,
} from './fields.ts';
import { gapCauses, recordingModes, recordingStates, recordingTypes } from './recording-states.ts';
import { ofCameraAddress } from './refusals.ts';
import { cameraAdministrators, everyone, route } from './route.ts';

export const cameraTypes = ['ip', 'usb', 'rtsp', 'http'] as const;
export const cameraStatuses = ['active', 'inactive', 'maintenance', 'error'] as const;
export const resolutions = ['640x480', '1280x720', '1920x1080', '3840x2160'] as const;
export const rotations = [0, 90, 180, 270] as const;

/** What the ingest of a camera is doing right now. `status` above is what people want of it. */
export const ingestStates = ['off', 'connecting', 'live', 'stalled', 'offline', 'refused'] as const;
export type IngestState = (typeof ingestStates)[number];

/** Why an ingest is where it is: a closed list with a sentence for each in `app.json`. */
export const ingestCauses = [
  'none',
  'starting',
  'unreachable',
  'address_refused',
  'certificate_refused',
  'not_found',
  'password_refused',
  'no_packets',
  'no_key_frame',
  'ended',
  'busy',
  'not_video',
  'not_streamable',
  'unsupported_codec',
  'encrypted',
  'damaged',
  'device_missing',
  'device_busy',
  'host_restarting',
  'host_crashing',
] as const;
export type IngestCause = (typeof ingestCauses)[number];

/** What a camera sends: all there is to see, and where it has one a smaller picture of the same. */
export const streamNames = ['main', 'sub'] as const;
export type StreamName = (typeof streamNames)[number];

/**
 * The live views of a camera. `sound`: the sound of the main stream, where it is enabled. `masked`: the video with
 * privacy masks burnt in, the only view that some users may see.
 */
export const viewNames = [...streamNames, 'sound', 'masked'] as const;
export type ViewName = (typeof viewNames)[number];

export const StreamHealth = z.object({
  state: z.enum(ingestStates),
  cause: z.enum(ingestCauses),
  since: z.nullable(Timestamp),
  /** Since when it has not been live although it is wanted, whatever the causes were; null while it is live or off. */
  down_since: z.nullable(Timestamp),
  /** When the next attempt begins, while one is waited for. */
  retry_at: z.nullable(Timestamp),
  /** What really arrives, which may differ from what the form asks for. */
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  fps: z.nullable(z.number()),
  codec: z.nullable(z.string()),
  /** The codec of the sound; null if there is no sound, or it was not requested. */
  sound: z.nullable(z.string()),
  /** The times that the camera sends do not fit when its pictures arrive: they are timed by arrival. */
  timed_by_arrival: z.boolean(),
});
export type StreamHealth = z.infer<typeof StreamHealth>;

/** What was found of a camera's picture; null: it can't be said, or not yet. */
export const PictureFindings = z.object({
  /** The same picture comes again and again. */
  frozen: z.nullable(z.boolean()),
  /** Something covers the lens. */
  covered: z.nullable(z.boolean()),
});
export type PictureFindings = z.infer<typeof PictureFindings>;

/** The health of the main stream and, beside it, of the sub-stream; null for a camera without one. */
export const CameraHealth = z.extend(StreamHealth, {
  sub: z.nullable(StreamHealth),
  /** Whether it is known which part of the main picture the sub-stream shows; null until both came. */
  aligned: z.nullable(z.boolean()),
  picture: PictureFindings,
});
export type CameraHealth = z.infer<typeof CameraHealth>;

/** Who added a camera. */
export const CameraOwner = z.object({ id: Id, email: z.string() });
export type CameraOwner = z.infer<typeof CameraOwner>;

export const Camera = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  location: z.string(),
  type: z.enum(cameraTypes),
  status: z.enum(cameraStatuses),
  /** Left out for callers who may not see how the camera is reached. */
  ip_address: z.optional(z.string()),
  url: z.optional(z.string()),
  sub_url: z.optional(z.string()),
  device_url: z.optional(z.string()),
  username: z.optional(z.string()),
  certificate: z.optional(z.string()),
  has_url: z.boolean(),
  has_password: z.boolean(),
  /** The camera can be moved by users who hold `control`. */
  may_move: z.boolean(),
  /** The reader may see its recordings. */
  may_play: z.boolean(),
  /** The reader may start and stop face detection on it: by role, and where it was granted by `detect` too. */
  may_detect: z.boolean(),
  resolution: z.enum(resolutions),
  fps: z.int(),
  rotation: z.literal([...rotations]),
  enable_face_recognition: z.boolean(),
  enable_audio: z.boolean(),
  is_recording: z.boolean(),
  /** Why it is to be recorded, whether that works or not; null: no recording is wanted, or it is not active. */
  recording_reason: z.nullable(z.enum(recordingTypes)),
  recording_state: z.enum(recordingStates),
  /** What its settings record it for while it is active; empty: only by hand. Of a new one: `motion`. */
  recording_modes: z.array(z.enum(recordingModes)),
  /** Why nothing is recorded although it is wanted, as the timeline of its recordings says it. */
  recording_cause: z.nullable(z.enum(gapCauses)),
  /** It was turned since its zones were saved: they count wherever they may be until they are saved again. */
  zones_turned: z.boolean(),
  is_demo: z.boolean(),
  created_by: z.nullable(CameraOwner),
  created_at: Timestamp,
  /** When one of its fields was last changed. */
  updated_at: Timestamp,
  /** Seconds of the last 24 h in which its main stream was live; null: nothing is known of that time. */
  online_24h_s: z.nullable(z.int()),
  health: CameraHealth,
});
export type Camera = z.infer<typeof Camera>;

/** What a camera does now, beside what is wanted of it. */
export const CameraDoing = z.pick(Camera, {
  health: true,
  is_recording: true,
  recording_reason: true,
  recording_state: true,
  recording_cause: true,
});
export type CameraDoing = z.infer<typeof CameraDoing>;

/** SHA-256 of a certificate in hexadecimal, as browsers show it, with colons or without; '' for none. */
export const Fingerprint = z
  .pipe(
    z.pipe(
      z.string().check(z.maxLength(200)),
      z.transform((typed: string) => typed.replace(/[:\s]/g, '').toLowerCase()),
    ),
    z.string().check(z.regex(/^([0-9a-f]{64})?$/)),
  )
  .register(published, {
    type: 'string',
    pattern: '^(?:[0-9a-fA-F]{2}(?::?[0-9a-fA-F]{2}){31})?$',
  });

/** Password is write-only: absent or blank keeps the stored one. */
export const CameraFields = z.object({
  name: requiredName(150),
  description: z._default(text(2000), ''),
  location: requiredName(150),
  type: z._default(z.enum(cameraTypes), 'ip'),
  status: z._default(z.enum(cameraStatuses), 'inactive'),
  ip_address: z._default(text(64), ''),
  url: z._default(text(2048), ''),
  /** A smaller picture of the same camera: analyzed for faces and motion, and shown where views are small. */
  sub_url: z._default(text(2048), ''),
  /** Its ONVIF device service, on the host of `url`: there it is asked to move. */
  device_url: z._default(text(2048), ''),
  username: z._default(text(150), ''),
  password: z._default(z.string().check(maxChars(256)), ''),
  /** The camera's own certificate, trusted instead of one that an authority signed. */
  certificate: z._default(Fingerprint, ''),
  resolution: z._default(z.enum(resolutions), '1280x720'),
  fps: z._default(z.int().check(z.gte(1), z.lte(60)), 30),
  rotation: z._default(z.literal([...rotations]), 0),
  enable_face_recognition: z._default(z.boolean(), true),
  /** Whether the camera is asked for sound, for recordings and live view. Off until a user turns it on. */
  enable_audio: z._default(z.boolean(), false),
});
export type CameraFields = z.infer<typeof CameraFields>;

/** The new fields of a camera and the version they replace: the second of two users who save it is informed. */
export const CameraReplacement = z.extend(CameraFields, {
  /** `updated_at` of the camera that was changed; without it nothing is compared. */
  updated_at: z.optional(Timestamp),
});
export type CameraReplacement = z.infer<typeof CameraReplacement>;

export const CameraQuery = z.object({
  search: z.optional(searchText(150)),
  status: z.optional(z.enum(cameraStatuses)),
  created_by: z.optional(Id),
  /** A group of cameras. */
  group: z.optional(Id),
  ordering: z._default(
    z.enum(['name', '-name', 'location', '-location', 'created_at', '-created_at']),
    'name',
  ),
  page: queryInteger(1, 1_000_000, 1),
  page_size: queryInteger(1, 1000, 100),
});
export type CameraQuery = z.infer<typeof CameraQuery>;

const oneCamera = z.object({ id: Id });

export const Snapshot = z.object({
  camera_id: Id,
  /** Address of a JPEG that the ingest really grabbed. */
  image: z.string(),
  /** When that picture was taken. */
  timestamp: Timestamp,
});
export type Snapshot = z.infer<typeof Snapshot>;

export const cameraRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/cameras/',
    // The documents' other address, which stands there without its beginning.
    alsoAt: ['/secure-api/camera/list/', '/camera/list/'],
    summary: 'The cameras one may see.',
    callers: everyone,
    keyScope: 'cameras:read',
    shownAs: true,
    query: CameraQuery,
    reply: page(Camera),
  }),
  owners: route({
    method: 'GET',
    path: '/secure-api/cameras/owners/',
    summary: 'Who added the cameras one may see.',
    callers: everyone,
    keyScope: 'cameras:read',
    shownAs: true,
    reply: results(CameraOwner),
  }),
  add: route({
    method: 'POST',
    path: '/secure-api/cameras/',
    summary: 'Adds a camera.',
    callers: cameraAdministrators,
    keyScope: 'cameras:write',
    body: CameraFields,
    reply: Camera,
    status: 201,
    fieldProblems: ofCameraAddress,
  }),
  read: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/',
    summary: 'One camera.',
    callers: everyone,
    keyScope: 'cameras:read',
    shownAs: true,
    params: oneCamera,
    reply: Camera,
    problems: ['camera_not_found'],
  }),
  replace: route({
    method: 'PUT',
    path: '/secure-api/cameras/:id/',
    summary:
      'Replaces a camera, unless it changed since `updated_at`; a blank password keeps the stored one unless the address changes.',
    callers: cameraAdministrators,
    keyScope: 'cameras:write',
    params: oneCamera,
    body: CameraReplacement,
    reply: Camera,
    problems: ['camera_not_found', 'camera_changed'],
    fieldProblems: [...ofCameraAddress, 'camera_password_required'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/secure-api/cameras/:id/',
    summary: 'Deletes a camera.',
    callers: cameraAdministrators,
    keyScope: 'cameras:write',
    params: oneCamera,
    status: 204,
    problems: ['camera_not_found'],
  }),
  updateStatus: route({
    method: 'PATCH',
    path: '/secure-api/cameras/:id/update_status/',
    summary: 'Activates, deactivates or otherwise changes the status of a camera.',
    callers: cameraAdministrators,
    keyScope: 'cameras:write',
    params: oneCamera,
    body: z.object({ status: z.enum(cameraStatuses) }),
    reply: Camera,
    problems: ['camera_not_found'],
  }),
  snapshots: route({
    method: 'GET',
    path: '/secure-api/cameras/snapshots/latest/',
    summary: 'The newest picture of each camera one may see, or of one camera.',
    callers: everyone,
    keyScope: 'live',
    shownAs: true,
    query: z.object({ camera_id: z.optional(Id) }),
    reply: results(Snapshot),
    problems: ['camera_not_found'],
  }),
  snapshot: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/snapshot/',
    summary: "A JPEG of the camera's newest picture.",
    callers: everyone,
    keyScope: 'live',
    shownAs: true,
    params: oneCamera,
    produces: 'image/jpeg',
    problems: ['camera_not_found', 'camera_not_live', 'snapshot_not_ready'],
  }),
  /** For the filters of the log screens. */
  namesForLogs: route({
    method: 'GET',
    path: '/secure-api/activity-log/cameras/',
    summary: 'Ids and names of the cameras one may see.',
    callers: everyone,
    reply: results(Named),
  }),
  liveTicket: route({
    method: 'POST',
    path: '/secure-api/cameras/:id/live/ticket/',
    summary: 'A ticket that opens the live view of this camera for this session, within 60 s.',
    callers: everyone,
    keyScope: 'live',
    shownAs: true,
    params: oneCamera,
    reply: z.object({ ticket: z.string(), expires_at: Timestamp }),
    status: 201,
    problems: ['camera_not_found', 'camera_not_active'],
  }),
};
