/**
 * A source that FFmpeg's demuxers read: an address it may open, or bytes we hand it. Opening and reading run
 * on libuv's pool, where a read blocks until its input ends; `stop` is how the kinds of source end it.
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
} from 'node-av/lib';
import { IngestFault } from '../fault.ts';
import type { SoundTrack, Source, Track } from './source.ts';

export interface FormatInput {
  /** Never logged: may hold a password. Empty when `io` feeds the demuxer. */
  readonly url: string;
  readonly io?: IOContext;
  /** Name of the demuxer; guessed from the bytes when absent. */
  readonly format?: string;
  /** Whether packets of its sound are handed out too. */
  readonly withSound?: boolean;
  readonly options: Readonly<Record<string, string | number>>;
  /** Ends a pending read from outside. */
  readonly stop: () => void;
  /** What the input itself knows of the reason when opening or reading fails. */
  readonly why: () => IngestFault | null;
}

/** A picture larger than 7680x4320 is no camera's (C-515). */
const maxPixels = 7680 * 4320;

export class FormatSource implements Source {
  readonly track: Track;
  readonly sound: SoundTrack | null;
  readonly #context: FormatContext;
  readonly #index: number;
  readonly #input: FormatInput;
  #fault: IngestFault | null = null;

  private constructor(
    context: FormatContext,
    index: number,
    track: Track,
    sound: SoundTrack | null,
    input: FormatInput,
  ) {
    this.#context = context;
    this.#index = index;
    this.sound = sound;
    this.#input = input;
    this.track = track;
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
      const base = { num: timeBase.num, den: timeBase.den };
      const { num, den } = stream.avgFrameRate;
      const fps = den > 0 ? num / den : 0;
      const track = { parameters, timeBase: base, codec, width, height, fps };
      const sound = input.withSound ? soundOf(context) : null;
      return new FormatSource(context, index, track, sound, input);
    } catch (error) {
      input.stop();
      await close(context, input);
      throw error;
    }
  }

  async read(): Promise<Packet | null> {
    const packet = new Packet();
    packet.alloc();
    for (;;) {
      const result = await this.#context.readFrame(packet);
      const fault = this.#fault ?? (result < 0 ? this.#input.why() : null);
      if (fault || result < 0) {
        packet.free();
        if (fault) throw fault;
        return null;
      }
      const { streamIndex } = packet;
      if (streamIndex === this.#index || streamIndex === this.sound?.index) return packet;
      packet.unref();
    }
  }

  /** Back to the beginning; only for inputs that can seek. */
  async rewind(): Promise<boolean> {
    return (await this.#context.seekFrame(this.#index, 0n, AVSEEK_FLAG_BACKWARD)) >= 0;
  }

  abort(fault: IngestFault): void {
    this.#fault ??= fault;
    this.#input.stop();
    this.#context.interrupt();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#input.stop();
    await close(this.#context, this.#input);
  }
}

/** What feeds the demuxer is not its own: it stays when that is closed (measured: 30 to 110 KiB each time). */
async function close(context: FormatContext, { io }: FormatInput): Promise<void> {
  await context.closeInput();
  io?.freeContext();
}

function soundOf(context: FormatContext): SoundTrack | null {
  const index = context.findBestStream(AVMEDIA_TYPE_AUDIO);
  const stream = context.streams[index];
  if (index < 0 || !stream) return null;
  const { codecpar: parameters, timeBase } = stream;
  const codec = avGetCodecName(parameters.codecId) ?? 'unknown';
  return { parameters, timeBase: { num: timeBase.num, den: timeBase.den }, codec, index };
}
