/** Recordings: what was recorded why, and what is missing. */

import { z } from 'zod/mini';
import { Camera } from './cameras.ts';
import {
  AskedDay,
  Id,
  Instant,
  Timestamp,
  atMostAYear,
  page,
  published,
  queryFlag,
  queryInteger,
  results,
  requiredSearchText,
  text,
} from './fields.ts';
import { FreshProof } from './proof.ts';
import {
  Hold,
  HoldFields,
  HoldQuery,
  RecordingForecast,
  RecordingSettings,
  RecordingSettingsPatch,
} from './recording-plans.ts';
import { gapCauses, recordingTypes } from './recording-states.ts';
import { ofProof, ofProofFields } from './refusals.ts';
import { administrators, cameraAdministrators, everyone, route } from './route.ts';

export { gapCauses, type GapCause } from './recording-states.ts';

export const Recording = z.object({
  id: Id,
  cameraId: Id,
  cameraName: z.string(),
  /** Its camera is deleted: only administrators play it. */
  cameraDeleted: z.boolean(),
  /** Its camera's: recordings have none of their own. */
  name: z.string(),
  type: z.enum(recordingTypes),
  /** The day it begins, by the clocks of the time zone asked for; of UTC where none was. */
  date: z.iso.date(),
  startTime: Timestamp,
  /** Null while it goes on. */
  endTime: z.nullable(Timestamp),
  /** It goes on. */
  isActive: z.boolean(),
  /** Seconds of what is there: gaps are left out. */
  duration: z.number(),
  /** MB, a million bytes each. */
  size: z.number(),
  bytes: z.int(),
  segments: z.int(),
  /** Null: its pictures were not compared. */
  hasMotion: z.nullable(z.boolean()),
  hasFaces: z.boolean(),
  /** Visits of which it shows something. */
  faceCount: z.int(),
  /** A hold covers any of it: it is removed neither by age, nor by space, nor by a user. */
  held: z.boolean(),
  /** The path of its video as one file, and of its thumbnail. */
  path: z.string(),
  thumbnail: z.string(),
});
export type Recording = z.infer<typeof Recording>;

export const Segment = z.object({
  id: Id,
  started_at: Timestamp,
  /** These are null while it is written. */
  ended_at: z.nullable(Timestamp),
  bytes: z.nullable(z.int()),
  /** The hash of the file, hexadecimal. */
  sha256: z.nullable(z.string()),
  /** The file's own beginning, which a player needs before anything else. */
  head_bytes: z.nullable(z.int()),
  /** Where a player can begin: bytes from the beginning of the file, milliseconds from the segment's. */
  key_frames: z.array(z.object({ offset: z.int(), at_ms: z.int() })),
  mime: z.string(),
  width: z.int(),
  height: z.int(),
  /** The same for segments that continue one another. */
  stream_id: Id,
});
export type Segment = z.infer<typeof Segment>;

/** A name of the IANA database, as `Intl.DateTimeFormat` gives it; the server knows which there are. */
const timezone = z._default(text(64), 'UTC');

export const RecordingQuery = z
  .object({
    camera: z.optional(Id),
    /** Recordings of which something lies in this day, as the clocks of `timezone` count it. */
    date: z.optional(AskedDay),
    timezone,
    type: z.optional(z.enum(recordingTypes)),
    /** Recordings of which something lies in this time. */
    from: z.optional(Instant),
    until: z.optional(Instant),
    /** Recordings on motion, and those in which something moved. */
    has_motion: z.optional(queryFlag),
    has_faces: z.optional(queryFlag),
    /** Recordings that show this person, of those one may know by name, or this unknown person. */
    person: z.optional(Id),
    /** A part of the camera's name or description, or of the name of a person in it. */
    search: z.optional(requiredSearchText(200)),
    ordering: z._default(z.enum(['started_at', '-started_at']), '-started_at'),
    page: queryInteger(1, 1_000_000, 1),
    page_size: queryInteger(1, 1000, 50),
  })
  .check(atMostAYear('from', 'until'));
export type RecordingQuery = z.infer<typeof RecordingQuery>;

export const RecordedDaysQuery = z.object({
  /** `2026-03`; the month it is there. */
  month: z.optional(z.string().check(z.regex(/^[12]\d{3}-(?:0[1-9]|1[0-2])$/))),
  timezone,
});
export type RecordedDaysQuery = z.infer<typeof RecordedDaysQuery>;

