/** A camera's sound as those hear it who asked for it: fragmented MP4 of its own, on the timeline of the pictures. */
import type { CodecParameters, Packet } from 'node-av/lib';
import type { LiveStream } from '../live/live-stream.ts';
import { SoundMuxer } from '../live/remuxer.ts';
import { ticksPerSecond } from '../timeline.ts';

export class SoundView implements AsyncDisposable {
  readonly #live: LiveStream;
  readonly #parameters: CodecParameters;
  #muxer: SoundMuxer | null = null;

  /** `parameters` of AAC. */
  constructor(live: LiveStream, parameters: CodecParameters) {
    this.#live = live;
    this.#parameters = parameters;
  }

  get isWanted(): boolean {
    return this.#live.watched;
  }

  /** AAC; its times are ticks of 90 kHz on the timeline of the pictures. */
  async push(packet: Packet): Promise<void> {
    if (!this.#muxer) {
      this.#muxer = await SoundMuxer.open(this.#parameters);
      this.#live.begin(this.#muxer.init);
    }
    const at = Number(packet.pts) / ticksPerSecond;
    const body = await this.#muxer.write(packet);
    if (body) this.#live.push({ key: true, at, wallMs: Date.now(), body });
  }

  /** Nobody listens: who comes next begins anew. */
  async pause(): Promise<void> {
    await this.#muxer?.[Symbol.asyncDispose]();
    this.#muxer = null;
    this.#live.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pause();
  }
}
