/**
 * Live views by HLS, with privacy masks burnt in for users who may not see behind them. Its players poll
 * and can send no header, so the first request, with a ticket or a bearer, opens a session: its name is part of the
 * URLs that follow, serves one camera to one address, and ends when there was no request for 15 s or the rights
 * are lost. A session whose owner may not see behind the masks any more goes on with them.
 */
import { randomUUID } from 'node:crypto';
import { accountOf, type Scope } from '#http/scope.ts';
import { awaitAtMost, type Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import { HlsWindow } from './hls-window.ts';
import type { Media } from '#media/media.ts';
import { mustBeLive } from './no-picture.ts';
import type { FaceView } from '#vision/vision.ts';
import type { Viewers, LiveSession } from './viewers.ts';

export interface HlsViewsOptions {
  readonly media: Pick<Media<FaceView>, 'join' | 'health'>;
  readonly viewers: Pick<Viewers, 'admit' | 'enter' | 'seesMasked'>;
  readonly clock: Clock;
}

interface Session {
  readonly view: LiveSession;
  shared: Shared;
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
/** A player learns why its session ended when it asks next, within this. */
const replacedMs = 60_000;
/** Longer than smart codecs leave between two key pictures. */
const firstSegmentMs = 12_000;

export class HlsViews implements Disposable {
  readonly #options: HlsViewsOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #stop = new AbortController();
  /** One window for all who watch a camera, and one for each account that watches it with its masks. */
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
    mustBeLive(media.health(cameraId), masked);
    const id = randomUUID();
    const ended = new AbortController();
    const view: LiveSession = {
      cameraId,
      scope,
      masked,
      end: (reason) => ended.abort(reason),
      mask: () => this.#mask(session, id),
    };
    const place = viewers.enter(view);
    ended.signal.addEventListener('abort', () => place[Symbol.dispose]());
    const shared = this.#share(scope, cameraId, masked, ended);
    const session: Session = { view, shared, ended, askedAtMs: clock.monotonicMs() };
    this.#sessions.set(id, session);
    ended.signal.addEventListener('abort', () => {
      this.#release(session.shared);
      void this.#forget(id, session);
    });
    void shared.window.replaced.then(() => session.shared === shared && ended.abort('replaced'));
    await awaitAtMost(clock, shared.window.ready, firstSegmentMs, ended.signal);
    const master = session.shared.window.master(`hls/${id}/stream.m3u8`);
    if (ended.signal.reason === 'replaced') throw new Problem('view_replaced');
    if (master === null || ended.signal.aborted) {
      ended.abort();
      throw new Problem('camera_not_live');
    }
    session.askedAtMs = clock.monotonicMs();
    void this.#endWhenIdle(session);
    return master;
  }

  /** Waits for a segment where the window has just begun anew. Problems: not_found, camera_not_live, view_replaced. */
  async playlist(cameraId: string, sessionId: string, ip: string): Promise<string> {
    const session = this.#find(cameraId, sessionId, ip);
    const { ready } = session.shared.window;
    await awaitAtMost(this.#options.clock, ready, firstSegmentMs, session.ended.signal);
    const { signal } = session.ended;
    if (signal.reason === 'replaced') throw new Problem('view_replaced');
    const media = signal.aborted ? null : session.shared.window.media();
    if (media === null) throw new Problem('camera_not_live');
    return media;
  }

  /** Problems: not_found, view_replaced. */
  part(cameraId: string, sessionId: string, ip: string, name: string): Buffer {
    const part = this.#find(cameraId, sessionId, ip).shared.window.part(name);
    if (!part) throw new Problem('not_found');
    return part;
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
    for (const { ended } of this.#sessions.values()) ended.abort();
  }

  #find(cameraId: string, sessionId: string, ip: string): Session {
    const session = this.#sessions.get(sessionId);
    const isTheirs = session?.view.cameraId === cameraId && session.view.scope.ip === ip;
    if (!session || !isTheirs) throw new Problem('not_found');
    const { signal } = session.ended;
    if (signal.aborted)
      throw new Problem(signal.reason === 'replaced' ? 'view_replaced' : 'not_found');
    session.askedAtMs = this.#options.clock.monotonicMs();
    return session;
  }

  async #forget(id: string, { ended }: Session): Promise<void> {
    const { clock } = this.#options;
    if (ended.signal.reason === 'replaced')
      await clock.wait(replacedMs, this.#stop.signal).catch(() => undefined);
    this.#sessions.delete(id);
  }

  /** Who gets none has no place either. */
  #share(scope: Scope, cameraId: string, masked: boolean, ended: AbortController): Shared {
    const account = accountOf(scope);
    const key = `${cameraId} ${masked ? `masked ${account}` : 'main'}`;
    const present = this.#windows.get(key);
    if (present) {
      present.sessions += 1;
      return present;
    }
    const window = new HlsWindow();
    try {
      const wishes = masked ? ({ stream: 'masked', account } as const) : {};
      const subscription = this.#options.media.join(cameraId, window, wishes);
      const shared: Shared = { key, window, subscription, sessions: 1 };
      this.#windows.set(key, shared);
      return shared;
    } catch (error) {
      ended.abort();
      throw error;
    }
  }

  /** Goes on with the masked view, by numbers that follow those of before. Problems: as `media.join`. */
  #mask(session: Session, id: string): void {
    const { view, shared: before } = session;
    if (view.masked === true) return;
    const window = new HlsWindow(before.window);
    const wishes = { stream: 'masked', account: accountOf(view.scope) } as const;
    const subscription = this.#options.media.join(view.cameraId, window, wishes);
    session.shared = { key: `${view.cameraId} masked ${id}`, window, subscription, sessions: 1 };
    view.masked = true;
    const { ended, shared } = session;
    void window.replaced.then(() => session.shared === shared && ended.abort('replaced'));
    this.#release(before);
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
