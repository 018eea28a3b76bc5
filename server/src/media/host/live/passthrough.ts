/**
 * Passes on what the camera sends as it is, in fragments: for the live view (H.264) and for recordings (any codec that
 * can be copied). New parameter sets or another size begin a new stream.
 */
import type { CodecParameters } from 'node-av/lib';
import type { Coded } from '../../codec/coded.ts';
import {
  isIdr,
  isLengthFramed,
  parameterSetsOf,
  parameterSetsOfExtradata,
  unitedSets,
} from '../../codec/h264.ts';
import { parameterSetsOf265, parameterSetsOfExtradata265 } from '../../codec/h265.ts';
import type { Fragment } from './live-stream.ts';
import { sizeOfJpeg } from '../../sources/multipart.ts';
import { Remuxer, type Changed, type Init } from '../../mp4/remuxer.ts';
import { sizeOf } from '../../codec/snapshot.ts';
import { Timeline, ticksPerSecond, type Moment } from '../../codec/timeline.ts';
import type { Track } from '../../protocol/track.ts';

/** Where fragments go. */
export interface StreamSink {
  /** The fragments that follow belong to this stream. */
  begin(init: Init): void;
  push(fragment: Fragment): void;
  /** The stream is over; what comes next is a new one. */
  end(): void;
}

/** How to read the parameter sets of a codec, which stand before key frames, or in the track. */
interface ParameterSets {
  /** Several of them in one description. */
  readonly united: (sets: readonly Buffer[]) => Buffer;
  readonly ofPacket: (packet: Buffer, lengthFramed: boolean) => Buffer | null;
  readonly ofExtradata: (extradata: Buffer | null) => Buffer | null;
}

const h264: ParameterSets = {
  united: unitedSets,
  ofPacket: parameterSetsOf,
  ofExtradata: parameterSetsOfExtradata,
};
const parameterSets: Readonly<Record<string, ParameterSets>> = {
  h264,
  hevc: {
    united: (sets) => sets.at(-1) ?? Buffer.alloc(0),
    ofPacket: parameterSetsOf265,
    ofExtradata: parameterSetsOfExtradata265,
  },
};

/** A camera that changes its parameters with each key picture begins no more than one stream in this time. */
const shortestMs = 1_000;
/** So many different sets of parameters of one size are known at a time. */
const maxSets = 16;

/** Whether the codec can be copied into MP4. */
export const isCopied = (codec: string): boolean => codec === 'mjpeg' || codec in parameterSets;

export class Passthrough implements Disposable {
  readonly #track: Track;
  readonly #sink: StreamSink;
  readonly #shown: (init: Init) => Init;
  readonly #sound: CodecParameters | null;
  readonly #lengthFramed: boolean;
  #sets: Buffer | null;
  /** The sets of this size that came so far: when one comes again, the stream goes on. */
  #known: Buffer[] = [];
  #begunAtMs = -Infinity;
  #size: { readonly width: number; readonly height: number };
  #remuxer: Remuxer | null = null;
  #timeline: Timeline;

  /** `shown` may change the initialisation segment; `sound`: the parameters of its AAC, or null. */
  constructor(
    track: Track,
    sink: StreamSink,
    shown: (init: Init) => Init,
    sound: CodecParameters | null = null,
  ) {
    this.#track = track;
    this.#sink = sink;
    this.#shown = shown;
    this.#sound = sound;
    const { extradata } = track.parameters;
    this.#lengthFramed = isLengthFramed(extradata);
    this.#sets = (parameterSets[track.codec] ?? h264).ofExtradata(extradata);
    if (this.#sets) this.#known = [this.#sets];
    this.#size = track;
    this.#timeline = this.#newTimeline();
  }

  /** The timeline of the fragments. */
  get timeline(): Timeline {
    return this.#timeline;
  }

  /** Takes sound for these pictures; its times have the same clock as the pictures' own times. */
  pushSound(sound: Coded): void {
    const { shift } = this.#timeline;
    if (!this.#remuxer || shift === null || sound.pts === null || sound.pts + shift < 0) return;
    this.#remuxer.writeSound({ ...sound, pts: sound.pts + shift });
  }

  /**
   * Resolves with the picture's times on the media timeline; null before the first key frame. `arrivedMs`: on a clock
   * that is never set; null when it comes from a file, or its times are right already.
   */
  async push(
    picture: Coded,
    wallMs: number,
    arrivedMs: number | null = wallMs,
  ): Promise<Moment | null> {
    const { key } = picture;
    if (key) await this.#beginIfNeeded(picture, wallMs);
    if (!this.#remuxer) return null;
    const moment = this.#timeline.next(picture.pts, picture.dts, arrivedMs);
    const body = this.#remuxer.write(picture, moment);
    const isOpen = key && this.#track.codec === 'h264' && !isIdr(picture.data, this.#lengthFramed);
    this.#sink.push({ key, at: moment.pts / ticksPerSecond, wallMs, body, isOpen });
    return moment;
  }

  async #beginIfNeeded(picture: Coded, wallMs: number): Promise<void> {
    if (this.#remuxer && Math.abs(wallMs - this.#begunAtMs) < shortestMs) return;
    const changed = await this.#changeOf(picture);
    if (this.#remuxer && changed === null) return;
    this.#begunAtMs = wallMs;
    this.#remuxer = null;
    const remuxer = await Remuxer.open(this.#track.parameters, changed || null, this.#sound);
    this.#remuxer = remuxer;
    this.#timeline = this.#newTimeline();
    this.#sink.begin(this.#shown(remuxer.init));
  }

  /** Null: nothing changed. False: something changed, and the new size is not known. */
  async #changeOf(picture: Coded): Promise<Changed | false | null> {
    const { data } = picture;
    if (this.#track.codec === 'mjpeg') {
      const size = sizeOfJpeg(data);
      if (!size || (size.width === this.#size.width && size.height === this.#size.height))
        return null;
      this.#size = size;
      return { extradata: Buffer.alloc(0), ...size };
    }
    const { ofPacket, united } = parameterSets[this.#track.codec] ?? h264;
    const sets = ofPacket(data, this.#lengthFramed);
    if (sets === null || this.#sets?.equals(sets)) return null;
    this.#sets = sets;
    if (this.#remuxer && this.#known.some((one) => one.equals(sets))) return null;
    const size = await sizeOf(this.#track, picture);
    const isSame = size?.width === this.#size.width && size.height === this.#size.height;
    this.#known = [...(isSame ? this.#known : []), sets].slice(-maxSets);
    if (size) this.#size = size;
    return size !== null && { extradata: united(this.#known), ...size };
  }

  #newTimeline(): Timeline {
    return new Timeline(this.#track.fps);
  }

  [Symbol.dispose](): void {
    this.#sink.end();
  }
}
