/**
 * A camera's frames as JPEGs with boxes drawn in, for clients that cannot draw them themselves. One frame is encoded
 * once for all viewers who may read the same names; frames that come while one is encoded are left out.
 */
import { AV_PIX_FMT_RGB24 } from 'node-av/constants';
import type { StreamName } from '@nazar/contract/cameras.ts';
import type { Frame } from 'node-av/lib';
import type { Clock } from '#lib/clock.ts';
import { FrameScaler } from '../../codec/frame-scaler.ts';
import { frameOf } from '../../codec/frame-of.ts';
import { rotated, type Pixels } from '../../codec/rotate.ts';
import type { CameraPainters } from '../../mask/camera-painters.ts';
import type { Drawing, MediaCamera } from '../../protocol/messages.ts';
import { ticksPerSecond } from '../../codec/timeline.ts';
import { drawBox, fontSizeFor } from './draw.ts';
import { Labels } from './labels.ts';
import { fit } from '../../codec/fit.ts';

export interface DrawnStreamOptions {
  readonly rotation: MediaCamera['rotation'];
  readonly painters: Readonly<Record<StreamName, Pick<CameraPainters, 'seen'>>>;
  readonly clock: Clock;
  readonly drawn: (drawingId: number, jpeg: Buffer) => void;
}

const everyMs = 100;
const maxSize = { width: 1280, height: 720 };
const jpegQuality = 75;

export class DrawnStream implements AsyncDisposable {
  readonly #options: DrawnStreamOptions;
  readonly #scaler = new FrameScaler();
  readonly #labels = new Labels();
  #drawings: readonly Drawing[] = [];
  #drawing: Promise<void> | null = null;
  #shownAtMs = -Infinity;

  constructor(options: DrawnStreamOptions) {
    this.#options = options;
  }

  /** Whether any JPEGs are wanted. */
  get want(): boolean {
    return this.#drawings.length > 0;
  }

  /** What is drawn from now on, one drawing for each set of viewers; an empty list: no JPEGs are wanted. */
  setDrawings(drawings: readonly Drawing[]): void {
    this.#drawings = drawings;
  }

  /** Resolves when the frame is no longer needed; drawing goes on by itself. */
  async offer(frame: Frame, stream: StreamName): Promise<void> {
    const nowMs = this.#options.clock.monotonicMs();
    // 15 ms early is on time: otherwise 10 of 25 frames a second become 8.
    if (!this.want || this.#drawing || nowMs - this.#shownAtMs < everyMs - 15) return;
    this.#shownAtMs = nowMs;
    const taken = Promise.withResolvers<void>();
    this.#drawing = this.#draw(frame, stream, taken.resolve)
      // A frame that cannot be scaled or encoded is left out.
      .catch(() => taken.resolve())
      .finally(() => (this.#drawing = null));
    await taken.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#drawings = [];
    await this.#drawing;
    this.#scaler.close();
  }

  async #draw(frame: Frame, stream: StreamName, taken: () => void): Promise<void> {
    const { rotation, painters, drawn } = this.#options;
    const size = fit(frame, maxSize.width, maxSize.height);
    const data = await this.#scaler.toBuffer(frame, { resize: size, format: 'rgb' });
    taken();
    const picture = rotated({ ...size, data }, rotation, 3);
    painters[stream].seen.paint(picture, 3);
    const drawings = this.#drawings;
    for (const [index, { id, boxes }] of drawings.entries()) {
      const isLast = index === drawings.length - 1;
      const own = isLast ? picture : { ...picture, data: Buffer.from(picture.data) };
      drawn(id, await this.#encode(own, boxes));
    }
  }

  async #encode(picture: Pixels, boxes: Drawing['boxes']): Promise<Buffer> {
    const fontSize = fontSizeFor(picture.width);
    for (const box of boxes) {
      drawBox(picture, box, await this.#labels.of(box.label, fontSize));
    }
    using frame = frameOf(picture.data, {
      width: picture.width,
      height: picture.height,
      format: AV_PIX_FMT_RGB24,
      pts: 0n,
      timeBase: { num: 1, den: ticksPerSecond },
    });
    return await this.#scaler.toJpeg(frame, { quality: jpegQuality });
  }
}
