/**
 * A camera's packets to fragmented MP4 with FFmpeg's own muxer, never encoded anew: one initialisation segment, then one fragment per
 * picture, complete as soon as the packet is written (a flush after each packet; without it the muxer holds
 * every picture back until the next one comes, 33 to 100 ms of delay at 30 to 10 fps).
 */
import { AV_CODEC_ID_HEVC } from 'node-av/constants';
import { CodecParameters, FormatContext, IOContext, Rational } from 'node-av/lib';
import type { Packet } from 'node-av/lib';
import { codecOf } from './boxes.ts';
import { IngestFault } from '../fault.ts';
import { ticksPerSecond } from '../timeline.ts';

export interface Init {
  readonly body: Buffer;
  readonly mime: string;
  readonly width: number;
  readonly height: number;
}

export interface Changed {
  readonly extradata: Buffer;
  readonly width: number;
  readonly height: number;
}

const hvc1 = Buffer.from('hvc1').readUInt32LE();
/** Larger than most pictures, so that one fragment is mostly one callback. */
const ioBufferBytes = 256 * 1024;
const options = {
  movflags: 'frag_every_frame+default_base_moof+empty_moov',
  frag_duration: 1,
  flush_packets: 1,
};
/** With sound a fragment is what came up to its picture: a fragment per sound packet would be 47 more a second. */
const soundOptions = { movflags: 'frag_custom+default_base_moof+empty_moov', flush_packets: 1 };

export class Remuxer implements AsyncDisposable {
  readonly init: Init;
  readonly #context: FormatContext;
  readonly #io: IOContext;
  readonly #pieces: Buffer[];

  private constructor(init: Init, context: FormatContext, io: IOContext, pieces: Buffer[]) {
    this.init = init;
    this.#context = context;
    this.#io = io;
    this.#pieces = pieces;
  }

  /** `changed` replaces what `given` says, when the stream has other parameter sets by now. */
  static async open(
    given: CodecParameters,
    changed: Changed | null = null,
    sound: CodecParameters | null = null,
  ): Promise<Remuxer> {
    const { context, io, pieces } = output();
    using parameters = new CodecParameters();
    parameters.alloc();
    given.copy(parameters);
    if (changed) {
      parameters.extradata = changed.extradata;
      parameters.width = changed.width;
      parameters.height = changed.height;
    }
    // FFmpeg's own choice, `hev1`, is a name that Safari does not play.
    parameters.codecTag = parameters.codecId === AV_CODEC_ID_HEVC ? hvc1 : 0;
    const stream = context.newStream(null);
    stream.codecpar = parameters;
    stream.timeBase = new Rational(1, ticksPerSecond);
    if (sound) addSound(context, sound);
    const chosen = sound ? soundOptions : options;
    for (const [name, value] of Object.entries(chosen)) context.setOption(name, value);
    const written = await context.writeHeader(null);
    await context.flush();
    const body = Buffer.concat(pieces.splice(0));
    const codec = written < 0 ? null : codecOf(body);
    if (!codec) {
      await release(context, io);
      throw new IngestFault('damaged', 'parameter sets cannot be read');
    }
    const { width, height } = parameters;
    const codecs = [codec, ...(sound ? [soundName(sound)] : [])].join(',');
    const init = { body, mime: `video/mp4; codecs="${codecs}"`, width, height };
    return new Remuxer(init, context, io, pieces);
  }

  /** The packet as one fragment. Its times are ticks of 90 kHz; null when the muxer refuses it. */
  async write(packet: Packet): Promise<Buffer | null> {
    packet.streamIndex = 0;
    const written = await this.#context.writeFrame(packet);
    if (written >= 0) await this.#context.writeFrame(null);
    const [first, ...rest] = this.#pieces.splice(0);
    if (written < 0 || !first) return null;
    return rest.length === 0 ? first : Buffer.concat([first, ...rest]);
  }

  /** Sound goes into the fragment of the next picture. Its times are ticks of 90 kHz. */
  async writeSound(packet: Packet): Promise<void> {
    await writeTo(this.#context, 1, packet);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.writeTrailer();
    await release(this.#context, this.#io);
  }
}

function addSound(context: FormatContext, given: CodecParameters): void {
  using parameters = new CodecParameters();
  parameters.alloc();
  given.copy(parameters);
  parameters.codecTag = 0;
  const stream = context.newStream(null);
  stream.codecpar = parameters;
  stream.timeBase = new Rational(1, parameters.sampleRate);
}

/** AAC by its object type, the first five bits of its description (ISO/IEC 14496-3); 2 is what cameras send. */
const soundName = ({ extradata }: CodecParameters): string =>
  `mp4a.40.${(extradata?.[0] ?? 0x10) >> 3}`;

async function release(context: FormatContext, io: IOContext): Promise<void> {
  context.pb = null;
  context.freeContext();
  await io[Symbol.asyncDispose]();
}

/** Sound alone: AAC as it is, a fragment each. */
export class SoundMuxer implements AsyncDisposable {
  readonly init: Init;
  readonly #context: FormatContext;
  readonly #io: IOContext;
  readonly #pieces: Buffer[];

  private constructor(init: Init, context: FormatContext, io: IOContext, pieces: Buffer[]) {
    this.init = init;
    this.#context = context;
    this.#io = io;
    this.#pieces = pieces;
  }

  static async open(parameters: CodecParameters): Promise<SoundMuxer> {
    const { context, io, pieces } = output();
    addSound(context, parameters);
    for (const [name, value] of Object.entries(options)) context.setOption(name, value);
    const written = await context.writeHeader(null);
    await context.flush();
    const body = Buffer.concat(pieces.splice(0));
    if (written < 0) {
      await release(context, io);
      throw new IngestFault('damaged', 'the description of its sound cannot be read');
    }
    const mime = `audio/mp4; codecs="${soundName(parameters)}"`;
    return new SoundMuxer({ body, mime, width: 0, height: 0 }, context, io, pieces);
  }

  /** The packet as one fragment. Its times are ticks of 90 kHz; null when the muxer refuses it. */
  async write(packet: Packet): Promise<Buffer | null> {
    const written = await writeTo(this.#context, 0, packet);
    if (written >= 0) await this.#context.writeFrame(null);
    const body = Buffer.concat(this.#pieces.splice(0));
    return written < 0 || body.length === 0 ? null : body;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.writeTrailer();
    await release(this.#context, this.#io);
  }
}

/** An MP4 file in the making, in pieces. */
function output(): { context: FormatContext; io: IOContext; pieces: Buffer[] } {
  const pieces: Buffer[] = [];
  const context = new FormatContext();
  if (context.allocOutputContext2(null, 'mp4', null) < 0) throw new Error('no mp4 muxer');
  const io = new IOContext();
  // Synchronous calls on a context with callbacks crash the process: only awaited ones are used.
  io.allocContextWithCallbacks(ioBufferBytes, 1, null, (bytes) => {
    pieces.push(Buffer.from(bytes));
    return bytes.length;
  });
  context.pb = io;
  return { context, io, pieces };
}

/** Of ticks of 90 kHz to those of that stream. */
async function writeTo(context: FormatContext, index: number, packet: Packet): Promise<number> {
  const stream = context.streams[index];
  if (!stream) return -1;
  packet.streamIndex = index;
  const { num, den } = stream.timeBase;
  packet.rescaleTs({ num: 1, den: ticksPerSecond }, { num, den });
  return await context.writeFrame(packet);
}
