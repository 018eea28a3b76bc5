/**
 * Plays a film to the frame analyzer as a media host does: decoded packet by packet, compared for motion, and
 * detected in when and where the schedule says. Time is the film's own, so that a picture that takes long on a busy
 * machine is never late, and twenty minutes take as long as their work.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Frame, Rational } from 'node-av/lib';
import type { Clock } from '../../server/src/lib/clock.ts';
import { momentOf, packetOf } from '../../server/src/media/codec/coded.ts';
import { codedLive } from '../../server/src/media/host/detection/coded-stream.ts';
import { openDecoder } from '../../server/src/media/codec/decoder.ts';
import { CameraPainters } from '../../server/src/media/mask/camera-painters.ts';
import { MainStreamDetection } from '../../server/src/media/host/detection/main-stream-detection.ts';
import {
  FrameAnalyzer,
  type DetectionClient,
} from '../../server/src/media/host/detection/frame-analyzer.ts';
import { LiveStream } from '../../server/src/media/host/live/live-stream.ts';
import { Passthrough } from '../../server/src/media/host/live/passthrough.ts';
import { SpareTime } from '../../server/src/media/host/detection/spare-time.ts';
import { StageMeter } from '../../server/src/media/host/stage-meter.ts';
import type { MainStreamFaces } from '../../server/src/media/media.ts';
import type { MainStreamRequest } from '../../server/src/media/protocol/messages.ts';
import { FormatSource } from '../../server/src/media/sources/format-source.ts';
import type { MediaCamera, FrameResult } from '../../server/src/media/protocol/messages.ts';
import { ticksPerSecond } from '../../server/src/media/codec/timeline.ts';

/** A clock that advances with the pictures. */
export class FilmClock implements Clock {
  readonly #startMs = Date.UTC(2026, 0, 15, 12);
  #ms = 0;

  now(): number {
    return this.#startMs + this.#ms;
  }

  monotonicMs(): number {
    return this.#ms;
  }

  set(ms: number): void {
    this.#ms = ms;
  }

  wait(): Promise<never> {
    return Promise.reject(new Error('nothing waits in a film'));
  }
}

const camera: MediaCamera = {
  id: 'film',
  type: 'file',
  url: '',
  subUrl: '',
  sound: false,
  username: '',
  password: '',
  certificate: '',
  faceRecognition: true,
  analysisFps: 5,
  mostAnalysisFps: 5,
  askedFps: 5,
  rotation: 0,
  streamsId: 'film',
  isMovable: false,
};

const whole = { x: 0, y: 0, width: 1, height: 1 };

export interface ProjectorOptions {
  readonly clock: FilmClock;
  readonly detect: DetectionClient['detect'];
  readonly seen: (seen: FrameResult<unknown>, chips: Buffer) => void;
  /** Resolves when all work after the last detection is done: its vectors, its decisions. */
  readonly finished: () => Promise<void>;
}

/** The main stream of a camera whose sub-stream is analyzed: kept as a media host keeps it, decoded on demand. */
class MainStream implements AsyncDisposable {
  readonly live = new LiveStream({ init: () => undefined, fragment: () => undefined });
  readonly #source: FormatSource;
  readonly #passthrough: Passthrough;

  private constructor(source: FormatSource) {
    this.#source = source;
    this.#passthrough = new Passthrough(source.track, this.live, (init) => init);
  }

  static async open(path: string): Promise<MainStream> {
    return new MainStream(await FormatSource.open(fileInput(path)));
  }

  get width(): number {
    return this.#source.track.width;
  }

  /** The next picture arrives. */
  async next(wallMs: number): Promise<void> {
    const picture = await this.#source.read();
    if (picture) await this.#passthrough.push(picture, wallMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#passthrough[Symbol.dispose]();
    await this.#source[Symbol.asyncDispose]();
  }
}

/** The main stream of an analyzed sub-stream; `usesMainStream`: faces are detected in the main stream, too. */
export interface Main {
  readonly film: string;
  readonly usesMainStream: boolean;
}

