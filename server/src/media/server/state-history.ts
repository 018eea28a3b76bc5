/**
 * Keeps the history of each camera's states, from what hosts report about its streams and about the disk that they
 * record to.
 */
import type { CameraHealth, StreamHealth, StreamName } from '@nazar/contract/cameras.ts';
import type { History } from '#cameras/cameras.ts';
import type { Clock } from '#lib/clock.ts';
import type { HealthNews, Media, RecordedNews } from '../media.ts';

type State = Pick<StreamHealth, 'state' | 'cause' | 'since'>;

export interface StateHistoryOptions {
  readonly media: Pick<Media<never>, 'healthChanged' | 'recorded'>;
  readonly history: Pick<History, 'note'>;
  readonly clock: Clock;
}

export class StateHistory implements Disposable {
  readonly #options: StateHistoryOptions;
  readonly #subscriptions: readonly Disposable[];

  constructor(options: StateHistoryOptions) {
    this.#options = options;
    const { media } = options;
    this.#subscriptions = [
      media.healthChanged.on((news) => this.#changed(news)),
      media.recorded.on((news) => this.#recorded(news)),
    ];
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
  }

  #changed({ cameraId, health }: HealthNews): void {
    this.#note(cameraId, 'main', health);
    this.#note(cameraId, 'sub', health.sub ?? none(health));
  }

  #note(cameraId: string, part: StreamName, { state, cause, since }: State): void {
    const sinceMs = since === null ? this.#options.clock.now() : Date.parse(since);
    this.#options.history.note({ cameraId, part, state, cause, sinceMs });
  }

  /** Only the disk counts here: other causes of gaps are in the history of the streams. */
  #recorded({ cameraId, news }: RecordedNews): void {
    const { history, clock } = this.#options;
    const recording = { cameraId, part: 'recording' } as const;
    if (news.kind === 'opened') {
      history.note({
        ...recording,
        state: 'live',
        cause: 'none',
        sinceMs: news.segment.startedAtMs,
      });
    } else if (news.kind === 'interrupted' && news.cause === 'disk') {
      history.note({ ...recording, state: 'offline', cause: 'disk', sinceMs: clock.now() });
    }
  }
}

/** A host that ends takes both streams with it. */
const none = ({ cause, since }: CameraHealth): State => ({
  state: 'off',
  cause: cause === 'host_restarting' || cause === 'host_crashing' ? cause : 'none',
  since,
});
