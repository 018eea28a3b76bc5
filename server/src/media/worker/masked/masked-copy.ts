/**
 * Copies a part of a recorded file for users who may not see behind privacy masks: pictures are decoded, painted over
 * and encoded anew, sound is copied. A part begins with a key frame, and parts that different workers made play as one
 * stream. Runs in a media worker.
 */
import { AV_LOG_QUIET } from 'node-av/constants';
import { Frame, Log, Rational, type CodecContext, type Packet } from 'node-av/lib';
import { momentOf, packetOf, type Coded } from '../../codec/coded.ts';
import { openDecoder } from '../../codec/decoder.ts';
import { MaskPainter } from '../../mask/mask-painter.ts';
import { openRecorded } from '../recorded-bytes.ts';
import { rotationOf, turned } from '../../mp4/boxes.ts';
import type { FormatSource } from '../../sources/format-source.ts';
import { ticksPerSecond } from '../../codec/timeline.ts';
import { MaskedEncoder } from './masked-encoder.ts';
import { MaskedMuxer } from './masked-muxer.ts';
import { recordedPainter } from '../../mask/recorded-masks.ts';
import type { Masks } from '../../protocol/worker-messages.ts';

export interface MaskedCopy {
  /** The same for every part of a stream. */
  readonly init: Buffer;
  readonly body: Buffer;
  readonly pictures: number;
}

/** Whether a picture that is shown then, in ticks of the file, is to be in the copy. */
export type IsWanted = (shownTicks: number) => boolean;

/**
 * `head`: the file's initialisation segment; `body`: fragments from a key frame on. What is not wanted is decoded alone.
 * Throws the reason of `signal`.
 */
export async function maskedCopy(
  head: Buffer,
  body: Buffer,
  masks: Masks,
  signal: AbortSignal,
  isWanted: IsWanted = () => true,
): Promise<MaskedCopy> {
  Log.setLevel(AV_LOG_QUIET);
  const rotation = rotationOf(head);
  await using source = await openRecorded([head, body], { withSound: true });
  using encoder = new MaskedEncoder(source.track, recordedPainter(masks, rotation));
  const muxer = await MaskedMuxer.open(encoder.parameters, source.sound?.parameters ?? null);
  const copy = new Copy(source, encoder, muxer, isWanted);
  const { fragments, pictures } = await copy.run(signal);
  return { init: turned(muxer.init, rotation), body: Buffer.concat(fragments), pictures };
}

/** The `init` of all parts of a stream, from one fragment of any of them: nothing is decoded. */
export async function maskedHead(head: Buffer, fragment: Buffer): Promise<Buffer> {
  Log.setLevel(AV_LOG_QUIET);
  await using source = await openRecorded([head, fragment], { withSound: true });
  using encoder = new MaskedEncoder(source.track, new MaskPainter({ hides: [], shows: [] }));
  const muxer = await MaskedMuxer.open(encoder.parameters, source.sound?.parameters ?? null);
  return turned(muxer.init, rotationOf(head));
}

class Copy {
  readonly #source: FormatSource;
  readonly #encoder: MaskedEncoder;
  readonly #muxer: MaskedMuxer;
  readonly #isWanted: IsWanted;
  readonly #fragments: Buffer[] = [];
  #pictures = 0;
  #endTicks = 0;

  constructor(
    source: FormatSource,
    encoder: MaskedEncoder,
    muxer: MaskedMuxer,
    isWanted: IsWanted,
  ) {
    this.#isWanted = isWanted;
    this.#source = source;
    this.#encoder = encoder;
    this.#muxer = muxer;
  }

  async run(signal: AbortSignal): Promise<{ fragments: Buffer[]; pictures: number }> {
    using decoder = openDecoder(this.#source.track, false, false);
    for (let next = await this.#source.read(); next; next = await this.#source.read()) {
      signal.throwIfAborted();
      if (next.kind === 'sound') this.#muxer.sound(next);
      else await this.#decode(decoder, next);
    }
    await decoder.sendPacket(null);
    await this.#encodeAll(decoder);
    this.#put(this.#encoder.end(this.#endTicks));
    this.#fragments.push(this.#muxer.fragment());
    return { fragments: this.#fragments, pictures: this.#pictures };
  }

  /** A damaged packet costs one picture, not the part. */
  async #decode(decoder: CodecContext, picture: Coded): Promise<void> {
    const moment = momentOf(picture);
    if (this.#isWanted(moment.pts)) {
      this.#endTicks = Math.max(this.#endTicks, moment.pts + moment.duration);
    }
    using packet = packetOf(picture, moment);
    if ((await decoder.sendPacket(packet)) >= 0) await this.#encodeAll(decoder);
  }

  async #encodeAll(decoder: CodecContext): Promise<void> {
    using frame = new Frame();
    frame.alloc();
    while ((await decoder.receiveFrame(frame)) >= 0) {
      // swscale's graphs refuse a frame without a time base ("invalid time base 0/1").
      frame.timeBase = new Rational(1, ticksPerSecond);
      const ticks = Number(frame.pts);
      if (this.#isWanted(ticks)) this.#put(await this.#encoder.encode(frame, ticks));
      frame.unref();
    }
  }

  #put(encoded: Packet | null): void {
    if (!encoded) return;
    using packet = encoded;
    // One fragment per picture, as in recorded files: exports take ranges between fragments, and players built on
    // FFmpeg go on reading the fragment they were in after a seek, at offsets where something else is now.
    if (this.#pictures > 0) this.#fragments.push(this.#muxer.fragment());
    this.#pictures += 1;
    this.#muxer.picture(packet);
  }
}
