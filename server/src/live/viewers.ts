/**
 * Who watches which camera just now, in whatever way, and with which rights. Everything that shows a camera's
 * pictures for longer than one answer is a view: it is admitted here, counted, recorded, and ended
 * when its rights are lost, its session ends or the server does.
 */
import type { LiveMessage } from '@nazar/contract/live.ts';
import type { Activity } from '#activity/activity.ts';
import type { Cameras } from '#cameras/cameras.ts';
import { accountOf, withCurrentScopes, type Scope, type ScopesOf } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import { FairShare } from '#lib/limits/fair-share.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import type { FrameResult } from '#media/protocol/messages.ts';
import type { FaceLabel } from './face-label.ts';

export interface ViewersOptions {
  readonly cameras: Pick<Cameras, 'mustSee' | 'zones'>;
  readonly activity: Pick<Activity, 'recordRead'>;
  /** Resolves when the masks that were set before are applied to every picture. Throws unavailable. */
  readonly settled: () => Promise<void>;
  readonly scopesOf: ScopesOf;
  readonly clock: Clock;
  readonly log: Log;
}

/** Seconds on each stream's media timeline; null where there is nothing to see. */
export type ShownAt = FrameResult<never>['shownAt'];
/** Where the analyzed frame lies on the picture of each stream; null where that is not known. */
export type ShownIn = FrameResult<never>['shownIn'];

export type LiveSessionEnd = Extract<LiveMessage, { kind: 'end' }>['reason'];

export interface LiveSession {
  readonly cameraId: string;
  /** As they were asked last. */
  scope: Scope;
  /** Privacy masks are in its pictures; otherwise they are as the camera sent them. */
  masked?: boolean;
  /** Nothing more is shown from now on; the view then leaves by itself. */
  end(reason: LiveSessionEnd): void;
  /**
   * Goes on with privacy masks in its pictures, whose viewer may not see behind them any more; views without it end.
   * Throws too_many_masked_views.
   */
  mask?(): void;
  /** The faces that each stream shows at that media time, on the analyzed frame; not everyone may read their names. */
  showFaces?(shownAt: ShownAt, shownIn: ShownIn, boxes: readonly FaceLabel[]): void;
}

/** C-405: accounts share the places, and the newest view of an account that has its share replaces its oldest. */
const maxViewsPerUser = 36;
const maxViews = 256;
/** Rights lost end a view within two seconds, the asking included (C-403). */
const recheckMs = 1_500;

export class Viewers implements AsyncDisposable {
  readonly #options: ViewersOptions;
  readonly #views = new Map<string, Set<LiveSession>>();
  readonly #share = new FairShare<LiveSession>(maxViews, maxViewsPerUser);
  readonly #stop = new AbortController();
  readonly #rechecking: Promise<void>;

  constructor(options: ViewersOptions) {
    this.#options = options;
    this.#rechecking = this.#keepRechecking();
  }

