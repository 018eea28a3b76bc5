/**
 * What the camera sends, as it is, in fragments: for the live view (H.264) and for recordings (whatever it is
 * coded in). New parameter sets or another size begin a new stream.
 */
import type { CodecParameters } from 'node-av/lib';
import type { Coded } from '../../codec/coded.ts';
import { isLengthFramed, parameterSetsOf, parameterSetsOfExtradata } from '../../codec/h264.ts';
import { parameterSetsOf265, parameterSetsOfExtradata265 } from '../../codec/h265.ts';
import type { Fragment } from './live-stream.ts';
import { sizeOfJpeg } from '../../sources/multipart.ts';
import { Remuxer, type Changed, type Init } from '../../mp4/remuxer.ts';
import { sizeOf } from '../../codec/snapshot.ts';
import { Timeline, ticksPerSecond, type Moment } from '../../codec/timeline.ts';
import type { Track } from '../../protocol/track.ts';

/** Where fragments go. */
export interface StreamSink {
  /** What follows is of this stream. */
  begin(init: Init): void;
  push(fragment: Fragment): void;
  /** The stream is over; what comes next begins anew. */
  end(): void;
}

/** What tells one stream of a coding from the next: it stands before key frames, or in the track. */
interface Shape {
  readonly ofPacket: (packet: Buffer, lengthFramed: boolean) => Buffer | null;
  readonly ofExtradata: (extradata: Buffer | null) => Buffer | null;
}

const h264: Shape = { ofPacket: parameterSetsOf, ofExtradata: parameterSetsOfExtradata };
const shapes: Readonly<Record<string, Shape>> = {
  h264,
  hevc: { ofPacket: parameterSetsOf265, ofExtradata: parameterSetsOfExtradata265 },
};

/** Codings that can be copied. */
export const isCopied = (codec: string): boolean => codec === 'mjpeg' || codec in shapes;

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

  /** `shown` may change how the stream presents itself; `sound` is AAC, when it has some. */
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
    this.#sets = (shapes[track.codec] ?? h264).ofExtradata(extradata);
    this.#size = track;
    this.#timeline = this.#newTimeline();
  }

  /** The timeline that viewers or files see. */
  get timeline(): Timeline {
    return this.#timeline;
  }

  /** Sound that belongs to these pictures by its times, which are of the same clock as the pictures' were. */
  pushSound(sound: Coded): void {
    const { shift } = this.#timeline;
    if (!this.#remuxer || shift === null || sound.pts === null || sound.pts + shift < 0) return;
    this.#remuxer.writeSound({ ...sound, pts: sound.pts + shift });
  }

  /** When the picture is on the media timeline; null before the first key frame. */
  async push(picture: Coded, wallMs: number): Promise<Moment | null> {
    const { key } = picture;
    if (key) await this.#beginIfNeeded(picture);
    if (!this.#remuxer) return null;
    const moment = this.#timeline.next(picture.pts, picture.dts);
    const body = this.#remuxer.write(picture, moment);
    this.#sink.push({ key, at: moment.pts / ticksPerSecond, wallMs, body });
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

  /** Null: nothing changed. False: something did, and it cannot be told into what. */
  async #changeOf(picture: Coded): Promise<Changed | false | null> {
    const { data } = picture;
    if (this.#track.codec === 'mjpeg') {
      const size = sizeOfJpeg(data);
      if (!size || (size.width === this.#size.width && size.height === this.#size.height))
        return null;
      this.#size = size;
      return { extradata: Buffer.alloc(0), ...size };
    }
    const sets = (shapes[this.#track.codec] ?? h264).ofPacket(data, this.#lengthFramed);
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
