/**
 * Live views: which browser watches which camera, with which rights, and the boxes that go with the
 * pictures. The pictures themselves are fanned out by `media`; names are put on boxes here, per viewer,
 * because not everybody who may see a camera may read who people are (C-1009).
 */
import type { WebSocket } from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import type { StreamName } from '@nazar/contract/cameras.ts';
import type { LiveMessage } from '@nazar/contract/live.ts';
import { liveSocketPath } from '@nazar/contract/sockets.ts';
import type { Activity } from '#activity/activity.ts';
import type { Cameras } from '#cameras/cameras.ts';
import { askerOf, type Asker, type Scope } from '#http/scope.ts';
import type { Doors } from '#http/serve.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import type { Media, Seat, Viewer } from '#media/media.ts';
import type { Tickets } from '#media/live/tickets.ts';
import type { FaceView } from '#vision/vision.ts';
import { namedFor, type NamedBox } from './named-box.ts';

export interface LiveOptions {
  readonly media: Pick<Media<FaceView>, 'join'>;
  readonly cameras: Pick<Cameras, 'mustSee' | 'zones'>;
  readonly activity: Pick<Activity, 'recordAlone'>;
  readonly tickets: Tickets;
  /** The rights of who asks, now and from that address; null when the session lives no more. */
  readonly scopeOf: (asker: Asker, ip: string) => Promise<Scope | null>;
  readonly clock: Clock;
  readonly log: Log;
}

interface Viewing {
  readonly socket: WebSocket;
  scope: Scope;
  /** Null before the first picture could be sent. */
  seat: Seat | null;
}

/** Rights lost end a view within two seconds, the asking included (C-403). */
const recheckMs = 1_500;
const maxViewsPerUser = 36;
const maxViews = 256;
/** Codes of our own (RFC 6455 leaves 4000 to 4999 to applications). */
const closeRefused = 4403;
const closeTooMany = 4503;

