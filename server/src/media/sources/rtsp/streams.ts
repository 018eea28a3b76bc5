/** Turns the packets of an RTSP connection's channels into pictures and sound with their times. */
import type { Coded } from '../../codec/coded.ts';
import { IngestFault } from '../../protocol/fault.ts';
import { ticksPerSecond } from '../../codec/timeline.ts';
import { DecodeTimes, depthOf } from './decode-times.ts';
import { AccessUnits, type ArrivedPicture } from './access-units.ts';
import { rtpOf, senderReportOf } from './rtp.ts';
import { RtpClock } from './rtp-clock.ts';
import type { SdpMedia } from './sdp.ts';
import { Senders } from './senders.ts';
import {
  codingOf,
  setsOfSdp,
  soundOf,
  trackOf,
  type OpenedSound,
  type OpenedTrack,
  type PictureCoding,
} from './tracks.ts';
import { maxPixels, type SoundTrack, type Track } from '../../protocol/track.ts';

export interface StreamsListener {
  /** The codec and the size of pictures are known. */
  opened(): void;
  arrived(coded: Coded): void;
  /** A picture came, and the parameter sets are not known yet. */
  waitsForKey(): void;
}

/** One stream of the camera. */
interface Channel {
  readonly media: SdpMedia;
  readonly clock: RtpClock;
  /** Packets come by this channel, RTCP reports by the next one; -1 until the camera says. */
  channel: number;
}

interface Pictures extends Channel {
  readonly coding: PictureCoding;
  readonly accessUnits: AccessUnits;
}

interface Sounds extends Channel {
  readonly opened: OpenedSound;
}

export class CameraStreams implements Disposable {
  readonly pictures: Pictures;
  readonly sounds: Sounds | null;
  readonly #listener: StreamsListener;
  #opened: OpenedTrack | null = null;
  readonly #senders = new Senders();
  /** Null while it is not known how far pictures are reordered. */
  #times: DecodeTimes | null = null;
  /** The pictures since the first key picture, until that is known. */
  #first: Omit<Coded, 'dts'>[] = [];

  private constructor(pictures: Pictures, sounds: Sounds | null, listener: StreamsListener) {
    this.pictures = pictures;
    this.sounds = sounds;
    this.#listener = listener;
  }

  /** Null when this reader does not know the codec of the pictures. Throws an IngestFault when there is no video. */
  static of(
    media: readonly SdpMedia[],
    withSound: boolean,
    listener: StreamsListener,
  ): CameraStreams | null {
    const video = media.find(({ kind }) => kind === 'video');
    if (!video) throw new IngestFault('not_video', 'no video');
    const coding = codingOf(video);
    if (!coding) return null;
    const accessUnits = new AccessUnits(coding.depacketizer);
    const pictures = { media: video, coding, clock: new RtpClock(video.clockRate), accessUnits };
    const streams = new CameraStreams(
      { ...pictures, channel: -1 },
      withSound ? soundsIn(media) : null,
      listener,
    );
    streams.#open(setsOfSdp(video, coding));
    return streams;
  }

  /** Null until all parameter sets are known. */
  get track(): Track | null {
    return this.#opened?.track ?? null;
  }

  get sound(): SoundTrack | null {
    return this.sounds?.opened.track ?? null;
  }

  /** Takes a packet; keeps no bytes of it. Throws an IngestFault when a picture is impossibly large. */
  take(channel: number, packet: Buffer): void {
    const { pictures, sounds } = this;
    if (channel === pictures.channel) this.#takePictures(pictures, packet);
    else if (channel === sounds?.channel) this.#takeSounds(sounds, packet);
    else {
      const reported = [pictures, sounds].find((it) => it && channel === it.channel + 1);
      const report = reported && senderReportOf(packet);
      if (report) reported.clock.report(report);
    }
  }

  /** Opens the track as soon as all parameter sets are known, from the SDP or from the pictures. */
  #open(sets: Buffer): void {
    if (this.#opened) return;
    this.#opened = trackOf(sets, this.pictures.media, this.pictures.coding);
    if (!this.#opened) return;
    const { track, reorder } = this.#opened;
    if (track.width * track.height > maxPixels) throw new IngestFault('damaged', 'too large');
    if (this.#opened.interlaced) this.pictures.accessUnits.expectFields();
    if (reorder !== null) this.#times = new DecodeTimes(reorder);
    this.#listener.opened();
  }

  #takePictures({ media, accessUnits }: Pictures, packet: Buffer): void {
    const rtp = rtpOf(packet);
    if (rtp?.payloadType !== media.payloadType || !this.#senders.isAccepted(rtp.sender ?? 0))
      return;
    for (const picture of accessUnits.take(rtp)) this.#picture(picture);
  }

  #picture({ data, key, timestamp }: ArrivedPicture): void {
    if (key) this.#open(data);
    if (!this.#opened) return this.#listener.waitsForKey();
    const pts = this.pictures.clock.ticksAt(timestamp);
    const picture = { kind: 'picture', data, key, pts, duration: 0 } as const;
    if (this.#times) return this.#pass(picture, this.#times);
    // No viewer can begin before the first key frame.
    if (!key && this.#first.length === 0) return;
    this.#first.push(picture);
    const depth = depthOf(this.#first.map((one) => one.pts ?? 0));
    if (depth === null) return;
    this.#times = new DecodeTimes(depth);
    for (const one of this.#first) this.#pass(one, this.#times);
    this.#first = [];
  }

  #pass(picture: Omit<Coded, 'dts'>, times: DecodeTimes): void {
    const step = Math.round(ticksPerSecond / (this.#opened?.track.fps || 25));
    this.#listener.arrived({ ...picture, dts: times.next(picture.pts ?? 0, step) });
  }

  #takeSounds({ media, opened, clock }: Sounds, packet: Buffer): void {
    const rtp = rtpOf(packet);
    if (rtp?.payloadType !== media.payloadType) return;
    for (const { data, timestamp, samples } of opened.read(rtp)) {
      const own = clock.ticksAt(timestamp);
      // Sender reports put sound on the clock of the pictures; until they come its own clock is taken.
      const pts = own + (this.pictures.clock.from(clock) ?? 0);
      const duration = Math.round((samples * ticksPerSecond) / media.clockRate);
      this.#listener.arrived({ kind: 'sound', data, key: true, pts, dts: pts, duration });
    }
  }

  [Symbol.dispose](): void {
    this.#opened?.track.parameters.free();
    this.sounds?.opened.track.parameters.free();
  }
}

/** The first audio stream with a usable codec that the camera does not expect to receive itself. */
function soundsIn(media: readonly SdpMedia[]): Sounds | null {
  const saysNothing = media.every(({ sendOnly }) => sendOnly);
  const sent = media.filter(({ kind, sendOnly }) => kind === 'audio' && (saysNothing || !sendOnly));
  for (const it of sent) {
    const opened = soundOf(it);
    if (opened) return { media: it, opened, clock: new RtpClock(it.clockRate), channel: -1 };
  }
  return null;
}