  /**
   * Before the first picture: whether there may be one more, and the entry in the activity log. Problems:
   * camera_not_found, camera_not_active, camera_masked, too_many_live_streams, unavailable.
   */
  async admit(scope: Scope, cameraId: string, { masked = false } = {}): Promise<void> {
    const { cameras, settled } = this.#options;
    const { name, status } = await cameras.mustSee(scope, cameraId);
    if (status !== 'active') throw new Problem('camera_not_active', { name });
    if (!masked) await cameras.zones.mustSeeUnmasked(scope, cameraId);
    await settled();
    if (!this.#share.admits(accountOf(scope))) throw new Problem('too_many_live_streams');
    // A view begins again with each scroll and change of tab: one entry in ten minutes covers them.
    await this.#options.activity.recordRead({
      actor: scope,
      action: 'camera.watched',
      object: { type: 'camera', id: cameraId },
    });
  }

  /** Whether a user may see a camera's pictures only with its masks burnt in. */
  async seesMasked(scope: Scope, cameraId: string): Promise<boolean> {
    return !(await this.#options.cameras.zones.maySeeUnmasked(scope, cameraId));
  }

  /**
   * Takes a place; the handle gives it back. Another view of the account, or of one that has more, may end for it as
   * `replaced`. Others may have come since: too_many_live_streams.
   */
  enter(view: LiveSession): Disposable {
    const { cameraId } = view;
    const account = accountOf(view.scope);
    const admission = this.#share.admit(account, view);
    if (admission.kind === 'full') throw new Problem('too_many_live_streams');
    if (admission.kind === 'replaced') this.#replace(admission.left);
    const views = this.#views.get(cameraId) ?? new Set<LiveSession>();
    this.#views.set(cameraId, views.add(view));
    return {
      [Symbol.dispose]: () => {
        views.delete(view);
        this.#share.release(account, view);
        if (views.size === 0 && this.#views.get(cameraId) === views) this.#views.delete(cameraId);
      },
    };
  }

  of(cameraId: string): Iterable<LiveSession> {
    return this.#views.get(cameraId) ?? [];
  }

  showFaces(
    cameraId: string,
    shownAt: ShownAt,
    shownIn: ShownIn,
    boxes: readonly FaceLabel[],
  ): void {
    for (const view of this.of(cameraId)) view.showFaces?.(shownAt, shownIn, boxes);
  }

  /** Whether any viewer watches this camera. */
  isWatched(cameraId: string): boolean {
    return this.#views.has(cameraId);
  }

  /** Asks at once who watches what the masks of a camera hide now. */
  masksChanged(cameraId: string): void {
    this.#recheck(this.of(cameraId)).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'rights of live views could not be checked');
    });
  }

  /** A session that ended here watches nothing any more; elsewhere it is found by asking. */
  endSession(sessionId: string): void {
    for (const view of this.#all()) if (view.scope.sessionId === sessionId) view.end('rights');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    for (const view of this.#all()) view.end('shutdown');
    await this.#rechecking;
  }

  #keepRechecking(): Promise<void> {
    const { clock, log } = this.#options;
    return every(
      { clock, everyMs: recheckMs, signal: this.#stop.signal },
      () => this.#recheck(this.#all()),
      // The database is away: rights cannot be checked, and no user gains any meanwhile.
      (error) => log.warn({ err: error }, 'rights of live views could not be checked'),
    );
  }

  async #recheck(views: Iterable<LiveSession>): Promise<void> {
    // Once for all the views of one page, and for all pages together.
    const asked = await withCurrentScopes(views, this.#options.scopesOf);
    for (const [view, scope] of asked) {
      const why = scope ? await this.#whyNot(scope, view) : 'rights';
      if (scope && (why === null || (why === 'masked' && goesOnMasked(view)))) view.scope = scope;
      else view.end(why ?? 'rights');
    }
  }

  /** Why a user may not go on with a view; null when they may. */
  async #whyNot(
    scope: Scope,
    { cameraId, masked = false }: LiveSession,
  ): Promise<LiveSessionEnd | null> {
    const { cameras } = this.#options;
    return cameras.mustSee(scope, cameraId).then(
      async ({ status }) => {
        if (status !== 'active') return 'rights';
        return masked || (await cameras.zones.maySeeUnmasked(scope, cameraId)) ? null : 'masked';
      },
      (error: unknown) => {
        // Only an answer takes a view away; a database that is away does not.
        if (error instanceof Problem && error.code === 'camera_not_found') return 'rights';
        throw error;
      },
    );
  }

  /**
   * A page whose pictures come by WebRTC or as JPEGs has a socket beside them, by which it learns why they end: else it
   * would open them again in another way, and end another view. So all views of that camera and session go, sockets first.
   */
  #replace({ cameraId, scope: { sessionId } }: LiveSession): void {
    const theirs = [...this.of(cameraId)].filter(({ scope }) => scope.sessionId === sessionId);
    const isSocket = (view: LiveSession): boolean => 'showFaces' in view;
    for (const view of theirs.toSorted((a, b) => Number(isSocket(b)) - Number(isSocket(a)))) {
      this.#share.release(accountOf(view.scope), view);
      view.end('replaced');
    }
  }

  #all(): LiveSession[] {
    return [...this.#views.values()].flatMap((views) => [...views]);
  }
}

/** False: this view cannot, or there is no room for one more that is encoded anew. */
function goesOnMasked(view: LiveSession): boolean {
  if (!view.mask) return false;
  try {
    view.mask();
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
