/** Playing recordings: HLS by a ticket, and single pictures of the past. */
import { z } from 'zod/mini';
import { atMostAYear, Id, Timestamp, maxChars, queryInteger, results, Instant } from './fields.ts';
import { everyone, route, type Route } from './route.ts';

const dayMs = 24 * 60 * 60_000;

/** A day at most: 8,640 files. */
export const PlaybackPeriod = z
  .object({
    from: Instant,
    until: Instant,
    /** Encoded anew as H.264, for a player that cannot play what was recorded. */
    encoded: z.optional(z.boolean()),
    /** The playlist comes with the ticket, in parts that begin with a key picture: for a page that seeks. */
    with_playlist: z.optional(z.boolean()),
  })
  .check(
    z.refine(({ from, until }) => from < until, { path: ['until'] }),
    z.refine(({ from, until }) => Date.parse(until) - Date.parse(from) <= dayMs, {
      path: ['until'],
    }),
  );
export type PlaybackPeriod = z.infer<typeof PlaybackPeriod>;

export const PlaybackTicket = z.object({
  ticket: z.string(),
  /** Until then the playlist must have been asked for; after that it lives while it is used. */
  expires_at: Timestamp,
  /** Where the playlist is: all that a player needs. */
  playlist: z.string(),
  /** What is there, where it was asked for. The ticket is opened by it, and its addresses are to be given the ticket. */
  playlist_text: z.optional(z.string()),
  /** When the first of its files begins; `EXT-X-START` leads from there to where it was asked from. */
  starts_at: Timestamp,
  /** What its files are, for `MediaSource.isTypeSupported`. */
  mimes: z.array(z.string()),
  /** Privacy masks are burnt in. */
  masked: z.boolean(),
  /** It is encoded anew, at most 1280x720 and 15 pictures a second: it was asked for, or masks are burnt in. */
  encoded: z.boolean(),
});
export type PlaybackTicket = z.infer<typeof PlaybackTicket>;

/** As many as a page shows of a timeline at once. */
const maxStills = 200;

export const StillsQuery = z
  .object({
    /** A day before the end. */
    from: z.optional(Instant),
    /** Now. */
    until: z.optional(Instant),
    /** Spread evenly over that time: as many as are wanted at most, and no two from one segment. */
    count: queryInteger(1, maxStills, 60),
  })
  .check(atMostAYear('from', 'until'));
export type StillsQuery = z.infer<typeof StillsQuery>;

export const Still = z.object({
  /** The moment it shows. */
  at: Timestamp,
  /** Base64: one answer for what a page would ask for one by one. About 2.6 kB each before that. */
  jpeg: z.string(),
});
export type Still = z.infer<typeof Still>;

const oneCamera = z.object({ id: Id });
const ByTicket = z.object({ ticket: z.string().check(maxChars(64)) });
/** A file, and one whose sound is to be imitated where it has none. */
const SilentFile = z.object({ ...ByTicket.shape, id: Id, sound: Id });
/** A part of a file, by the byte of the file at which it begins. */
const MaskedPart = z.object({
  ...ByTicket.shape,
  id: Id,
  from: z.coerce.number().check(z.int(), z.gte(0)),
});

/** What refuses a file of a playlist, sent as it was recorded. */
const ofFile = [
  'playback_ended',
  'camera_masked',
  'recording_not_found',
  'recording_incomplete',
  'recording_file_missing',
  'recording_disk_away',
] as const satisfies Route['problems'];
/** What refuses a part that is encoded anew. */
const ofMaskedPart = [
  'playback_ended',
  'recording_not_found',
  'recording_unreadable',
  'recording_disk_away',
  'too_many_masked_views',
  'view_replaced',
] as const satisfies Route['problems'];
/** What refuses one small picture of the past. */
const ofPicture = [
  'camera_not_found',
  'recording_not_found',
  'recording_disk_away',
  'camera_not_aligned',
] as const satisfies Route['problems'];

