/**
 * Remuxes what a camera sends into fragmented MP4, never encoding it anew: one initialisation segment, then one
 * fragment per picture with the sound that came before it, complete as soon as the picture has come.
 */
import { CodecParameters } from 'node-av/lib';
import { IngestFault } from '../protocol/fault.ts';
import type { Coded } from '../codec/coded.ts';
import { isLengthFramed, lengthFramed } from '../codec/h264.ts';
import { ticksPerSecond, type Moment } from '../codec/timeline.ts';
import { codecOf } from './boxes.ts';
import { initSegment, type HeadTrack } from './init-segment.ts';
import { fragmentOf, type Run } from './fragment.ts';

export interface Init {
  readonly body: Buffer;
  readonly mime: string;
  readonly width: number;
  readonly height: number;
}

export interface Changed {
  readonly extradata: Buffer;
  readonly width: number;
  readonly height: number;
}

const pictureTrack = 1;
const soundTrack = 2;
/** So many packets of sound are kept until the next picture: cameras send both in turn. */
const maxWaitingSounds = 500;

export class Remuxer {
  readonly init: Init;
  /** NAL units come with start codes; in MP4 each has its length before it. */
  readonly #hasStartCodes: boolean;
  readonly #soundRate: number;
  #sounds: Coded[] = [];
  #sequence = 0;

  private constructor(init: Init, hasStartCodes: boolean, soundRate: number) {
    this.init = init;
    this.#hasStartCodes = hasStartCodes;
    this.#soundRate = soundRate;
  }

  /** `changed` replaces what `given` says, when the stream has other parameter sets by now. */
  static async open(
    given: CodecParameters,
    changed: Changed | null = null,
    sound: CodecParameters | null = null,
  ): Promise<Remuxer> {
    using parameters = new CodecParameters();
    parameters.alloc();
    given.copy(parameters);
    if (changed) Object.assign(parameters, changed);
    const tracks: HeadTrack[] = [{ kind: 'picture', parameters }];
    if (sound) tracks.push({ kind: 'sound', parameters: sound });
    const body = await initSegment(tracks);
    const codec = body && codecOf(body);
    if (!codec) throw new IngestFault('damaged', 'parameter sets cannot be read');
    const { width, height } = parameters;
    const codecs = [codec, ...(sound ? [soundName(sound)] : [])].join(',');
    const init = { body, mime: `video/mp4; codecs="${codecs}"`, width, height };
    const isOfUnits = codec.startsWith('avc1') || codec.startsWith('hvc1');
    // Pictures are framed as the track says, whatever the newest parameter sets say.
    const hasStartCodes = isOfUnits && !isLengthFramed(given.extradata);
    return new Remuxer(init, hasStartCodes, sound?.sampleRate ?? 0);
  }

  /** Returns the picture as one fragment, with its times on the media timeline. */
  write({ data: given, key }: Pick<Coded, 'data' | 'key'>, moment: Moment): Buffer {
    const data = this.#hasStartCodes ? lengthFramed(given) : given;
    const { pts, dts, duration } = moment;
    const sample = { data, duration, offset: pts - dts, key };
    const runs: Run[] = [{ trackId: pictureTrack, decodedAt: dts, samples: [sample] }];
    if (this.#sounds.length > 0) runs.push(soundRun(soundTrack, this.#sounds, this.#soundRate));
    this.#sounds = [];
    this.#sequence += 1;
    return fragmentOf(this.#sequence, runs);
  }

  /** Adds sound to the fragment of the next picture. Its times are on the media timeline. */
  writeSound(sound: Coded): void {
    this.#sounds.push(sound);
    if (this.#sounds.length > maxWaitingSounds) this.#sounds.shift();
  }
}

/** Remuxes sound alone: AAC as it is, one fragment for each packet. */
export class SoundMuxer {
  readonly init: Init;
  readonly #rate: number;
  #sequence = 0;

  private constructor(init: Init, rate: number) {
    this.init = init;
    this.#rate = rate;
  }

  static async open(parameters: CodecParameters): Promise<SoundMuxer> {
    const body = await initSegment([{ kind: 'sound', parameters }]);
    if (!body) throw new IngestFault('damaged', 'the description of its sound cannot be read');
    const mime = `audio/mp4; codecs="${soundName(parameters)}"`;
    return new SoundMuxer({ body, mime, width: 0, height: 0 }, parameters.sampleRate);
  }

  /** Returns one fragment. The times of `sound` are on the media timeline. */
  write(sound: Coded): Buffer {
    this.#sequence += 1;
    return fragmentOf(this.#sequence, [soundRun(1, [sound], this.#rate)]);
  }
}

/** AAC is named by its object type, the first five bits of its description (ISO/IEC 14496-3); cameras send type 2. */
const soundName = ({ extradata }: CodecParameters): string =>
  `mp4a.40.${(extradata?.[0] ?? 0x10) >> 3}`;

/** Converts times from ticks of 90 kHz to samples; each packet lasts until the next one begins. */
function soundRun(trackId: number, sounds: readonly Coded[], rate: number): Run {
  const inSamples = (ticks: number): number => Math.round((ticks * rate) / ticksPerSecond);
  const times = sounds.map(({ pts }) => inSamples(pts ?? 0));
  const samples = sounds.map(({ data, duration }, index) => {
    const [at, next] = [times[index] ?? 0, times[index + 1]];
    const lasts = next === undefined ? inSamples(duration) : next - at;
    return { data, duration: Math.max(0, lasts), offset: 0, key: true };
  });
  return { trackId, decodedAt: times[0] ?? 0, samples };
}
