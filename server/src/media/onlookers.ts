/**
 * Those who look at the pictures of one camera, whichever of its streams they are decoded from: recognition, and
 * the recorder that waits until something moves. Whoever has the pictures asks first whether anybody wants them.
 */
import type { Frame } from 'node-av/lib';
import type { Clock } from '#lib/clock.ts';
import type { EyesOnCamera, Origin } from './eyes/eyes.ts';
import { MotionSentry } from './recorder/motion-sentry.ts';
import type { Recorder } from './recorder/recorder.ts';

export interface OnlookersOptions {
  /** Null when nobody recognises faces. */
  readonly eyes: EyesOnCamera | null;
  readonly recorder: Pick<Recorder, 'asksForMotion' | 'compared'>;
  readonly clock: Clock;
}

export class Onlookers implements Disposable {
  readonly #eyes: EyesOnCamera | null;
  readonly #recorder: OnlookersOptions['recorder'];
  readonly #sentry: MotionSentry;
  #busy = false;

  constructor({ eyes, recorder, clock }: OnlookersOptions) {
    this.#eyes = eyes;
    this.#recorder = recorder;
    this.#sentry = new MotionSentry(clock, (moves) => recorder.compared(moves));
  }

  get want(): boolean {
    return this.#eyes !== null || this.#recorder.asksForMotion;
  }

  /** Resolves when the frame is no longer needed. */
  async show(frame: Frame, origin: Origin): Promise<void> {
    // While one stream takes over from another both may have one: scalers take one picture at a time.
    if (this.#busy) return;
    this.#busy = true;
    try {
      if (this.#recorder.asksForMotion) await this.#sentry.offer(frame);
      await this.#eyes?.offer(frame, origin);
    } finally {
      this.#busy = false;
    }
  }

  [Symbol.dispose](): void {
    this.#sentry[Symbol.dispose]();
    this.#eyes?.[Symbol.dispose]();
  }
}
