/**
 * Reports to the recorder whether something moves and where, for cameras that are recorded on motion. It compares five
 * frames a second.
 */
import type { StreamName } from '@nazar/contract/cameras.ts';
import type { Frame } from 'node-av/lib';
import type { Clock } from '#lib/clock.ts';
import { FrameScaler } from '../../codec/frame-scaler.ts';
import type { StreamPainters } from '../../mask/camera-painters.ts';
import { samePicture } from '../../mask/stream-part.ts';
import { GridMap } from './grid-map.ts';
import { MotionDetector } from './motion.ts';
import type { Compared } from './motion-marks.ts';
import type { Rotation } from '../../protocol/rotation.ts';
import { fit } from '../../codec/fit.ts';

const everyMs = 200;
const motionWidth = 320;

export class MotionMonitor implements Disposable {
  readonly #clock: Clock;
  readonly #compared: Compared;
  readonly #rotation: Rotation;
  readonly #painters: StreamPainters;
  readonly #scaler = new FrameScaler();
  #motion: {
    readonly detector: MotionDetector;
    readonly map: GridMap;
    readonly key: string;
  } | null = null;
  #comparedAtMs = -Infinity;

  constructor(clock: Clock, painters: StreamPainters, rotation: Rotation, compared: Compared) {
    this.#rotation = rotation;
    this.#clock = clock;
    this.#compared = compared;
    this.#painters = painters;
  }

  async offer(frame: Frame, stream: StreamName): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    // 15 ms early is on time.
    if (nowMs - this.#comparedAtMs < everyMs - 15) return;
    this.#comparedAtMs = nowMs;
    const { width, height } = fit(frame, motionWidth, motionWidth);
    const grey = await this.#scaler.toBuffer(frame, { resize: { width, height }, format: 'gray' });
    const { motion: painter, uprightPart } = this.#painters[stream];
    painter.paint({ width, height, data: grey }, 1);
    const key = `${stream} ${width}x${height} ${JSON.stringify(uprightPart)}`;
    const isFirst = this.#motion?.key !== key;
    this.#motion = isFirst
      ? {
          key,
          detector: new MotionDetector(width, height),
          map: new GridMap({ width, height }, this.#rotation, uprightPart ?? samePicture),
        }
      : this.#motion!;
    const { detector, map } = this.#motion;
    const { moved } = detector.push(grey);
    // The first frame has nothing to be compared with. A light that goes on counts as motion.
    if (!isFirst) this.#compared(map.of(moved), uprightPart !== null);
  }

  [Symbol.dispose](): void {
    this.#scaler.close();
  }
}
