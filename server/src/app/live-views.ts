/** Live pictures and news: who is shown them, by which ways, and with which boxes drawn in. */
import { clientOf } from '#accounts/routes.ts';
import { Recognition, Registry } from '#faces/faces.ts';
import { recognitionEndpoints } from '#faces/routes.ts';
import type { ScopeOf } from '#http/scope.ts';
import type { Doors } from '#http/serve.ts';
import type { Tickets } from '#live/tickets.ts';
import { mediaEndpoints } from '#media/routes.ts';
import { Audience } from '#live/viewers.ts';
import { DrawnViews } from '#live/mjpeg.ts';
import { FaceDetector } from '#live/face-detector.ts';
import { HlsViews } from '#live/hls.ts';
import { liveWayEndpoints } from '#live/routes.ts';
import { Live } from '#live/websocket.ts';
import { LowLatency } from '#live/webrtc.ts';
import type { Modules } from './modules.ts';
import type { NamedBox } from '#live/face-label.ts';
import { News } from '#live/events.ts';
import type { Rights } from './rights.ts';
import type { ServerOptions } from './server-options.ts';

export interface ShowingOptions extends Pick<ServerOptions, 'clock' | 'log'> {
  readonly modules: Modules;
  readonly rights: Rights;
  readonly scopeOf: ScopeOf;
}

/** Whoever watches, and whoever hears news: let go when their session ends. */
export function openShowing(options: ShowingOptions, stack: AsyncDisposableStack) {
  const { modules, rights, scopeOf, clock, log } = options;
  const { cameras, faces, media, sightings, activity, accounts } = modules;
  const audience = stack.use(new Audience({ cameras, activity, scopeOf, clock, log }));
  const news = stack.use(
    new News({
      cameras,
      faces,
      media,
      sightings,
      scopeOf,
      scopeOfToken: (access, seeAs, request) => rights.ofSocket(access, seeAs, clientOf(request)),
      clock,
      log,
    }),
  );
  const ended = accounts.sessionEnded.on(({ sessionId }) => {
    audience.endSession(sessionId);
    news.endSession(sessionId);
  });
  stack.use(ended);
  return { audience, news };
}

export type Showing = ReturnType<typeof openShowing>;

/** Binds every way to live pictures; what draws boxes into them is what says whom it sees, too. */
export function bindShowing(
  doors: Doors,
  { audience, news }: Showing,
  tickets: Tickets,
  { modules, scopeOf, clock, log }: ShowingOptions,
  stack: AsyncDisposableStack,
): FaceDetector {
  const { cameras, faces, media, activity } = modules;
  mediaEndpoints(doors, { media, cameras, activity, clock });
  const registry = new Registry(faces);
  recognitionEndpoints(doors, faces, new Recognition(modules), registry);
  const facesOf = (id: string): readonly NamedBox[] => detector.facesOf(id);
  const drawn = stack.use(new DrawnViews({ media, audience, facesOf, clock }));
  const detector = new FaceDetector({ cameras, registry, activity, views: drawn });
  const hls = stack.use(new HlsViews({ media, audience, clock }));
  liveWayEndpoints(doors, { cameras, drawn, hls, tickets });
  detector.bind(doors);
  new Live({ media, audience, tickets, scopeOf, log }).bind(doors);
  stack.use(new LowLatency({ media, audience, clock })).bind(doors);
  news.bind(doors);
  return detector;
}
