/**
 * Live views by WebRTC: the offer of a browser is answered by the host that has the camera, and its pictures
 * go from there to the browser by UDP. Here is who may, and for how long.
 */
import { liveViewRoutes } from '@nazar/contract/live-views.ts';
import type { Scope } from '#http/scope.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import type { Media } from '#media/media.ts';
import type { FaceView } from '#vision/vision.ts';
import type { Viewers, LiveSession } from './viewers.ts';

export interface WebrtcViewsOptions {
  readonly media: Pick<Media<FaceView>, 'answerPeer' | 'endPeer' | 'peerEnded'>;
  readonly viewers: Pick<Viewers, 'admit' | 'enter'>;
  readonly clock: Clock;
}

interface Session {
  readonly view: LiveSession;
  readonly place: Disposable;
}

export class WebrtcViews implements Disposable {
  readonly #options: WebrtcViewsOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #subscription: Disposable;

  constructor(options: WebrtcViewsOptions) {
    this.#options = options;
    this.#subscription = options.media.peerEnded.on(({ cameraId, peerId }) => {
      if (peerId !== null) this.#forget(peerId);
      else this.#forgetAll(cameraId);
    });
  }

  bind(api: Api): void {
    serve(api, liveViewRoutes.lowLatency, ({ scope, params, body }) =>
      this.#open(scope, params.id, body.sdp),
    );
    serve(api, liveViewRoutes.endLowLatency, ({ scope, params }) => {
      const { view } = this.#sessions.get(params.session) ?? {};
      const isTheirs = view?.cameraId === params.id && view.scope.sessionId === scope.sessionId;
      if (!isTheirs) throw new Problem('low_latency_not_found');
      this.#end(params.id, params.session);
    });
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
  }

  async #open(scope: Scope, cameraId: string, offer: string) {
    const { media, viewers, clock } = this.#options;
    await viewers.admit(scope, cameraId);
    const id = uuidv7(clock.now());
    const view: LiveSession = { cameraId, scope, end: () => this.#end(cameraId, id) };
    // The place is taken before the host is asked, so that two who ask at once are two.
    this.#sessions.set(id, { view, place: viewers.enter(view) });
    try {
      const sdp = await media.answerPeer(cameraId, id, offer);
      // Rights may have been lost while it was made: then nothing is shown.
      if (!this.#sessions.has(id)) throw new Problem('camera_not_found');
      return { sdp, session_id: id };
    } catch (error) {
      this.#end(cameraId, id);
      throw error;
    }
  }

  #end(cameraId: string, id: string): void {
    this.#options.media.endPeer(cameraId, id);
    this.#forget(id);
  }

  #forget(id: string): void {
    this.#sessions.get(id)?.place[Symbol.dispose]();
    this.#sessions.delete(id);
  }

  #forgetAll(cameraId: string): void {
    for (const [id, { view }] of this.#sessions) if (view.cameraId === cameraId) this.#forget(id);
  }
}
