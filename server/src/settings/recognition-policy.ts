/**
 * The settings of recognition in memory, for code that must not wait for the database:
 * the pipeline, which decides about each frame, and ingest, which sets the frame rate. They are out
 * of date for as long as a change takes to arrive; while the settings cannot be read, the last values stay.
 */
import type { Attribute } from '@nazar/contract/attributes.ts';
import {
  inferred,
  settingsSections,
  type RecognitionSettings,
  type Settings as Sections,
} from '@nazar/contract/settings.ts';
import type { Log } from '#lib/log.ts';
import { Topic } from '#lib/topic.ts';
import type { Settings } from './settings.ts';

/**
 * Frames analyzed per second while there is motion. Five find everyone who walks by; with more, a vote is reached
 * sooner, fewer cost less (the cost of a frame: docs/design/performance.md).
 */
const picturesPerSecond = { speed: 3, balanced: 5, accuracy: 8 } as const;
/**
 * The highest rate when a camera requests more and the machine has time. Speed is chosen for what it saves:
 * there the rate stays at three.
 */
const mostPicturesPerSecond = { speed: 3, balanced: Infinity, accuracy: Infinity } as const;
/** A probability is shown in whole percent: a value that is shown as 100 is enough for 100. */
const shownAsCertain = 0.995;

export class RecognitionPolicy implements Disposable {
  /** The policy changed. */
  readonly changed: Topic<RecognitionSettings>;
  readonly #settings: Pick<Settings, 'get' | 'changed'>;
  readonly #log: Log;
  readonly #subscription: Disposable;
  #values: Sections['recognition'] = settingsSections.recognition.defaults;

  private constructor(settings: Pick<Settings, 'get' | 'changed'>, log: Log) {
    this.#settings = settings;
    this.#log = log;
    this.changed = new Topic((error) =>
      log.error({ err: error }, 'reader of recognition.changed failed'),
    );
    this.#subscription = settings.changed.on(({ section }) => {
      if (section === 'recognition') void this.#read();
    });
  }

  static async open(
    settings: Pick<Settings, 'get' | 'changed'>,
    log: Log,
  ): Promise<RecognitionPolicy> {
    const policy = new RecognitionPolicy(settings, log);
    await policy.#read();
    return policy;
  }

  /** The probability that a name requires, 0 to 1. */
  get minProbability(): number {
    return Math.min(this.#values.threshold / 100, shownAsCertain);
  }

  /** Pixels of the main stream. */
  get minFaceWidth(): number {
    return this.#values.minFaceSize;
  }

  /** The attributes to infer from faces; a user confirmed this, or it is empty. */
  get attributes(): readonly Attribute[] {
    return inferred(this.#values.enabledFeatures);
  }

  get picturesPerSecond(): number {
    return picturesPerSecond[this.#values.processingMode];
  }

  get mostPicturesPerSecond(): number {
    return mostPicturesPerSecond[this.#values.processingMode];
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
  }

  async #read(): Promise<void> {
    try {
      this.#values = await this.#settings.get('recognition');
    } catch (error) {
      this.#log.warn({ err: error }, 'settings of recognition could not be read');
      return;
    }
    this.changed.publish(this.#values);
  }
}
