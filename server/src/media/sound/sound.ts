/** A camera's sound as a recording has it: AAC as it is, G.711 coded anew, anything else not at all. */
import type { CodecParameters, Packet } from 'node-av/lib';
import type { SoundTrack } from '../sources/source.ts';
import { ticksOf, ticksPerSecond, type Timeline } from '../timeline.ts';
import { AacEncoder } from './aac-encoder.ts';
import { SoundTimeline } from './sound-timeline.ts';

/** AAC that comes without its description (in MPEG-TS) has no place in MP4. */
const isAac = ({ codec, parameters }: SoundTrack): boolean =>
  codec === 'aac' && (parameters.extradata?.length ?? 0) > 0;
const isG711 = ({ codec, parameters }: SoundTrack): boolean =>
  (codec === 'pcm_alaw' || codec === 'pcm_mulaw') && parameters.channels === 1;

/** Whether it can be kept and heard. */
export const isUsable = (track: SoundTrack): boolean => isAac(track) || isG711(track);

export class Sound implements Disposable {
  readonly #track: SoundTrack;
  readonly #timeline: SoundTimeline;
  readonly #encoder: AacEncoder | null;

  /** The track must be usable. */
  constructor(track: SoundTrack) {
    this.#track = track;
    this.#timeline = new SoundTimeline(track.timeBase);
    this.#encoder = isG711(track) ? new AacEncoder(track) : null;
  }

  /** Of AAC. */
  get parameters(): CodecParameters {
    return this.#encoder?.parameters ?? this.#track.parameters;
  }

  /** AAC on the timeline of those pictures, in ticks of 90 kHz; for the caller to free. */
  async take(packet: Packet, pictures: Timeline): Promise<Packet[]> {
    const duration = ticksOf(packet.duration, this.#track.timeBase) ?? 0;
    const at = this.#timeline.place(packet.pts, duration, pictures);
    const own = at === null ? null : packet.clone();
    if (at === null || !own) return [];
    own.pts = BigInt(Math.round(at));
    own.dts = own.pts;
    own.duration = BigInt(duration);
    own.timeBase = { num: 1, den: ticksPerSecond };
    if (!this.#encoder) return [own];
    using given = own;
    return await this.#encoder.take(given);
  }

  [Symbol.dispose](): void {
    this.#encoder?.[Symbol.dispose]();
  }
}