export const RecordedDay = z.object({
  date: z.iso.date(),
  /** Recordings of which something lies in that day. */
  recordings: z.int(),
  /** How many of them show motion on that day, or were made because something moved. */
  motion: z.int(),
  /** Visits of which something is recorded on that day. */
  faces: z.int(),
});
export type RecordedDay = z.infer<typeof RecordedDay>;

const period = {
  /** A day before the end. */
  from: z.optional(Instant),
  /** Now. */
  until: z.optional(Instant),
  /** Spans closer together than this are merged, because a screen cannot show them apart. Milliseconds. */
  resolution_ms: queryInteger(0, 86_400_000, 0),
};
export const TimelineQuery = z.object(period).check(atMostAYear('from', 'until'));
export type TimelineQuery = z.infer<typeof TimelineQuery>;

/** As many as are watched side by side (C-405). */
const maxCameras = 36;

const uuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

const TimelinesQuery = z
  .object({
    /** Ids with commas between them. */
    cameras: z
      .pipe(
        z.pipe(
          z.string().check(z.maxLength(maxCameras * 40)),
          z.transform((ids) => ids.split(',')),
        ),
        z.array(Id).check(z.minLength(1), z.maxLength(maxCameras)),
      )
      .register(published, {
        type: 'string',
        pattern: `^${uuid}(?:,${uuid}){0,${maxCameras - 1}}$`,
      }),
    ...period,
  })
  .check(atMostAYear('from', 'until'));

const Lasting = { started_at: Timestamp, ended_at: Timestamp };

export const CameraTimeline = z.object({
  camera_id: Id,
  spans: z.array(z.object({ type: z.enum(recordingTypes), ...Lasting })),
  gaps: z.array(
    z.object({
      cause: z.enum(gapCauses),
      started_at: Timestamp,
      /** Null: it goes on. */
      ended_at: z.nullable(Timestamp),
    }),
  ),
  /** Where pictures were compared and something moved. */
  motion: z.array(z.object(Lasting)),
  /** Who was in view, recorded or not. Visits of one person that are not distinguished are one. */
  faces: z.array(
    z.object({
      is_known: z.boolean(),
      /** Null: an unknown person, an erased person, or the reader may not know who it is. */
      person_id: z.nullable(Id),
      person_name: z.nullable(z.string()),
      visits: z.int(),
      ...Lasting,
    }),
  ),
});
export type CameraTimeline = z.infer<typeof CameraTimeline>;

export const DeletedCamera = z.object({
  id: Id,
  name: z.string(),
  location: z.string(),
  deleted_at: Timestamp,
  recordings: z.int(),
  /** When the oldest of them begins and the newest ends. */
  from: Timestamp,
  until: Timestamp,
});
export type DeletedCamera = z.infer<typeof DeletedCamera>;

const fraction = String.raw`(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)`;
/** As with zones: 3 to 32 corners. */
const regionPattern = new RegExp(`^${fraction},${fraction}(?:,${fraction},${fraction}){2,31}$`);

export const MotionQuery = z
  .object({
    ...period,
    /** Corners of a polygon, `x,y,x,y,x,y`, in fractions of the upright picture; the whole when left out. */
    region: z.optional(
      z.pipe(
        z.string().check(z.maxLength(1_000, { abort: true }), z.regex(regionPattern)),
        z.transform(cornersOf),
      ),
    ),
    /** Spans in one answer. */
    limit: queryInteger(1, 1_000, 200),
  })
  .check(atMostAYear('from', 'until'));
export type MotionQuery = z.infer<typeof MotionQuery>;

function cornersOf(text: string): [x: number, y: number][] {
  const numbers = text.split(',').map(Number);
  return numbers.flatMap((x, at) => (at % 2 === 0 ? [[x, numbers[at + 1] ?? 0]] : []));
}

export const MotionFound = z.object({
  /** In the order of time, to the second; the first of an answer may go on where the one before it ended. */
  results: z.array(z.object(Lasting)),
  /** From when to ask for the rest; null: this is all. */
  next: z.nullable(Timestamp),
  /** False: the pictures of that time were not compared, so that nothing is known of it. */
  compared: z.boolean(),
});
export type MotionFound = z.infer<typeof MotionFound>;

