/** The live view of a camera's sound: fragmented MP4 of its own, on the timeline of the pictures. */
import type { CodecParameters } from 'node-av/lib';
import type { Coded } from '../../codec/coded.ts';
import type { LiveStream } from '../live/live-stream.ts';
import { SoundMuxer } from '../../mp4/remuxer.ts';
import { ticksPerSecond } from '../../codec/timeline.ts';

export class AudioView implements Disposable {
  readonly #live: LiveStream;
  readonly #parameters: CodecParameters;
  #muxer: SoundMuxer | null = null;

  /** `parameters`: those of AAC. */
  constructor(live: LiveStream, parameters: CodecParameters) {
    this.#live = live;
    this.#parameters = parameters;
  }

  get isWanted(): boolean {
    return this.#live.hasViewers;
  }

  /** `sound`: AAC on the timeline of the pictures. */
  async push(sound: Coded, wallMs: number): Promise<void> {
    if (!this.#muxer) {
      this.#muxer = await SoundMuxer.open(this.#parameters);
      this.#live.begin(this.#muxer.init);
    }
    // An encoder's first packet lies before the sound it was given.
    if (sound.pts === null || sound.pts < 0) return;
    const at = sound.pts / ticksPerSecond;
    this.#live.push({ key: true, at, wallMs, body: this.#muxer.write(sound) });
  }

  /** There is no listener: the next one gets a new stream. */
  pause(): void {
    this.#muxer = null;
    this.#live.end();
  }

  [Symbol.dispose](): void {
    this.pause();
  }
}
