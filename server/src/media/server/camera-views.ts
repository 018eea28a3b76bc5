/**
 * The live views of one camera in the server: its main stream, its sound, its sub-stream for viewers who prefer it, and
 * the view with privacy masks for users who may not see behind them. While the sub-stream is not live its viewers get
 * the main one, and notice nothing but another stream that begins.
 */
import { viewNames, type CameraHealth, type ViewName } from '@nazar/contract/cameras.ts';
import type { LiveMessage } from '@nazar/contract/live.ts';
import type { Clock } from '#lib/clock.ts';
import type { LiveFragment, LiveInit } from '../protocol/messages.ts';
import { FanOut, type Viewer } from './fan-out.ts';

/** Disposed when the viewer leaves. */
export interface ViewerSubscription extends Disposable {
  /** The view that is sent now. */
  readonly stream: ViewName;
}

export interface ViewerWishes {
  /** The main stream when left out. */
  readonly stream?: ViewName;
  /** False: only messages about the camera, for viewers whose pictures come another way. */
  readonly pictures?: boolean;
  /** Whose share of what is scarce it takes; left out: the server's own. */
  readonly account?: string;
}

interface JoinedViewer {
  readonly viewer: Viewer;
  readonly wants: ViewName;
  readonly pictures: boolean;
  stream: ViewName;
  subscription: Disposable;
}

/** A viewer who reloads the page finds the stream still running. */
const lingerMs = 10_000;

export class Views {
  readonly #clock: Clock;
  /** Called when the number of viewers of a view may have changed. */
  readonly #changed: () => void;
  readonly #fanOuts: Readonly<Record<ViewName, FanOut>>;
  readonly #viewers = new Set<JoinedViewer>();
  readonly #ended = new AbortController();
  #hasSub = false;
  #masks: string;
  /** Whether what the host sends of the masked view is painted with the masks of now. */
  #isPaintedNow = false;

  /** `masks`: names those that the camera has (`mask/mask-key.ts`). */
  constructor(clock: Clock, masks: string, changed: () => void) {
    this.#masks = masks;
    this.#clock = clock;
    this.#changed = changed;
    const fanOuts = viewNames.map((name) => [name, new FanOut(clock)] as const);
    this.#fanOuts = Object.fromEntries(fanOuts) as Record<ViewName, FanOut>;
  }

  /** How many viewers are sent that view. */
  viewersOf(stream: ViewName): number {
    return this.#fanOuts[stream].viewers;
  }

  join(viewer: Viewer, wishes: ViewerWishes, health: CameraHealth): ViewerSubscription {
    const { stream: wants = 'main', pictures = true } = wishes;
    const message: LiveMessage = { kind: 'health', health };
    viewer.text(JSON.stringify(message));
    const stream = this.#servedTo(wants);
    const subscription = this.#fanOuts[stream].join(viewer, { pictures });
    const joined: JoinedViewer = { viewer, wants, pictures, stream, subscription };
    this.#viewers.add(joined);
    this.#changed();
    return {
      get stream() {
        return joined.stream;
      },
      [Symbol.dispose]: () => {
        this.#viewers.delete(joined);
        joined.subscription[Symbol.dispose]();
        void this.#linger();
      },
    };
  }

  /** Names the masks that pictures of the masked view must be painted with. */
  get masks(): string {
    return this.#masks;
  }

  /**
   * Pictures that were painted with other masks go to no viewer from now on, those on their way from the host included.
   * Viewers wait for the stream that begins with these.
   */
  setMasks(masks: string): void {
    this.#masks = masks;
    this.#isPaintedNow = false;
    this.#fanOuts.masked.forget();
  }

  init(head: LiveInit, body: Uint8Array): void {
    if (head.stream === 'masked') {
      this.#isPaintedNow = head.masks === this.#masks;
      if (!this.#isPaintedNow) return;
    }
    this.#fanOuts[head.stream].init(head, body);
  }

  fragment(head: LiveFragment, body: Uint8Array): void {
    if (head.stream === 'masked' && !this.#isPaintedNow) return;
    this.#fanOuts[head.stream].fragment(head, body);
  }

  /** The camera's health changed: all viewers are informed, and those that lose their stream get the other one. */
  follow(health: CameraHealth): void {
    this.#hasSub = health.sub?.state === 'live';
    if (health.state !== 'live') this.lose('main');
    if (health.state !== 'live' || health.sound === null) this.lose('sound');
    if (!this.#hasSub) this.lose('sub');
    if (health.state !== 'live' && !this.#hasSub) this.lose('masked');
    for (const fanOut of Object.values(this.#fanOuts)) fanOut.announce({ kind: 'health', health });
    for (const joined of this.#viewers) this.#follow(joined);
    this.#changed();
  }

  /** The view is lost: a new initialisation segment comes next. */
  lose(stream: ViewName): void {
    this.#fanOuts[stream].lose();
  }

  end(reason: 'camera' | 'shutdown'): void {
    this.#ended.abort();
    for (const fanOut of Object.values(this.#fanOuts)) fanOut.end(reason);
    this.#viewers.clear();
  }

  #servedTo(wants: ViewName): ViewName {
    // A viewer of the masked view is never sent another one.
    return wants === 'sub' && !this.#hasSub ? 'main' : wants;
  }

  #follow(joined: JoinedViewer): void {
    const stream = this.#servedTo(joined.wants);
    if (stream === joined.stream) return;
    joined.subscription[Symbol.dispose]();
    joined.stream = stream;
    joined.subscription = this.#fanOuts[stream].join(joined.viewer, joined);
  }

  async #linger(): Promise<void> {
    await this.#clock.wait(lingerMs, this.#ended.signal).catch(() => undefined);
    if (!this.#ended.signal.aborted) this.#changed();
  }
}