const fileInput = (url: string) => ({ url, options: {}, stop: () => undefined, why: () => null });

/** A camera that is shown a film. */
export class Projector implements Disposable {
  readonly #options: ProjectorOptions;
  readonly #analyzer: FrameAnalyzer;
  readonly #client: Pick<DetectionClient, 'detect'>;
  #main: (Main & { readonly stream: MainStream; readonly detection: MainStreamDetection }) | null =
    null;
  #detecting: Promise<unknown> = Promise.resolve();
  #error: unknown = null;

  constructor(options: ProjectorOptions) {
    this.#options = options;
    this.#client = { detect: options.detect };
    const client: DetectionClient = {
      reachable: 2,
      free: true,
      detect: (view, scene, isExtra) => {
        const detected = options.detect(view, scene, isExtra);
        this.#detecting = detected.catch(() => undefined);
        return detected;
      },
      [Symbol.asyncDispose]: async () => undefined,
    };
    const painters = new CameraPainters(camera.rotation, []);
    this.#analyzer = new FrameAnalyzer({
      camera,
      clock: options.clock,
      client,
      spareTime: new SpareTime(options.clock),
      meter: new StageMeter(options.clock),
      compared: () => undefined,
      painters: { main: painters, sub: painters },
      seen: (seen, { at, wallMs, width }, chips) => {
        const shownAt = { main: at, sub: null, masked: null };
        const mainScale = (this.#main?.stream.width ?? width) / width;
        const isInMainStream = this.#main?.usesMainStream === true;
        const shownIn = { main: whole, sub: whole, masked: whole };
        options.seen({ ...seen, at, wallMs, shownAt, shownIn, mainScale, isInMainStream }, chips);
      },
      failed: (error) => (this.#error ??= error),
    });
  }

  /** Answers as a media host does. */
  async detectInMainStream(request: MainStreamRequest): Promise<MainStreamFaces<unknown> | null> {
    const found = await this.#main?.detection.detect(request);
    if (!found) return null;
    const { width, height, painted, reply, chips } = found;
    return { width, height, painted, faces: reply.faces, box: request.box, chips };
  }

  async show(path: string, main: Main | null = null): Promise<void> {
    if (!main) return this.#show(path);
    await using stream = await MainStream.open(main.film);
    const { rotation } = camera;
    const painters = new CameraPainters(rotation, []);
    await using detection = new MainStreamDetection({
      coded: () => codedLive(stream.live),
      rotation,
      painters,
      client: this.#client,
      meter: new StageMeter(this.#options.clock),
    });
    this.#main = { ...main, stream, detection };
    await this.#show(path);
    this.#main = null;
  }

  async #show(path: string): Promise<void> {
    await using film = await FormatSource.open(fileInput(path));
    using decoder = openDecoder(film.track, true);
    using frame = new Frame();
    frame.alloc();
    const { fps } = film.track;
    let pictures = 0;
    const offer = async (): Promise<void> => {
      while ((await decoder.receiveFrame(frame)) >= 0) {
        frame.timeBase = new Rational(1, ticksPerSecond);
        await this.#offer(frame, (pictures++ * 1000) / fps);
        frame.unref();
      }
    };
    for (let picture = await film.read(); picture; picture = await film.read()) {
      using packet = packetOf(picture, momentOf(picture));
      await decoder.sendPacket(packet);
      await offer();
    }
    await decoder.sendPacket(null);
    await offer();
  }

  async #offer(frame: Frame, atMs: number): Promise<void> {
    const { clock, finished } = this.#options;
    clock.set(atMs);
    await this.#main?.stream.next(clock.now());
    await this.#analyzer.offer(frame, {
      stream: 'main',
      at: atMs / 1000,
      wallMs: clock.now(),
      width: frame.width,
    });
    await this.#detecting;
    await nextTurn();
    await finished();
    if (this.#error) throw this.#error;
  }

  [Symbol.dispose](): void {
    this.#analyzer[Symbol.dispose]();
  }
}
