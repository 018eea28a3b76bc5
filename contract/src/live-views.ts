/** Ways to a camera's live picture beside the WebSocket (live.ts). */
import { z } from 'zod/mini';
import { Id } from './fields.ts';
import { everyone, route } from './route.ts';

/** Of SDP; a browser's offer has 2,000 to 6,000 characters. */
const maxSdpLength = 32_768;

const oneCamera = z.object({ id: Id });

export const liveViewRoutes = {
  lowLatency: route({
    method: 'POST',
    path: '/secure-api/cameras/:id/low_latency_stream/',
    summary: 'Answers an SDP offer to receive the live picture by WebRTC (H.264 video only).',
    callers: everyone,
    keyScope: 'live',
    shownAs: true,
    params: oneCamera,
    body: z.object({ sdp: z.string().check(z.maxLength(maxSdpLength)) }),
    reply: z.object({ sdp: z.string(), session_id: Id }),
    status: 201,
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
  }),
};
