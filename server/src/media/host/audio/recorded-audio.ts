/** A camera's sound as recordings have it: AAC as it is, G.711 encoded as AAC, other codecs not at all. */
import type { CodecParameters } from 'node-av/lib';
import type { Coded } from '../../codec/coded.ts';
import type { Timeline } from '../../codec/timeline.ts';
import { AacEncoder } from './aac-encoder.ts';
import { AudioTimeline } from './audio-timeline.ts';
import type { SoundTrack } from '../../protocol/track.ts';

/** AAC without its description (in MPEG-TS) cannot be written to MP4. */
const isAac = ({ codec, parameters }: SoundTrack): boolean =>
  codec === 'aac' && (parameters.extradata?.length ?? 0) > 0;
const isG711 = ({ codec, parameters }: SoundTrack): boolean =>
  (codec === 'pcm_alaw' || codec === 'pcm_mulaw') && parameters.channels === 1;

/** Whether the sound can be recorded and sent live. */
export const isUsable = (track: SoundTrack): boolean => isAac(track) || isG711(track);

export class RecordedAudio implements Disposable {
  readonly #track: SoundTrack;
  readonly #timeline: AudioTimeline;
  readonly #encoder: AacEncoder | null;

  /** The track must be usable (`isUsable`). */
  constructor(track: SoundTrack) {
    this.#track = track;
    this.#timeline = new AudioTimeline(track.parameters.sampleRate);
    this.#encoder = isG711(track) ? new AacEncoder(track) : null;
  }

  /** The codec parameters of the AAC that `take` returns. */
  get parameters(): CodecParameters {
    return this.#encoder?.parameters ?? this.#track.parameters;
  }

  /** Returns AAC on the timeline of those pictures, in ticks that need not be whole. */
  async take(sound: Coded, pictures: Timeline): Promise<Coded[]> {
    const at = this.#timeline.place(sound.pts, sound.duration, pictures);
    if (at === null) return [];
    if (!this.#encoder) return [{ ...sound, pts: at, dts: at }];
    const coded = await this.#encoder.take(sound, Math.round(at));
    // The encoder holds back a frame, which is of the stream before where another one began.
    return coded.filter(({ pts }) => pts !== null && pts <= at);
  }

  [Symbol.dispose](): void {
    this.#encoder?.[Symbol.dispose]();
  }
}
