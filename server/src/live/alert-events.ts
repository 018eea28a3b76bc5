/**
 * Alerts as events: readers request the list again, at most once a second. A reader is informed only of alerts at cameras
 * that they may see; those about no camera are administrators'.
 */
import type { Cameras } from '#cameras/cameras.ts';
import { holds } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Paced } from '#lib/limits/paced.ts';
import type { EventReaders } from './event-readers.ts';

const pauseMs = 1_000;

export interface AlertEventsOptions {
  readonly cameras: Pick<Cameras, 'ownersOf'>;
  readonly readers: EventReaders;
  readonly clock: Clock;
  readonly log: Log;
}

export class AlertEvents implements AsyncDisposable {
  readonly #options: AlertEventsOptions;
  readonly #paced: Paced;
  /** The cameras of alerts that changed since readers were informed; null among them: alerts about no camera. */
  #pending = new Set<string | null>();

  constructor(options: AlertEventsOptions) {
    this.#options = options;
    const { clock, log } = options;
    const failed = (err: unknown) => log.error({ err }, 'alerts could not be announced');
    this.#paced = new Paced({ clock, pauseMs, failed }, () => this.#announce());
  }

  changed(cameraId: string | null): void {
    if (this.#options.readers.size === 0) return;
    this.#pending.add(cameraId);
    this.#paced.want();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#paced[Symbol.asyncDispose]();
  }

  async #announce(): Promise<void> {
    const { cameras, readers } = this.#options;
    const changed = [...this.#pending];
    this.#pending = new Set();
    const owned = await cameras.ownersOf(changed.filter((id) => id !== null));
    const isOfNone = changed.includes(null);
    readers.tellEach((scope) => {
      const isTheirs = owned.some((camera) => holds(scope, camera, 'live'));
      return isTheirs || (isOfNone && scope.seesAll) ? { kind: 'changed', what: 'alerts' } : null;
    });
  }
}
