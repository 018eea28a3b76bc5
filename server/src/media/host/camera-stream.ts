/**
 * Handles everything that one connection to a camera brings: H.264 goes to viewers as it is, other codecs are encoded
 * while there are viewers; what is recorded is recorded as it is; pictures are decoded once, and only while something
 * consumes frames; the newest key frame is kept for a snapshot.
 */
import type { StreamName } from '@nazar/contract/cameras.ts';
import type { Frame } from 'node-av/lib';
import type { Size } from '#lib/geometry.ts';
import type { Measurement } from './alignment/measurement.ts';
import type { Coded } from '../codec/coded.ts';
import type { CameraPainters } from '../mask/camera-painters.ts';
import { ClosedGroups } from './live/closed-groups.ts';
import { codedLive, KeptPictures, type CodedStream } from './detection/coded-stream.ts';
import { Decoder, type OnPicture } from '../codec/decoder.ts';
import type { Consumer } from './ingest.ts';
import type { LiveStream } from './live/live-stream.ts';
import type { MediaCamera } from '../protocol/messages.ts';
import type { FrameConsumers } from './frame-consumers.ts';
import type { StageMeter } from './stage-meter.ts';
import { isCopied, Passthrough, type StreamSink } from './live/passthrough.ts';
import type { StreamTap } from './recorder/stream-choice.ts';
import type { Init } from '../mp4/remuxer.ts';
import { jpegOf } from '../codec/snapshot.ts';
import { MaskPainter } from '../mask/mask-painter.ts';
import { isUsable, RecordedAudio } from './audio/recorded-audio.ts';
import { AudioView } from './audio/audio-view.ts';
import { Timeline, ticksPerSecond, type Moment } from '../codec/timeline.ts';
import { shown } from './live/shown.ts';
import { Transcoder } from './live/transcoder.ts';
import type { SoundTrack, Track } from '../protocol/track.ts';

export interface CameraStreamOptions {
  readonly stream: StreamName;
  readonly track: Track;
  /** Null when the camera sends no sound, or none is wanted. */
  readonly sound: SoundTrack | null;
  readonly live: LiveStream;
  /** The live view of its sound. */
  readonly audio: LiveStream;
  readonly rotation: MediaCamera['rotation'];
  /** Null when the frames of this stream are not consumed now. */
  readonly consumers: () => FrameConsumers | null;
  /** Frames of both streams are wanted at times, to see what the one shows of the other; null: there is no other. */
  readonly measurement: Pick<Measurement, 'isWanted' | 'offer'> | null;
  /** A frame is of another size than the one before: the camera was set up otherwise. */
  readonly sized: (size: Size) => void;
  readonly painters: CameraPainters;
  readonly meter: StageMeter;
  readonly recorder: StreamTap;
  /** Whether single pictures may be wanted, although nothing consumes all frames of this stream. */
  readonly isKept: boolean;
}

/** Two pictures are compared side by side on a screen: more pixels show no more. */
const comparedSide = 1280;

export class CameraStream implements Consumer {
  readonly #options: CameraStreamOptions;
  readonly #passthrough: Passthrough | null;
  readonly #transcoder: Transcoder | null;
  readonly #timeline: Timeline;
  /** For the recorder alone: with sound, or when viewers get an encoded stream. */
  #copy: Passthrough | null = null;
  readonly #recordedAudio: RecordedAudio | null;
  readonly #audioView: AudioView | null;
  readonly #kept: KeptPictures | null;
  #decoder: Decoder | null = null;
  /** The end of the last decoder that nothing needed any more. */
  #decoderEnded: Promise<void> = Promise.resolve();
  #key: { readonly picture: Coded; readonly wallMs: number } | null = null;
  /** The snapshot of that key frame. */
  #still: { readonly painter: MaskPainter; readonly jpeg: Promise<Buffer | null> } | null = null;
  /** There was no viewer since the last encoded picture: the next viewer gets a new stream. */
  #stale = false;
  #size: Size;

  constructor(options: CameraStreamOptions) {
    const { track, live, painters, recorder } = options;
    this.#options = options;
    const playable = track.codec === 'h264';
    this.#size = { width: track.width, height: track.height };
    recorder.setCodec(track.codec);
    this.#recordedAudio =
      options.sound && isUsable(options.sound) ? new RecordedAudio(options.sound) : null;
    this.#audioView =
      this.#recordedAudio && new AudioView(options.audio, this.#recordedAudio.parameters);
    const viewed = new ClosedGroups(live);
    const sink = this.#recordedAudio ? viewed : tee(viewed, recorder);
    this.#passthrough = playable ? this.#copyTo(track, sink) : null;
    this.#transcoder = playable ? null : new Transcoder(painters);
    this.#timeline = new Timeline(track.fps);
    this.#kept = options.isKept && track.codec === 'hevc' ? new KeptPictures(track) : null;
  }

  /** The coded pictures kept since the last key frame; null when none are kept. */
  get coded(): CodedStream | null {
    return this.#passthrough ? codedLive(this.#options.live) : this.#kept;
  }

