/** A tone without an end as a camera sends it, in AAC or G.711: where a player is silent, something is missing. */
import {
  AV_CH_LAYOUT_MONO,
  AV_CH_LAYOUT_STEREO,
  AV_CHANNEL_ORDER_NATIVE,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_PCM_ALAW,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
} from 'node-av/constants';
import { Codec, CodecContext, CodecParameters, Frame, Packet, Rational } from 'node-av/lib';
import type { Coded } from '#media/codec/coded.ts';
import { ticksPerSecond } from '#media/codec/timeline.ts';
import type { SoundTrack } from '#media/protocol/track.ts';

export interface ToneShape {
  readonly codec: 'aac' | 'pcm_alaw';
  /** Samples a second. */
  readonly rate: number;
  /** One when left out. */
  readonly channels?: 1 | 2;
}

const hertz = 440;
/** Root mean square of the tone, 0 to 1: half of the full level. */
export const toneLevel = 0.5 / Math.SQRT2;

export class Tone implements Disposable {
  readonly track: SoundTrack;
  readonly #encoder: CodecContext;
  readonly #rate: number;
  readonly #channels: number;
  readonly #blockSamples: number;
  #encoded = 0;
  readonly #ready: Coded[] = [];

  constructor({ codec: name, rate, channels = 1 }: ToneShape) {
    const isAac = name === 'aac';
    const codec = Codec.findEncoder(isAac ? AV_CODEC_ID_AAC : AV_CODEC_ID_PCM_ALAW);
    if (!codec) throw new Error(`no encoder of ${name}`);
    this.#rate = rate;
    this.#channels = channels;
    this.#blockSamples = isAac ? 1_024 : rate / 50;
    this.#encoder = new CodecContext();
    this.#encoder.allocContext3(codec);
    this.#encoder.sampleRate = rate;
    this.#encoder.sampleFormat = isAac ? AV_SAMPLE_FMT_FLTP : AV_SAMPLE_FMT_S16;
    this.#encoder.channelLayout = this.#layout;
    this.#encoder.timeBase = new Rational(1, rate);
    this.#encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    if (this.#encoder.open2Sync(codec, null) < 0) throw new Error(`${name} does not open`);
    const parameters = new CodecParameters();
    parameters.alloc();
    parameters.fromContext(this.#encoder);
    this.track = { parameters, codec: name };
  }

  /** The packets that are complete so many seconds after the beginning. */
  async until(seconds: number): Promise<Coded[]> {
    const due: Coded[] = [];
    for (;;) {
      const [next] = this.#ready;
      if (!next) await this.#encode();
      else if (next.pts! + next.duration > seconds * ticksPerSecond) return due;
      else due.push(this.#ready.shift()!);
    }
  }

  async #encode(): Promise<void> {
    using block = Frame.fromAudioBuffer(this.#samples(), {
      format: this.#encoder.sampleFormat,
      nbSamples: this.#blockSamples,
      sampleRate: this.#rate,
      channelLayout: this.#layout,
      pts: BigInt(this.#encoded),
      timeBase: { num: 1, den: this.#rate },
    });
    this.#encoded += this.#blockSamples;
    if ((await this.#encoder.sendFrame(block)) < 0) throw new Error('the tone is not encoded');
    using packet = new Packet();
    packet.alloc();
    while ((await this.#encoder.receivePacket(packet)) >= 0) {
      const pts = this.#ticks(Number(packet.pts));
      const duration = this.#ticks(this.#blockSamples);
      const data = Buffer.from(packet.data ?? []);
      // What lies before the beginning is an encoder's run-up, which no camera sends.
      if (pts >= 0) this.#ready.push({ kind: 'sound', data, key: true, pts, dts: pts, duration });
      packet.unref();
    }
  }

  get #layout() {
    const mask = this.#channels === 2 ? AV_CH_LAYOUT_STEREO : AV_CH_LAYOUT_MONO;
    return { nbChannels: this.#channels, order: AV_CHANNEL_ORDER_NATIVE, mask };
  }

  #samples(): Buffer {
    const wave = Array.from(
      { length: this.#blockSamples },
      (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * (this.#encoded + at)) / this.#rate),
    );
    return this.track.codec === 'aac'
      ? Buffer.from(
          new Float32Array(Array.from({ length: this.#channels }, () => wave).flat()).buffer,
        )
      : Buffer.from(new Int16Array(wave.map((level) => level * 32_767)).buffer);
  }

  #ticks(samples: number): number {
    return Math.round((samples * ticksPerSecond) / this.#rate);
  }

  [Symbol.dispose](): void {
    this.track.parameters.free();
    this.#encoder.freeContext();
  }
}
