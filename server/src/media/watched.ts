/** One watched camera inside a host: its ingest, its live view, and what is said about both. */
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import type { Clock } from '#lib/clock.ts';
import { CameraStream } from './camera-stream.ts';
import { EyesOnCamera, type Eyes } from './eyes/eyes.ts';
import { Ingest } from './sources/ingest.ts';
import { LiveStream } from './live/live-stream.ts';
import type { FromHost, MediaCamera, RecordingPlan } from './messages.ts';
import { gapCauseOf } from './recorder/gap-cause.ts';
import { Recorder } from './recorder/recorder.ts';
import type { SourceContext, Track } from './sources/source.ts';
import { offHealth } from './health.ts';

export interface WatchedOptions {
  readonly camera: MediaCamera;
  readonly clock: Clock;
  readonly context: Omit<SourceContext, 'signal'>;
  /** Null when there is nobody to look at pictures. */
  readonly eyes: Eyes | null;
  /** The camera's previous ingest has ended: many cameras grant one connection only. */
  readonly after: Promise<void>;
  readonly tell: (message: FromHost<unknown>, body?: Uint8Array) => void;
}

const lookLogEveryMs = 60_000;

export class Watched implements AsyncDisposable {
  readonly camera: MediaCamera;
  readonly #options: WatchedOptions;
  readonly #live: LiveStream;
  readonly #started: Promise<void>;
  readonly #eyes: EyesOnCamera | null;
  readonly #recorder: Recorder;
  #ingest: Ingest | null = null;
  #stream: CameraStream | null = null;
  #lookFailedAtMs = -Infinity;
  #ended = false;

  constructor(options: WatchedOptions) {
    this.camera = options.camera;
    this.#options = options;
    const cameraId = options.camera.id;
    this.#live = new LiveStream({
      init: ({ body, mime, width, height }) =>
        options.tell({ kind: 'live', cameraId, mime, width, height }, body),
      fragment: ({ body, key, at, wallMs }) =>
        options.tell({ kind: 'fragment', cameraId, key, at, wallMs }, body),
    });
    this.#eyes = this.#openEyes();
    const { clock, tell } = options;
    this.#recorder = new Recorder({
      cameraId,
      clock,
      tell: (news) => tell({ kind: 'recorder', cameraId, news }),
    });
    this.#started = options.after.then(() => this.#start());
  }

  get health(): CameraHealth {
    return this.#ingest?.health ?? offHealth;
  }

  /** Whether somebody watches. */
  get viewed(): boolean {
    return this.#live.watched;
  }

  setViewers(count: number): void {
    this.#live.setWatched(count > 0);
  }

  /** Null: nothing of it is to be recorded. */
  setRecording(plan: RecordingPlan | null): void {
    this.#recorder.setPlan(plan);
    const { state, cause } = this.health;
    if (state !== 'live') this.#recorder.interrupt(gapCauseOf(cause));
  }

  async snapshot(): Promise<Buffer | null> {
    return (await this.#stream?.snapshot()) ?? null;
  }

  #start(): void {
    if (this.#ended) return;
    const { camera, clock, context, tell } = this.#options;
    const cameraId = camera.id;
    this.#ingest = new Ingest({
      camera,
      clock,
      context,
      consume: (track) => this.#consumer(track),
      listener: {
        health: (health) => {
          if (health.state !== 'live') this.#recorder.interrupt(gapCauseOf(health.cause));
          tell({ kind: 'health', cameraId, health });
        },
        hung: () => tell({ kind: 'hung', cameraId }),
        log: (level, text) => tell({ kind: 'log', level, cameraId, text }),
      },
    });
  }

  #consumer(track: Track): CameraStream {
    this.#stream = new CameraStream({
      track,
      live: this.#live,
      rotation: this.camera.rotation,
      eyes: this.#eyes,
      recorder: this.#recorder,
      clock: this.#options.clock,
    });
    return this.#stream;
  }

  /** Face recognition off: no analysis, and no decoding for it. */
  #openEyes(): EyesOnCamera | null {
    const { camera, clock, eyes, tell } = this.#options;
    if (!camera.faceRecognition || !eyes) return null;
    return new EyesOnCamera({
      camera,
      clock,
      eyes,
      seen: (seen, chips) => tell({ kind: 'seen', ...seen }, chips),
      compared: (moves) => this.#recorder.compared(moves),
      failed: (error) => this.#lookFailed(error),
    });
  }

  /** Vision hosts come back by themselves; one line a minute is enough. */
  #lookFailed(error: unknown): void {
    const { clock, tell } = this.#options;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#lookFailedAtMs < lookLogEveryMs) return;
    this.#lookFailedAtMs = nowMs;
    const text = `nobody looked: ${error instanceof Error ? error.message : 'unknown'}`;
    tell({ kind: 'log', level: 'warn', cameraId: this.camera.id, text });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    await this.#started;
    await this.#ingest?.[Symbol.asyncDispose]();
    await this.#recorder[Symbol.asyncDispose]();
    this.#eyes?.[Symbol.dispose]();
  }
}