/** How many days of recordings really fit, from what the cameras sent in the last 7 days. */
export const StorageFit = z.object({
  /** The days of the camera that keeps the smallest part of its days; in tenths, rounded down. */
  kept_days: z.number(),
  wanted_days: z.int(),
  /** Cameras that keep fewer days than they should. */
  short_cameras: z.int(),
});
export type StorageFit = z.infer<typeof StorageFit>;

export const RecordingStatistics = z.object({
  recordings: z.int(),
  /** Seconds. */
  duration: z.number(),
  /** MB, a million bytes each. */
  size: z.number(),
  bytes: z.int(),
  /** Visits of which something is recorded. */
  faces: z.int(),
  /**
   * The disks that the cameras are recorded to whose recordings one may see, all together; every disk for
   * administrators. Null: none of them is there, and answers.
   */
  storage: z.nullable(
    z.object({
      total_bytes: z.int(),
      free_bytes: z.int(),
      used_percent: z.int(),
      remaining_percent: z.int(),
    }),
  ),
  /** Null: nothing was measured yet, or no disk is there. For all cameras together it is for administrators. */
  fit: z.nullable(StorageFit),
  /** Folders of these cameras whose disks do not answer, as users write them: `/recordings-2/`. */
  hung_folders: z.array(z.string()),
});
export type RecordingStatistics = z.infer<typeof RecordingStatistics>;

const ofCamera = z.object({ camera: z.optional(Id) });
const inTimeZone = z.object({ timezone });
const oneRecording = z.object({ id: Id });
const oneCamera = z.object({ id: Id });

