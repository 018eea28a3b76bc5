/** Where a camera's live picture is to be had, and the ways beside the WebSocket and WebRTC. */
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { liveViewRoutes } from '@nazar/contract/live-views.ts';
import type { Cameras } from '#cameras/cameras.ts';
import { askerOf, type Scope } from '#http/scope.ts';
import { readerLanguage } from '#http/sentences.ts';
import { serve, type Api } from '#http/serve.ts';
import { Problem } from '#lib/problem.ts';
import { cameraPageOf, frameDocument, framePolicy, type CameraPage } from './camera-page.ts';
import type { Tickets } from './tickets.ts';
import type { MjpegViews } from './mjpeg.ts';
import type { HlsViews } from './hls.ts';

export interface LiveRoutesOptions {
  readonly cameras: Pick<Cameras, 'mustSee' | 'read' | 'zones'>;
  readonly drawn: Pick<MjpegViews, 'open'>;
  readonly hls: Pick<HlsViews, 'open' | 'playlist' | 'part'>;
  readonly tickets: Tickets;
}

export function liveEndpoints(api: Api, { cameras, drawn, hls, tickets }: LiveRoutesOptions): void {
  serve(api, cameraRoutes.liveTicket, async ({ scope, params }) => {
    const { ticket, expiresAtMs } = await ticketFor(scope, params.id, cameras, tickets);
    return { ticket, expires_at: new Date(expiresAtMs).toISOString() };
  });
  serve(api, liveViewRoutes.ways, async ({ scope, params }) =>
    waysOf(scope, params.id, cameras, tickets),
  );
  serve(api, liveViewRoutes.page, async ({ scope, params }) => {
    const page = await pageOf(scope, params.id, cameras);
    if (page?.isFramed !== true) return { viewer_url: page?.url ?? null, frame_url: null };
    const { ticket } = tickets.issue(params.id, askerOf(scope));
    const frame = `/secure-api/cameras/${params.id}/page/frame/?token=${ticket}`;
    return { viewer_url: page.url, frame_url: frame };
  });
  serve(api, liveViewRoutes.pageFrame, async ({ scope, params, reply }) => {
    const page = await pageOf(scope, params.id, cameras);
    if (page?.isFramed !== true) throw new Problem('not_found');
    void reply.header('content-security-policy', framePolicy(page));
    return Buffer.from(frameDocument(page));
  });
  serve(api, liveViewRoutes.mjpeg, ({ scope, params, raw }) => {
    const language = readerLanguage(raw.headers['accept-language']);
    return drawn.open(scope, params.id, { withBoxes: false, language });
  });
  serve(api, liveViewRoutes.hls, async ({ scope, params }) =>
    Buffer.from(await hls.open(scope, params.id)),
  );
  serve(api, liveViewRoutes.hlsPlaylist, async ({ params, raw }) =>
    Buffer.from(await hls.playlist(params.id, params.session, raw.ip)),
  );
  serve(api, liveViewRoutes.hlsPart, ({ params, raw }) =>
    hls.part(params.id, params.session, raw.ip, params.part),
  );
}

/** Throws camera_not_found. */
async function pageOf(
  scope: Scope,
  id: string,
  cameras: LiveRoutesOptions['cameras'],
): Promise<CameraPage | null> {
  const camera = await cameras.read(scope, id);
  return cameraPageOf(camera, await cameras.zones.maySeeUnmasked(scope, id));
}

/** Throws camera_not_found, camera_not_active. */
async function ticketFor(
  scope: Scope,
  id: string,
  cameras: LiveRoutesOptions['cameras'],
  tickets: Tickets,
) {
  const { name, status } = await cameras.mustSee(scope, id);
  if (status !== 'active') throw new Problem('camera_not_active', { name });
  return tickets.issue(id, askerOf(scope));
}

async function waysOf(
  scope: Scope,
  id: string,
  cameras: LiveRoutesOptions['cameras'],
  tickets: Tickets,
) {
  const { ticket, expiresAtMs } = await ticketFor(scope, id, cameras, tickets);
  const path = `/secure-api/cameras/${id}`;
  // WebRTC shows what the camera sends: masks are burnt in for the others only.
  const seesAll = await cameras.zones.maySeeUnmasked(scope, id);
  return {
    hls_url: `${path}/live/index.m3u8?token=${ticket}`,
    mjpeg_url: `${path}/live/mjpeg/?token=${ticket}`,
    webrtc_url: seesAll ? `${path}/low_latency_stream/` : null,
    expires_at: new Date(expiresAtMs).toISOString(),
  };
}
