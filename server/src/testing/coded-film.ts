/** Films on disk in codings the farm's cameras do not speak: H.265, JPEGs, and H.264 whose pictures refer to later ones. */
import { randomBytes } from 'node:crypto';
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_QUIET,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUVJ420P,
  FF_ENCODER_LIBX264,
  FF_ENCODER_LIBX265,
  FF_ENCODER_MJPEG,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, FormatContext, Log, Packet, Rational } from 'node-av/lib';
import { paint, smallFilm, type FilmShape } from '@nazar/e2e/farm/film.ts';
import { frameOf } from '#media/codec/frame-of.ts';

export interface Coding {
  readonly codec: 'h264' | 'hevc' | 'mjpeg';
  /** Pictures in a row that refer to a later one. */
  readonly bFrames: number;
  /** Whether pictures before a key frame refer to it and to those before it, so that only the first is an IDR (H.264). */
  readonly openGop?: boolean;
  /** Further settings of x264 or x265, e.g. `b-pyramid=strict:ref=1`. */
  readonly settings?: string;
  /** Whether its pictures may come as two fields (H.264). */
  readonly interlaced?: boolean;
  /** Two seconds, a key frame each, when left out. */
  readonly shape?: FilmShape;
  /** Noise that takes about so much; when left out, pictures with their numbers, which take next to nothing. */
  readonly bitsPerSecond?: number;
  /** Paints each picture (YUV 4:2:0 planes) in place of those. */
  readonly paints?: (index: number) => Buffer;
  /** A file that one must be able to seek in when left out; the others can be read as they come. */
  readonly container?: 'mp4' | 'mpegts' | 'fragments';
}

const fragmented = { movflags: 'frag_keyframe+empty_moov+default_base_moof' } as const;

/** Played in a loop by a `file` camera. */
export async function writeCodedFilm(path: string, coding: Coding): Promise<void> {
  Log.setLevel(AV_LOG_QUIET);
  const film = coding.shape ?? smallFilm;
  const { container = 'mp4' } = coding;
  using encoder = encoderOf(coding, film);
  const file = new FormatContext();
  must(file.allocOutputContext2(null, container === 'mpegts' ? 'mpegts' : 'mp4', path));
  const stream = file.newStream(null);
  must(stream.codecpar.fromContext(encoder));
  stream.timeBase = encoder.timeBase;
  must(await file.openOutput());
  using options = Dictionary.fromObject(container === 'fragments' ? fragmented : {});
  must(await file.writeHeader(options));
  const write = async (): Promise<void> => {
    using packet = new Packet();
    packet.alloc();
    while ((await encoder.receivePacket(packet)) >= 0) {
      packet.duration = 1n;
      packet.rescaleTs(encoder.timeBase, stream.timeBase);
      packet.streamIndex = 0;
      must(await file.interleavedWriteFrame(packet));
    }
  };
  const { width, height, pictures, fps } = film;
  for (let index = 0; index < pictures; index++) {
    const shape = { width, height, format: formatOf(coding), pts: BigInt(index) };
    using frame = frameOf(planesOf(coding, film, index), {
      ...shape,
      timeBase: { num: 1, den: fps },
    });
    must(await encoder.sendFrame(frame));
    await write();
  }
  await encoder.sendFrame(null);
  await write();
  must(await file.writeTrailer());
  await file.closeOutput();
  file.freeContext();
}

function planesOf({ bitsPerSecond, paints }: Coding, film: FilmShape, index: number): Buffer {
  if (paints) return paints(index);
  return bitsPerSecond ? noise(film, index) : paint(film, index);
}

/** One access unit per picture, with start codes, parameter sets before every key frame. */
export async function codedUnits(coding: Omit<Coding, 'container'>): Promise<Buffer[]> {
  return (await codedPictures(coding)).map(({ data }) => data);
}

/** The same, each with the place in which it is shown. */
export async function codedPictures(
  coding: Omit<Coding, 'container'>,
): Promise<{ data: Buffer; shownAs: number }[]> {
  Log.setLevel(AV_LOG_QUIET);
  const film = coding.shape ?? smallFilm;
  using encoder = encoderOf(coding, film, false);
  const units: { data: Buffer; shownAs: number }[] = [];
  const take = async (): Promise<void> => {
    using packet = new Packet();
    packet.alloc();
    while ((await encoder.receivePacket(packet)) >= 0) {
      if (packet.data) units.push({ data: Buffer.from(packet.data), shownAs: Number(packet.pts) });
    }
  };
  for (let index = 0; index < film.pictures; index++) {
    const { width, height, fps } = film;
    const shape = { width, height, format: formatOf(coding), pts: BigInt(index) };
    using frame = frameOf(planesOf(coding, film, index), {
      ...shape,
      timeBase: { num: 1, den: fps },
    });
    must(await encoder.sendFrame(frame));
    await take();
  }
  await encoder.sendFrame(null);
  await take();
  return units;
}

const encoders = {
  h264: FF_ENCODER_LIBX264,
  hevc: FF_ENCODER_LIBX265,
  mjpeg: FF_ENCODER_MJPEG,
} as const;

const formatOf = ({ codec }: Coding) =>
  codec === 'mjpeg' ? AV_PIX_FMT_YUVJ420P : AV_PIX_FMT_YUV420P;

function encoderOf(
  coding: Coding,
  { width, height, fps, gop }: FilmShape,
  isHeadApart = true,
): CodecContext {
  const { codec: name, bFrames } = coding;
  const codec = Codec.findEncoderByName(encoders[name]);
  if (!codec) throw new Error(`no encoder of ${name}`);
  const context = new CodecContext();
  context.allocContext3(codec);
  Object.assign(context, { width, height, pixelFormat: formatOf(coding), threadCount: 1 });
  context.timeBase = new Rational(1, fps);
  context.framerate = new Rational(fps, 1);
  context.gopSize = gop;
  context.maxBFrames = bFrames;
  if (coding.bitsPerSecond) context.bitRate = BigInt(coding.bitsPerSecond);
  if (isHeadApart) context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  const { settings = '' } = coding;
  if (name !== 'mjpeg') context.setOption('preset', settings ? 'veryfast' : 'ultrafast');
  const open = coding.openGop ? ':open-gop=1:b-adapt=0' : '';
  const fields = coding.interlaced ? ':interlaced=1' : '';
  const further = settings && `:${settings}`;
  if (name === 'h264')
    context.setOption('x264-params', `scenecut=0:log=-1${open}${fields}${further}`);
  if (name === 'hevc')
    context.setOption('x265-params', `log-level=none:bframes=${bFrames}:keyint=${gop}${further}`);
  must(context.open2Sync(codec, null));
  return context;
}

const grain = randomBytes(4 * 1024 * 1024).map((byte) => 96 + (byte >> 2));

/** Another part of the same grain each time. */
function noise({ width, height }: FilmShape, index: number): Buffer {
  const bytes = (width * height * 3) / 2;
  const from = (index * 7_919) % (grain.length - bytes);
  return Buffer.from(grain.subarray(from, from + bytes));
}

function must(result: number): void {
  if (result < 0) throw new Error(`the film cannot be written (${result})`);
}