export const playbackRoutes = {
  begin: route({
    method: 'POST',
    path: '/secure-api/cameras/:id/playback/',
    summary: 'A ticket to play what a camera recorded in some time, a day at most.',
    callers: everyone,
    shownAs: true,
    params: oneCamera,
    body: PlaybackPeriod,
    reply: PlaybackTicket,
    status: 201,
    problems: [
      'camera_not_found',
      'recording_not_found',
      'camera_not_aligned',
      'too_many_masked_views',
    ],
  }),
  playlist: route({
    method: 'GET',
    path: '/secure-api/playback/index.m3u8',
    summary: 'What a ticket plays, as HLS; the ticket is all that is asked for.',
    callers: 'anyone',
    query: ByTicket,
    produces: 'application/vnd.apple.mpegurl',
    problems: ['playback_ended', 'too_many_masked_views', 'view_replaced'],
  }),
  segment: route({
    method: 'GET',
    path: '/secure-api/playback/segment.mp4',
    summary: 'A file that the playlist names, whole or a range of its bytes.',
    callers: 'anyone',
    query: z.object({ ...ByTicket.shape, id: Id }),
    produces: 'video/mp4',
    ranges: true,
    problems: ofFile,
  }),
  silentHead: route({
    method: 'GET',
    path: '/secure-api/playback/silent/head.mp4',
    summary:
      'The initialisation segment of a file, where it has no sound with a track of silence as another file has sound.',
    callers: 'anyone',
    query: SilentFile,
    produces: 'video/mp4',
    problems: ofFile,
  }),
  silentFile: route({
    method: 'GET',
    path: '/secure-api/playback/silent/file.m4s',
    summary:
      'A file that the playlist names where some have sound and some have none, those with silence in them.',
    callers: 'anyone',
    query: SilentFile,
    produces: 'video/mp4',
    problems: ofFile,
  }),
  maskedHead: route({
    method: 'GET',
    path: '/secure-api/playback/masked/head.mp4',
    summary: 'The initialisation segment of what is played encoded anew.',
    callers: 'anyone',
    query: MaskedPart,
    produces: 'video/mp4',
    problems: ofMaskedPart,
  }),
  maskedPart: route({
    method: 'GET',
    path: '/secure-api/playback/masked/part.m4s',
    summary: 'A part that the playlist names, encoded anew, with privacy masks burnt in.',
    callers: 'anyone',
    query: MaskedPart,
    produces: 'video/mp4',
    problems: [...ofMaskedPart, 'camera_not_aligned'],
  }),
  thumbnail: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/thumbnail/',
    summary: 'A small JPEG of what a camera recorded at some moment, or last.',
    callers: everyone,
    shownAs: true,
    params: oneCamera,
    query: z.object({ at: z.optional(Instant) }),
    produces: 'image/jpeg',
    problems: ofPicture,
  }),
  still: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/still/',
    summary:
      'The small JPEG kept while recording that is nearest to a moment that was recorded, or the last.',
    callers: everyone,
    shownAs: true,
    params: oneCamera,
    query: z.object({ at: z.optional(Instant) }),
    produces: 'image/jpeg',
    problems: ofPicture,
  }),
  stills: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/stills/',
    summary: 'Up to 200 of the small JPEGs kept while recording, spread evenly over some time.',
    callers: everyone,
    shownAs: true,
    params: oneCamera,
    query: StillsQuery,
    reply: results(Still),
    problems: ['camera_not_found'],
    fieldProblems: ['period_too_long'],
  }),
  recordingThumbnail: route({
    method: 'GET',
    path: '/secure-api/recordings/:id/thumbnail/',
    summary: 'A small JPEG of the first picture of a recording.',
    callers: everyone,
    shownAs: true,
    params: oneCamera,
    produces: 'image/jpeg',
    problems: [
      'recording_not_found',
      'recording_incomplete',
      'recording_disk_away',
      'camera_not_aligned',
    ],
  }),
};
