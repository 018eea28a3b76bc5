/**
 * Encodes single stretches of a recorded stream anew, in the coding, size and colours of that stream, so that they can
 * stand before and behind what is copied of it, as good as the eye can judge, without B-frames.
 */
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_PICTURE_TYPE_I,
  AV_PICTURE_TYPE_P,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUVJ420P,
  FF_ENCODER_LIBX264,
  FF_ENCODER_LIBX265,
} from 'node-av/constants';
import { Codec, CodecContext, Packet, Rational, type Frame } from 'node-av/lib';
import { IngestFault } from '../protocol/fault.ts';
import { lengthFramed, unitsOf } from './h264.ts';
import { freeNumber264, isOwnNumberFree265, renumbered265 } from './parameter-set-numbers.ts';
import { ticksPerSecond } from './timeline.ts';

export type RecodedKind = 'h264' | 'hevc';

/** The CRF of x264 and x265, 0 to 51. */
const crf = 20;
/** Pictures from one key picture to the next. */
const gop = 50;

/** A user waits for it; it runs in a media worker, at nice 10. */
const threads = 2;

export interface EncodedPicture {
  /** NAL units framed by lengths. */
  readonly data: Buffer;
  readonly shownTicks: number;
  readonly key: boolean;
}

export interface OwnSizeOptions {
  readonly kind: RecodedKind;
  /** The parameter sets of the stream, with start codes: those of this encoder get other numbers. */
  readonly sets: Buffer;
  /** Parameter sets of other stretches of the stream: this one's get other numbers again, unless they are the same. */
  readonly beside: Buffer;
  /** The usual time between two pictures: level and frame rate in the sets follow from it. */
  readonly pictureTicks: number;
  /** Whether pictures of the stream are shown in another order than they are decoded in. */
  readonly isReordered: boolean;
}

/** Ends a sequence (ITU-T H.265, 7.4.2.2): the key picture after it refers to nothing before. */
const endOfSequence265 = Buffer.from([36 << 1, 1]);

/** One stretch: frames of one size, in the order in which they are shown. */
export class OwnSizeEncoder implements Disposable {
  readonly #kind: RecodedKind;
  #context: CodecContext;

  #frames = 0;

  /** Throws IngestFault. */
  constructor(options: OwnSizeOptions, like: Frame) {
    this.#kind = options.kind;
    this.#context = open(options, like);
    const { sets, beside } = options;
    if (beside.length === 0 || beside.includes(this.sets)) return;
    this.#context.freeContext();
    this.#context = open({ ...options, sets: Buffer.concat([sets, beside]) }, like);
  }

  /** Its parameter sets, with start codes. */
  get sets(): Buffer {
    const sets = this.#context.extraData ?? Buffer.alloc(0);
    if (this.#kind === 'h264') return sets;
    const startCode = Buffer.from([0, 0, 0, 1]);
    return Buffer.concat(unitsOf(sets, false).flatMap((set) => [startCode, renumbered(set)]));
  }

  /** Returns what is ready; `frame`: null ends the stretch. */
  async encode(frame: Frame | null): Promise<EncodedPicture[]> {
    if (frame) {
      // What a decoder found would be repeated otherwise.
      frame.pictType = this.#frames % gop === 0 ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_P;
      this.#frames += 1;
    }
    if ((await this.#context.sendFrame(frame)) < 0) throw new IngestFault('unsupported_codec');
    const pictures: EncodedPicture[] = [];
    using packet = new Packet();
    packet.alloc();
    while ((await this.#context.receivePacket(packet)) >= 0) {
      const key = packet.isKeyframe;
      const data = this.#framed(packet.data ?? Buffer.alloc(0), key);
      pictures.push({ data, shownTicks: Number(packet.pts), key });
      packet.unref();
    }
    return frame ? pictures : this.#ended(pictures);
  }

  #ended(pictures: readonly EncodedPicture[]): EncodedPicture[] {
    // What was encoded last is still in the encoder when the stretch ends.
    const last = this.#kind === 'hevc' ? pictures.at(-1) : undefined;
    return pictures.map((one) =>
      one === last ? { ...one, data: Buffer.concat([one.data, framed([endOfSequence265])]) } : one,
    );
  }

  #framed(data: Buffer, key: boolean): Buffer {
    if (this.#kind === 'h264') return lengthFramed(data);
    const units = unitsOf(data, false).map(renumbered);
    // Firefox reads the first sets of a description alone, which are the camera's.
    return key ? Buffer.concat([lengthFramed(this.sets), framed(units)]) : framed(units);
  }

  [Symbol.dispose](): void {
    this.#context.freeContext();
  }
}

function framed(units: readonly Buffer[]): Buffer {
  return Buffer.concat(
    units.flatMap((unit) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(unit.length);
      return [length, unit];
    }),
  );
}

function renumbered(unit: Buffer): Buffer {
  const own = renumbered265(unit);
  if (!own) throw new Error('x265 writes its slices otherwise');
  return own;
}

/** The encoder takes these as they are; everything else is converted before. */
export const isTakenAsItIs = ({ format }: Frame): boolean =>
  format === AV_PIX_FMT_YUV420P || format === AV_PIX_FMT_YUVJ420P;

function open(options: OwnSizeOptions, like: Frame): CodecContext {
  const { kind, sets, isReordered, pictureTicks } = options;
  const name = kind === 'h264' ? FF_ENCODER_LIBX264 : FF_ENCODER_LIBX265;
  const codec = Codec.findEncoderByName(name);
  const settings = kind === 'h264' ? settings264(sets, isReordered) : settings265(sets);
  if (!codec || !settings) throw new IngestFault('unsupported_codec', `no encoder for ${kind}`);
  const context = new CodecContext();
  context.allocContext3(codec);
  const { width, height, format, colorRange, colorPrimaries, colorTrc, colorSpace } = like;
  Object.assign(context, { width, height, colorRange, colorPrimaries, colorTrc, colorSpace });
  context.pixelFormat = format as typeof AV_PIX_FMT_YUV420P;
  context.sampleAspectRatio = like.sampleAspectRatio;
  context.timeBase = new Rational(1, ticksPerSecond);
  context.framerate = new Rational(ticksPerSecond, Math.max(1, pictureTicks));
  context.gopSize = gop;
  context.threadCount = threads;
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  for (const [key, value] of Object.entries(settings)) context.setOption(key, value);
  if (context.open2Sync(codec, null) < 0) {
    context.freeContext();
    throw new IngestFault('unsupported_codec', kind);
  }
  return context;
}

type Settings = Readonly<Record<string, string | number>>;

/**
 * Null when no number is left for the parameter sets. FFmpeg's decoder waits for as many pictures as a set says may be
 * reordered, and drops some until it has learnt of more; so this set says two, where B-frames follow, without having any.
 */
function settings264(sets: Buffer, isReordered: boolean): Settings | null {
  const number = freeNumber264(sets);
  if (number === null) return null;
  const bFrames = isReordered ? 'bframes=2:b-pyramid=normal:b-adapt=0' : 'bframes=0';
  const params = `${bFrames}:sps-id=${number}:log=-1:scenecut=0:force-cfr=1`;
  return { preset: 'ultrafast', crf, 'x264-params': params };
}

function settings265(sets: Buffer): Settings | null {
  if (!isOwnNumberFree265(sets)) return null;
  const params =
    'log-level=none:info=0:bframes=0:open-gop=0:slices=1:repeat-headers=0:frame-threads=1';
  return { preset: 'ultrafast', crf, 'x265-params': params };
}
