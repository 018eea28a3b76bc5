/** Encodes pictures of recorded files anew: those that cannot be copied without others that the export must not hold. */
import {
  AVMEDIA_TYPE_VIDEO,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_LOG_QUIET,
  AV_PIX_FMT_YUV420P,
} from 'node-av/constants';
import { CodecParameters, Frame, Log, Rational, type CodecContext } from 'node-av/lib';
import { packetOf } from '../codec/coded.ts';
import { frameOf } from '../codec/frame-of.ts';
import { openDecoder } from '../codec/decoder.ts';
import { FrameScaler } from '../codec/frame-scaler.ts';
import {
  isTakenAsItIs,
  OwnSizeEncoder,
  type EncodedPicture,
  type OwnSizeOptions,
} from '../codec/own-size-encoder.ts';
import { ticksPerSecond } from '../codec/timeline.ts';
import { IngestFault } from '../protocol/fault.ts';
import type { Span, TimedPicture } from './cut.ts';
import { canDescribe, streamOf, type RecodedStream } from './description.ts';

/** The worker does little else meanwhile. */
const threads = 2;

export interface Recoded {
  /** Their parameter sets, with start codes. */
  readonly sets: Buffer;
  readonly pictures: readonly EncodedPicture[];
}

interface Sources<P extends TimedPicture> {
  /** Reads the bytes of a picture, one after another. */
  readonly read: (picture: P) => Promise<Buffer>;
  /** Parameter sets that are in the same export, with start codes. */
  readonly beside: Buffer;
}

/**
 * `description`: how they are described as they were recorded. Null when that cannot be done with this stream, or nothing
 * of it can be decoded.
 */
export async function recode<P extends TimedPicture>(
  description: Buffer,
  span: Span<P>,
  sources: Sources<P>,
): Promise<Recoded | null> {
  Log.setLevel(AV_LOG_QUIET);
  const stream = streamOf(description);
  if (!stream) return null;
  try {
    using recoding = new Recoding(stream, span, sources);
    await recoding.run();
    const { sets, pictures } = recoding;
    if (!sets || pictures.length === 0) return null;
    return canDescribe(description, sets) ? { sets, pictures } : null;
  } catch (error) {
    if (error instanceof IngestFault) return null;
    throw error;
  }
}

class Recoding<P extends TimedPicture> implements Disposable {
  readonly #span: Span<P>;
  readonly #read: Sources<P>['read'];
  readonly #wanted: ReadonlySet<number>;
  readonly #decoder: CodecContext;
  readonly #scaler = new FrameScaler();
  readonly pictures: EncodedPicture[] = [];
  #encoder: OwnSizeEncoder | null = null;
  #lastTicks = -Infinity;
  readonly #options: OwnSizeOptions;

  constructor(stream: RecodedStream, span: Span<P>, { read, beside }: Sources<P>) {
    const isReordered = span.decoded.some((one) => one.shownTicks > one.decodeTicks);
    this.#options = { ...stream, beside, isReordered, pictureTicks: pictureTicksOf(span.decoded) };
    this.#span = span;
    this.#read = read;
    this.#wanted = new Set(span.shown.map(({ shownTicks }) => shownTicks));
    this.#decoder = decoderOf(stream);
  }

  get sets(): Buffer | null {
    return this.#encoder?.sets ?? null;
  }

  async run(): Promise<void> {
    for (const picture of this.#span.decoded) {
      const { key, shownTicks, decodeTicks } = picture;
      const data = await this.#read(picture);
      const moment = { pts: shownTicks, dts: decodeTicks, duration: 0 };
      using packet = packetOf({ data, key }, moment);
      // A damaged picture costs that picture, not the rest.
      if ((await this.#decoder.sendPacket(packet)) >= 0) await this.#receive();
    }
    await this.#decoder.sendPacket(null);
    await this.#receive();
    if (this.#encoder) this.pictures.push(...(await this.#encoder.encode(null)));
  }

  async #receive(): Promise<void> {
    using frame = new Frame();
    frame.alloc();
    while ((await this.#decoder.receiveFrame(frame)) >= 0) {
      const ticks = Number(frame.pts);
      if (this.#wanted.has(ticks) && ticks > this.#lastTicks) await this.#encode(frame, ticks);
      frame.unref();
    }
  }

  async #encode(frame: Frame, ticks: number): Promise<void> {
    this.#lastTicks = ticks;
    // swscale's graphs refuse a frame without a time base ("invalid time base 0/1").
    frame.timeBase = new Rational(1, ticksPerSecond);
    if (isTakenAsItIs(frame)) return this.#push(frame);
    using converted = await this.#converted(frame);
    return this.#push(converted);
  }

  async #converted(frame: Frame): Promise<Frame> {
    const { width, height, pts, colorPrimaries, colorTrc, colorSpace } = frame;
    const pixels = await this.#scaler.toBuffer(frame, { format: 'yuv420p' });
    const shape = { width, height, pts, format: AV_PIX_FMT_YUV420P } as const;
    const converted = frameOf(pixels, { ...shape, timeBase: { num: 1, den: ticksPerSecond } });
    return Object.assign(converted, { colorPrimaries, colorTrc, colorSpace });
  }

  async #push(frame: Frame): Promise<void> {
    this.#encoder ??= new OwnSizeEncoder(this.#options, frame);
    this.pictures.push(...(await this.#encoder.encode(frame)));
  }

  [Symbol.dispose](): void {
    this.#encoder?.[Symbol.dispose]();
    this.#scaler.close();
    this.#decoder.freeContext();
  }
}

/** The median of the times between two pictures. */
function pictureTicksOf(pictures: readonly TimedPicture[]): number {
  const steps = pictures.slice(1).map((one, at) => one.decodeTicks - pictures[at]!.decodeTicks);
  return steps.toSorted((a, b) => a - b)[steps.length >> 1] ?? ticksPerSecond / 25;
}

function decoderOf({ kind, configuration }: RecodedStream): CodecContext {
  using parameters = new CodecParameters();
  parameters.alloc();
  parameters.codecType = AVMEDIA_TYPE_VIDEO;
  parameters.codecId = kind === 'h264' ? AV_CODEC_ID_H264 : AV_CODEC_ID_HEVC;
  parameters.extradata = configuration;
  return openDecoder({ parameters, codec: kind }, false, false, threads);
}
