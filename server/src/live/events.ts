/**
 * Events for browsers as they happen: visits, camera states, "this list changed". A browser identifies itself
 * with the first message and receives only what its rights let it see; it asks the API for everything else.
 */
import type { WebSocket } from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import type { CameraDoing } from '@nazar/contract/cameras.ts';
import type { News as NewsMessage } from '@nazar/contract/live.ts';
import { newsSocketPath } from '@nazar/contract/sockets.ts';
import type { ChangedAlert } from '#alerts/alerts.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Faces } from '#faces/faces.ts';
import {
  accountOf,
  holds,
  rightsOf,
  withCurrentScopes,
  type Scope,
  type ScopesOf,
} from '#http/scope.ts';
import type { Api } from '#http/serve.ts';
import type { SharedAnswers } from '#http/shared-answers.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import { FairShare } from '#lib/limits/fair-share.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import type { Topic } from '#lib/topic.ts';
import type { Notifications } from '#notifications/notifications.ts';
import type { HealthNews, RecordedNews } from '#media/media.ts';
import type { Visits } from '#visits/visits.ts';
import { AlertEvents } from './alert-events.ts';
import { NotificationEvents } from './notification-events.ts';
import { EventReaders, tell, type Reader } from './event-readers.ts';
import { VisitEvents } from './visit-events.ts';

export interface LiveEventsOptions {
  readonly cameras: Cameras;
  readonly faces: Faces;
  readonly media: {
    readonly healthChanged: Topic<HealthNews>;
    readonly recorded: Topic<RecordedNews>;
  };
  /** What a camera does now. */
  readonly doingOf: (cameraId: string) => CameraDoing;
  readonly visits: Visits;
  readonly recordings: { readonly changed: Topic<{ readonly cameraId: string }> };
  readonly alerts: { readonly changed: Topic<ChangedAlert> };
  readonly notifications: {
    readonly changed: Notifications['changed'];
    readonly lists: Pick<Notifications['lists'], 'unreadCount'>;
  };
  /** Is to know of every change before readers do. */
  readonly answers: Pick<SharedAnswers, 'forget' | 'visitsCame' | 'share'>;
  /** Who holds an access token, and as which user they see. Throws not_signed_in, see_as_ended. */
  readonly scopeOfToken: (
    access: string,
    seeAs: string | null,
    request: FastifyRequest,
  ) => Promise<Scope | null>;
  readonly scopesOf: ScopesOf;
  readonly clock: Clock;
  readonly log: Log;
}

/** A browser that does not say who it is within this time is let go (C-706). */
const identifyMs = 5_000;
/** Rights lost end the news within two seconds, the asking included (C-207). */
const recheckMs = 1_500;
/** Connections that have not identified themselves yet; a browser does so at once. They are shared by addresses. */
const maxUnknown = 200;
/** "Policy violation": a browser renews its token and comes back. */
const closeRefused = 1008;
/** "Try again later": a newer connection has its place. */
const closeReplaced = 1013;

export class LiveEvents implements AsyncDisposable {
  readonly #options: LiveEventsOptions;
  readonly #readers = new EventReaders();
  /** Connections that have not said yet whose they are. */
  readonly #unknown = new FairShare<WebSocket>(maxUnknown);
  readonly #stop = new AbortController();
  readonly #subscriptions: readonly Disposable[];
  readonly #rechecking: Promise<void>;
  readonly #visits: VisitEvents;
  readonly #alerts: AlertEvents;
  readonly #notifications: NotificationEvents;
  /** What was last sent about each camera. */
  readonly #sent = new Map<string, string>();

