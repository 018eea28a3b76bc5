/**
 * Live views by HLS (NSH-013), with privacy masks burnt in for those who may not see behind them. Its players ask
 * again and again and can send no header, so the first question, with a ticket or a bearer, opens a session: its name
 * stands in the addresses that follow, serves one camera from one address, and is gone when nobody has asked for 15 s
 * or the rights are lost (C-403).
 */
import { randomUUID } from 'node:crypto';
import type { Scope } from '#http/scope.ts';
import { awaitAtMost, type Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import { HlsWindow } from './hls-window.ts';
import type { Media } from '#media/media.ts';
import type { FaceView } from '#vision/vision.ts';
import type { Viewers, LiveSession } from './viewers.ts';

export interface HlsViewsOptions {
  readonly media: Pick<Media<FaceView>, 'join' | 'health'>;
  readonly viewers: Pick<Viewers, 'admit' | 'enter' | 'seesMasked'>;
  readonly clock: Clock;
}

interface Session {
  readonly view: LiveSession;
  readonly window: HlsWindow;
  readonly ended: AbortController;
  askedAtMs: number;
}

interface Shared {
  readonly key: string;
  readonly window: HlsWindow;
  readonly subscription: Disposable;
  sessions: number;
}

const idleMs = 15_000;
/** Longer than smart codecs leave between two key pictures. */
const firstSegmentMs = 12_000;

export class HlsViews implements Disposable {
  readonly #options: HlsViewsOptions;
  readonly #sessions = new Map<string, Session>();
  /** One window for all who watch a camera, and one for all who watch it with its masks. */
  readonly #windows = new Map<string, Shared>();

  constructor(options: HlsViewsOptions) {
    this.#options = options;
  }

  /**
   * A playlist that names the session's own. Problems: camera_not_live, too_many_masked_views, those of
   * `Audience.admit`.
   */
  async open(scope: Scope, cameraId: string): Promise<string> {
    const { viewers, media, clock } = this.#options;
    const masked = await viewers.seesMasked(scope, cameraId);
    await viewers.admit(scope, cameraId, { masked });
    if (media.health(cameraId).state !== 'live') throw new Problem('camera_not_live');
    const id = randomUUID();
    const ended = new AbortController();
    const view: LiveSession = { cameraId, scope, masked, end: () => ended.abort() };
    const place = viewers.enter(view);
    ended.signal.addEventListener('abort', () => place[Symbol.dispose]());
    const shared = this.#share(cameraId, masked, ended);
    const session = { view, window: shared.window, ended, askedAtMs: clock.monotonicMs() };
    this.#sessions.set(id, session);
    ended.signal.addEventListener('abort', () => {
      this.#sessions.delete(id);
      this.#release(shared);
    });
    await awaitAtMost(clock, shared.window.ready, firstSegmentMs, ended.signal);
    const master = shared.window.master(`hls/${id}/stream.m3u8`);
    if (master === null || ended.signal.aborted) {
      ended.abort();
      throw new Problem('camera_not_live');
    }
    session.askedAtMs = clock.monotonicMs();
    void this.#endWhenIdle(session);
    return master;
  }

  /** Problems: not_found, camera_not_live. */
  playlist(cameraId: string, sessionId: string, ip: string): string {
    const media = this.#find(cameraId, sessionId, ip).window.media();
    if (media === null) throw new Problem('camera_not_live');
    return media;
  }

  /** Problems: not_found. */
  part(cameraId: string, sessionId: string, ip: string, name: string): Buffer {
    const part = this.#find(cameraId, sessionId, ip).window.part(name);
    if (!part) throw new Problem('not_found');
    return part;
  }

  [Symbol.dispose](): void {
    for (const { ended } of this.#sessions.values()) ended.abort();
  }

  #find(cameraId: string, sessionId: string, ip: string): Session {
    const session = this.#sessions.get(sessionId);
    const isTheirs = session?.view.cameraId === cameraId && session.view.scope.ip === ip;
    if (!session || !isTheirs) throw new Problem('not_found');
    session.askedAtMs = this.#options.clock.monotonicMs();
    return session;
  }

  /** Who gets none has no place either. */
  #share(cameraId: string, masked: boolean, ended: AbortController): Shared {
    const key = `${cameraId} ${masked ? 'masked' : 'main'}`;
    const present = this.#windows.get(key);
    if (present) {
      present.sessions += 1;
      return present;
    }
    const window = new HlsWindow();
    try {
      const wishes = masked ? ({ stream: 'masked' } as const) : {};
      const subscription = this.#options.media.join(cameraId, window, wishes);
      const shared: Shared = { key, window, subscription, sessions: 1 };
      this.#windows.set(key, shared);
      return shared;
    } catch (error) {
      ended.abort();
      throw error;
    }
  }

  #release(shared: Shared): void {
    shared.sessions -= 1;
    if (shared.sessions > 0) return;
    shared.subscription[Symbol.dispose]();
    if (this.#windows.get(shared.key) === shared) this.#windows.delete(shared.key);
  }

  async #endWhenIdle(session: Session): Promise<void> {
    const { clock } = this.#options;
    const { signal } = session.ended;
    while (!signal.aborted) {
      const restMs = session.askedAtMs + idleMs - clock.monotonicMs();
      if (restMs <= 0) return session.ended.abort();
      await clock.wait(restMs, signal).catch(() => undefined);
    }
  }
}
