/**
 * News to browsers as it happens: visits, camera states, "this list changed". A browser identifies itself
 * with the first message and hears only what its rights let it see; it asks the API for everything else.
 */
import type { WebSocket } from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import type { News as NewsMessage } from '@nazar/contract/live.ts';
import { newsSocketPath } from '@nazar/contract/sockets.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Faces } from '#faces/faces.ts';
import { accountOf, askerOf, type Scope, type ScopeOf } from '#http/scope.ts';
import type { Api } from '#http/serve.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import { FairShare } from '#lib/limits/fair-share.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import type { Topic } from '#lib/topic.ts';
import type { HealthNews } from '#media/media.ts';
import type { Sightings } from '#sightings/sightings.ts';

export interface LiveEventsOptions {
  readonly cameras: Cameras;
  readonly faces: Faces;
  readonly media: { readonly healthChanged: Topic<HealthNews> };
  readonly sightings: Sightings;
  readonly recordings: { readonly changed: Topic<{ readonly cameraId: string }> };
  /** Who holds an access token, looking with whose eyes. Throws not_signed_in, see_as_ended. */
  readonly scopeOfToken: (
    access: string,
    seeAs: string | null,
    request: FastifyRequest,
  ) => Promise<Scope | null>;
  readonly scopeOf: ScopeOf;
  readonly clock: Clock;
  readonly log: Log;
}

interface Reader {
  readonly socket: WebSocket;
  scope: Scope;
}

/** A browser that does not say who it is within this time is let go (C-706). */
const identifyMs = 5_000;
/** Rights lost end the news within two seconds, the asking included (C-207). */
const recheckMs = 1_500;
/** A reader that takes nothing is let go before it costs memory. */
const maxQueuedBytes = 1024 * 1024;
/** Each piece of news asks the database once for each reader. */
const maxReaders = 1_000;
/** Several browsers with dozens of tabs. */
const maxReadersPerAccount = 100;
/** Those that have not said yet whose they are; a browser does so at once. They are shared by addresses. */
const maxUnknown = 200;
/** "Policy violation": a browser renews its token and comes back. */
const closeRefused = 1008;
/** "Try again later": a newer connection has its place. */
const closeReplaced = 1013;

export class LiveEvents implements AsyncDisposable {
  readonly #options: LiveEventsOptions;
  readonly #readers = new FairShare<Reader>(maxReaders, maxReadersPerAccount);
  /** Connections that have not said yet whose they are. */
  readonly #unknown = new FairShare<WebSocket>(maxUnknown);
  readonly #stop = new AbortController();
  readonly #subscriptions: readonly Disposable[];
  readonly #rechecking: Promise<void>;

  constructor(options: LiveEventsOptions) {
    this.#options = options;
    const { cameras, faces, media, sightings, recordings } = options;
    this.#subscriptions = [
      cameras.changed.on(() => this.#toAll({ kind: 'changed', what: 'cameras' })),
      faces.changed.on(() => this.#toAll({ kind: 'changed', what: 'faces' })),
      recordings.changed.on(() => this.#toAll({ kind: 'changed', what: 'recordings' })),
      sightings.seen.on((news) => void this.#seen(news.sightingId)),
      media.healthChanged.on(({ cameraId, health }) => void this.#health(cameraId, health)),
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

  /** C-111, C-205: a session that ended here hears nothing any more; elsewhere it is found by asking. */
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
  }

  async #join(socket: WebSocket, text: string, request: FastifyRequest): Promise<void> {
    const hello = helloOf(text);
    const scope = hello && (await this.#scopeOf(hello, socket, request));
    if (!scope) return socket.close(closeRefused);
    if (socket.readyState !== socket.OPEN) return; // left while we asked
    const reader: Reader = { socket, scope };
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

  async #seen(sightingId: string): Promise<void> {
    await this.#each(async ({ scope }) => {
      const detection = await this.#options.sightings.detection(scope, sightingId);
      return detection && { kind: 'seen', detection };
    });
  }

  async #health(cameraId: string, health: CameraHealth): Promise<void> {
    await this.#each(async ({ scope }) => {
      const sees = await this.#options.cameras.mustSee(scope, cameraId).catch(() => null);
      return sees && { kind: 'camera', camera_id: cameraId, health };
    });
  }

  /** One message for each reader, or none where it is not theirs to read. */
  async #each(messageFor: (reader: Reader) => Promise<NewsMessage | null>): Promise<void> {
    for (const reader of this.#readers) {
      try {
        const message = await messageFor(reader);
        if (message) send(reader.socket, message);
      } catch (error) {
        this.#options.log.warn({ err: error }, 'news could not be told');
      }
    }
  }

  #toAll(message: NewsMessage): void {
    for (const { socket } of this.#readers) send(socket, message);
  }

  #keepRechecking(): Promise<void> {
    const { clock, log } = this.#options;
    return every(
      { clock, everyMs: recheckMs, signal: this.#stop.signal },
      () => this.#recheck(),
      (error) => log.warn({ err: error }, 'rights of readers could not be checked'),
    );
  }

  async #recheck(): Promise<void> {
    for (const reader of this.#readers) {
      const scope = await this.#options.scopeOf(askerOf(reader.scope), reader.scope.ip);
      if (!scope) {
        reader.socket.close(closeRefused);
        continue;
      }
      const isOther = rightsOf(scope) !== rightsOf(reader.scope);
      reader.scope = scope;
      if (!isOther) continue;
      for (const what of rightsChanged) send(reader.socket, { kind: 'changed', what });
    }
  }
}

/** Who a reader says it is; `see_as` is the user with whose eyes an administrator looks. */
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
const rightsChanged = ['cameras', 'faces', 'detections', 'recordings', 'activity'] as const;

/** As text, so that two moments can be compared. */
function rightsOf({ standing, grants }: Scope): string {
  const held = [...grants].map(([id, { capabilities, categories }]) =>
    [id, ...[...capabilities].toSorted(), ...[...categories].toSorted()].join(' '),
  );
  return [standing, ...held.toSorted()].join('\n');
}

function send(socket: WebSocket, message: NewsMessage): void {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > maxQueuedBytes) return socket.terminate();
  socket.send(JSON.stringify(message));
}
