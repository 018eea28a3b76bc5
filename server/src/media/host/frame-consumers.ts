/**
 * Those who look at the pictures of one camera, whichever of its streams they are decoded from: recognition, the
 * recorder that waits until something moves, those who want pictures with boxes, and those who may not see behind
 * masks. Whoever has the pictures asks first whether anybody wants them.
 */
import type { Frame } from 'node-av/lib';
import type { Clock } from '#lib/clock.ts';
import type { Veils } from '../mask/camera-painters.ts';
import type { DrawnStream } from './overlay/drawn-stream.ts';
import type { EyesOnCamera, Origin } from './detection/frame-analyzer.ts';
import type { MaskedView } from './live/masked-view.ts';
import { MotionSentry } from './motion/motion-monitor.ts';
import type { Recorder } from './recorder/recorder.ts';

export interface OnlookersOptions {
  /** Null when nobody recognises faces. */
  readonly eyes: EyesOnCamera | null;
  readonly veils: Pick<Veils, 'motion' | 'steersMotion'>;
  readonly drawn: Pick<DrawnStream, 'want' | 'offer'>;
  readonly masked: Pick<MaskedView, 'want' | 'offer'>;
  readonly recorder: Pick<Recorder, 'asksForMotion' | 'compared'>;
  readonly clock: Clock;
}

export class Onlookers implements Disposable {
  #eyes: EyesOnCamera | null;
  readonly #drawn: OnlookersOptions['drawn'];
  readonly #masked: OnlookersOptions['masked'];
  readonly #recorder: OnlookersOptions['recorder'];
  readonly #sentry: MotionSentry;
  readonly #veils: OnlookersOptions['veils'];
  #busy = false;

  constructor({ eyes, recorder, veils, drawn, masked, clock }: OnlookersOptions) {
    this.#eyes = eyes;
    this.#drawn = drawn;
    this.#masked = masked;
    this.#recorder = recorder;
    this.#veils = veils;
    this.#sentry = new MotionSentry(clock, veils, (moves) => recorder.compared(moves));
  }

  get want(): boolean {
    const shows = this.#drawn.want || this.#masked.want;
    return this.#eyes !== null || this.#recorder.asksForMotion || shows;
  }

  /** Others look from now on, or nobody does any more. */
  setEyes(eyes: EyesOnCamera | null): void {
    this.#eyes?.[Symbol.dispose]();
    this.#eyes = eyes;
  }

  /** Resolves when the frame is no longer needed. */
  async show(frame: Frame, origin: Origin): Promise<void> {
    // While one stream takes over from another both may have one: scalers take one picture at a time.
    if (this.#busy) return;
    this.#busy = true;
    try {
      const compares = this.#recorder.asksForMotion || this.#veils.steersMotion;
      if (compares) await this.#sentry.offer(frame);
      await this.#eyes?.offer(frame, origin);
      await this.#drawn.offer(frame);
      await this.#masked.offer(frame, origin);
    } finally {
      this.#busy = false;
    }
  }

  [Symbol.dispose](): void {
    this.#sentry[Symbol.dispose]();
    this.#eyes?.[Symbol.dispose]();
  }
}
