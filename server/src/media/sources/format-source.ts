/**
 * A source that FFmpeg's demuxers read: from an address that they may open, or from bytes we hand them. Opening and
 * reading run on libuv's pool, where a read blocks until its input ends; each kind of source ends it by `stop`.
 */
import {
  AV_CODEC_ID_NONE,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  AVSEEK_FLAG_BACKWARD,
} from 'node-av/constants';
import {
  avGetCodecName,
  Dictionary,
  FormatContext,
  InputFormat,
  Packet,
  type IOContext,
  type Rational,
} from 'node-av/lib';
import type { Coded } from '../codec/coded.ts';
import { IngestFault } from '../protocol/fault.ts';
import { ticksPerSecond } from '../codec/timeline.ts';
import type { Source } from './source.ts';
import { maxPixels, type SoundTrack, type Track } from '../protocol/track.ts';

export interface FormatInput {
  /** Never logged, because it may hold a password. Empty when `io` feeds the demuxer. */
  readonly url: string;
  readonly io?: IOContext;
  /** Name of the demuxer; guessed from the bytes when absent. */
  readonly format?: string;
  /** Whether packets of sound are delivered, too. */
  readonly withSound?: boolean;
  readonly options: Readonly<Record<string, string | number>>;
  /** Ends a pending read. */
  readonly stop: () => void;
  /** The reason why opening or reading failed, if the input knows it. */
  readonly why: () => IngestFault | null;
}

/** One of FFmpeg's streams that is read. */
interface Stream {
  readonly index: number;
  readonly timeBase: Pick<Rational, 'num' | 'den'>;
}

/** FFmpeg's "no timestamp" (AV_NOPTS_VALUE). */
const none = -(2n ** 63n);

export class FormatSource implements Source {
  readonly track: Track;
  readonly sound: SoundTrack | null;
  readonly #context: FormatContext;
  readonly #pictures: Stream;
  readonly #sound: Stream | null;
  readonly #packet = new Packet();
  readonly #input: FormatInput;
  #fault: IngestFault | null = null;

  private constructor(
    context: FormatContext,
    { track, ...pictures }: Stream & { readonly track: Track },
    soundStream: (Stream & { readonly sound: SoundTrack }) | null,
    input: FormatInput,
  ) {
    this.#context = context;
    this.#pictures = pictures;
    this.#sound = soundStream;
    this.sound = soundStream?.sound ?? null;
    this.#input = input;
    this.track = track;
    this.#packet.alloc();
  }

  static async open(input: FormatInput): Promise<FormatSource> {
    const context = new FormatContext();
    context.allocContext();
    if (input.io) context.pb = input.io;
    using options = Dictionary.fromObject(input.options);
    const format = input.format ? InputFormat.findInputFormat(input.format) : null;
    try {
      const opened = await context.openInput(input.url, format, options);
      if (opened < 0) throw input.why() ?? new IngestFault('not_video', 'cannot be opened');
      const found = await context.findStreamInfo(null);
      if (found < 0) throw input.why() ?? new IngestFault('not_video', 'has no streams');
      const index = context.findBestStream(AVMEDIA_TYPE_VIDEO);
      const stream = context.streams[index];
      if (index < 0 || !stream) throw input.why() ?? new IngestFault('not_video', 'no video');
      const { codecpar: parameters, timeBase } = stream;
      if (parameters.codecId === AV_CODEC_ID_NONE) throw new IngestFault('unsupported_codec');
      if (parameters.width * parameters.height > maxPixels) throw new IngestFault('damaged');
      const { width, height } = parameters;
      if (width === 0) throw input.why() ?? new IngestFault('not_video', 'no picture in time');
      const codec = avGetCodecName(parameters.codecId) ?? 'unknown';
      const { num, den } = stream.avgFrameRate;
      const fps = den > 0 ? num / den : 0;
      const track = { parameters, codec, width, height, fps };
      const sound = input.withSound ? soundOf(context) : null;
      return new FormatSource(context, { index, timeBase, track }, sound, input);
    } catch (error) {
      input.stop();
      await close(context, input);
      throw error;
    }
  }

  async read(): Promise<Coded | null> {
    for (;;) {
      const result = await this.#context.readFrame(this.#packet);
      const fault = this.#fault ?? (result < 0 ? this.#input.why() : null);
      if (fault) throw fault;
      if (result < 0) return null;
      const { streamIndex } = this.#packet;
      const isPicture = streamIndex === this.#pictures.index;
      const stream = isPicture ? this.#pictures : this.#sound;
      const coded = streamIndex === stream?.index ? codedOf(this.#packet, stream, isPicture) : null;
      this.#packet.unref();
      if (coded) return coded;
    }
  }

  /** Seeks to the beginning; only for inputs that can seek. */
  async rewind(): Promise<boolean> {
    return (await this.#context.seekFrame(this.#pictures.index, 0n, AVSEEK_FLAG_BACKWARD)) >= 0;
  }

  abort(fault: IngestFault): void {
    this.#fault ??= fault;
    this.#input.stop();
    this.#context.interrupt();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#input.stop();
    await close(this.#context, this.#input);
    this.#packet.free();
  }
}

/** Frees `io`, too, which closing the demuxer does not (measured: 30 to 110 KiB each time). */
async function close(context: FormatContext, { io }: FormatInput): Promise<void> {
  await context.closeInput();
  io?.freeContext();
}

/** The packet in memory of our own; null when it is empty. */
function codedOf(packet: Packet, { timeBase }: Stream, isPicture: boolean): Coded | null {
  // `packet.data` is a view of memory that FFmpeg uses again.
  const data = packet.data && Buffer.from(packet.data);
  if (!data) return null;
  const ticks = (time: bigint): number | null =>
    time === none
      ? null
      : Math.round((Number(time) * timeBase.num * ticksPerSecond) / timeBase.den);
  return {
    kind: isPicture ? 'picture' : 'sound',
    data,
    key: packet.isKeyframe,
    pts: ticks(packet.pts),
    dts: ticks(packet.dts),
    duration: ticks(packet.duration) ?? 0,
  };
}

function soundOf(context: FormatContext): (Stream & { readonly sound: SoundTrack }) | null {
  const index = context.findBestStream(AVMEDIA_TYPE_AUDIO);
  const stream = context.streams[index];
  if (index < 0 || !stream) return null;
  const { codecpar: parameters, timeBase } = stream;
  const codec = avGetCodecName(parameters.codecId) ?? 'unknown';
  return { index, timeBase, sound: { parameters, codec } };
}
