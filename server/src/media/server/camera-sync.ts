/**
 * Keeps the ingested cameras equal to those whose pictures are wanted: at start, and after every change of a camera.
 * Only here a decrypted camera password passes from `cameras` to `media`.
 */
import type { PictureFindings } from '@nazar/contract/cameras.ts';
import { demoUrl, type Cameras, type IngestedCamera } from '#cameras/cameras.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import type { Topic } from '#lib/topic.ts';
import type { Media } from '../media.ts';
import type { Alignment } from '../protocol/stream-pair.ts';
import type { MediaCamera } from '../protocol/messages.ts';

/** The administrators' settings of analysis. */
export interface AnalysisPolicy {
  readonly picturesPerSecond: number;
  /** Where the machine has time for more. */
  readonly mostPicturesPerSecond: number;
  readonly changed: Pick<Topic<unknown>, 'on'>;
}

export interface CameraSyncOptions {
  readonly cameras: Pick<Cameras, 'changed' | 'reaching'> & {
    readonly zones: Pick<Cameras['zones'], 'byCamera'>;
    readonly alignments: Pick<Cameras['alignments'], 'byCamera' | 'measured'>;
  };
  readonly media: Pick<
    Media<never>,
    'watch' | 'unwatch' | 'setZones' | 'align' | 'aligned' | 'health'
  >;
  /** The video file that the demo camera plays; null where it could not be made. */
  readonly demoFilm: string | null;
  readonly policy: AnalysisPolicy;
  readonly clock: Pick<Clock, 'wait'>;
  readonly log: Log;
}

/** What could not be applied is tried again: masks that are kept hide nothing until a host knows them. */
const retryMs = 1_000;

export interface Pictures {
  readonly wanted: readonly string[];
  readonly live: readonly string[];
  /** What was found of the pictures of each wanted camera. */
  readonly findings: ReadonlyMap<string, PictureFindings>;
}

export class CameraSync implements AsyncDisposable {
  readonly #options: CameraSyncOptions;
  readonly #subscriptions: readonly Disposable[];
  readonly #ingested = new Set<string>();
  readonly #stop = new AbortController();
  #work: Promise<void> = Promise.resolve();
  #isApplied = true;
  #isRetrying = false;

  constructor(options: CameraSyncOptions) {
    this.#options = options;
    this.#subscriptions = [
      options.cameras.changed.on(() => void this.sync()),
      options.policy.changed.on(() => void this.sync()),
      options.media.aligned.on(({ cameraId, alignment }) => void this.#keep(cameraId, alignment)),
    ];
  }

  /** Runs one at a time, so that the last change is applied last. */
  sync(): Promise<void> {
    this.#work = this.#work.then(() => this.#sync());
    return this.#work;
  }

  /**
   * Resolves when every change that was made before is applied, its masks above all: code that shows a live picture
   * waits for it first. Throws unavailable: the last one could not be applied yet.
   */
  async settled(): Promise<void> {
    await this.#work;
    if (!this.#isApplied) throw new Problem('unavailable', { retry_after_s: 1 });
  }

  /** Ids of the cameras whose pictures are wanted, of those that are live, and what was found of them. */
  pictures(): Pictures {
    const wanted = [...this.#ingested];
    const { media } = this.#options;
    return {
      wanted,
      live: wanted.filter((id) => media.health(id).state === 'live'),
      findings: new Map(wanted.map((id) => [id, media.health(id).picture])),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    this.#stop.abort();
    await this.#work;
  }

  async #sync(): Promise<void> {
    const { cameras, media, log } = this.#options;
    try {
      const wanted = (await cameras.reaching.toIngest()).flatMap((camera) =>
        this.#asMediaCamera(camera),
      );
      const zones = await cameras.zones.byCamera();
      const alignments = await cameras.alignments.byCamera();
      for (const camera of wanted) {
        media.setZones(camera.id, zones.get(camera.id) ?? []);
        media.align(camera.id, alignments.get(camera.id) ?? []);
        media.watch(camera);
        this.#ingested.add(camera.id);
      }
      const ids = new Set(wanted.map(({ id }) => id));
      for (const id of [...this.#ingested].filter((ingested) => !ids.has(ingested))) {
        media.unwatch(id);
        this.#ingested.delete(id);
      }
      this.#isApplied = true;
    } catch (error) {
      this.#isApplied = false;
      log.error({ err: error }, 'cameras could not be brought up to date');
      void this.#tryAgain();
    }
  }

  async #tryAgain(): Promise<void> {
    if (this.#isRetrying) return;
    this.#isRetrying = true;
    const { signal } = this.#stop;
    await this.#options.clock.wait(retryMs, signal).catch(() => undefined);
    this.#isRetrying = false;
    if (!signal.aborted) await this.sync();
  }

  /** What a host measured is kept, and sent to the host that has the camera after a restart. */
  async #keep(cameraId: string, alignment: Alignment): Promise<void> {
    const { cameras, log } = this.#options;
    try {
      await cameras.alignments.measured(cameraId, alignment);
    } catch (error) {
      // The host measures it again when it is asked for the camera anew.
      log.warn({ err: error, camera: cameraId }, 'how two streams lie to each other was not kept');
    }
  }

  #asMediaCamera(camera: IngestedCamera): MediaCamera[] {
    const {
      id,
      type,
      url,
      subUrl,
      username,
      password,
      rotation,
      recognises,
      sound,
      fps,
      certificate,
      streamsId,
      deviceUrl,
    } = camera;
    const common = {
      id,
      username,
      password,
      certificate,
      rotation,
      faceRecognition: recognises,
      sound,
      streamsId,
      isMovable: deviceUrl !== '',
      analysisFps: Math.min(fps, this.#options.policy.picturesPerSecond),
      mostAnalysisFps: Math.min(fps, this.#options.policy.mostPicturesPerSecond),
      askedFps: fps,
    };
    if (url !== demoUrl) return [{ ...common, type, url, subUrl }];
    const { demoFilm } = this.#options;
    return demoFilm === null ? [] : [{ ...common, type: 'file', url: demoFilm, subUrl: '' }];
  }
}