export const recordingRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/recordings/',
    summary: 'Recordings of the cameras whose recordings one may see.',
    callers: everyone,
    shownAs: true,
    conditional: true,
    query: RecordingQuery,
    reply: page(Recording),
    fieldProblems: ['time_zone_unknown'],
  }),
  read: route({
    method: 'GET',
    path: '/secure-api/recordings/:id/',
    summary: 'One recording.',
    callers: everyone,
    shownAs: true,
    params: oneRecording,
    query: inTimeZone,
    reply: Recording,
    problems: ['recording_not_found'],
    fieldProblems: ['time_zone_unknown'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/secure-api/recordings/:id/',
    summary: 'Deletes a recording with its files; takes fresh proof.',
    callers: cameraAdministrators,
    params: oneRecording,
    body: FreshProof,
    status: 204,
    problems: [...ofProof, 'recording_not_found', 'recording_goes_on', 'recording_held'],
    fieldProblems: [...ofProofFields],
  }),
  statistics: route({
    method: 'GET',
    path: '/secure-api/recordings/stats/',
    summary: 'How much is recorded of a camera, or of all one may see, and how full its disk is.',
    callers: everyone,
    shownAs: true,
    query: ofCamera,
    reply: RecordingStatistics,
    problems: ['camera_not_found'],
  }),
  newest: route({
    method: 'GET',
    path: '/secure-api/recordings/newest/',
    summary: 'The newest recording of a camera, or of all one may see.',
    callers: everyone,
    shownAs: true,
    query: z.extend(ofCamera, { timezone }),
    reply: z.object({ newest: z.nullable(Recording) }),
    problems: ['camera_not_found'],
    fieldProblems: ['time_zone_unknown'],
  }),
  days: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/recorded_days/',
    summary:
      'The days of a month on which a camera recorded, with motion and visits, for a calendar.',
    callers: everyone,
    shownAs: true,
    params: oneCamera,
    query: RecordedDaysQuery,
    reply: results(RecordedDay),
    problems: ['camera_not_found'],
    fieldProblems: ['time_zone_unknown'],
  }),
  test: route({
    method: 'POST',
    path: '/secure-api/cameras/:id/test_recording/',
    summary: 'Records a camera for a minute, to try it.',
    callers: cameraAdministrators,
    params: oneCamera,
    reply: z.object({ ends_at: Timestamp }),
    status: 201,
    problems: ['camera_not_found', 'camera_not_active', 'camera_url_missing'],
  }),
  deletedCameras: route({
    method: 'GET',
    path: '/secure-api/recordings/deleted_cameras/',
    summary:
      'Deleted cameras of which recordings are kept; they are played by the calls of cameras.',
    callers: administrators,
    reply: results(DeletedCamera),
  }),
  segments: route({
    method: 'GET',
    path: '/secure-api/recordings/:id/segments/',
    summary: 'The files of a recording, each with its hash and its key frames.',
    callers: everyone,
    shownAs: true,
    params: oneRecording,
    reply: results(Segment),
    problems: ['recording_not_found'],
  }),
  segmentFile: route({
    method: 'GET',
    path: '/secure-api/recordings/segments/:id/file/',
    summary: 'A file of a recording as it is, whole or a range of its bytes.',
    callers: everyone,
    shownAs: true,
    params: oneRecording,
    produces: 'video/mp4',
    ranges: true,
    problems: [
      'recording_not_found',
      'recording_incomplete',
      'recording_file_missing',
      'recording_disk_away',
      'camera_masked',
    ],
  }),
  timeline: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/timeline/',
    summary:
      'What is recorded of a camera in some time, what is missing why, what moved, and who was seen.',
    callers: everyone,
    shownAs: true,
    params: oneCamera,
    query: TimelineQuery,
    reply: CameraTimeline,
    problems: ['camera_not_found'],
    fieldProblems: ['period_too_long'],
  }),
  timelines: route({
    method: 'GET',
    path: '/secure-api/recordings/timelines/',
    summary: 'The same of several cameras at once.',
    callers: everyone,
    shownAs: true,
    query: TimelinesQuery,
    reply: results(CameraTimeline),
    problems: ['camera_not_found'],
    fieldProblems: ['period_too_long'],
  }),
  motionSearch: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/motion_search/',
    summary: 'When something moved in a part of what a camera recorded.',
    callers: everyone,
    shownAs: true,
    params: oneCamera,
    query: MotionQuery,
    reply: MotionFound,
    problems: ['camera_not_found'],
    fieldProblems: ['period_too_long'],
  }),
  toggle: route({
    method: 'PATCH',
    path: '/secure-api/cameras/:id/toggle_recording/',
    summary: 'Starts or stops recording a camera by hand.',
    callers: cameraAdministrators,
    params: oneCamera,
    body: z.object({ is_recording: z.boolean() }),
    reply: Camera,
    problems: [
      'camera_not_found',
      'camera_not_active',
      'camera_url_missing',
      'recording_not_active',
      'recording_by_settings',
    ],
  }),
  settings: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/recording_settings/',
    summary: 'When a camera is recorded, where to, and how long it is kept.',
    callers: everyone,
    shownAs: true,
    params: oneCamera,
    reply: RecordingSettings,
    problems: ['camera_not_found'],
  }),
  forecast: route({
    method: 'POST',
    path: '/secure-api/cameras/:id/recording_settings/forecast/',
    summary: 'How many days would really be kept with these settings; nothing is changed.',
    callers: administrators,
    params: oneCamera,
    body: RecordingSettingsPatch,
    reply: RecordingForecast,
    problems: ['camera_not_found'],
    fieldProblems: ['storage_path_refused'],
  }),
  holds: route({
    method: 'GET',
    path: '/secure-api/recordings/holds/',
    summary: 'Times of cameras that are evidence, of which nothing is removed.',
    callers: administrators,
    query: HoldQuery,
    reply: page(Hold),
  }),
  addHold: route({
    method: 'POST',
    path: '/secure-api/recordings/holds/',
    summary:
      'Keeps what a camera recorded in some time, whatever its age and however full the disk.',
    callers: cameraAdministrators,
    body: HoldFields,
    reply: Hold,
    status: 201,
    problems: ['camera_not_found'],
  }),
  removeHold: route({
    method: 'DELETE',
    path: '/secure-api/recordings/holds/:id/',
    summary: 'Keeps it no longer than anything else.',
    callers: cameraAdministrators,
    params: oneRecording,
    status: 204,
    problems: ['hold_not_found'],
  }),
  changeSettings: route({
    method: 'PATCH',
    path: '/secure-api/cameras/:id/recording_settings/',
    summary: 'Changes when a camera is recorded, where to, and how long it is kept.',
    callers: cameraAdministrators,
    params: oneCamera,
    body: RecordingSettingsPatch,
    reply: RecordingSettings,
    problems: ['camera_not_found'],
    fieldProblems: ['storage_path_refused'],
  }),
};
