/**
 * Makes the still of each segment: a small JPEG, for pages that show what was recorded while a user drags along the
 * timeline. It takes a frame that is decoded anyway; where none is, it asks for frames until it has one, so that the
 * key frame that begins the segment is decoded and no other.
 */
import type { StreamName } from '@nazar/contract/cameras.ts';
import type { Frame } from 'node-av/lib';
import type { Clock } from '#lib/clock.ts';
import { FrameScaler } from '../../codec/frame-scaler.ts';
import { jpegOfFrame } from '../../codec/jpeg.ts';
import { MaskPainter } from '../../mask/mask-painter.ts';
import type { MediaCamera } from '../../protocol/messages.ts';
import type { Origin } from '../detection/frame-analyzer.ts';
import type { Recorder } from './recorder.ts';
import { nextQuality, stillSide, usualQuality } from './still-quality.ts';

export interface StillMakerOptions {
  readonly recorder: Pick<Recorder, 'stillWanted' | 'takeStill'>;
  /** What pictures of a stream show (`protocol/stream-pair.ts`). */
  readonly nameOf: (stream: StreamName) => string;
  readonly rotation: MediaCamera['rotation'];
  readonly clock: Clock;
  readonly failed: (error: unknown) => void;
}

/** A still is as unmasked as the file it lies in: masks are painted when a user requests it. */
const nothingHidden = new MaskPainter({ hides: [], shows: [] });

export class StillMaker implements Disposable {
  readonly #options: StillMakerOptions;
  readonly #scaler = new FrameScaler();
  #quality = usualQuality;
  /** The segment that a still was tried for: one that fails is not tried again with each frame. */
  #tried: number | null = null;

  constructor(options: StillMakerOptions) {
    this.#options = options;
  }

  get isWanted(): boolean {
    const wanted = this.#options.recorder.stillWanted;
    return wanted !== null && wanted !== this.#tried;
  }

  /** Resolves when the frame is no longer needed. */
  async offer(frame: Frame, { stream, wallMs }: Pick<Origin, 'stream' | 'wallMs'>): Promise<void> {
    const { recorder, rotation, clock, failed, nameOf } = this.#options;
    const number = recorder.stillWanted;
    if (number === null || !this.isWanted) return;
    const agoMs = Math.max(0, clock.now() - wallMs);
    const shows = nameOf(stream);
    const offeredAtMs = clock.monotonicMs();
    try {
      const jpeg = await jpegOfFrame(frame, {
        scaler: this.#scaler,
        rotation,
        painter: nothingHidden,
        maxSide: stillSide,
        quality: this.#quality,
      });
      this.#quality = nextQuality(this.#quality, jpeg.length);
      recorder.takeStill(number, jpeg, agoMs + clock.monotonicMs() - offeredAtMs, shows);
    } catch (error) {
      this.#tried = number;
      failed(error);
    }
  }

  [Symbol.dispose](): void {
    this.#scaler.close();
  }
}
