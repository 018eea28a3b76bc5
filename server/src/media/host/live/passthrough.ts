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
  readonly ofPacket: (packet: Buffer, lengthFramed: boolean) => Buffer | null;
  readonly ofExtradata: (extradata: Buffer | null) => Buffer | null;
}

const h264: ParameterSets = { ofPacket: parameterSetsOf, ofExtradata: parameterSetsOfExtradata };
const parameterSets: Readonly<Record<string, ParameterSets>> = {
  h264,
  hevc: { ofPacket: parameterSetsOf265, ofExtradata: parameterSetsOfExtradata265 },
};

/** Whether the codec can be copied into MP4. */
export const isCopied = (codec: string): boolean => codec === 'mjpeg' || codec in parameterSets;

export class Passthrough implements Disposable {
  readonly #track: Track;
  readonly #sink: StreamSink;
  readonly #shown: (init: Init) => Init;
  readonly #sound: CodecParameters | null;
  readonly #lengthFramed: boolean;
  #sets: Buffer | null;
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

  /** Resolves with the picture's times on the media timeline; null before the first key frame. */
  async push(picture: Coded, wallMs: number): Promise<Moment | null> {
    const { key } = picture;
    if (key) await this.#beginIfNeeded(picture);
    if (!this.#remuxer) return null;
    const moment = this.#timeline.next(picture.pts, picture.dts);
    const body = this.#remuxer.write(picture, moment);
    const isOpen = key && this.#track.codec === 'h264' && !isIdr(picture.data, this.#lengthFramed);
    this.#sink.push({ key, at: moment.pts / ticksPerSecond, wallMs, body, isOpen });
    return moment;
  }

  async #beginIfNeeded(picture: Coded): Promise<void> {
    const changed = await this.#changeOf(picture);
    if (this.#remuxer && changed === null) return;
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
    const sets = (parameterSets[this.#track.codec] ?? h264).ofPacket(data, this.#lengthFramed);
    if (sets === null || this.#sets?.equals(sets)) return null;
    this.#sets = sets;
    const size = await sizeOf(this.#track, picture);
    return size !== null && { extradata: sets, ...size };
  }

  #newTimeline(): Timeline {
    return new Timeline(this.#track.fps);
  }

  [Symbol.dispose](): void {
    this.#sink.end();
  }
}
