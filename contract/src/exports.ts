/** Exports: video files of what cameras recorded in a period, made in the background, with a proof inside. */
import { z } from 'zod/mini';
import { Id, Timestamp, maxChars, page, queryInteger, results, Instant } from './fields.ts';
import { everyone, route } from './route.ts';

export const exportStatuses = ['waiting', 'running', 'done', 'failed'] as const;

/**
 * Why an export failed. `codec_changed`: the camera changed its codec in that time, so that it takes two exports;
 * `file_changed`: a recorded file is not what was written down of it; `unreadable`: nothing of one can be decoded, which
 * masks need, and a time without a key frame; `not_aligned`: it is not known where the masks are on a sub-stream that was
 * recorded; `interrupted`: the process that made it died, three times.
 */
export const exportFaults = [
  'nothing_recorded',
  'codec_changed',
  'file_changed',
  'unreadable',
  'not_aligned',
  'disk',
  'disk_full',
  'disk_away',
  'interrupted',
] as const;
export type ExportFault = (typeof exportFaults)[number];

export const RecordingExport = z.object({
  id: Id,
  camera_id: Id,
  camera_name: z.string(),
  /** What its file is called when it is saved: the camera in its own letters, and when it begins. */
  file_name: z.string(),
  from: Timestamp,
  until: Timestamp,
  /** Who asked for it; it goes with the account. */
  created_by: z.object({ id: Id, name: z.string() }),
  created_at: Timestamp,
  status: z.enum(exportStatuses),
  /** 0 to 1. */
  progress: z.number(),
  fault: z.nullable(z.enum(exportFaults)),
  /** These are null until it is done. */
  bytes: z.nullable(z.int()),
  /** The hash of the whole file, hexadecimal. */
  sha256: z.nullable(z.string()),
  /** The duration of the export: gaps are left out. */
  seconds: z.nullable(z.number()),
  /**
   * How much of it was encoded again, so that it holds nothing from before the time asked for or after it: up to the
   * first key frame, and the last few pictures. The rest is copied. 0 where masks are burnt in, because all of it is.
   */
  encoded_seconds: z.nullable(z.number()),
  /** How much of that could not be encoded again and is not in it. */
  left_out_seconds: z.nullable(z.number()),
  /** Then it is removed. */
  expires_at: z.nullable(Timestamp),
  /** Privacy masks are burnt in: it is encoded anew, at most 1280x720 and 15 pictures a second. */
  masked: z.boolean(),
});
export type RecordingExport = z.infer<typeof RecordingExport>;

const dayMs = 24 * 60 * 60_000;

/**
 * One export for each camera, of the same period. It is made once all of that period is recorded: what a camera records
 * at the moment is not in a file yet.
 */
export const ExportFields = z
  .object({
    cameras: z.array(Id).check(z.minLength(1), z.maxLength(16)),
    from: Instant,
    until: Instant,
  })
  .check(
    z.refine(({ from, until }) => from < until, { path: ['until'] }),
    z.refine(({ from, until }) => Date.parse(until) - Date.parse(from) <= dayMs, {
      path: ['until'],
    }),
  );
export type ExportFields = z.infer<typeof ExportFields>;

/** What an export of one camera would hold, as far as it is recorded now. */
export const ExportEstimate = z.object({
  camera_id: Id,
  /** How long it would be: gaps are left out. 0: nothing is recorded. */
  seconds: z.number(),
  /** Null: privacy masks are burnt in, and how well that compresses is known only afterwards. */
  bytes: z.nullable(z.int()),
});
export type ExportEstimate = z.infer<typeof ExportEstimate>;

export const ExportQuery = z.object({
  camera: z.optional(Id),
  page: queryInteger(1, 1_000_000, 1),
  page_size: queryInteger(1, 1000, 50),
});
export type ExportQuery = z.infer<typeof ExportQuery>;

export const DownloadTicket = z.object({
  ticket: z.string(),
  expires_at: Timestamp,
  /** All that a browser needs to save the file. */
  address: z.string(),
});
export type DownloadTicket = z.infer<typeof DownloadTicket>;

const oneExport = z.object({ id: Id });

const ofFiles = [
  'export_not_found',
  'export_not_ready',
  'camera_not_found',
  'camera_masked',
  'recording_disk_away',
] as const;

export const exportRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/recordings/exports/',
    summary: 'Exports that one asked for, the newest first; all for administrators.',
    callers: everyone,
    query: ExportQuery,
    reply: page(RecordingExport),
  }),
  estimate: route({
    method: 'POST',
    path: '/secure-api/recordings/exports/estimate/',
    summary: 'How long and how large such exports would be; nothing is made.',
    callers: everyone,
    body: ExportFields,
    reply: results(ExportEstimate),
    problems: ['camera_not_found'],
    fieldProblems: ['period_not_over'],
  }),
  add: route({
    method: 'POST',
    path: '/secure-api/recordings/exports/',
    summary: 'Asks for an export of what each of some cameras recorded, a day at most.',
    callers: everyone,
    body: ExportFields,
    reply: results(RecordingExport),
    status: 201,
    problems: ['camera_not_found'],
    fieldProblems: ['period_not_over'],
  }),
  ofRecording: route({
    method: 'POST',
    path: '/secure-api/recordings/:id/export/',
    summary: 'Asks for an export of a recording, or finds the one that was asked for before.',
    callers: everyone,
    params: oneExport,
    reply: RecordingExport,
    status: 201,
    problems: ['camera_not_found', 'recording_not_found', 'recording_goes_on'],
  }),
  read: route({
    method: 'GET',
    path: '/secure-api/recordings/exports/:id/',
    summary: 'One export: how far it is, and its hash.',
    callers: everyone,
    params: oneExport,
    reply: RecordingExport,
    problems: ['export_not_found'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/secure-api/recordings/exports/:id/',
    summary: 'Cancels an export, or removes it.',
    callers: everyone,
    params: oneExport,
    status: 204,
    problems: ['export_not_found'],
  }),
  file: route({
    method: 'GET',
    path: '/secure-api/recordings/exports/:id/file/',
    summary: 'An export as an ordinary MP4, whole or a range of its bytes.',
    callers: everyone,
    params: oneExport,
    produces: 'video/mp4',
    ranges: true,
    problems: [...ofFiles],
  }),
  ticket: route({
    method: 'POST',
    path: '/secure-api/recordings/exports/:id/ticket/',
    summary: 'A ticket with which a browser saves an export.',
    callers: everyone,
    params: oneExport,
    reply: DownloadTicket,
    status: 201,
    problems: [...ofFiles],
  }),
  byTicket: route({
    method: 'GET',
    path: '/secure-api/recordings/exports/download/',
    summary: 'The export that a ticket stands for.',
    callers: 'anyone',
    query: z.object({ ticket: z.string().check(maxChars(64)) }),
    produces: 'video/mp4',
    ranges: true,
    problems: [...ofFiles, 'playback_ended', 'forbidden'],
  }),
  recording: route({
    method: 'GET',
    path: '/secure-api/recordings/:id/download/',
    summary: 'A recording as an ordinary MP4; the answer waits until it is made.',
    callers: everyone,
    params: oneExport,
    produces: 'video/mp4',
    ranges: true,
    problems: [...ofFiles, 'recording_not_found', 'recording_goes_on', 'export_failed'],
  }),
};