export class Live implements AsyncDisposable {
  readonly #options: LiveOptions;
  readonly #views = new Map<string, Set<Viewing>>();
  readonly #stop = new AbortController();
  readonly #rechecking: Promise<void>;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#rechecking = this.#keepRechecking();
  }

  /** Binds the WebSocket; its ticket is its identification. */
  bind({ app }: Doors): void {
    app.get(liveSocketPath, { websocket: true }, (socket, request) => {
      socket.on('error', () => undefined); // 'close' follows
      this.#join(socket, request).catch((error: unknown) => {
        this.#options.log.error({ err: error }, 'live view failed');
        socket.close(1011);
      });
    });
  }

  /** The faces of the picture that each stream shows at that media time (seconds), to everybody who watches. */
  showFaces(
    cameraId: string,
    shownAt: Readonly<Record<StreamName, number | null>>,
    boxes: readonly NamedBox[],
  ): void {
    for (const { socket, scope, seat } of this.#views.get(cameraId) ?? []) {
      const at = seat && shownAt[seat.stream];
      if (at === null) continue;
      const faces = boxes.map((box) => namedFor(scope, cameraId, box));
      send(socket, { kind: 'faces', at, faces });
    }
  }

  /** Whether anybody watches this camera: boxes need not be made for nobody. */
  isWatched(cameraId: string): boolean {
    return (this.#views.get(cameraId)?.size ?? 0) > 0;
  }

  /** C-111, C-205: a session that ended here watches nothing any more; elsewhere it is found by asking. */
  endSession(sessionId: string): void {
    for (const viewings of this.#views.values()) {
      for (const { socket, scope } of viewings) {
        if (scope.sessionId === sessionId) end(socket, 'rights');
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    for (const viewings of this.#views.values()) {
      for (const { socket } of viewings) end(socket, 'shutdown');
    }
    await this.#rechecking;
  }

  async #join(socket: WebSocket, request: FastifyRequest): Promise<void> {
    const { id: cameraId = '' } = request.params as { id?: string };
    const { ticket } = request.query as { ticket?: unknown };
    const { tickets, scopeOf } = this.#options;
    const opened = typeof ticket === 'string' ? tickets.open(ticket, cameraId) : null;
    const scope = opened && (await scopeOf(opened, request.ip));
    if (!scope || !(await this.#maySee(scope, cameraId))) return socket.close(closeRefused);
    if (this.#isFull(scope)) return socket.close(closeTooMany);
    await this.#record(scope, cameraId, request);
    // Others may have come meanwhile.
    if (this.#isFull(scope)) return socket.close(closeTooMany);
    if (socket.readyState !== socket.OPEN) return;
    this.#seat(socket, scope, cameraId, streamOf(request));
  }

  /** C-806: before the first picture, so that nothing is watched that is not recorded. */
  async #record(scope: Scope, cameraId: string, { ip, headers }: FastifyRequest): Promise<void> {
    const userAgent = headers['user-agent'] ?? '';
    await this.#options.activity.recordAlone({
      actor: { ...scope, ip, userAgent },
      action: 'camera.watched',
      object: { type: 'camera', id: cameraId },
    });
  }

  #seat(socket: WebSocket, scope: Scope, cameraId: string, stream: StreamName): void {
    const viewing: Viewing = { socket, scope, seat: null };
    const viewings = this.#views.get(cameraId) ?? new Set<Viewing>();
    this.#views.set(cameraId, viewings.add(viewing));
    socket.on('close', () => {
      viewing.seat?.[Symbol.dispose]();
      viewings.delete(viewing);
      if (viewings.size === 0 && this.#views.get(cameraId) === viewings) {
        this.#views.delete(cameraId);
      }
    });
    try {
      const viewer: Viewer = {
        text: (json) => socket.send(json),
        binary: (bytes) => socket.send(bytes),
        queuedBytes: () => socket.bufferedAmount,
        close: () => socket.close(1000),
      };
      viewing.seat = this.#options.media.join(cameraId, viewer, stream);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // It has no address yet, or was deactivated in this moment.
      end(socket, 'camera');
    }
  }

  async #keepRechecking(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await clock.wait(recheckMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      await this.#recheck().catch((error: unknown) => {
        // The database is away: rights cannot be asked, and nobody gains any meanwhile.
        log.warn({ err: error }, 'rights of live views could not be checked');
      });
    }
  }

  async #recheck(): Promise<void> {
    const asked = new Map<string, Promise<Scope | null>>();
    const scopeNow = (scope: Scope): Promise<Scope | null> => {
      const asker = askerOf(scope);
      const key = `${asker.sessionId} ${asker.seeAs} ${scope.ip}`;
      const answer = asked.get(key) ?? this.#options.scopeOf(asker, scope.ip);
      asked.set(key, answer); // once for all the views of one page
      return answer;
    };
    for (const [cameraId, viewings] of this.#views) {
      for (const viewing of viewings) {
        const scope = await scopeNow(viewing.scope);
        if (scope && (await this.#maySee(scope, cameraId))) viewing.scope = scope;
        else end(viewing.socket, 'rights');
      }
    }
  }

  async #maySee(scope: Scope, cameraId: string): Promise<boolean> {
    if (!/^[\da-f-]{36}$/.test(cameraId)) return false;
    const { cameras } = this.#options;
    return cameras.mustSee(scope, cameraId).then(
      // What is shown here is as the camera sent it.
      ({ status }) => status === 'active' && cameras.zones.maySeeUnmasked(scope, cameraId),
      (error: unknown) => {
        // Only an answer takes a view away; a database that is away does not.
        if (error instanceof Problem && error.code === 'camera_not_found') return false;
        throw error;
      },
    );
  }

  #isFull(one: Scope): boolean {
    const all = [...this.#views.values()].flatMap((viewings) => [...viewings]);
    return (
      all.length >= maxViews ||
      all.filter(({ scope }) => watcher(scope) === watcher(one)).length >= maxViewsPerUser
    );
  }
}

const streamOf = ({ query }: FastifyRequest): StreamName =>
  (query as { stream?: unknown }).stream === 'sub' ? 'sub' : 'main';

/** Whose view it is that counts: an administrator's takes nothing from the user they look as. */
const watcher = ({ seenBy, userId }: Scope): string => seenBy ?? userId;

function send(socket: WebSocket, message: LiveMessage): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
}

const closeCodes = { rights: closeRefused, camera: 1000, shutdown: 1001 } as const;

function end(socket: WebSocket, reason: keyof typeof closeCodes): void {
  send(socket, { kind: 'end', reason });
  socket.close(closeCodes[reason]);
}
