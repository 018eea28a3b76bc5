/** One watched camera inside a host: its ingest, its live view, and what is said about both. */
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import type { Clock } from '#lib/clock.ts';
import { Ingest, type Consumer } from './ingest.ts';
import { LiveStream } from './live-stream.ts';
import type { FromHost, MediaCamera } from './messages.ts';
import { Passthrough } from './passthrough.ts';
import type { SourceContext, Track } from './source.ts';
import { offHealth } from './health.ts';

export interface WatchedOptions {
  readonly camera: MediaCamera;
  readonly clock: Clock;
  readonly context: Omit<SourceContext, 'signal'>;
  readonly visionSockets: readonly string[];
  /** The camera's previous ingest has ended: many cameras grant one connection only. */
  readonly after: Promise<void>;
  readonly tell: (message: FromHost<unknown>, body?: Uint8Array) => void;
}

export class Watched implements AsyncDisposable {
  readonly camera: MediaCamera;
  readonly #options: WatchedOptions;
  readonly #live: LiveStream;
  readonly #started: Promise<void>;
  #ingest: Ingest | null = null;
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
    this.#started = options.after.then(() => this.#start());
  }

  get health(): CameraHealth {
    return this.#ingest?.health ?? offHealth;
  }

  setViewers(count: number): void {
    this.#live.setWatched(count > 0);
  }

  async snapshot(): Promise<Buffer | null> {
    return null;
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
        health: (health) => tell({ kind: 'health', cameraId, health }),
        hung: () => tell({ kind: 'hung', cameraId }),
        log: (level, text) => tell({ kind: 'log', level, cameraId, text }),
      },
    });
  }

  #consumer(track: Track): Consumer {
    return new Passthrough(track, this.#live, this.camera.rotation);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    await this.#started;
    await this.#ingest?.[Symbol.asyncDispose]();
  }
}
