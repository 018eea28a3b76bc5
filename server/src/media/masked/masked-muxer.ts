/**
 * Pictures that were encoded anew, and sound as it was recorded, as a part of one long stream: times are those of the
 * recorded one, so that parts that different workers made follow one another. FFmpeg's muxer writes the beginning;
 * fragments are written here, because it moves sound that begins before the first picture (tried: 0.36 s in one part
 * of three, in every second recording).
 */
import { CodecParameters, FormatContext, IOContext, Rational, type Packet } from 'node-av/lib';
import { momentOf, type Coded } from '../coding/coded.ts';
import { unitsOf } from '../coding/h264.ts';
import { u32 } from '../export/boxes.ts';
import { ticksPerSecond } from '../timeline.ts';
import { fragmentOf, type Run } from './fragment.ts';

const ioBufferBytes = 64 * 1024;

interface OpenRun extends Run {
  readonly samples: { data: Buffer; ticks: number; key: boolean }[];
}

export class MaskedMuxer {
  readonly init: Buffer;
  /** Samples a second, which its times are counted in; 0: there is no sound. */
  readonly #soundRate: number;
  #pictures: OpenRun | null = null;
  #sounds: OpenRun | null = null;
  #made = 0;

  private constructor(init: Buffer, soundRate: number) {
    this.init = init;
    this.#soundRate = soundRate;
  }

  static async open(video: CodecParameters, sound: CodecParameters | null): Promise<MaskedMuxer> {
    return new MaskedMuxer(await initOf(video, sound), sound?.sampleRate ?? 0);
  }

  /** Its times are ticks of 90 kHz. */
  picture(packet: Packet): void {
    this.#pictures ??= { track: 1, begin: Number(packet.dts), samples: [] };
    // As files have it: each unit behind its length.
    const units = unitsOf(packet.data ?? Buffer.alloc(0), false);
    const data = Buffer.concat(units.flatMap((unit) => [u32(unit.length), unit]));
    const { isKeyframe: key, duration } = packet;
    this.#pictures.samples.push({ data, ticks: Number(duration), key });
  }

  sound(coded: Coded): void {
    if (this.#soundRate === 0) return;
    const samplesIn = (ticks: number): number =>
      Math.round((ticks * this.#soundRate) / ticksPerSecond);
    const { dts, duration } = momentOf(coded);
    this.#sounds ??= { track: 2, begin: samplesIn(dts), samples: [] };
    this.#sounds.samples.push({ data: coded.data, ticks: samplesIn(duration), key: true });
  }

  /** What was given since the last call. */
  fragment(): Buffer {
    const runs = [this.#pictures, this.#sounds].filter((run) => run !== null);
    this.#pictures = null;
    this.#sounds = null;
    return runs.length === 0 ? Buffer.alloc(0) : fragmentOf((this.#made += 1), runs);
  }
}

async function initOf(video: CodecParameters, sound: CodecParameters | null): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const context = new FormatContext();
  if (context.allocOutputContext2(null, 'mp4', null) < 0) throw new Error('no mp4 muxer');
  await using io = new IOContext();
  // Synchronous calls on a context with callbacks crash the process: only awaited ones are used.
  io.allocContextWithCallbacks(ioBufferBytes, 1, null, (bytes) => {
    pieces.push(Buffer.from(bytes));
    return bytes.length;
  });
  context.pb = io;
  addStream(context, video, ticksPerSecond);
  if (sound) addStream(context, sound, sound.sampleRate);
  context.setOption('movflags', 'frag_custom+default_base_moof+empty_moov');
  const written = await context.writeHeader(null);
  await context.flush();
  const init = Buffer.concat(pieces.splice(0));
  await context.writeTrailer();
  context.pb = null;
  context.freeContext();
  if (written < 0) throw new Error('the muxer takes no such stream');
  return init;
}

function addStream(context: FormatContext, given: CodecParameters, ticks: number): void {
  using parameters = new CodecParameters();
  parameters.alloc();
  given.copy(parameters);
  parameters.codecTag = 0;
  const stream = context.newStream(null);
  stream.codecpar = parameters;
  stream.timeBase = new Rational(1, ticks);
}
