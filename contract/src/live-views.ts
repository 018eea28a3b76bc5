/** Ways to a camera's live picture beside the WebSocket (live/websocket.ts). */
import { z } from 'zod/mini';
import { Id, Timestamp, maxChars } from './fields.ts';
import { ofLiveViews } from './refusals.ts';
import { everyone, route } from './route.ts';

/** The bound of an SDP; a browser's offer has 2,000 to 6,000 characters. */
const maxSdpLength = 32_768;

const oneCamera = z.object({ id: Id });

const byTicket = z.object({ token: z.optional(z.string()) });
/** 122 random bits: a caller who knows it may see what it shows (live/hls.ts). */
const hlsSession = { id: Id, session: Id };

export const liveViewRoutes = {
  ways: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/live/',
    summary:
      'Where the live picture of a camera is to be had; addresses with a ticket open within 60 s.',
    callers: everyone,
    keyScope: 'live',
    shownAs: true,
    params: oneCamera,
    reply: z.object({
      hls_url: z.string(),
      mjpeg_url: z.string(),
      /** For a POST with an offer. Null where privacy masks stand in the way: it shows what the camera sends. */
      webrtc_url: z.nullable(z.string()),
      expires_at: Timestamp,
    }),
    problems: ['camera_not_found', 'camera_not_active'],
  }),
  mjpeg: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/live/mjpeg/',
    summary: 'The live picture as JPEGs one after another, privacy masks burnt in.',
    callers: everyone,
    keyScope: 'live',
    shownAs: true,
    ticketFor: 'id',
    params: oneCamera,
    query: byTicket,
    produces: 'multipart/x-mixed-replace; boundary=frame',
    problems: [...ofLiveViews],
  }),
  hls: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/live/index.m3u8',
    summary: 'The live picture by HLS, for players that know nothing else: opens a session.',
    callers: everyone,
    keyScope: 'live',
    shownAs: true,
    ticketFor: 'id',
    params: oneCamera,
    query: byTicket,
    produces: 'application/vnd.apple.mpegurl',
    problems: [...ofLiveViews, 'too_many_masked_views', 'view_replaced'],
  }),
  hlsPlaylist: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/live/hls/:session/stream.m3u8',
    summary: 'The newest segments of an HLS session; its name is what opens it.',
    callers: 'anyone',
    params: z.object(hlsSession),
    produces: 'application/vnd.apple.mpegurl',
    problems: ['camera_not_live', 'view_replaced'],
  }),
  hlsPart: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/live/hls/:session/:part',
    summary: 'A segment that the playlist of an HLS session names.',
    callers: 'anyone',
    params: z.object({ ...hlsSession, part: z.string().check(maxChars(64)) }),
    produces: 'video/mp4',
    problems: ['view_replaced'],
  }),
  page: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/page/',
    summary:
      'The page a camera shows in place of video, for whoever may see its address, and where it may be framed a document that does, open for 60 s.',
    callers: everyone,
    keyScope: 'cameras:read',
    shownAs: true,
    params: oneCamera,
    reply: z.object({ viewer_url: z.nullable(z.string()), frame_url: z.nullable(z.string()) }),
    problems: ['camera_not_found'],
  }),
  pageFrame: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/page/frame/',
    summary: 'A document that holds nothing but that page, in a sandboxed frame.',
    callers: everyone,
    keyScope: 'cameras:read',
    shownAs: true,
    ticketFor: 'id',
    params: oneCamera,
    query: byTicket,
    produces: 'text/html; charset=utf-8',
    problems: ['camera_not_found', 'not_found'],
  }),
  lowLatency: route({
    method: 'POST',
    path: '/secure-api/cameras/:id/low_latency_stream/',
    summary: 'Answers an SDP offer to receive the live picture by WebRTC (H.264 video only).',
    callers: everyone,
    keyScope: 'live',
    shownAs: true,
    params: oneCamera,
    body: z.object({ sdp: z.string().check(maxChars(maxSdpLength)) }),
    reply: z.object({ sdp: z.string(), session_id: Id }),
    status: 201,
    problems: [
      ...ofLiveViews,
      'camera_masked',
      'low_latency_offer',
      'low_latency_reordered',
      'low_latency_unavailable',
    ],
  }),
  endLowLatency: route({
    method: 'DELETE',
    path: '/secure-api/cameras/:id/low_latency_stream/:session/',
    summary: 'Ends a WebRTC live picture of one’s own.',
    callers: everyone,
    keyScope: 'live',
    shownAs: true,
    params: z.object({ id: Id, session: Id }),
    status: 204,
    problems: ['low_latency_not_found'],
  }),
};
