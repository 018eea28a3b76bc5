/**
 * Plays a film to a camera's eyes as a media host does: decoded packet by packet, compared for motion, looked
 * at when and where the pace says. Time is the film's own, so that a picture that takes long on a busy machine
 * is never a late one, and twenty minutes take as long as their work.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Frame, Rational } from 'node-av/lib';
import type { Clock } from '../../server/src/lib/clock.ts';
import { openDecoder } from '../../server/src/media/coding/decoder.ts';
import { Veils } from '../../server/src/media/coding/veils.ts';
import { EyesOnCamera, type Eyes } from '../../server/src/media/eyes/eyes.ts';
import { FormatSource } from '../../server/src/media/sources/format-source.ts';
import type { MediaCamera, Seen } from '../../server/src/media/messages.ts';

/** Goes on when a picture does. */
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
  rotation: 0,
};

export interface ProjectorOptions {
  readonly clock: FilmClock;
  readonly look: Eyes['look'];
  readonly seen: (seen: Seen<unknown>, chips: Buffer) => void;
  /** Resolves when all that follows from the last look is done: its vectors, its decisions. */
  readonly settled: () => Promise<void>;
}

/** A camera that is shown a film. */
export class Projector implements Disposable {
  readonly #options: ProjectorOptions;
  readonly #eyes: EyesOnCamera;
  #looking: Promise<unknown> = Promise.resolve();
  #error: unknown = null;

  constructor(options: ProjectorOptions) {
    this.#options = options;
    const eyes: Eyes = {
      look: (view, scene) => {
        const looked = options.look(view, scene);
        this.#looking = looked.catch(() => undefined);
        return looked;
      },
      [Symbol.asyncDispose]: async () => undefined,
    };
    this.#eyes = new EyesOnCamera({
      camera,
      clock: options.clock,
      eyes,
      compared: () => undefined,
      veils: new Veils(camera.rotation, []),
      seen: (seen, { at, wallMs }, chips) =>
        options.seen(
          { ...seen, at, wallMs, shownAt: { main: at, sub: null, masked: null }, mainScale: 1 },
          chips,
        ),
      failed: (error) => (this.#error ??= error),
    });
  }

  async show(path: string): Promise<void> {
    const input = { url: path, options: {}, stop: () => undefined, why: () => null };
    await using film = await FormatSource.open(input);
    using decoder = openDecoder(film.track, true);
    using frame = new Frame();
    frame.alloc();
    const { timeBase, fps } = film.track;
    let pictures = 0;
    const offer = async (): Promise<void> => {
      while ((await decoder.receiveFrame(frame)) >= 0) {
        frame.timeBase = new Rational(timeBase.num, timeBase.den);
        await this.#offer(frame, (pictures++ * 1000) / fps);
        frame.unref();
      }
    };
    for (let packet = await film.read(); packet; packet = await film.read()) {
      await decoder.sendPacket(packet);
      packet.free();
      await offer();
    }
    await decoder.sendPacket(null);
    await offer();
  }

  async #offer(frame: Frame, atMs: number): Promise<void> {
    const { clock, settled } = this.#options;
    clock.set(atMs);
    await this.#eyes.offer(frame, {
      stream: 'main',
      at: atMs / 1000,
      wallMs: clock.now(),
      width: frame.width,
    });
    await this.#looking;
    await nextTurn();
    await settled();
    if (this.#error) throw this.#error;
  }

  [Symbol.dispose](): void {
    this.#eyes[Symbol.dispose]();
  }
}
