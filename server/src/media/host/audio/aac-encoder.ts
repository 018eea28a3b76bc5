/**
 * Encodes G.711 as AAC, because MP4 has no name for G.711 that players know. Mono, as cameras send it. It takes 0.8 %
 * of a core at 8 kHz, and makes 24 kbit/s out of 64.
 */
import {
  AV_CH_LAYOUT_MONO,
  AV_CHANNEL_ORDER_NATIVE,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_ID_AAC,
  AV_SAMPLE_FMT_FLTP,
} from 'node-av/constants';
import { Codec, CodecContext, CodecParameters, Frame, Packet, Rational } from 'node-av/lib';
import { IngestFault } from '../../protocol/fault.ts';
import { packetOf, type Coded } from '../../codec/coded.ts';
import { ticksPerSecond } from '../../codec/timeline.ts';
import type { SoundTrack } from '../../protocol/track.ts';

const mono = { nbChannels: 1, order: AV_CHANNEL_ORDER_NATIVE, mask: AV_CH_LAYOUT_MONO };
/** Enough for speech; more makes no difference at 8 kHz. */
const bitsPerSample = 3;
/** AAC codes so many samples at a time. */
const blockSamples = 1024;
/** Sound that is further than this from where it should be begins anew there. */
const gapSamples = blockSamples;

/** The samples of one packet, -1 to 1. */
type Samples = Float32Array<ArrayBuffer>;

export class AacEncoder implements Disposable {
  readonly parameters: CodecParameters;
  readonly #decoder: CodecContext;
  readonly #encoder: CodecContext;
  readonly #rate: number;
  #waiting: Samples = new Float32Array(0);
  /** The time of the first sample that waits, in samples. */
  #at = 0;

  constructor(track: SoundTrack) {
    this.#rate = track.parameters.sampleRate;
    this.#decoder = opened(Codec.findDecoder(track.parameters.codecId), (context) =>
      context.parametersToContext(track.parameters),
    );
    this.#encoder = opened(Codec.findEncoder(AV_CODEC_ID_AAC), (context) => {
      context.sampleRate = this.#rate;
      context.sampleFormat = AV_SAMPLE_FMT_FLTP;
      context.channelLayout = mono;
      context.bitRate = BigInt(this.#rate * bitsPerSample);
      context.timeBase = new Rational(1, this.#rate);
      context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    });
    this.parameters = new CodecParameters();
    this.parameters.alloc();
    this.parameters.fromContext(this.#encoder);
  }

  /** Returns the packets that are complete. `pts` is when the sound is to be played; times are in ticks of 90 kHz. */
  async take(sound: Coded, pts: number): Promise<Coded[]> {
    using packet = packetOf(sound, { pts, dts: pts, duration: sound.duration });
    const samples = await this.#decoded(packet);
    const at = Math.round((pts * this.#rate) / ticksPerSecond);
    if (Math.abs(at - (this.#at + this.#waiting.length)) > gapSamples) {
      this.#waiting = new Float32Array(0);
      this.#at = at;
    }
    this.#waiting = joined(this.#waiting, samples);
    const coded: Coded[] = [];
    while (this.#waiting.length >= blockSamples) coded.push(...(await this.#encodeBlock()));
    return coded;
  }

  async #decoded(packet: Packet): Promise<Samples> {
    let samples: Samples = new Float32Array(0);
    using frame = new Frame();
    frame.alloc();
    if ((await this.#decoder.sendPacket(packet)) < 0) return samples;
    while ((await this.#decoder.receiveFrame(frame)) >= 0) {
      const bytes = frame.data?.[0];
      if (bytes) samples = joined(samples, floats(bytes, frame.nbSamples));
      frame.unref();
    }
    return samples;
  }

  async #encodeBlock(): Promise<Coded[]> {
    const samples = Buffer.from(this.#waiting.slice(0, blockSamples).buffer);
    using block = Frame.fromAudioBuffer(samples, {
      format: AV_SAMPLE_FMT_FLTP,
      nbSamples: blockSamples,
      sampleRate: this.#rate,
      channelLayout: mono,
      pts: BigInt(this.#at),
      timeBase: { num: 1, den: this.#rate },
    });
    this.#waiting = this.#waiting.slice(blockSamples);
    this.#at += blockSamples;
    const coded: Coded[] = [];
    if ((await this.#encoder.sendFrame(block)) < 0) return coded;
    using packet = new Packet();
    packet.alloc();
    while ((await this.#encoder.receivePacket(packet)) >= 0) {
      // The packet's own bytes are a view of memory that is used again.
      const data = Buffer.from(packet.data ?? []);
      const pts = this.#ticks(Number(packet.pts));
      const duration = this.#ticks(Number(packet.duration));
      coded.push({ kind: 'sound', data, key: true, pts, dts: pts, duration });
      packet.unref();
    }
    return coded;
  }

  #ticks(samples: number): number {
    return Math.round((samples * ticksPerSecond) / this.#rate);
  }

  [Symbol.dispose](): void {
    this.parameters.free();
    this.#encoder.freeContext();
    this.#decoder.freeContext();
  }
}

function opened(codec: Codec | null, prepare: (context: CodecContext) => void): CodecContext {
  if (!codec) throw new IngestFault('unsupported_codec', 'no codec for sound');
  const context = new CodecContext();
  context.allocContext3(codec);
  prepare(context);
  if (context.open2Sync(codec, null) < 0) {
    context.freeContext();
    throw new IngestFault('unsupported_codec', 'sound cannot be coded');
  }
  return context;
}

/** Converts signed samples of 16 bits. */
function floats(bytes: Buffer, count: number): Samples {
  const samples = new Float32Array(count);
  for (let at = 0; at < count; at++) samples[at] = bytes.readInt16LE(at * 2) / 32_768;
  return samples;
}

function joined(one: Samples, other: Samples): Samples {
  const all = new Float32Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
