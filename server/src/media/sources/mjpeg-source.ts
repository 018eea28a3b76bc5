/** A camera that sends JPEGs one after another. They are split here, so that FFmpeg gets bounded pictures only. */
import { AV_CODEC_ID_MJPEG, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { CodecParameters } from 'node-av/lib';
import type { Coded } from '../codec/coded.ts';
import { IngestFault } from '../protocol/fault.ts';
import { sizeOfJpeg } from './multipart.ts';
import type { Source } from './source.ts';
import { ticksPerSecond } from '../codec/timeline.ts';
import { maxPixels, type Track } from '../protocol/track.ts';

/** Where the JPEGs come from. */
export interface Jpegs {
  /** Throws an IngestFault when the stream is not what it should be. */
  readonly pictures: AsyncGenerator<Buffer, void>;
  /** Ends a pending read. */
  readonly stop: () => void;
}

export class MjpegSource implements Source {
  readonly track: Track;
  readonly sound = null;
  readonly #jpegs: Jpegs;
  readonly #parameters: CodecParameters;
  readonly #startedMs = performance.now();
  #first: Buffer | null;
  #fault: IngestFault | null = null;

  private constructor(jpegs: Jpegs, first: Buffer, size: { width: number; height: number }) {
    this.#jpegs = jpegs;
    this.#first = first;
    this.#parameters = new CodecParameters();
    this.#parameters.alloc();
    this.#parameters.codecType = AVMEDIA_TYPE_VIDEO;
    this.#parameters.codecId = AV_CODEC_ID_MJPEG;
    this.#parameters.width = size.width;
    this.#parameters.height = size.height;
    this.track = { parameters: this.#parameters, codec: 'mjpeg', ...size, fps: 0 };
  }

  static async open(jpegs: Jpegs): Promise<MjpegSource> {
    try {
      const first = await jpegs.pictures.next();
      if (first.done) throw new IngestFault('ended');
      const size = sizeOfJpeg(first.value);
      if (!size) throw new IngestFault('not_video', 'no JPEG');
      return new MjpegSource(jpegs, first.value, size);
    } catch (error) {
      jpegs.stop();
      throw error;
    }
  }

  async read(): Promise<Coded | null> {
    const next =
      this.#first ??
      (await this.#jpegs.pictures.next().catch((error: unknown) => this.#say(error)));
    this.#first = null;
    if (this.#fault) throw this.#fault;
    const jpeg = Buffer.isBuffer(next) ? next : next.value;
    if (!jpeg) return null;
    const size = sizeOfJpeg(jpeg);
    if (!size || size.width * size.height > maxPixels) throw new IngestFault('damaged', 'no JPEG');
    // These streams carry no times: a picture is dated by its arrival.
    const at = Math.round(((performance.now() - this.#startedMs) / 1000) * ticksPerSecond);
    return { kind: 'picture', data: jpeg, key: true, pts: at, dts: at, duration: 0 };
  }

  #say(error: unknown): never {
    throw this.#fault ?? error;
  }

  abort(fault: IngestFault): void {
    this.#fault ??= fault;
    this.#jpegs.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#jpegs.stop();
    await this.#jpegs.pictures.return();
    this.#parameters.free();
  }
}
