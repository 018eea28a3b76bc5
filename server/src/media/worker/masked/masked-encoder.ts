/**
 * Encodes frames as H.264 with masks burnt in, at most 15 a second, with the recorded times. Runs in a media worker.
 */
import { AV_PIX_FMT_YUV420P } from 'node-av/constants';
import { CodecParameters, Packet, type CodecContext, type Frame } from 'node-av/lib';
import type { Size } from '#lib/geometry.ts';
import { FrameScaler } from '../../codec/frame-scaler.ts';
import { frameOf } from '../../codec/frame-of.ts';
import { encodedSize, maxEncodedFps, openH264Encoder } from '../../codec/h264-encoder.ts';
import type { MaskPainter } from '../../mask/mask-painter.ts';
import { ticksPerSecond } from '../../codec/timeline.ts';

/** The factor of 0.9 allows for jitter in a camera's times. */
const shortestTicks = (0.9 / maxEncodedFps) * ticksPerSecond;
const encodedTimeBase = { num: 1, den: ticksPerSecond } as const;

export class MaskedEncoder implements Disposable {
  readonly parameters = new CodecParameters();
  readonly #painter: MaskPainter;
  /** The size of every encoded picture, whatever size it has: they are one stream. */
  readonly #size: Size;
  readonly #scaler = new FrameScaler();
  readonly #context: CodecContext;
  /** The newest packet, until its duration is known. */
  #pending: Packet | null = null;
  #lastTicks = -Infinity;

  constructor(given: Size, painter: MaskPainter) {
    this.#painter = painter;
    this.#size = encodedSize(given);
    this.#context = openH264Encoder(this.#size, true);
    this.parameters.alloc();
    this.parameters.fromContext(this.#context);
  }

  /** Returns the picture before, which this one completes; null also when this one is left out to keep the rate. */
  async encode(frame: Frame, ticks: number): Promise<Packet | null> {
    if (ticks - this.#lastTicks < shortestTicks) return null;
    this.#lastTicks = ticks;
    const size = this.#size;
    const data = await this.#scaler.toBuffer(frame, { resize: size, format: 'yuv420p' });
    this.#painter.paintYuv420({ ...size, data });
    using picture = frameOf(data, {
      ...size,
      format: AV_PIX_FMT_YUV420P,
      pts: BigInt(ticks),
      timeBase: encodedTimeBase,
    });
    const packet = new Packet();
    packet.alloc();
    const isMade =
      (await this.#context.sendFrame(picture)) >= 0 &&
      (await this.#context.receivePacket(packet)) >= 0;
    if (isMade) return this.#hold(packet, ticks);
    packet.free();
    return null;
  }

  /** Returns the last picture, which is shown until `ticks`. */
  end(ticks: number): Packet | null {
    return this.#hold(null, Math.max(ticks, this.#lastTicks + 1));
  }

  #hold(packet: Packet | null, ticks: number): Packet | null {
    const before = this.#pending;
    this.#pending = packet;
    if (before) before.duration = BigInt(ticks) - before.pts;
    return before;
  }

  [Symbol.dispose](): void {
    this.#pending?.free();
    this.#scaler.close();
    this.#context.freeContext();
    this.parameters[Symbol.dispose]();
  }
}
