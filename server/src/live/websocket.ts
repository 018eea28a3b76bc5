/**
 * Live views by WebSocket, and the boxes that go with the pictures. The pictures themselves are fanned out by
 * `media`; names are put on boxes here, per viewer, because not every user who may see a camera may read who
 * people are.
 */
import type { WebSocket } from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import { viewNames } from '@nazar/contract/cameras.ts';
import type { LiveMessage } from '@nazar/contract/live.ts';
import type { ProblemCode } from '@nazar/contract/problem.ts';
import { liveSocketPath } from '@nazar/contract/sockets.ts';
import { accountOf, type ScopeOf } from '#http/scope.ts';
import type { Api } from '#http/serve.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import type { EndReason, Media, ViewerSubscription, ViewerWishes } from '#media/media.ts';
import type { Tickets } from './tickets.ts';
import type { FaceView } from '#vision/vision.ts';
import { namedFor, placedOn } from './face-label.ts';
import type { Viewers, LiveSession, LiveSessionEnd } from './viewers.ts';

export interface LiveSocketOptions {
  readonly media: Pick<Media<FaceView>, 'join'>;
  readonly viewers: Pick<Viewers, 'admit' | 'enter' | 'seesMasked'>;
  readonly tickets: Tickets;
  readonly scopeOf: ScopeOf;
  readonly log: Log;
}

/** Codes of our own (RFC 6455 leaves 4000 to 4999 to applications). */
const closeRefused = 4403;
const closeTooMany = 4503;
const closeReplaced = 4409;

export class LiveSocket {
  readonly #options: LiveSocketOptions;

  constructor(options: LiveSocketOptions) {
    this.#options = options;
  }

  /** Binds the WebSocket; its ticket is its identification. */
  bind({ app }: Api): void {
    app.get(liveSocketPath, { websocket: true }, (socket, request) => {
      socket.on('error', () => undefined); // 'close' follows
      this.#join(socket, request).catch((error: unknown) => {
        const code = error instanceof Problem ? closeCodeOf[error.code] : undefined;
        // The close reason is the problem's code: a browser says which limit it was.
        if (code !== undefined) return socket.close(code, (error as Problem).code);
        this.#options.log.error({ err: error }, 'live view failed');
        socket.close(1011);
      });
    });
  }

  async #join(socket: WebSocket, request: FastifyRequest): Promise<void> {
    const { id: cameraId = '' } = request.params as { id?: string };
    const { ticket } = request.query as { ticket?: unknown };
    const { tickets, scopeOf, viewers } = this.#options;
    const isNamed = typeof ticket === 'string' && /^[\da-f-]{36}$/.test(cameraId);
    const opened = isNamed ? tickets.open(ticket, cameraId) : null;
    const known = opened && (await scopeOf(opened, request.ip));
    if (!known) return socket.close(closeRefused);
    const scope = { ...known, ip: request.ip, userAgent: request.headers['user-agent'] ?? '' };
    const masked = await viewers.seesMasked(scope, cameraId);
    await viewers.admit(scope, cameraId, { masked });
    if (socket.readyState !== socket.OPEN) return;
    const wishes = wishesOf(request);
    // Masks are over the picture; the camera's sound has a switch of its own.
    const stream = masked && wishes.stream !== 'sound' ? 'masked' : wishes.stream;
    const account = accountOf(scope);
    this.#show(socket, { scope, cameraId, masked }, { ...wishes, stream, account });
  }

  #show(socket: WebSocket, admitted: Admitted, wishes: ViewerWishes): void {
    const { cameraId } = admitted;
    let subscription: ViewerSubscription | null = null;
    const view: LiveSession = {
      ...admitted,
      end: (reason) => end(socket, reason),
      mask: () => {
        if (view.masked === true) return;
        view.masked = true;
        if (subscription?.stream === 'sound') return;
        const before = subscription;
        subscription = this.#options.media.join(cameraId, viewer, { ...wishes, stream: 'masked' });
        before?.[Symbol.dispose]();
      },
      showFaces: (shownAt, shownIn, boxes) => {
        const stream = subscription?.stream ?? 'sound';
        if (stream === 'sound') return;
        const [at, place] = [shownAt[stream], shownIn[stream]];
        if (at === null || place === null) return;
        const placed = boxes.flatMap((box) => placedOn(place, box));
        const faces = placed.map((box) => namedFor(view.scope, cameraId, box));
        send(socket, { kind: 'faces', at, faces });
      },
    };
    const place = this.#options.viewers.enter(view);
    socket.on('close', () => {
      subscription?.[Symbol.dispose]();
      place[Symbol.dispose]();
    });
    const viewer = {
      text: (json: string) => socket.send(json),
      binary: (bytes: Uint8Array) => socket.send(bytes),
      queuedBytes: () => socket.bufferedAmount,
      close: (reason: EndReason) => socket.close(reason === 'replaced' ? closeReplaced : 1000),
    };
    try {
      subscription = this.#options.media.join(cameraId, viewer, wishes);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (closeCodeOf[error.code] === closeTooMany) return socket.close(closeTooMany, error.code);
      // It has no address yet, or was deactivated in this moment.
      end(socket, 'camera');
    }
  }
}

type Admitted = Pick<LiveSession, 'scope' | 'cameraId' | 'masked'>;

function wishesOf({ query }: FastifyRequest): Required<Omit<ViewerWishes, 'account'>> {
  const { stream, pictures } = query as { stream?: unknown; pictures?: unknown };
  return {
    stream: viewNames.find((name) => name === stream) ?? 'main',
    pictures: pictures !== '0',
  };
}

const closeCodeOf: Partial<Record<ProblemCode, number>> = {
  camera_not_found: closeRefused,
  camera_not_active: closeRefused,
  camera_masked: closeRefused,
  too_many_live_streams: closeTooMany,
  too_many_masked_views: closeTooMany,
};

function send(socket: WebSocket, message: LiveMessage): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
}

const closeCodes = {
  rights: closeRefused,
  camera: 1000,
  masked: 1000,
  shutdown: 1001,
  replaced: closeReplaced,
} as const;

function end(socket: WebSocket, reason: LiveSessionEnd): void {
  send(socket, { kind: 'end', reason });
  socket.close(closeCodes[reason]);
}
