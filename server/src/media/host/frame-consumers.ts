/**
 * The consumers of one camera's decoded frames, whichever stream they come from: the frame analyzer, the motion monitor
 * for recordings on motion, the stills of recordings, the JPEG stream with boxes, and the masked view. The stream that
 * decodes asks first whether any of them wants frames. The picture check samples those that come, and wants none.
 */
import type { Frame } from 'node-av/lib';
import type { Clock } from '#lib/clock.ts';
import type { StreamPainters } from '../mask/camera-painters.ts';
import type { DrawnStream } from './overlay/drawn-stream.ts';
import type { FrameAnalyzer, Origin } from './detection/frame-analyzer.ts';
import type { MaskedView } from './live/masked-view.ts';
import type { MediaCamera } from '../protocol/messages.ts';
import { MotionMonitor } from './motion/motion-monitor.ts';
import type { PictureCheck } from './picture-check/picture-check.ts';
import type { Recorder } from './recorder/recorder.ts';
import type { StageMeter } from './stage-meter.ts';
import type { StillMaker } from './recorder/still-maker.ts';

export interface FrameConsumersOptions {
  /** Null when faces are not detected. */
  readonly analyzer: FrameAnalyzer | null;
  readonly painters: StreamPainters;
  readonly drawn: Pick<DrawnStream, 'want' | 'offer'>;
  readonly masked: Pick<MaskedView, 'want' | 'offer'>;
  readonly stills: Pick<StillMaker, 'isWanted' | 'offer'>;
  readonly recorder: Pick<Recorder, 'asksForMotion' | 'compared'>;
  readonly pictureCheck: Pick<PictureCheck, 'offer'>;
  readonly meter: StageMeter;
  readonly clock: Clock;
  readonly rotation: MediaCamera['rotation'];
}

export class FrameConsumers implements Disposable {
  #analyzer: FrameAnalyzer | null;
  readonly #drawn: FrameConsumersOptions['drawn'];
  readonly #masked: FrameConsumersOptions['masked'];
  readonly #stills: FrameConsumersOptions['stills'];
  readonly #recorder: FrameConsumersOptions['recorder'];
  readonly #motionMonitor: MotionMonitor;
  readonly #pictureCheck: FrameConsumersOptions['pictureCheck'];
  readonly #painters: FrameConsumersOptions['painters'];
  readonly #meter: StageMeter;
  #busy = false;

  constructor(options: FrameConsumersOptions) {
    const { analyzer, recorder, painters, drawn, masked, stills, clock, rotation } = options;
    this.#meter = options.meter;
    this.#pictureCheck = options.pictureCheck;
    this.#analyzer = analyzer;
    this.#drawn = drawn;
    this.#masked = masked;
    this.#stills = stills;
    this.#recorder = recorder;
    this.#painters = painters;
    this.#motionMonitor = new MotionMonitor(clock, painters, rotation, (...compared) =>
      recorder.compared(...compared),
    );
  }

  get want(): boolean {
    const shows = this.#drawn.want || this.#masked.want;
    const compares = this.#analyzer !== null || this.#recorder.asksForMotion;
    return compares || shows || this.#stills.isWanted;
  }

  /** Replaces the analyzer; null: faces are not detected any more. */
  setAnalyzer(analyzer: FrameAnalyzer | null): void {
    this.#analyzer?.[Symbol.dispose]();
    this.#analyzer = analyzer;
  }

  /** Resolves when the frame is no longer needed. */
  async show(frame: Frame, origin: Origin): Promise<void> {
    // While one stream takes over from another both may offer a frame: a scaler takes one at a time.
    if (this.#busy) return;
    this.#busy = true;
    try {
      const compares = this.#recorder.asksForMotion || this.#painters.main.steersMotion;
      if (compares)
        await this.#meter.time('record', () => this.#motionMonitor.offer(frame, origin.stream));
      await this.#analyzer?.offer(frame, origin);
      await this.#stills.offer(frame, origin);
      await this.#drawn.offer(frame, origin.stream);
      await this.#masked.offer(frame, origin);
      await this.#meter.time('decode', () => this.#pictureCheck.offer(frame, origin.stream));
    } finally {
      this.#busy = false;
    }
  }

  [Symbol.dispose](): void {
    this.#motionMonitor[Symbol.dispose]();
    this.#analyzer?.[Symbol.dispose]();
  }
}
