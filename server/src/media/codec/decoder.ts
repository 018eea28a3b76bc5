/**
 * Decodes pictures to frames beside the ingest and never in its way: pictures wait in a short queue, and when decoding
 * cannot keep up the decoder skips to the next key frame.
 */
import { Codec, CodecContext, Frame, Rational } from 'node-av/lib';
import { IngestFault } from '../protocol/fault.ts';
import { ticksPerSecond, type Moment } from './timeline.ts';
import { packetOf, type Coded } from './coded.ts';
import { maxPixels, type Track } from '../protocol/track.ts';

/** The frame is lent for the time of the call. `at` is in seconds on the media timeline. */
export type OnPicture = (frame: Frame, at: number, wallMs: number) => Promise<void>;

/** Two seconds at 30 fps: more than any pause of the machine, little enough to be current again soon. */
const maxQueue = 60;

/** Counts how long the decoder works. */
export type TimeDecoding = <T>(work: () => Promise<T>) => Promise<T>;

const untimed: TimeDecoding = (work) => work();

interface Waiting {
  readonly picture: Coded;
  readonly moment: Moment;
  readonly wallMs: number;
}

/**
 * A decoder for that track. `fast` leaves out the deblocking filter (-13 % CPU). `live`: frames come
 * without delay; otherwise in the order in which they are shown, whatever they refer to. It refuses pictures that are
 * larger than any camera's, whatever size was announced.
 */
export function openDecoder(
  track: Pick<Track, 'parameters' | 'codec'>,
  fast: boolean,
  live = true,
  threads = 1,
): CodecContext {
  const codec = Codec.findDecoder(track.parameters.codecId);
  if (!codec) throw new IngestFault('unsupported_codec', track.codec);
  const context = new CodecContext();
  context.allocContext3(codec);
  context.parametersToContext(track.parameters);
  context.threadCount = threads;
  context.pktTimebase = new Rational(1, ticksPerSecond);
  context.setOption('max_pixels', maxPixels);
  if (live) context.setOption('flags', '+low_delay');
  if (fast) context.setOption('skip_loop_filter', 'all');
  if (context.open2Sync(codec, null) < 0) throw new IngestFault('unsupported_codec', track.codec);
  return context;
}

export class Decoder implements AsyncDisposable {
  readonly #context: CodecContext;
  readonly #frame = new Frame();
  readonly #onPicture: OnPicture;
  readonly #timed: TimeDecoding;
  readonly #arrivedMs = new Map<bigint, number>();
  #queue: Waiting[] = [];
  #working: Promise<void> | null = null;
  #waitsForKey = true;
  #ended = false;

  constructor(track: Track, onPicture: OnPicture, timed = untimed) {
    this.#context = openDecoder(track, true);
    this.#frame.alloc();
    this.#onPicture = onPicture;
    this.#timed = timed;
  }

  /** `moment`: its times on the media timeline. */
  push(picture: Coded, moment: Moment, wallMs: number): void {
    if (this.#queue.length >= maxQueue) {
      this.#queue = [];
      this.#waitsForKey = true;
    }
    if (this.#waitsForKey && !picture.key) return;
    this.#waitsForKey = false;
    this.#queue.push({ picture, moment, wallMs });
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    for (let next = this.#queue.shift(); next && !this.#ended; next = this.#queue.shift()) {
      using packet = packetOf(next.picture, next.moment);
      this.#arrivedMs.set(packet.pts, next.wallMs);
      // A damaged packet costs one picture, not the stream.
      if ((await this.#timed(() => this.#context.sendPacket(packet))) < 0) continue;
      while (!this.#ended && (await this.#receive()) >= 0) {
        await this.#show(this.#frame);
        this.#frame.unref();
      }
    }
    this.#working = null;
  }

  #receive(): Promise<number> {
    return this.#timed(() => this.#context.receiveFrame(this.#frame));
  }

  async #show(frame: Frame): Promise<void> {
    const { pts } = frame;
    const wallMs = this.#arrivedMs.get(pts) ?? Date.now();
    for (const known of this.#arrivedMs.keys()) if (known <= pts) this.#arrivedMs.delete(known);
    // swscale's graphs refuse a frame without a time base ("invalid time base 0/1").
    frame.timeBase = new Rational(1, ticksPerSecond);
    await this.#onPicture(frame, Number(pts) / ticksPerSecond, wallMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    await this.#working;
    this.#queue = [];
    this.#frame.free();
    this.#context.freeContext();
  }
}
