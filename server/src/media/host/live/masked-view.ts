/**
 * The live view of a camera for users who may not see behind its privacy masks: every picture is decoded, painted over
 * and encoded anew while this view has viewers. It is made of the stream whose frames are consumed; another stream
 * begins another view. It has no sound.
 */
import type { StreamName } from '@nazar/contract/cameras.ts';
import type { Frame } from 'node-av/lib';
import type { CameraPainters } from '../../mask/camera-painters.ts';
import type { Origin } from '../detection/frame-analyzer.ts';
import type { MediaCamera } from '../../protocol/messages.ts';
import type { LiveListener } from './live-stream.ts';
import { LiveStream } from './live-stream.ts';
import { shown } from './shown.ts';
import { Transcoder } from './transcoder.ts';

export interface MaskedViewOptions {
  readonly rotation: MediaCamera['rotation'];
  readonly painters: Readonly<Record<StreamName, Pick<CameraPainters, 'encoded'>>>;
  readonly listener: LiveListener;
}

export class MaskedView implements AsyncDisposable {
  readonly live: LiveStream;
  readonly #rotation: MediaCamera['rotation'];
  readonly #transcoder: Transcoder;
  #madeOf: Origin | null = null;
  /** Counts the streams that were given up: a picture that was being encoded for one of them is left out. */
  #restarts = 0;

  constructor({ rotation, painters, listener }: MaskedViewOptions) {
    this.#rotation = rotation;
    const madeOf = (): StreamName => this.#madeOf?.stream ?? 'main';
    this.#transcoder = new Transcoder({
      get encoded() {
        return painters[madeOf()].encoded;
      },
    });
    this.live = new LiveStream(listener);
  }

  /** Whether this view has viewers. */
  get want(): boolean {
    return this.live.hasViewers;
  }

  setViewed(hasViewers: boolean): void {
    // The next viewer gets a new stream, not the pictures of before.
    if (!hasViewers) this.restart();
    this.live.sendToServer(hasViewers);
  }

  /** Forgets what was encoded: the next frame begins another stream. */
  restart(): void {
    this.#restarts += 1;
    this.live.end();
    this.#madeOf = null;
  }

  /** Resolves when the frame is no longer needed. */
  async offer(frame: Frame, origin: Origin): Promise<void> {
    if (!this.want) return;
    const before = this.#madeOf;
    if (before?.stream !== origin.stream || origin.at < before.at) await this.#transcoder.stop();
    this.#madeOf = origin;
    const restarts = this.#restarts;
    const encoded = await this.#transcoder.encode(frame, origin.at);
    if (!encoded || restarts !== this.#restarts) return;
    const { init, key, at, body } = encoded;
    if (init) this.live.begin(shown(init, this.#rotation));
    this.live.push({ key, at, wallMs: origin.wallMs, body });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.live.sendToServer(false);
    await this.#transcoder[Symbol.asyncDispose]();
  }
}
