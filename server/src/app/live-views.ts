/** Live pictures and live events: who gets them, by which ways, and with which boxes drawn in. */
import { clientOf } from '#accounts/routes.ts';
import { Recognition, Registry } from '#faces/faces.ts';
import { recognitionEndpoints } from '#faces/routes.ts';
import type { ScopeOf, ScopesOf } from '#http/scope.ts';
import type { Api } from '#http/serve.ts';
import type { SharedAnswers } from '#http/shared-answers.ts';
import type { Tickets } from '#live/tickets.ts';
import { alignmentEndpoints, mediaEndpoints } from '#media/server/routes.ts';
import { Viewers } from '#live/viewers.ts';
import { MjpegViews } from '#live/mjpeg.ts';
import { FaceDetector } from '#live/face-detector.ts';
import { HlsViews } from '#live/hls.ts';
import { liveEndpoints } from '#live/routes.ts';
import { LiveSocket } from '#live/websocket.ts';
import { WebrtcViews } from '#live/webrtc.ts';
import type { Modules } from './modules.ts';
import type { FaceLabel } from '#live/face-label.ts';
import { LiveEvents } from '#live/events.ts';
import type { Rights } from './rights.ts';
import type { ServerOptions } from './server-options.ts';

export interface LiveViewsOptions extends Pick<ServerOptions, 'clock' | 'log'> {
  readonly modules: Modules;
  readonly rights: Rights;
  readonly scopeOf: ScopeOf;
  readonly answers: SharedAnswers;
}

/** Opens what viewers and event sockets hang on; both end with their session. */
export function openLiveViews(options: LiveViewsOptions, stack: AsyncDisposableStack) {
  const { modules, rights, answers, clock, log } = options;
  const {
    cameras,
    faces,
    media,
    visits,
    recordings,
    alerts,
    notifications,
    activity,
    accounts,
    ingest,
  } = modules;
  const settled = (): Promise<void> => ingest.settled();
  const scopesOf: ScopesOf = (asked) => rights.ofAskers(asked);
  const viewers = stack.use(new Viewers({ cameras, activity, settled, scopesOf, clock, log }));
  stack.use(media.masksChanged.on(({ cameraId }) => viewers.masksChanged(cameraId)));
  const events = stack.use(
    new LiveEvents({
      cameras,
      faces,
      media,
      doingOf: (id) => cameras.doingOf(id),
      visits,
      recordings,
      alerts,
      notifications,
      answers,
      scopesOf,
      scopeOfToken: (access, seeAs, request) => rights.ofSocket(access, seeAs, clientOf(request)),
      clock,
      log,
    }),
  );
  const ended = accounts.sessionEnded.on(({ sessionId }) => {
    viewers.endSession(sessionId);
    events.endSession(sessionId);
  });
  stack.use(ended);
  return { viewers, events };
}

export type LiveViews = ReturnType<typeof openLiveViews>;

/** Binds every way to live pictures. What draws boxes into them also answers whom it sees. */
export function bindLiveViews(
  api: Api,
  { viewers, events }: LiveViews,
  tickets: Tickets,
  { modules, scopeOf, clock, log }: LiveViewsOptions,
  stack: AsyncDisposableStack,
): FaceDetector {
  const { cameras, faces, media, activity, ingest } = modules;
  mediaEndpoints(api, { media, cameras, activity, settled: () => ingest.settled() });
  alignmentEndpoints(api, { media, cameras, activity });
  const registry = new Registry(faces);
  recognitionEndpoints(api, faces, new Recognition(modules), registry);
  const facesOf = (id: string): readonly FaceLabel[] => detector.facesOf(id);
  const drawn = stack.use(new MjpegViews({ media, viewers, facesOf, clock }));
  const detector = new FaceDetector({ cameras, registry, activity, views: drawn });
  const hls = stack.use(new HlsViews({ media, viewers, clock }));
  liveEndpoints(api, { cameras, drawn, hls, tickets });
  detector.bind(api);
  new LiveSocket({ media, viewers, tickets, scopeOf, log }).bind(api);
  stack.use(new WebrtcViews({ media, viewers, clock })).bind(api);
  events.bind(api);
  return detector;
}
