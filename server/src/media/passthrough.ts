/** H.264 from the camera to the live view as it is. New parameter sets begin a new stream. */
import type { Packet } from 'node-av/lib';
import { isLengthFramed, parameterSetsOf, parameterSetsOfExtradata } from './h264.ts';
import type { LiveStream } from './live-stream.ts';
import { Remuxer, type Init } from './remuxer.ts';
import { sizeOf } from './snapshot.ts';
import type { Track } from './source.ts';
import { Timeline, ticksPerSecond } from './timeline.ts';

export class Passthrough implements AsyncDisposable {
  readonly #track: Track;
  readonly #live: LiveStream;
  readonly #shown: (init: Init) => Init;
  readonly #lengthFramed: boolean;
  #sets: Buffer | null;
  #remuxer: Remuxer | null = null;
  #timeline: Timeline;

  /** `shown` may change how the stream presents itself. */
  constructor(track: Track, live: LiveStream, shown: (init: Init) => Init) {
    this.#track = track;
    this.#live = live;
    this.#shown = shown;
    const { extradata } = track.parameters;
    this.#lengthFramed = isLengthFramed(extradata);
    this.#sets = parameterSetsOfExtradata(extradata);
    this.#timeline = this.#newTimeline();
  }

  /** Sets the packet's times to ticks of 90 kHz on the media timeline; nothing before the first key frame. */
  async push(packet: Packet, wallMs: number): Promise<boolean> {
    const key = packet.isKeyframe;
    if (key) await this.#beginIfNeeded(packet);
    if (!this.#remuxer) return false;
    const { pts, dts, duration } = this.#timeline.next(packet.pts, packet.dts);
    packet.pts = BigInt(pts);
    packet.dts = BigInt(dts);
    packet.duration = BigInt(duration);
    packet.timeBase = { num: 1, den: ticksPerSecond };
    const body = await this.#remuxer.write(packet);
    if (body) this.#live.push({ key, at: pts / ticksPerSecond, wallMs, body });
    return true;
  }

  async #beginIfNeeded(packet: Packet): Promise<void> {
    const sets = packet.data && parameterSetsOf(packet.data, this.#lengthFramed);
    const changed = sets !== null && (this.#sets === null || !this.#sets.equals(sets));
    if (this.#remuxer && !changed) return;
    await this.#remuxer?.[Symbol.asyncDispose]();
    this.#remuxer = null;
    const size = changed ? await sizeOf(this.#track, packet) : null;
    if (sets && changed) this.#sets = sets;
    const replaced = sets && size && { extradata: sets, ...size };
    const remuxer = await Remuxer.open(this.#track.parameters, replaced);
    this.#remuxer = remuxer;
    this.#timeline = this.#newTimeline();
    this.#live.begin(this.#shown(remuxer.init));
  }

  #newTimeline(): Timeline {
    return new Timeline(this.#track.timeBase, this.#track.fps);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#remuxer?.[Symbol.asyncDispose]();
    this.#live.end();
  }
}