  get isTimedByArrival(): boolean {
    return (this.#passthrough?.timeline ?? this.#timeline).isByArrival;
  }

  async push(picture: Coded, wallMs: number, arrivedMs: number): Promise<boolean> {
    const { live } = this.#options;
    const moment = this.#passthrough
      ? await this.#passthrough.push(picture, wallMs, arrivedMs)
      : this.#timeline.next(picture.pts, picture.dts, arrivedMs);
    if (!moment) return false;
    const { key, data } = picture;
    this.#kept?.push({ key, at: moment.pts / ticksPerSecond, wallMs, data });
    if (!this.#passthrough || this.#recordedAudio) await this.#record(picture, moment, wallMs);
    if (key) {
      this.#key = { picture, wallMs };
      this.#still = null;
    }
    if (this.#transcoder && !live.hasViewers) {
      live.end();
      this.#stale = true;
    }
    if (this.#wantsPictures) {
      this.#decoder ??= this.#openDecoder();
      this.#decoder.push(picture, moment, wallMs);
    } else this.#endDecoder();
    return true;
  }

  async pushSound(given: Coded, wallMs: number): Promise<void> {
    const pictures = this.#passthrough?.timeline ?? this.#timeline;
    const isAudioWanted = this.#audioView?.isWanted === true;
    if (!isAudioWanted) this.#audioView?.pause();
    if (!this.#recordedAudio || (!this.#copy && !isAudioWanted)) return;
    for (const sound of await this.#recordedAudio.take(given, pictures)) {
      if (isAudioWanted) await this.#audioView?.push(sound, wallMs);
      this.#copy?.pushSound(sound);
    }
  }

  /** When the picture of a snapshot came; null when there was no key frame yet. */
  get snapshotAtMs(): number | null {
    return this.#key?.wallMs ?? null;
  }

  /** Null when there was no key frame yet, or it is damaged. */
  snapshot(): Promise<Buffer | null> {
    const painter = this.#options.painters.seen;
    // Every caller who requests the same picture under the same masks gets the same JPEG.
    if (this.#still?.painter !== painter) this.#still = { painter, jpeg: this.#pictured(painter) };
    return this.#still.jpeg;
  }

  /** The picture of a snapshot without masks, for those who compare the two streams. */
  async unmasked(): Promise<Buffer | null> {
    const { track, rotation } = this.#options;
    const nothing = new MaskPainter({ hides: [], shows: [] });
    const smaller = { maxSide: comparedSide };
    return this.#key && (await jpegOf(track, this.#key.picture, rotation, nothing, smaller));
  }

  async #pictured(painter: MaskPainter): Promise<Buffer | null> {
    const { track, rotation } = this.#options;
    return this.#key && (await jpegOf(track, this.#key.picture, rotation, painter));
  }

  get #wantsPictures(): boolean {
    const { consumers, live, measurement } = this.#options;
    if (measurement?.isWanted) return true;
    return consumers()?.want === true || (this.#transcoder !== null && live.hasViewers);
  }

  #openDecoder(): Decoder {
    const before = this.#decoderEnded;
    const { track, meter } = this.#options;
    const shown = async (...picture: Parameters<OnPicture>): Promise<void> => {
      // The one before may still be showing its last frame: a scaler and an encoder take one at a time.
      await before;
      await this.#show(...picture);
    };
    return new Decoder(track, shown, (work) => meter.time('decode', work));
  }

  /** A decoder holds 10 MB for 1920x1080, which a camera that needs one picture in ten seconds gives back. */
  #endDecoder(): void {
    const decoder = this.#decoder;
    if (!decoder) return;
    this.#decoder = null;
    const before = this.#decoderEnded;
    this.#decoderEnded = Promise.all([before, decoder[Symbol.asyncDispose]()]).then(
      () => undefined,
    );
  }

  async #show(frame: Frame, at: number, wallMs: number): Promise<void> {
    const { live, consumers, rotation, stream, measurement, sized } = this.#options;
    const { width, height } = frame;
    if (width !== this.#size.width || height !== this.#size.height) sized({ width, height });
    this.#size = { width, height };
    if (this.#transcoder && live.hasViewers) {
      if (this.#stale) await this.#transcoder.stop();
      this.#stale = false;
      const encoded = await this.#transcoder.encode(frame, at);
      if (encoded?.init) live.begin(shown(encoded.init, rotation));
      if (encoded) live.push({ key: encoded.key, at: encoded.at, wallMs, body: encoded.body });
    }
    const shownAt = this.#transcoder?.shownAt(at) ?? at;
    await consumers()?.show(frame, { stream, at: shownAt, wallMs, width });
    await measurement?.offer(frame, stream, wallMs);
  }

  /** Copies the picture to the recorder, and only while recording is wanted. */
  async #record(picture: Coded, { pts, dts }: Moment, wallMs: number): Promise<void> {
    const { track, recorder, meter } = this.#options;
    const isCopyable = isCopied(track.codec);
    if (recorder.isWanted && !isCopyable) recorder.interrupt('camera');
    if (recorder.isWanted && isCopyable) {
      this.#copy ??= this.#copyTo(track, recorder, this.#recordedAudio);
      const copy = this.#copy;
      await meter.time('record', () => copy.push({ ...picture, pts, dts }, wallMs, null));
      return;
    }
    this.#copy?.[Symbol.dispose]();
    this.#copy = null;
  }

  #copyTo(track: Track, sink: StreamSink, sound: RecordedAudio | null = null): Passthrough {
    const { rotation } = this.#options;
    const presented = (init: Init): Init => shown(init, rotation);
    return new Passthrough(track, sink, presented, sound?.parameters ?? null);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#endDecoder();
    await this.#decoderEnded;
    await this.#transcoder?.[Symbol.asyncDispose]();
    this.#passthrough?.[Symbol.dispose]();
    this.#copy?.[Symbol.dispose]();
    this.#audioView?.[Symbol.dispose]();
    this.#recordedAudio?.[Symbol.dispose]();
    this.#options.live.end();
    this.#kept?.end();
    this.#key = null;
  }
}

function tee(one: StreamSink, other: StreamSink): StreamSink {
  return {
    begin: (init) => {
      one.begin(init);
      other.begin(init);
    },
    push: (fragment) => {
      one.push(fragment);
      other.push(fragment);
    },
    end: () => {
      one.end();
      other.end();
    },
  };
}
