/**
 * What an administrator has set of recognition (SET-016), at hand for whoever must not wait for the database:
 * the pipeline, which decides about each picture, and ingest, which says how many pictures there are. Old by
 * as long as the news of a change takes; when it cannot be read, what was known before goes on.
 */
import {
  settingsSections,
  type RecognitionSettings,
  type Settings as Sections,
} from '@nazar/contract/settings.ts';
import type { Log } from '#lib/log.ts';
import { Topic } from '#lib/topic.ts';
import type { Settings } from './settings.ts';

/**
 * Pictures a second that are looked at while something moves. Five find everybody who walks by; more make
 * votes come sooner, fewer cost less (what a picture costs: docs/design/performance.md).
 */
const picturesPerSecond = { speed: 3, balanced: 5, accuracy: 8 } as const;
/** A probability is shown in whole percent: what is shown as 100 is enough for 100. */
const shownAsCertain = 0.995;

export class RecognitionPolicy implements Disposable {
  /** Something is to be done otherwise from now on. */
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

  /** How sure a name must be, 0 to 1. */
  get minProbability(): number {
    return Math.min(this.#values.threshold / 100, shownAsCertain);
  }

  /** Pixels of the main stream. */
  get minFaceWidth(): number {
    return this.#values.minFaceSize;
  }

  get picturesPerSecond(): number {
    return picturesPerSecond[this.#values.processingMode];
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
