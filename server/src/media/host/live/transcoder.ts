/**
 * Encodes frames as H.264, for cameras whose own codec browsers cannot play (MJPEG, H.265). It runs only while there
 * are viewers, at most at 15 frames a second and 1280x720: 15 % of a core, where passing H.264 on costs 3 %.
 */
import { AV_PIX_FMT_YUV420P } from 'node-av/constants';
import { CodecParameters, Packet, type CodecContext, type Frame } from 'node-av/lib';
import { frameOf } from '../../codec/frame-of.ts';
import type { CameraPainters } from '../../mask/camera-painters.ts';
import { FrameScaler } from '../../codec/frame-scaler.ts';
import { encodedSize, maxEncodedFps, openH264Encoder } from '../../codec/h264-encoder.ts';
import { parameterSetsOf } from '../../codec/h264.ts';
import { Remuxer, type Init } from '../../mp4/remuxer.ts';
import { ticksPerSecond } from '../../codec/timeline.ts';

export interface Encoded {
  /** Set when this picture begins a new stream. */
  readonly init: Init | null;
  readonly body: Buffer;
  readonly key: boolean;
  /** Seconds on the timeline of the encoded stream. */
  readonly at: number;
}

export class Transcoder implements AsyncDisposable {
  readonly #painters: Pick<CameraPainters, 'encoded'>;
  readonly #scaler = new FrameScaler();
  #context: CodecContext | null = null;
  #remuxer: Remuxer | null = null;
  #size = { width: 0, height: 0 };
  /** Media time at which the encoded stream begins; its own timeline begins at 0. */
  #beganAt = 0;
  #lastAt = -Infinity;

  constructor(painters: Pick<CameraPainters, 'encoded'>) {
    this.#painters = painters;
  }

  /** Converts `at` from the camera's timeline to the one that viewers see. */
  shownAt(at: number): number {
    return Math.max(0, at - this.#beganAt);
  }

  /** Null when the frame is left out to keep the rate. */
  async encode(frame: Frame, at: number): Promise<Encoded | null> {
    if (at - this.#lastAt < 0.9 / maxEncodedFps) return null;
    const size = encodedSize(frame);
    const changed = size.width !== this.#size.width || size.height !== this.#size.height;
    if (changed || !this.#context) await this.#begin(size, at);
    const context = this.#context;
    if (!context) return null;
    const pts = BigInt(Math.round((at - this.#beganAt) * ticksPerSecond));
    const sinceLast = this.#lastAt === -Infinity ? 1 / maxEncodedFps : at - this.#lastAt;
    this.#lastAt = at;
    const data = await this.#scaler.toBuffer(frame, { resize: size, format: 'yuv420p' });
    this.#painters.encoded.paintYuv420({ ...size, data });
    const timeBase = { num: 1, den: ticksPerSecond };
    using picture = frameOf(data, {
      ...size,
      format: AV_PIX_FMT_YUV420P,
      pts,
      timeBase,
    });
    using packet = new Packet();
    packet.alloc();
    if ((await context.sendFrame(picture)) < 0) return null;
    if ((await context.receivePacket(packet)) < 0) return null;
    packet.duration = BigInt(Math.round(sinceLast * ticksPerSecond));
    packet.timeBase = timeBase;
    return await this.#pack(context, packet);
  }

  /** The next frame begins a new stream. */
  async stop(): Promise<void> {
    this.#remuxer = null;
    this.#context?.freeContext();
    this.#context = null;
    this.#lastAt = -Infinity;
    this.#beganAt = 0;
  }

  async #begin(size: { width: number; height: number }, at: number): Promise<void> {
    await this.stop();
    this.#size = size;
    this.#beganAt = at;
    this.#context = openH264Encoder(size);
  }

  async #pack(context: CodecContext, packet: Packet): Promise<Encoded | null> {
    let init: Init | null = null;
    if (!this.#remuxer) {
      using parameters = new CodecParameters();
      parameters.alloc();
      parameters.fromContext(context);
      const sets = packet.data && parameterSetsOf(packet.data, false);
      const changed = sets && { extradata: sets, ...this.#size };
      this.#remuxer = await Remuxer.open(parameters, changed);
      init = this.#remuxer.init;
    }
    const { data, isKeyframe: key, duration } = packet;
    if (!data) return null;
    const pts = Number(packet.pts);
    const moment = { pts, dts: pts, duration: Number(duration) };
    const body = this.#remuxer.write({ data, key }, moment);
    return { init, body, key, at: pts / ticksPerSecond };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.#scaler.close();
  }
}
