/** One stream of a hosted camera: its ingest, its live views and its camera stream. */
import type { StreamHealth, StreamName, ViewName } from '@nazar/contract/cameras.ts';
import type { Clock } from '#lib/clock.ts';
import type { Size } from '#lib/geometry.ts';
import type { Measurement } from './alignment/measurement.ts';
import { CameraStream } from './camera-stream.ts';
import type { CodedStream } from './detection/coded-stream.ts';
import type { CameraPainters } from '../mask/camera-painters.ts';
import { offStream } from '../protocol/health.ts';
import { LiveStream } from './live/live-stream.ts';
import type { FromHost, MediaCamera } from '../protocol/messages.ts';
import type { FrameConsumers } from './frame-consumers.ts';
import type { StageMeter } from './stage-meter.ts';
import type { StreamTap } from './recorder/stream-choice.ts';
import { Ingest } from './ingest.ts';
import type { SourceContext } from '../sources/source.ts';
import type { SoundTrack, Track } from '../protocol/track.ts';

export interface FeedOptions {
  readonly stream: StreamName;
  /** Its address is that of this stream. */
  readonly camera: MediaCamera;
  readonly clock: Clock;
  readonly context: Omit<SourceContext, 'signal'>;
  /** Null when the frames of this stream are not consumed now. */
  readonly consumers: () => FrameConsumers | null;
  readonly painters: CameraPainters;
  readonly meter: StageMeter;
  readonly recorder: StreamTap;
  /** Whether single pictures may be wanted, although nothing consumes all frames of this stream. */
  readonly isKept: boolean;
  /** Called before pictures of another size. */
  readonly sized: (size: Size) => void;
  /** Null: there is no other stream. */
  readonly measurement: Pick<Measurement, 'isWanted' | 'offer'> | null;
  readonly changed: (health: StreamHealth) => void;
  readonly tell: (message: FromHost<unknown>, body?: Uint8Array) => void;
}

export class Feed implements AsyncDisposable {
  readonly live: LiveStream;
  /** The live view of the sound, if the stream has any. */
  readonly audio: LiveStream;
  readonly #options: FeedOptions;
  #ingest: Ingest | null = null;
  #cameraStream: CameraStream | null = null;

  constructor(options: FeedOptions) {
    this.#options = options;
    const { camera, stream, tell } = options;
    const toServer = (view: ViewName): LiveStream => {
      const from = { cameraId: camera.id, stream: view };
      return new LiveStream({
        init: ({ body, mime, width, height }) =>
          tell({ kind: 'live', ...from, mime, width, height }, body),
        fragment: ({ body, key, at, wallMs }) =>
          tell({ kind: 'fragment', ...from, key, at, wallMs }, body),
      });
    };
    this.live = toServer(stream);
    this.audio = toServer('sound');
  }

  get health(): StreamHealth {
    return this.#ingest?.health ?? offStream;
  }

  start(): void {
    const { camera, clock, context, stream, changed, tell } = this.#options;
    const cameraId = camera.id;
    this.#ingest = new Ingest({
      camera,
      clock,
      context,
      consume: (...tracks) => this.#consume(...tracks),
      listener: {
        health: changed,
        hung: () => tell({ kind: 'hung', cameraId }),
        log: (level, text) => {
          const line = stream === 'main' ? text : `${stream}: ${text}`;
          tell({ kind: 'log', level, cameraId, text: line });
        },
      },
    });
  }

  get coded(): CodedStream | null {
    return this.#cameraStream?.coded ?? null;
  }

  get snapshotAtMs(): number | null {
    return this.#cameraStream?.snapshotAtMs ?? null;
  }

  async snapshot(): Promise<Buffer | null> {
    return (await this.#cameraStream?.snapshot()) ?? null;
  }

  /** The newest key frame without masks, to compare it with the other stream's. */
  async unmasked(): Promise<Buffer | null> {
    return (await this.#cameraStream?.unmasked()) ?? null;
  }

  #consume(track: Track, sound: SoundTrack | null): CameraStream {
    const { stream, camera, consumers, painters, meter, recorder, isKept } = this.#options;
    const { sized, measurement } = this.#options;
    sized(track);
    this.#cameraStream = new CameraStream({
      stream,
      track,
      sound,
      live: this.live,
      audio: this.audio,
      rotation: camera.rotation,
      consumers,
      measurement,
      sized,
      painters,
      meter,
      recorder,
      isKept,
    });
    return this.#cameraStream;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#ingest?.[Symbol.asyncDispose]();
  }
}
