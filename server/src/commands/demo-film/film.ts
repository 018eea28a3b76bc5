/**
 * Pictures in, an MP4 out: H.264 as a camera sends it, without B-frames, a key frame each second, no
 * others. For films that are made ahead, such as the demo camera's; encoding runs on another thread while
 * the next picture is made.
 */
import { rm } from 'node:fs/promises';
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_PIX_FMT_YUV420P,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_SMPTE170M,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AV_LOG_ERROR,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import { Codec, CodecContext, FormatContext, Frame, Log, Packet, Rational } from 'node-av/lib';
import { frameOf } from '#media/codec/frame-of.ts';
import type { Size } from '#lib/geometry.ts';

export interface FilmShape extends Size {
  readonly fps: number;
}

/** The rate factor of x264, 0 to 51. Faces keep their quality (nearest distance 0.1 to the photo), 30 s take 5 to 10 MB. */
const crf = 25;

/** Pictures are planes of YUV 4:2:0. No file is left when one of them throws. */
export async function writeFilm(
  path: string,
  shape: FilmShape,
  pictures: Iterable<Buffer>,
): Promise<void> {
  Log.setLevel(AV_LOG_ERROR);
  try {
    await using film = await FilmWriter.open(path, shape);
    for (const picture of pictures) await film.add(picture);
    await film.finish();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

class FilmWriter implements AsyncDisposable {
  readonly #shape: FilmShape;
  readonly #encoder: CodecContext;
  readonly #file: FormatContext;
  #count = 0n;
  /** The picture that is being encoded. */
  #work: Promise<void> = Promise.resolve();

  private constructor(shape: FilmShape, encoder: CodecContext, file: FormatContext) {
    this.#shape = shape;
    this.#encoder = encoder;
    this.#file = file;
  }

  static async open(path: string, shape: FilmShape): Promise<FilmWriter> {
    const encoder = openEncoder(shape);
    const file = new FormatContext();
    must(file.allocOutputContext2(null, 'mp4', path), 'mp4');
    const stream = file.newStream(null);
    must(stream.codecpar.fromContext(encoder), 'parameters');
    stream.timeBase = encoder.timeBase;
    // The index in front, as a film on disk should have it.
    file.setOption('movflags', 'faststart');
    must(await file.openOutput(), path);
    must(await file.writeHeader(null), 'header');
    return new FilmWriter(shape, encoder, file);
  }

  async add(picture: Buffer): Promise<void> {
    await this.#work;
    const { width, height, fps } = this.#shape;
    const frame = frameOf(picture, {
      width,
      height,
      format: AV_PIX_FMT_YUV420P,
      pts: this.#count++,
      timeBase: { num: 1, den: fps },
    });
    this.#work = this.#encode(frame);
    // The next call awaits this; until then its failure must not count as unhandled.
    this.#work.catch(() => undefined);
  }

  async finish(): Promise<void> {
    await this.#work;
    await this.#encode(null);
    must(await this.#file.writeTrailer(), 'trailer');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#work.catch(() => undefined);
    await this.#file.closeOutput();
    this.#file.freeContext();
    this.#encoder.freeContext();
  }

  async #encode(frame: Frame | null): Promise<void> {
    try {
      must(await this.#encoder.sendFrame(frame), 'picture');
    } finally {
      frame?.free();
    }
    using packet = new Packet();
    packet.alloc();
    const [stream] = this.#file.streams;
    for (;;) {
      const got = await this.#encoder.receivePacket(packet);
      if (got === AVERROR_EAGAIN || got === AVERROR_EOF) return;
      must(got, 'packet');
      packet.duration = 1n;
      packet.rescaleTs(this.#encoder.timeBase, stream!.timeBase);
      packet.streamIndex = 0;
      must(await this.#file.interleavedWriteFrame(packet), 'write');
    }
  }
}

function openEncoder({ width, height, fps }: FilmShape): CodecContext {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264);
  if (!codec) throw new Error('no H.264 encoder');
  const context = new CodecContext();
  context.allocContext3(codec);
  context.width = width;
  context.height = height;
  context.pixelFormat = AV_PIX_FMT_YUV420P;
  // As libswscale makes them of RGB; players guess another matrix for 720p when nothing is said.
  context.colorSpace = AVCOL_SPC_SMPTE170M;
  context.colorRange = AVCOL_RANGE_MPEG;
  context.timeBase = new Rational(1, fps);
  context.framerate = new Rational(fps, 1);
  context.gopSize = fps;
  context.maxBFrames = 0;
  context.threadCount = 1;
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  // Not by a Dictionary: open2 frees it, and the second free ends the process.
  context.setOption('preset', 'superfast');
  context.setOption('crf', crf);
  context.setOption('x264-params', 'scenecut=0:log=-1');
  must(context.open2Sync(codec, null), 'encoder');
  return context;
}

function must(result: number, what: string): void {
  if (result < 0) throw new Error(`the film cannot be written: ${what} (${result})`);
}
