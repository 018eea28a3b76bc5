/**
 * Muxes encoded pictures, and sound as it was recorded, as a part of one long stream: times are the recorded ones, so
 * that parts that different workers made follow one another. FFmpeg's muxer would move sound that begins before the
 * first picture (tried: 0.36 s in one part of three, in every second recording).
 */
import type { CodecParameters, Packet } from 'node-av/lib';
import { momentOf, type Coded } from '../../codec/coded.ts';
import { lengthFramed } from '../../codec/h264.ts';
import { initSegment, type HeadTrack } from '../../mp4/init-segment.ts';
import { fragmentOf, type Run, type Sample } from '../../mp4/fragment.ts';
import { ticksPerSecond } from '../../codec/timeline.ts';

interface OpenRun extends Run {
  readonly samples: Sample[];
}

export class MaskedMuxer {
  readonly init: Buffer;
  /** Samples a second, the time scale of the sound; 0: there is no sound. */
  readonly #soundRate: number;
  #pictures: OpenRun | null = null;
  #sounds: OpenRun | null = null;
  #made = 0;

  private constructor(init: Buffer, soundRate: number) {
    this.init = init;
    this.#soundRate = soundRate;
  }

  static async open(video: CodecParameters, sound: CodecParameters | null): Promise<MaskedMuxer> {
    const tracks: HeadTrack[] = [{ kind: 'picture', parameters: video }];
    if (sound) tracks.push({ kind: 'sound', parameters: sound });
    const init = await initSegment(tracks);
    if (!init) throw new Error('the muxer takes no such stream');
    return new MaskedMuxer(init, sound?.sampleRate ?? 0);
  }

  /** Adds a picture; its times are ticks of 90 kHz, and it is shown when it is decoded. */
  picture(packet: Packet): void {
    this.#pictures ??= { trackId: 1, decodedAt: Number(packet.dts), samples: [] };
    const data = lengthFramed(packet.data ?? Buffer.alloc(0));
    const { isKeyframe: key, duration } = packet;
    this.#pictures.samples.push({ data, duration: Number(duration), offset: 0, key });
  }

  sound(coded: Coded): void {
    if (this.#soundRate === 0) return;
    const samplesIn = (ticks: number): number =>
      Math.round((ticks * this.#soundRate) / ticksPerSecond);
    const { dts, duration } = momentOf(coded);
    this.#sounds ??= { trackId: 2, decodedAt: samplesIn(dts), samples: [] };
    const { data } = coded;
    this.#sounds.samples.push({ data, duration: samplesIn(duration), offset: 0, key: true });
  }

  /** Returns what was added since the last call. */
  fragment(): Buffer {
    const runs = [this.#pictures, this.#sounds].filter((run) => run !== null);
    this.#pictures = null;
    this.#sounds = null;
    return runs.length === 0 ? Buffer.alloc(0) : fragmentOf((this.#made += 1), runs);
  }
}