  constructor(options: LiveEventsOptions) {
    this.#options = options;
    const { cameras, faces, media, visits, recordings, alerts, notifications } = options;
    this.#visits = new VisitEvents({ ...options, news: visits.news, readers: this.#readers });
    this.#alerts = new AlertEvents({ ...options, readers: this.#readers });
    this.#notifications = new NotificationEvents({
      ...options,
      readers: this.#readers,
      unreadCount: (scope) => notifications.lists.unreadCount(scope),
    });
    this.#subscriptions = [
      cameras.changed.on(() => this.#toAll({ kind: 'changed', what: 'cameras' })),
      faces.changed.on(() => this.#toAll({ kind: 'changed', what: 'faces' })),
      recordings.changed.on(() => this.#toAll({ kind: 'changed', what: 'recordings' })),
      alerts.changed.on(({ cameraId }) => this.#alerts.changed(cameraId)),
      notifications.changed.on(({ userId }) => this.#notifications.changed(userId)),
      visits.seen.on((visit) => this.#visits.changed(visit)),
      media.healthChanged.on(({ cameraId }) => void this.#doing(cameraId)),
      media.recorded.on(({ cameraId }) => void this.#doing(cameraId)),
    ];
    this.#rechecking = this.#keepRechecking();
  }

  bind({ app }: Api): void {
    app.get(newsSocketPath, { websocket: true }, (socket, request) => {
      socket.on('error', () => undefined);
      const admission = this.#unknown.admit(request.ip, socket);
      if (admission.kind === 'full') return socket.close(closeReplaced);
      if (admission.kind === 'replaced') admission.left.close(closeReplaced);
      const known = new AbortController();
      socket.on('close', () => {
        known.abort();
        this.#unknown.release(request.ip, socket);
      });
      this.#options.clock.wait(identifyMs, known.signal).then(
        () => socket.close(closeRefused),
        () => undefined, // said who it is, or left
      );
      socket.once('message', (data: Buffer) => {
        known.abort();
        void this.#join(socket, data.toString(), request).finally(() =>
          this.#unknown.release(request.ip, socket),
        );
      });
    });
  }

  /** A session that ended on this node receives nothing more; other nodes find out by checking. */
  endSession(sessionId: string): void {
    for (const { socket, scope } of this.#readers) {
      if (scope.sessionId === sessionId) socket.close(closeRefused);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    for (const { socket } of this.#readers) socket.close(1001);
    for (const socket of this.#unknown) socket.close(1001);
    await this.#rechecking;
    await this.#visits[Symbol.asyncDispose]();
    await this.#alerts[Symbol.asyncDispose]();
    await this.#notifications[Symbol.asyncDispose]();
  }

  async #join(socket: WebSocket, text: string, request: FastifyRequest): Promise<void> {
    const hello = helloOf(text);
    const scope = hello && (await this.#scopeOf(hello, socket, request));
    if (!scope) return socket.close(closeRefused);
    if (socket.readyState !== socket.OPEN) return; // left while we asked
    const reader: Reader = { socket, scope, rights: rightsOf(scope), owed: null };
    const account = accountOf(scope);
    const admission = this.#readers.admit(account, reader);
    if (admission.kind === 'full') return socket.close(closeReplaced);
    if (admission.kind === 'replaced') admission.left.socket.close(closeReplaced);
    socket.on('close', () => this.#readers.release(account, reader));
  }

  async #scopeOf(
    { access, seeAs }: Hello,
    socket: WebSocket,
    request: FastifyRequest,
  ): Promise<Scope | null> {
    try {
      return await this.#options.scopeOfToken(access, seeAs, request);
    } catch (error) {
      if (error instanceof Problem && refusals.has(error.code)) return null;
      this.#options.log.warn({ err: error }, 'a reader of news could not be identified');
      socket.close(1011);
      return null;
    }
  }

  /** Sends the state only if it differs from the one sent last: each recorded file ends and begins with such events. */
  async #doing(cameraId: string): Promise<void> {
    const { cameras, doingOf, answers } = this.#options;
    try {
      // By then the other listeners have received it.
      await Promise.resolve();
      const doing = doingOf(cameraId);
      const text = JSON.stringify(doing);
      if (this.#sent.get(cameraId) === text) return;
      this.#sent.set(cameraId, text);
      answers.forget();
      const [camera] = await cameras.ownersOf([cameraId]);
      if (!camera) return void this.#sent.delete(cameraId);
      this.#readers.tellEach((scope) =>
        holds(scope, camera, 'live') ? { kind: 'camera', camera_id: cameraId, ...doing } : null,
      );
    } catch (error) {
      this.#options.log.warn({ err: error }, 'news could not be told');
    }
  }

  /** Forgets shared answers first, so that a reader who asks because of the event gets no older one. */
  #toAll(message: NewsMessage): void {
    this.#options.answers.forget();
    this.#readers.tellAll(message);
  }

  #keepRechecking(): Promise<void> {
    const { clock, log } = this.#options;
    return every(
      { clock, everyMs: recheckMs, signal: this.#stop.signal },
      () => this.#recheck(),
      (error) => log.warn({ err: error }, 'rights of readers could not be checked'),
    );
  }

  /** All readers at once, tabs of one session as one. */
  async #recheck(): Promise<void> {
    const asked = await withCurrentScopes(this.#readers, this.#options.scopesOf);
    for (const [reader, scope] of asked) this.#admit(reader, scope);
  }

  /** With the rights that it has now. */
  #admit(reader: Reader, scope: Scope | null): void {
    if (!scope) return reader.socket.close(closeRefused);
    const before = reader.rights;
    reader.scope = scope;
    reader.rights = rightsOf(scope);
    if (reader.rights === before) return;
    for (const what of rightsChanged) tell(reader, { kind: 'changed', what });
    this.#notifications.changed(scope.userId);
  }
}

/** Who a reader says it is; `see_as` is the user as whom an administrator views the product. */
interface Hello {
  readonly access: string;
  readonly seeAs: string | null;
}

const refusals: ReadonlySet<string> = new Set(['not_signed_in', 'see_as_ended']);

function helloOf(text: string): Hello | null {
  try {
    const { access, see_as } = JSON.parse(text) as { access?: unknown; see_as?: unknown };
    if (typeof access !== 'string') return null;
    return { access, seeAs: typeof see_as === 'string' ? see_as : null };
  } catch {
    return null;
  }
}

/** Lists that are out of date once other cameras, or other names, are a reader's to read; the logs count them, too. */
const rightsChanged = [
  'cameras',
  'faces',
  'detections',
  'recordings',
  'activity',
  'alerts',
] as const;
