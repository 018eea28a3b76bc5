/**
 * Face detection by hand, of one page: one camera at a time. Where a camera recognises by
 * itself only its boxes are shown and hidden here. Knows nothing of React; what happened is in `said`.
 */
import type { Camera } from '@nazar/contract/cameras.ts';
import type { FaceBox } from '@nazar/contract/live.ts';
import type { Clock } from '#parts/player/recorded/clock.ts';
import { signal } from '#lib/signal.ts';
import { problemSentence } from '#api/problem.ts';
import { DetectionSession } from './detection-session.ts';
import type { Ending } from './detection-state.ts';
import { FacesPoll } from './faces-poll.ts';

/** As much of a camera as this needs. */
export type DetectedCamera = Pick<Camera, 'id' | 'name' | 'status' | 'enable_face_recognition'>;

export interface RunningDetection {
  readonly camera: DetectedCamera;
  readonly session: DetectionSession;
  readonly poll: FacesPoll;
}

export type Said = { readonly name: string | null } & (
  | Ending
  | { readonly why: 'stopFailed'; readonly reason: string }
  | { readonly why: 'stoppedForOthers'; readonly count: number }
  | { readonly why: 'byItself' | 'windowBlocked' }
);

export interface DetectionOptions {
  readonly clock: Clock;
  readonly hasToken: () => boolean;
  readonly open: (cameraId: string, signal: AbortSignal) => Promise<Response>;
  readonly faces: (cameraId: string, signal: AbortSignal) => Promise<readonly FaceBox[]>;
  /** Ends the streams of all users; answers how many there were. */
  readonly stop: (cameraId: string) => Promise<number>;
}

/** Where a picture can be shown: in a list, or on the whole screen above it. */
export type PlaceKind = 'card' | 'screen';

export class Detection {
  readonly running = signal<RunningDetection | null>(null);
  /** Cameras that recognise by themselves, without their boxes. */
  readonly hidden = signal<ReadonlySet<string>>(new Set());
  readonly said = signal<Said | null>(null);

  readonly #options: DetectionOptions;
  readonly #places = new Map<string, number>();
  /** Starts as soon as there is a place for it. */
  #awaited: DetectedCamera | null = null;
  #stopping: string | null = null;

  constructor(options: DetectionOptions) {
    this.#options = options;
  }

  /** `show` makes a place where there is none: in a table no picture is large enough. */
  start(camera: DetectedCamera | undefined, show?: () => void): void {
    this.said.set(null);
    const fault = this.#faultOf(camera);
    if (camera === undefined || fault !== null) {
      this.#say(camera ?? null, { why: fault ?? 'missing' });
    } else if (camera.enable_face_recognition) {
      this.#hide(camera.id, false);
    } else if (this.#places.has(camera.id)) {
      this.#begin(camera);
    } else if (show === undefined) {
      this.#say(camera, { why: 'noPlace' });
    } else {
      this.#awaited = camera;
      show();
    }
  }

  /** Ends it for everyone who watches, and says so. */
  async stop(camera: DetectedCamera): Promise<void> {
    this.said.set(null);
    const mine = this.#mine(camera.id);
    if (mine === null && camera.enable_face_recognition) {
      this.#hide(camera.id, true);
      this.#say(camera, { why: 'byItself' });
      return;
    }
    const own = mine?.session.state.get().kind === 'running' ? 1 : 0;
    this.#stopping = camera.id;
    try {
      const count = (await this.#options.stop(camera.id)) - own;
      if (this.#mine(camera.id) === mine) this.leave();
      if (count > 0) this.#say(camera, { why: 'stoppedForOthers', count });
    } catch (error) {
      this.#say(camera, { why: 'stopFailed', reason: problemSentence(error) });
    } finally {
      this.#stopping = null;
    }
  }

  /** Closes the own stream; those of others go on. */
  leave(): void {
    const running = this.running.get();
    this.#awaited = null;
    if (running === null) return;
    this.running.set(null);
    running.poll[Symbol.dispose]();
    running.session[Symbol.dispose]();
  }

  /** The picture of that camera has a place until this is called back. */
  takePlace({ id }: Pick<Camera, 'id'>, kind: PlaceKind): () => void {
    this.#places.set(id, (this.#places.get(id) ?? 0) + 1);
    // What lies below the whole screen is not watched.
    if (kind === 'screen' && this.#mine(id) === null && this.running.get() !== null)
      this.#yield(id);
    const awaited = this.#awaited;
    if (awaited?.id === id) this.#begin(awaited);
    return () => this.#givePlace(id, kind);
  }

  sayWindowBlocked(): void {
    this.#say(null, { why: 'windowBlocked' });
  }

  #yield(id: string): void {
    const awaited = this.#awaited;
    this.leave();
    if (awaited?.id === id) this.#awaited = awaited;
  }

  #givePlace(id: string, kind: PlaceKind): void {
    const left = (this.#places.get(id) ?? 1) - 1;
    if (left > 0) this.#places.set(id, left);
    else this.#places.delete(id);
    const mine = this.#mine(id);
    if (left > 0 || mine === null) return;
    this.leave();
    // A user who closes the screen knows what they close.
    if (kind === 'card') this.#say(mine.camera, { why: 'noPlace' });
  }

  #faultOf(camera: DetectedCamera | undefined): 'missing' | 'inactive' | 'signedOut' | null {
    if (camera === undefined) return 'missing';
    if (camera.status !== 'active') return 'inactive';
    return this.#options.hasToken() ? null : 'signedOut';
  }

  #begin(camera: DetectedCamera): void {
    if (this.#mine(camera.id) !== null) return;
    this.leave();
    const { clock, open, faces } = this.#options;
    const session = new DetectionSession({ open: (signal) => open(camera.id, signal), clock });
    const poll = new FacesPoll({ ask: (signal) => faces(camera.id, signal), clock });
    this.running.set({ camera, session, poll });
    session.state.subscribe(() => this.#follow(camera, session));
  }

  #follow(camera: DetectedCamera, session: DetectionSession): void {
    const { kind, ...ending } = session.state.get();
    if (kind !== 'ended' || this.running.get()?.session !== session) return;
    this.leave();
    if (this.#stopping !== camera.id) this.#say(camera, ending as Ending);
  }

  #mine(cameraId: string): RunningDetection | null {
    const running = this.running.get();
    return running?.camera.id === cameraId ? running : null;
  }

  #hide(cameraId: string, isHidden: boolean): void {
    const hidden = new Set(this.hidden.get());
    if (isHidden) hidden.add(cameraId);
    else hidden.delete(cameraId);
    this.hidden.set(hidden);
  }

  #say(camera: DetectedCamera | null, what: DistributiveOmit<Said, 'name'>): void {
    this.said.set({ ...what, name: camera?.name ?? null });
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
