/** A camera that sends JPEGs one after another. Parsed here, so that FFmpeg sees bounded pictures only. */
import { AV_CODEC_ID_MJPEG, AVMEDIA_TYPE_VIDEO, AV_PKT_FLAG_KEY } from 'node-av/constants';
import { CodecParameters, Packet } from 'node-av/lib';
import type { IncomingMessage } from 'node:http';
import { IngestFault } from '../fault.ts';
import { MultipartReader, sizeOfJpeg } from './multipart.ts';
import type { Source, Track } from './source.ts';
import { ticksPerSecond } from '../timeline.ts';

const maxPixels = 7680 * 4320;
/** The newest pictures win; more than this waits only when the machine is stuck. */
const maxWaiting = 4;

export class MjpegSource implements Source {
  readonly track: Track;
  readonly sound = null;
  readonly #answer: IncomingMessage;
  readonly #jpegs: AsyncGenerator<Buffer, void>;
  readonly #parameters: CodecParameters;
  readonly #startedMs = performance.now();
  #first: Buffer | null;
  #fault: IngestFault | null = null;

  private constructor(
    answer: IncomingMessage,
    jpegs: AsyncGenerator<Buffer, void>,
    first: Buffer,
    size: { width: number; height: number },
  ) {
    this.#answer = answer;
    this.#jpegs = jpegs;
    this.#first = first;
    this.#parameters = new CodecParameters();
    this.#parameters.alloc();
    this.#parameters.codecType = AVMEDIA_TYPE_VIDEO;
    this.#parameters.codecId = AV_CODEC_ID_MJPEG;
    this.#parameters.width = size.width;
    this.#parameters.height = size.height;
    const timeBase = { num: 1, den: ticksPerSecond };
    this.track = { parameters: this.#parameters, timeBase, codec: 'mjpeg', ...size, fps: 0 };
  }

  static async open(answer: IncomingMessage, boundary: string): Promise<MjpegSource> {
    const jpegs = jpegsOf(answer, boundary);
    try {
      const first = await jpegs.next();
      if (first.done) throw new IngestFault('ended');
      const size = sizeOfJpeg(first.value);
      if (!size) throw new IngestFault('not_video', 'no JPEG');
      return new MjpegSource(answer, jpegs, first.value, size);
    } catch (error) {
      answer.destroy();
      throw error;
    }
  }

  async read(): Promise<Packet | null> {
    const next =
      this.#first ?? (await this.#jpegs.next().catch((error: unknown) => this.#say(error)));
    this.#first = null;
    if (this.#fault) throw this.#fault;
    const jpeg = Buffer.isBuffer(next) ? next : next.value;
    if (!jpeg) return null;
    const size = sizeOfJpeg(jpeg);
    if (!size || size.width * size.height > maxPixels) throw new IngestFault('damaged', 'no JPEG');
    const packet = new Packet();
    packet.alloc();
    packet.data = jpeg;
    packet.setFlags(AV_PKT_FLAG_KEY);
    // These streams carry no times: a picture is from when it came.
    packet.pts = BigInt(
      Math.round(((performance.now() - this.#startedMs) / 1000) * ticksPerSecond),
    );
    packet.dts = packet.pts;
    return packet;
  }

  #say(error: unknown): never {
    throw this.#fault ?? error;
  }

  abort(fault: IngestFault): void {
    this.#fault ??= fault;
    this.#answer.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#answer.destroy();
    await this.#jpegs.return();
    this.#parameters.free();
  }
}

/** The JPEGs of the body; throws an IngestFault when it is not what it says. */
async function* jpegsOf(answer: IncomingMessage, boundary: string): AsyncGenerator<Buffer, void> {
  const reader = new MultipartReader(boundary);
  let pictures = 0;
  try {
    for await (const chunk of answer) {
      // What queued up while the machine was busy is old: only the newest are worth decoding.
      for (const part of reader.push(chunk as Buffer).slice(-maxWaiting)) {
        pictures += 1;
        yield part;
      }
    }
  } catch (error) {
    const broken = error instanceof Error && error.name === 'MultipartFault';
    if (!broken) throw new IngestFault(pictures > 0 ? 'ended' : 'no_packets', 'cut off', error);
    throw new IngestFault(pictures > 0 ? 'damaged' : 'not_video', error.message, error);
  }
}
