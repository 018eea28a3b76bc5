/**
 * Whoever uses the frames of one camera, whichever of its streams they are decoded from: recognition, the
 * recorder that waits until something moves, those who want pictures with boxes, and those who may not see behind
 * masks. Whoever has the pictures asks first whether anybody wants them.
 */
import type { Frame } from 'node-av/lib';
import type { Clock } from '#lib/clock.ts';
import type { CameraPainters } from '../mask/camera-painters.ts';
import type { DrawnStream } from './overlay/drawn-stream.ts';
import type { FrameAnalyzer, Origin } from './detection/frame-analyzer.ts';
import type { MaskedView } from './live/masked-view.ts';
import { MotionMonitor } from './motion/motion-monitor.ts';
import type { Recorder } from './recorder/recorder.ts';

export interface FrameConsumersOptions {
  /** Null when nobody recognises faces. */
  readonly analyzer: FrameAnalyzer | null;
  readonly painters: Pick<CameraPainters, 'motion' | 'steersMotion'>;
  readonly drawn: Pick<DrawnStream, 'want' | 'offer'>;
  readonly masked: Pick<MaskedView, 'want' | 'offer'>;
  readonly recorder: Pick<Recorder, 'asksForMotion' | 'compared'>;
  readonly clock: Clock;
}

export class FrameConsumers implements Disposable {
  #analyzer: FrameAnalyzer | null;
  readonly #drawn: FrameConsumersOptions['drawn'];
  readonly #masked: FrameConsumersOptions['masked'];
  readonly #recorder: FrameConsumersOptions['recorder'];
  readonly #motionMonitor: MotionMonitor;
  readonly #painters: FrameConsumersOptions['painters'];
  #busy = false;

  constructor({ analyzer, recorder, painters, drawn, masked, clock }: FrameConsumersOptions) {
    this.#analyzer = analyzer;
    this.#drawn = drawn;
    this.#masked = masked;
    this.#recorder = recorder;
    this.#painters = painters;
    this.#motionMonitor = new MotionMonitor(clock, painters, (moves) => recorder.compared(moves));
  }

  get want(): boolean {
    const shows = this.#drawn.want || this.#masked.want;
    return this.#analyzer !== null || this.#recorder.asksForMotion || shows;
  }

  /** Replaces the analyzer; null: frames are not analyzed any more. */
  setAnalyzer(analyzer: FrameAnalyzer | null): void {
    this.#analyzer?.[Symbol.dispose]();
    this.#analyzer = analyzer;
  }

  /** Resolves when the frame is no longer needed. */
  async show(frame: Frame, origin: Origin): Promise<void> {
    // While one stream takes over from another both may have one: scalers take one picture at a time.
    if (this.#busy) return;
    this.#busy = true;
    try {
      const compares = this.#recorder.asksForMotion || this.#painters.steersMotion;
      if (compares) await this.#motionMonitor.offer(frame);
      await this.#analyzer?.offer(frame, origin);
      await this.#drawn.offer(frame);
      await this.#masked.offer(frame, origin);
    } finally {
      this.#busy = false;
    }
  }

  [Symbol.dispose](): void {
    this.#motionMonitor[Symbol.dispose]();
    this.#analyzer?.[Symbol.dispose]();
  }
}
